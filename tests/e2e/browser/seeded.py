"""Service with the same dice in every run: its sessions get seeds in a fixed order."""

import os
from hashlib import sha256
from itertools import count

from dice_referee.app import asgi_app, configured_app
from dice_referee.settings import Settings

_numbers = count()


def _next_seed() -> bytes:
    """Returns the seed of the next session."""
    return sha256(f"session {next(_numbers)}".encode()).digest()


app = asgi_app(configured_app(Settings.read(os.environ), new_seed=_next_seed))
