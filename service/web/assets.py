"""The files of the pages: read once, with their types."""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

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

VERSION_MARK = b"{{version}}"
"""Is replaced in pages, and in the element's module, by the version of all files together."""


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
    return Asset(TYPES[path.suffix], path.read_bytes().replace(VERSION_MARK, version().encode()))
