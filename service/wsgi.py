"""The service for any WSGI server: ``gunicorn service.wsgi:app``. Reads the environment once."""

import os

from service.app import create_app
from service.http.logs import configure
from service.settings import Settings

configure()
app = create_app(Settings.read(os.environ))
