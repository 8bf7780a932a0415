"""Files of the pages, read once, with their types."""

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
"""Content types by suffix. Files with other suffixes are not served."""

ELEMENT = "dice-referee.js"
"""Module of the element, which is served as a single file with all its imports."""

ELEMENT_TYPES = "dice-referee.d.ts"
"""Types of that module."""

VERSION_MARK, INTEGRITY_MARK = "{{version}}", "{{integrity}}"
"""Placeholders in pages and guides: the version of all files together, and the integrity."""

PUBLIC_URL_MARK = "{{public-url}}"
"""Placeholder for the public origin of links to tables. Empty if links are relative."""


@cache
def files() -> Mapping[str, Path]:
    """Returns all files by their names. Other names are not served."""
    paths = [path for path in sorted(STATIC.rglob("*")) if path.suffix in TYPES]
    return {path.relative_to(STATIC).as_posix(): path for path in paths}


@cache
def version() -> str:
    """Returns the version of all files together, in 12 hex digits, for their addresses."""
    digest = hashlib.sha256()
    for name, path in files().items():
        digest.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def source(name: str) -> str:
    """Returns the name of a file. A joined module has the name of its module."""
    return f"{name.removesuffix(JOINED)}.js" if name.endswith(JOINED) else name


@cache
def asset(name: str) -> bytes:
    """Returns the content of a file, or of a module joined with its imports."""
    if name == ELEMENT or name not in files():
        return joined(STATIC, source(name)).encode()
    content = files()[name].read_bytes()
    return page(marked(content.decode())).encode() if name.endswith(".html") else content


def page(text: str) -> str:
    """Returns a page that preloads all modules that its scripts import."""
    return preloading(STATIC, text, frozenset({ELEMENT}))


@cache
def integrity() -> str:
    """Returns the SHA-384 of the element, for the integrity check of browsers."""
    return "sha384-" + b64encode(hashlib.sha384(asset(ELEMENT)).digest()).decode()


def marked(text: str) -> str:
    """Fills the version and the integrity into the placeholders of a page."""
    return text.replace(VERSION_MARK, version()).replace(INTEGRITY_MARK, integrity())
