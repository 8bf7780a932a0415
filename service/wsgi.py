"""The service for any WSGI server: ``gunicorn service.wsgi:app``. Reads the environment once."""

import os

from service.app import create_app, open_store
from service.http.logs import configure
from service.settings import Settings

configure()
settings = Settings.read(os.environ)
app = create_app(settings, open_store(settings))
