"""Baseline of ``sessions.py``: the service with an additional route of a GET and a SET.

Pipeline, server and Redis are the same, so the difference is the cost of a session.
"""

import os

import redis
from flask import Blueprint
from redis.backoff import NoBackoff
from redis.retry import Retry

from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import operation
from dice_referee.app import asgi_app, create_app, open_store
from dice_referee.settings import Settings

CLIENT = redis.Redis.from_url(os.environ["REDIS_URL"], retry=Retry(NoBackoff(), 0))
"""Connects with its first command, after the fork."""
ROUND_TRIPS = Blueprint("round_trips", __name__)


@operation(ROUND_TRIPS, "POST", "/bench/round-trip", rate=None)
def round_trip(request: Request) -> Answer:
    """Reads the stored body, then stores the body of the request."""
    value = CLIENT.get("bench:round-trip")
    CLIENT.set("bench:round-trip", request.body.content)
    return Answer(b'{"kept":true}' if value is not None else b'{"kept":false}')


settings = Settings.read(os.environ)
flask = create_app(settings, open_store(settings))
flask.register_blueprint(ROUND_TRIPS)
app = asgi_app(flask)
