"""The files of the pages: read once, with their types."""

import hashlib
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from service.web.element import joined

STATIC = Path(__file__).with_name("static")

TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}
"""The content types by suffix; a file of another suffix is not served."""

ELEMENT = "dice-referee.js"
"""The module of the element; it is served with all that it imports, as one file."""

VERSION_MARK, INTEGRITY_MARK = "{{version}}", "{{integrity}}"
"""Are replaced in pages and guides by the version of all files together, and by the integrity."""


class Asset(NamedTuple):
    """A file as it is served: its content type and its bytes."""

    kind: str
    content: bytes


def _files() -> Iterator[tuple[str, Path]]:
    for path in sorted(STATIC.rglob("*")):
        if path.suffix in TYPES:
            yield path.relative_to(STATIC).as_posix(), path


@cache
def version() -> str:
    """The version of all files together, 12 hexadecimal digits; addresses of files contain it."""
    whole = hashlib.sha256()
    for name, path in _files():
        whole.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return whole.hexdigest()[:12]


@cache
def names() -> frozenset[str]:
    """The names of all files; no other can be requested."""
    return frozenset(name for name, _ in _files())


@cache
def asset(name: str) -> Asset:
    """The file of one of the ``names``."""
    path = STATIC / name
    if name == ELEMENT:
        return Asset(TYPES[path.suffix], joined(STATIC, name).encode())
    content = path.read_bytes()
    if path.suffix == ".html":
        content = marked(content.decode()).encode()
    return Asset(TYPES[path.suffix], content)


@cache
def integrity() -> str:
    """What a browser that is told so takes for the element, and nothing else: its SHA-384."""
    return "sha384-" + b64encode(hashlib.sha384(asset(ELEMENT).content).digest()).decode()


def marked(text: str) -> str:
    """The text of a page with the version and the integrity in the places that are marked."""
    return text.replace(VERSION_MARK, version()).replace(INTEGRITY_MARK, integrity())
