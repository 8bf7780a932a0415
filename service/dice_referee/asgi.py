"""The service for the workers of ``make run`` and ``deploy/``. Reads the environment once."""

import os

from dice_referee.app import asgi_app, configured_app
from dice_referee.settings import Settings

app = asgi_app(configured_app(Settings.read(os.environ)))
