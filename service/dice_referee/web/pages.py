"""Serves the pages and their files, each page with its Content-Security-Policy."""

from collections.abc import Mapping
from html import escape
from pathlib import PurePath

from flask import Blueprint

from dice_referee.api.answers import compressed, file_answer
from dice_referee.api.headers import CACHEABLE
from dice_referee.api.hosts import is_known
from dice_referee.api.index import show_index
from dice_referee.api.message import HTML, JSON, TEXT, Answer, Request
from dice_referee.api.negotiation import preferred
from dice_referee.api.operation import Inquiry, operation
from dice_referee.api.problems import not_found
from dice_referee.api.services import Services
from dice_referee.web import guides, reference, rules, tour
from dice_referee.web.assets import (
    ELEMENT,
    ELEMENT_TYPES,
    PUBLIC_URL_MARK,
    STATIC,
    TYPES,
    asset,
    files,
    source,
    version,
)
from dice_referee.web.html import ALWAYS_ASK, PAGE_POLICY, load_templates
from dice_referee.web.modules import JOINED, SCRIPT, needed

FOR_GOOD = "public, max-age=31536000, immutable"

PAGES: Mapping[str, str] = {
    "/": "playground/playground.html",
    "/table": "table/create.html",
    "/table/<session_id>": "table/live.html",
    "/embedding": "element/embedding.html",
}
"""The pages that are files: each route with its file."""

ELEMENT_ADDRESS = "/dice-referee.js"
"""The address of the element, for other sites; it does not change within v1."""

FAVICON = "/favicon.ico"
"""Address that browsers ask for where a page names no icon."""

blueprint = Blueprint("pages", __name__)
"""Its endpoints begin with ``pages.``; none is part of the contract."""
for _family in (guides, reference, rules, tour):
    blueprint.register_blueprint(_family.blueprint)


def load_pages() -> None:
    """Makes the files and texts of all pages, for which the first readers would wait."""
    guides.load_guides()
    pages = [files()[name].read_text("utf-8") for name in PAGES.values()]
    scripts = {script[3] for page in (load_templates(), *pages) for script in SCRIPT.finditer(page)}
    for script in scripts:
        needed(STATIC, script)
    for name in (*files(), *(script.removesuffix(".js") + JOINED for script in scripts)):
        compressed(asset(name))


def _page(request: Request, services: Services) -> Answer:
    """Serves a page; its script reads the parameters of the address."""
    # At a name of this machine nobody else reaches a table.
    here = is_known(request.header(b"host") or "", frozenset())
    origin = services.settings.public_url if here else ""
    content = asset(PAGES[request.route]).replace(PUBLIC_URL_MARK, escape(origin).encode())
    return file_answer(request, content, TYPES[".html"], ALWAYS_ASK, PAGE_POLICY)


for _path in PAGES.keys() - {"/"}:
    operation(blueprint, "GET", _path, name=_path, offers=())(_page)


@operation(blueprint, "GET", "/", offers=(TEXT, HTML, JSON))
def home(request: Request, services: Services) -> Answer | Inquiry:
    """Serves the playground to browsers, the index to programs, a tour to terminals."""
    if HTML in (request.header(b"accept") or "").lower():
        # Browsers in terminals take text as gladly.
        request = request._replace(accepted=preferred(request, HTML, TEXT, JSON))
    views = {HTML: _page, JSON: show_index, TEXT: tour.show_tour}
    return views[request.accepted](request, services)


@operation(blueprint, "GET", ELEMENT_ADDRESS, offers=())
def element(request: Request, services: Services) -> Answer:
    """Serves the embeddable element."""
    return _file(request, ELEMENT, CACHEABLE)


@operation(blueprint, "GET", f"/{ELEMENT_TYPES}", offers=())
def element_types(request: Request, services: Services) -> Answer:
    """Serves the types of the element, for TypeScript."""
    return _file(request, ELEMENT_TYPES, CACHEABLE)


@operation(blueprint, "GET", FAVICON, offers=())
def favicon(request: Request, services: Services) -> Answer:
    """Serves the picture of the service."""
    return _file(request, "icon.svg", CACHEABLE)


@operation(blueprint, "GET", "/static/<release>/<path:name>", offers=())
def static_file(request: Request, services: Services) -> Answer:
    """Serves a file under the version that named it; under an older one, the file as it is now."""
    name = request.parameters["name"]
    if source(name) not in files() or name.endswith(".html"):
        raise not_found(request.path)
    current = request.parameters["release"] == version()
    return _file(request, name, FOR_GOOD if current else ALWAYS_ASK)


def _file(request: Request, name: str, caching: str) -> Answer:
    media_type = TYPES[PurePath(name).suffix]
    return file_answer(request, asset(name), media_type, caching)
