"""The files of the pages: read once, with their types, tags and compressed forms."""

import gzip
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
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}
"""A file of any other type is not served."""

VERSION_MARK = b"{{version}}"
"""Stands in pages, and in the element's stable address, for the version of all files together."""


class Asset(NamedTuple):
    """A file as it is served; ``packed`` is the same under gzip."""

    kind: str
    plain: bytes
    packed: bytes


def tag(content: bytes) -> str:
    """A strong entity tag, without its quotes."""
    return hashlib.sha256(content).hexdigest()[:32]


def _files() -> Iterator[tuple[str, Path]]:
    for path in sorted(STATIC.rglob("*")):
        if path.suffix in TYPES:
            yield path.relative_to(STATIC).as_posix(), path


@cache
def version() -> str:
    """Names the content of all files: another file, another version, another address."""
    whole = hashlib.sha256()
    for name, path in _files():
        whole.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return whole.hexdigest()[:12]


@cache
def names() -> frozenset[str]:
    """The files there are; a request can name no other."""
    return frozenset(name for name, _ in _files())


@cache
def asset(name: str) -> Asset:
    """One of the ``names``."""
    path = STATIC / name
    plain = path.read_bytes().replace(VERSION_MARK, version().encode())
    return Asset(TYPES[path.suffix], plain, gzip.compress(plain, 9, mtime=0))
