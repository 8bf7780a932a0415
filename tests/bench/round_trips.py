"""The yardstick of ``sessions.py``: the service with one more route, which does GET and SET.

Same Flask application, same front door, same Redis: what it costs to have a session at all.
"""

import os

import redis
from flask import Response, jsonify, request
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.app import create_app, open_store
from service.asgi import front_door, settings

CLIENT = redis.Redis.from_url(os.environ["REDIS_URL"], retry=Retry(NoBackoff(), 0))
"""Connects with its first command, after the fork."""


def round_trip() -> Response:
    """Read what is kept, keep what was sent, answer."""
    sent = request.get_data()
    kept = CLIENT.get("bench:round-trip")
    CLIENT.set("bench:round-trip", sent)
    return jsonify(kept=kept is not None)


flask = create_app(settings, open_store(settings))
flask.add_url_rule("/bench/round-trip", "round_trip", round_trip, methods=["POST"])
app = front_door(flask)
