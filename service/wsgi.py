"""The service for any WSGI server: ``gunicorn service.wsgi:app``. Reads the environment once."""

import atexit
import os

from service.app import create_app, open_spans, open_store
from service.http.logs import configure
from service.settings import Settings

configure()
settings = Settings.read(os.environ)
spans = open_spans(settings)
if spans is not None:
    # Whoever forks afterwards takes the library's word that it can stand that.
    spans.start()
    atexit.register(spans.stop)
app = create_app(settings, open_store(settings, spans), spans=spans)
