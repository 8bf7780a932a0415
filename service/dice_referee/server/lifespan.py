"""Lifespan of an ASGI application, as its host sees it."""

import asyncio
from typing import Any

from dice_referee.server.asgi_messages import Message

SCOPE = {"type": "lifespan", "asgi": {"version": "3.0", "spec_version": "2.0"}}


class Lifespan:
    def __init__(self, application: Any) -> None:
        self._application = application
        self._messages: asyncio.Queue[Message] = asyncio.Queue()
        self._started = asyncio.Event()
        self._task: asyncio.Task[None]

    @property
    def is_over(self) -> bool:
        return self._task.done()

    async def start(self) -> None:
        """Starts the application. Raises the fault of an application that fails."""
        self._task = asyncio.create_task(
            self._application(SCOPE, self._messages.get, self._send), name="lifespan"
        )
        self._messages.put_nowait({"type": "lifespan.startup"})
        started = asyncio.create_task(self._started.wait())
        await asyncio.wait((self._task, started), return_when=asyncio.FIRST_COMPLETED)
        if not self._started.is_set():
            started.cancel()
            await self._task

    async def stop(self) -> None:
        """Stops the application. Raises the fault of an application that has failed."""
        self._messages.put_nowait({"type": "lifespan.shutdown"})
        await self._task

    async def _send(self, message: Message) -> None:
        if message["type"] == "lifespan.startup.complete":
            self._started.set()
