"""The files of the pages: read once, with their types."""

import hashlib
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from dice_referee.web.joining import joined
from dice_referee.web.modules import JOINED, preloading

STATIC = Path(__file__).with_name("static")

TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".ts": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}
"""The content types by suffix; a file of another suffix is not served."""

ELEMENT = "dice-referee.js"
"""The module of the element; it is served with all that it imports, as one file."""

ELEMENT_TYPES = "dice-referee.d.ts"
"""Types of that module."""

VERSION_MARK, INTEGRITY_MARK = "{{version}}", "{{integrity}}"
"""Are replaced in pages and guides by the version of all files together, and by the integrity."""

PUBLIC_URL_MARK = "{{public-url}}"
"""Is replaced in a page by the origin of its links to tables, or by nothing: they have its own."""


@cache
def files() -> Mapping[str, Path]:
    """Returns all files by their names; no other can be requested."""
    paths = [path for path in sorted(STATIC.rglob("*")) if path.suffix in TYPES]
    return {path.relative_to(STATIC).as_posix(): path for path in paths}


@cache
def version() -> str:
    """Returns the version of all files together, 12 hex digits; addresses of files contain it."""
    digest = hashlib.sha256()
    for name, path in files().items():
        digest.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def source(name: str) -> str:
    """Returns the name of the file, where the name is of a joined module that of the module."""
    return f"{name.removesuffix(JOINED)}.js" if name.endswith(JOINED) else name


@cache
def asset(name: str) -> bytes:
    """Returns one of the ``files`` as it is served, or a module joined with its imports."""
    if name == ELEMENT or name not in files():
        return joined(STATIC, source(name)).encode()
    content = files()[name].read_bytes()
    return page(marked(content.decode())).encode() if name.endswith(".html") else content


def page(text: str) -> str:
    """Returns a page that loads at once all modules that its scripts import."""
    return preloading(STATIC, text, frozenset({ELEMENT}))


@cache
def integrity() -> str:
    """Returns the integrity of the element for browsers: its SHA-384."""
    return "sha384-" + b64encode(hashlib.sha384(asset(ELEMENT)).digest()).decode()


def marked(text: str) -> str:
    """Fills the version and the integrity into the marked places of a page."""
    return text.replace(VERSION_MARK, version()).replace(INTEGRITY_MARK, integrity())
