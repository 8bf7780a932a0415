"""The front door for gunicorn's asgi worker: ``gunicorn -c deploy/gunicorn.conf.py``."""

import os

from service.api.application import Application
from service.api.contract import contract
from service.app import create_app, open_store
from service.doors.bridge import Bridge
from service.doors.counting import Counting
from service.doors.front import FrontDoor
from service.doors.shortcut import Shortcut
from service.doors.streams import Streams
from service.games import catalogue
from service.http.logs import configure
from service.settings import Settings


def front_door(app: Application) -> FrontDoor:
    """Both doors: Flask, and before it the shortcut and a place for streams."""
    for game in catalogue().values():
        game.warm()
    settings = app.settings
    bridge = Bridge(app, settings.threads)
    streams = None if app.listeners is None else Streams(bridge, app.listeners, settings)
    shortcut = Shortcut(catalogue(), contract(), settings)
    return FrontDoor(shortcut, bridge, streams, Counting(app.limits), settings)


configure()
settings = Settings.read(os.environ)
app = front_door(create_app(settings, open_store(settings)))
