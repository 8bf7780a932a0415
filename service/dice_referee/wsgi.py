"""The service for any WSGI server: ``gunicorn dice_referee.wsgi:app``.

Reads the environment once.
"""

import atexit
import os

from dice_referee.app import configured_app
from dice_referee.settings import Settings

app = configured_app(Settings.read(os.environ))
tracing = app.extensions["dice-referee"].services.tracing
if tracing is not None:
    # Servers that fork afterwards rely on the library to survive a fork.
    tracing.start()
    atexit.register(tracing.stop)
