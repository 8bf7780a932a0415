"""Pages and their files, each page with its Content-Security-Policy."""

from collections.abc import Mapping
from html import escape
from pathlib import PurePath

from flask import Blueprint

from dice_referee.api.answers import file_answer
from dice_referee.api.headers import CACHEABLE
from dice_referee.api.hosts import is_known, origin_of
from dice_referee.api.index import show_index
from dice_referee.api.message import HTML, JSON, TEXT, Answer, Request, Rest
from dice_referee.api.negotiation import preferred_type
from dice_referee.api.operation import make_once, operation
from dice_referee.api.problems import not_found
from dice_referee.web import guides, reference, rules, tour
from dice_referee.web.assets import (
    ELEMENT,
    ELEMENT_TYPES,
    LANGUAGE_MARK,
    PUBLIC_URL_MARK,
    SESSIONS_MARK,
    TYPES,
    asset,
    files,
    integrity,
    source,
    version,
)
from dice_referee.web.html import (
    ALWAYS_ASK,
    COMPRESS,
    PAGE_POLICY,
    page_operation,
    reader_of,
    with_card,
)

FOR_GOOD = "public, max-age=31536000, immutable"

PAGES: Mapping[str, str] = {
    "/": "playground/playground.html",
    "/table": "table/create.html",
    "/table/<session_id>": "table/live.html",
}

ELEMENT_ADDRESS = "/dice-referee.js"
"""Address of the element for other sites, fixed within v1."""

FAVICON = "/favicon.ico"
"""Address that browsers request if a page names no icon."""

blueprint = Blueprint("pages", __name__)
for _family in (guides, reference, rules, tour):
    blueprint.register_blueprint(_family.blueprint)


def _page(request: Request) -> Answer:
    # Tables at a name of this machine are unreachable for others.
    here = is_known(request.header(b"host") or "", frozenset())
    public = request.services.settings.public_url if here else ""
    origin, lang = origin_of(request), reader_of(request, pictured=False).lang
    page = make_once(asset, PAGES[request.route]).decode()
    sessions = "off" if request.services.watchers is None else "on"
    text = page.replace(PUBLIC_URL_MARK, escape(public)).replace(LANGUAGE_MARK, lang)
    text = text.replace(SESSIONS_MARK, sessions)
    content = with_card(text, origin).encode()
    html = TYPES[".html"]
    return file_answer(request, content, html, ALWAYS_ASK, PAGE_POLICY, lang, compress=COMPRESS)


for _path in PAGES.keys() - {"/"}:
    operation(blueprint, "GET", _path, name=_path, offers=())(_page)


@operation(blueprint, "GET", "/", offers=(TEXT, HTML, JSON))
def home(request: Request) -> Answer | Rest:
    """Serves the playground to browsers, the index to programs, a tour to terminals."""
    if HTML in (request.header(b"accept") or "").lower():
        # Browsers in terminals prefer text as much.
        request.accepted = preferred_type(request, HTML, TEXT, JSON)
    views = {HTML: _page, JSON: show_index, TEXT: tour.show_tour}
    return views[request.accepted](request)


@page_operation(blueprint, "GET", "/embedding")
def embedding(request: Request) -> Answer:
    """Shows the element in all its forms, with the code for other pages."""
    return reader_of(request).page(
        "embedding.html", origin=origin_of(request), integrity=make_once(integrity)
    )


@operation(blueprint, "GET", ELEMENT_ADDRESS, offers=())
def element(request: Request) -> Answer:
    return _file(request, ELEMENT, CACHEABLE)


@operation(blueprint, "GET", f"/{ELEMENT_TYPES}", offers=())
def element_types(request: Request) -> Answer:
    return _file(request, ELEMENT_TYPES, CACHEABLE)


@operation(blueprint, "GET", FAVICON, offers=())
def favicon(request: Request) -> Answer:
    return _file(request, "icon.svg", CACHEABLE)


@operation(blueprint, "GET", "/static/<release>/<path:name>", offers=())
def static_file(request: Request) -> Answer:
    """Serves a file under its version, or its present content under an older version."""
    name = request.parameters["name"]
    if source(name) not in files() or name.endswith(".html"):
        raise not_found(request.path)
    current = request.parameters["release"] == version()
    return _file(request, name, FOR_GOOD if current else ALWAYS_ASK)


def _file(request: Request, name: str, caching: str) -> Answer:
    media_type = TYPES[PurePath(name).suffix]
    return file_answer(request, make_once(asset, name), media_type, caching)
