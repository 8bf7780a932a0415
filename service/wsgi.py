"""The service for any WSGI server: ``gunicorn service.wsgi:app``. Reads the environment once."""

import atexit
import os

from service.app import create_app, open_store, open_tracing
from service.settings import Settings
from service.telemetry.logs import flush_log

atexit.register(flush_log)
settings = Settings.read(os.environ)
tracing = open_tracing(settings)
if tracing is not None:
    # A server that forks afterwards relies on the library to stand that.
    tracing.start()
    atexit.register(tracing.stop)
app = create_app(settings, open_store(settings, tracing), tracing)
