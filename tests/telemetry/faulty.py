"""The service with faults whose messages contain client input."""

import asyncio
import atexit
import logging
import os
from typing import Any

from flask import Blueprint

from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import operation
from dice_referee.app import asgi_app, create_app, open_store
from dice_referee.server.asgi import AsgiApplication
from dice_referee.server.asgi_messages import Receive, Scope, Send
from dice_referee.settings import Settings
from dice_referee.telemetry.logs import flush_log

FAULTS = Blueprint("faults", __name__)


@operation(FAULTS, "POST", "/fail")
def fail(request: Request) -> Answer:
    """Raises a fault with a cause."""
    try:
        raise KeyError(request.headers[b"authorization"])
    except KeyError as error:
        raise ValueError(f"what is {request.body!r} at {request.query!r}?") from error


class FaultyApplication(AsgiApplication):
    """Fails before the pipeline, and in a task that nobody awaits."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/server":
            secret = f"{scope['headers']} {scope['query_string']} {scope['client']}"
            task = asyncio.ensure_future(_fail(secret))
            await asyncio.wait([task])
            logging.getLogger("library").warning("cannot do %s", secret)
            del task
            raise RuntimeError(secret)
        await super().__call__(scope, receive, send)


async def _fail(secret: str) -> Any:
    raise LookupError(secret)


atexit.register(flush_log)
settings = Settings.read(os.environ)
flask = create_app(settings, open_store(settings))
flask.register_blueprint(FAULTS)
app = asgi_app(flask)
app.__class__ = FaultyApplication
