"""The service as the guides meet it: its clock, ids, tokens and seeds are the same in every run."""

import os

from service.app import create_app, open_store
from service.asgi import front_door
from service.settings import Settings
from tests.contract.serving import certain_sources

settings = Settings.read(os.environ)
app = front_door(create_app(settings, open_store(settings), certain_sources()))
