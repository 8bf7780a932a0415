"""The service of the contract's examples: an empty store and a deterministic environment."""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask

from dice_referee.app import create_app
from dice_referee.server.local_redis import LocalRedis, candidates
from dice_referee.sessions.redis.store import RedisStore
from tests.unlimited import UNLIMITED

FIRST = 1_795_546_800_000
"""Start of the story, in milliseconds since 1970."""
STEP = 1500
"""Milliseconds between two readings of the clock."""


@contextmanager
def fresh_store() -> Iterator[RedisStore]:
    """Starts a server with an empty store."""
    with TemporaryDirectory() as directory:
        server = LocalRedis(Path(directory), candidates())
        assert server.reserve()
        assert server.start(), "no Redis can be started"
        try:
            yield RedisStore(server.url, 2000)
        finally:
            server.stop()


def _numbered(name: str) -> Callable[[], bytes]:
    """Returns 32 bytes, different at each call, but equal in every run."""
    numbers = count()
    return lambda: hashlib.sha256(f"{name} {next(numbers)}".encode()).digest()


def _text(value: bytes) -> str:
    return urlsafe_b64encode(value).decode().rstrip("=")


def certain_sources() -> dict[str, Any]:
    """Returns a clock, ids, tokens and seeds that are equal in every run."""
    clock = count(FIRST, STEP)
    ids, secrets, seeds = map(_numbered, ("id", "token", "seed"))
    return {
        "now": lambda: next(clock),
        "new_id": lambda: _text(ids()[:16]),
        "new_token": lambda: _text(secrets()),
        "new_seed": seeds,
    }


@contextmanager
def serving_examples() -> Iterator[Flask]:
    """Starts the service that answers the examples once, because they change its store."""
    with fresh_store() as store:
        yield create_app(UNLIMITED, store, **certain_sources())
