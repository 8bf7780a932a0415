"""The pages and their files over HTTP, each page with the strictest policy that it works under."""

from collections.abc import Mapping
from functools import partial

from flask import Flask, Response, abort, request

from service.web.assets import asset, names, tag, version

OWN = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""No inline script or style, nothing of anybody else's, and no text that becomes markup."""

VENDORED = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""swagger-ui has its icons as ``data:`` images and makes markup of text."""

ALWAYS_ASK = "no-cache"
FOR_GOOD = "public, max-age=31536000, immutable"
FOR_AN_HOUR = "public, max-age=3600"

PAGES: Mapping[str, tuple[str, str]] = {
    "/": ("playground.html", OWN),
    "/docs": ("docs.html", VENDORED),
    "/embedding": ("embedding.html", OWN),
}
"""What a person opens: each address, its file and its Content-Security-Policy."""

ELEMENT = "/dice-referee.js"
"""Where other people's pages find the element; this address does not change within v1."""

STATIC_FILE = "/static/<release>/<path:name>"
PATHS = frozenset({*PAGES, ELEMENT, STATIC_FILE})
"""Every path of this room. They are for people and their browsers: no part of the contract."""


def add_pages(app: Flask) -> None:
    """The pages, the element and their files."""
    for path, (name, policy) in PAGES.items():
        app.add_url_rule(path, f"page{path}", partial(_page, name, policy), methods=["GET"])
    app.add_url_rule(ELEMENT, "element", _element, methods=["GET"])
    app.add_url_rule(STATIC_FILE, "file", _file, methods=["GET"])


def _page(name: str, policy: str) -> Response:
    return _sent(name, ALWAYS_ASK, {"Content-Security-Policy": policy})


def _element() -> Response:
    return _sent("dice-referee.js", FOR_AN_HOUR)


def _file(release: str, name: str) -> Response:
    """A file under the version that named it; under an older one, the file as it is now."""
    if name not in names() or name.endswith(".html"):
        abort(404)
    return _sent(name, FOR_GOOD if release == version() else ALWAYS_ASK)


def _sent(name: str, caching: str, headers: Mapping[str, str] | None = None) -> Response:
    kind, plain, packed = asset(name)
    small = request.accept_encodings["gzip"] > 0
    content = packed if small else plain
    response = Response(content, content_type=kind)
    response.headers.update({"Cache-Control": caching, "Vary": "Accept-Encoding"})
    response.headers.update(headers or {})
    response.set_etag(tag(content))
    if request.if_none_match.contains_weak(tag(content)):
        response.status_code, response.response = 304, [b""]
        del response.headers["Content-Type"]
        del response.headers["Content-Length"]
    elif small:
        response.headers["Content-Encoding"] = "gzip"
    return response
