"""The composition root: joins the rooms, decides nothing."""

from flask import Flask

from service.api.application import Application
from service.api.catalogue import add_catalogue
from service.api.referee import add_verbs
from service.api.service import add_service
from service.games import catalogue
from service.settings import Settings
from service.web.pages import add_pages


def create_app(settings: Settings | None = None) -> Flask:
    """The whole service as a Flask application, complete under any WSGI server."""
    app = Application("service", settings or Settings())
    for game in catalogue().values():
        add_verbs(app, game)
    add_catalogue(app)
    add_service(app)
    add_pages(app)
    return app
