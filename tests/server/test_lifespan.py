"""The lifespan of an application, as our worker runs it."""

import asyncio
from typing import Any

import pytest

from dice_referee.server.asgi_messages import Receive, Send
from dice_referee.server.lifespan import Lifespan


def fails(moment: str) -> Any:
    """Returns an application that fails at a moment of its life."""

    async def application(scope: Any, receive: Receive, send: Send) -> None:
        assert await receive() == {"type": "lifespan.startup"}
        if moment == "start":
            raise ArithmeticError(moment)
        await send({"type": "lifespan.startup.complete"})
        if moment == "life":
            raise ArithmeticError(moment)
        assert await receive() == {"type": "lifespan.shutdown"}
        if moment == "stop":
            raise ArithmeticError(moment)

    return application


@pytest.mark.parametrize("moment", ["start", "life", "stop", "never"])
def test_fault_of_a_lifespan_is_raised_once(moment: str) -> None:
    async def run() -> list[str]:
        lifespan, steps = Lifespan(fails(moment)), list[str]()
        try:
            await lifespan.start()
            steps.append("started")
            await asyncio.sleep(0)
            steps.append("over" if lifespan.is_over else "lives")
            await lifespan.stop()
        except ArithmeticError as error:
            steps.append(str(error))
        return steps

    expected = {
        "start": ["start"],
        "life": ["started", "over", "life"],
        "stop": ["started", "lives", "stop"],
        "never": ["started", "lives"],
    }
    assert asyncio.run(run()) == expected[moment]
