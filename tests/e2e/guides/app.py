"""Service for the guides, with the same clock, ids, tokens and seeds in every run."""

import os
from dataclasses import replace

from dice_referee.app import asgi_app, create_app, open_store
from dice_referee.settings import Settings
from tests.tools.stores import certain_sources

# Guides show no heartbeat.
settings = replace(Settings.read(os.environ), heartbeat_seconds=3600)
app = asgi_app(create_app(settings, open_store(settings), **certain_sources()))
