"""The service for the workers of ``make run`` and ``deploy/``. Reads the environment once."""

import os

from service.app import asgi_app, configured_app
from service.settings import Settings
from service.telemetry.multiprocess import VARIABLE

app = asgi_app(configured_app(Settings.read(os.environ)), os.environ.get(VARIABLE, ""))
