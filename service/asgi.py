"""The service for the workers of ``make run`` and ``deploy/``. Reads the environment once."""

import atexit
import os

from service.app import asgi_app, create_app, open_store, open_tracing
from service.settings import Settings
from service.telemetry.logs import flush_log
from service.telemetry.multiprocess import VARIABLE

atexit.register(flush_log)
settings = Settings.read(os.environ)
tracing = open_tracing(settings)
flask_app = create_app(settings, open_store(settings, tracing), tracing)
app = asgi_app(flask_app, os.environ.get(VARIABLE, ""))
