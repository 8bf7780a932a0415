"""The front door for gunicorn's asgi worker: ``gunicorn -c deploy/gunicorn.conf.py``."""

import os

from service import __version__
from service.api.application import Application
from service.api.contract import contract
from service.app import create_app, open_spans, open_store
from service.doors.bridge import Bridge
from service.doors.counting import Counting
from service.doors.front import FrontDoor
from service.doors.inside import Inside, Place
from service.doors.shortcut import Shortcut
from service.doors.streams import Streams
from service.games import catalogue
from service.http.exposition import Exposition, Look, Watch
from service.http.logs import configure
from service.settings import Settings


def front_door(app: Application) -> FrontDoor:
    """Both doors: Flask, and before it the shortcut and a place for streams."""
    for game in catalogue().values():
        game.warm()
    settings = app.settings
    bridge = Bridge(app, settings.threads)
    streams = None if app.listeners is None else Streams(bridge, app.listeners, settings)
    shortcut, counting = Shortcut(catalogue(), contract(), settings), Counting(app.limits)
    door = FrontDoor(shortcut, bridge, streams, counting, settings, app.spans)
    if settings.metrics_bind:
        _open_inside(door, app, streams)
    return door


def _open_inside(door: FrontDoor, app: Application, streams: Streams | None) -> None:
    """The second address, and who looks at what is told there."""
    settings = app.settings
    looks: dict[str, Look] = {
        "connections": lambda: len(door.crowd),
        "connections_limit": lambda: door.crowd.most,
    }
    numbers: dict[str, tuple[str, Look]] = {}
    begun: list[Look] = []
    if streams is not None and app.listeners is not None:
        store = app.listeners.store
        looks["streams"] = lambda: streams.open
        looks["streams_limit"] = lambda: settings.streams
        looks["redis_breakers_open"] = store.open_breakers
        numbers["referee_sessions"] = "Sessions that are kept, counted every minute.", store.census
        most = settings.sessions_limit
        numbers["referee_sessions_limit"] = "Sessions that would be kept.", lambda: most
        begun.append(store.census)
    metrics = Exposition(__version__, numbers)
    door.inside = Inside(app, Place(settings.metrics_bind), metrics, settings)
    door.watch = Watch(looks, begun)


configure()
settings = Settings.read(os.environ)
spans = open_spans(settings)
app = front_door(create_app(settings, open_store(settings, spans), spans=spans))
