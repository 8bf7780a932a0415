"""What the service says of itself: health, version, its contract and its problems."""

from html import escape

import orjson
from flask import Flask, Response, current_app, request

from service import __version__
from service.api.answering import cached, fresh, in_words, language
from service.api.contract import contract, contract_yaml
from service.api.problems import STATUSES, Refused
from service.api.reading import accept
from service.api.words import problem_text, problem_title
from service.http.message import JSON
from service.sessions.bells import Listeners
from service.sessions.store import StoreError

YAML = "application/yaml"
HTML = "text/html"


def add_service(app: Flask) -> None:
    """The resources that belong to no game."""
    for path, view in (
        ("/livez", alive),
        ("/readyz", health),
        ("/healthz", health),
        ("/version", version),
        ("/openapi.yaml", openapi_yaml),
        ("/openapi.json", openapi_json),
        ("/problems/<code>", show_problem),
    ):
        app.add_url_rule(path, f"service{path}", view, methods=["GET"])


def alive() -> Response:
    """Whoever reads this has been answered."""
    accept(JSON)
    return fresh(b'{"status":"ok"}')


def health() -> Response:
    """All a stateless referee needs is its own tables, which exist before it can answer.

    Without the store that they are kept in, sessions are away and the service is degraded, but it
    is ready for everything else.
    """
    accept(JSON)
    listeners: Listeners | None = current_app.listeners  # type: ignore[attr-defined]
    if listeners is None:
        return fresh(b'{"status":"ok","sessions":"off"}')
    try:
        listeners.store.ping()
    except StoreError:
        return fresh(b'{"status":"degraded","sessions":"away"}')
    return fresh(b'{"status":"ok","sessions":"ok"}')


def version() -> Response:
    """Which release answers, and which version of the contract."""
    accept(JSON)
    document = {"version": __version__, "contract": contract()["info"]["version"]}
    return fresh(orjson.dumps(document))


def openapi_yaml() -> Response:
    """The contract as it was written."""
    accept(YAML)
    return cached(contract_yaml(), YAML)


def openapi_json() -> Response:
    """The contract for programs that read no YAML."""
    accept(JSON)
    return cached(orjson.dumps(contract()))


def show_problem(code: str) -> Response:
    """The page behind a problem's ``type``: for people as HTML, for programs as JSON."""
    accept(JSON, HTML)
    if code not in STATUSES:
        raise Refused("not-found", "unknown-problem", {"name": code})
    spoken = language()
    document = {
        "code": code,
        "title": problem_title(code, spoken),
        "status": STATUSES[code],
        "text": problem_text(code, spoken),
    }
    if request.accept_mimetypes.best_match([JSON, HTML], default=JSON) == HTML:
        title, text = escape(problem_title(code, spoken)), escape(problem_text(code, spoken))
        page = (
            f'<!doctype html><html lang="{spoken}"><meta charset="utf-8"><title>{title}</title>'
            f"<h1>{STATUSES[code]} {title}</h1><p>{text}</p><p><code>{code}</code></p></html>\n"
        )
        response = cached(page.encode(), f"{HTML}; charset=utf-8")
    else:
        response = cached(orjson.dumps(document))
    response.vary.add("Accept")
    return in_words(response, spoken)
