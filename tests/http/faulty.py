"""The service with faults that carry in their messages what a client has sent."""

import asyncio
import logging
import os
from typing import Any

from flask import Response, request

from service.app import create_app, open_store
from service.asgi import front_door
from service.doors.front import FrontDoor
from service.doors.reader import Receive, Scope, Send
from service.settings import Settings


def fail() -> Response:
    """A fault in a view, with another one behind it."""
    try:
        raise KeyError(request.headers["Authorization"])
    except KeyError as error:
        raise ValueError(f"what is {request.get_data()!r} at {request.full_path}?") from error


class FaultyDoor(FrontDoor):
    """Fails before Flask is asked, and in a task that nobody waits for."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/door":
            told = f"{scope['headers']} {scope['query_string']} {scope['client']}"
            task = asyncio.ensure_future(_fail(told))
            await asyncio.wait([task])
            logging.getLogger("library").warning("cannot do %s", told)
            del task
            raise RuntimeError(told)
        await super().__call__(scope, receive, send)


async def _fail(told: str) -> Any:
    raise LookupError(told)


settings = Settings.read(os.environ)
flask = create_app(settings, open_store(settings))
flask.add_url_rule("/fail", "fail", fail, methods=["POST"])
app = front_door(flask)
app.__class__ = FaultyDoor
