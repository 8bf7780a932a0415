"""The files of the pages: read once, with their types."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from dice_referee.api.i18n import LANGUAGES
from dice_referee.web.joining import join_modules, without_comments
from dice_referee.web.words import rooms, script_data, script_site

STATIC = Path(__file__).with_name("static")

SPOKEN = re.compile(rf"^([^.]+)\.({'|'.join(LANGUAGES)})\.js$")

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

ELEMENT_TYPES = "dice-referee.d.ts"

VERSION_MARK, INTEGRITY_MARK = "{{version}}", "{{integrity}}"

LANGUAGE_MARK = "{{lang}}"

SESSIONS_MARK = "{{sessions}}"
"""Placeholder in pages: ``on``, or ``off`` on a service without sessions."""

PUBLIC_URL_MARK = "{{public-url}}"
"""Placeholder for the origin of links to tables. It is empty if the page's own origin is right."""


@cache
def files() -> Mapping[str, Path]:
    paths = [path for path in sorted(STATIC.rglob("*")) if path.suffix in TYPES]
    return {path.relative_to(STATIC).as_posix(): path for path in paths}


@cache
def version() -> str:
    """Returns the version of all files together, in 12 hex digits, for their addresses."""
    digest = hashlib.sha256()
    for name, path in files().items():
        digest.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    digest.update(script_data([rooms(), script_site(LANGUAGES)]).encode())
    return digest.hexdigest()[:12]


def source(name: str) -> str:
    return SPOKEN.sub(r"\1.js", name)


@cache
def asset(name: str) -> bytes:
    if name == ELEMENT:
        return join_modules(STATIC, name, LANGUAGES).encode()
    if module := SPOKEN.fullmatch(name):
        return join_modules(STATIC, source(name), (module[2],)).encode()
    if name.endswith(".css"):
        return without_comments(files()[name]).encode()
    content = files()[name].read_bytes()
    return fill_marks(content.decode()).encode() if name.endswith(".html") else content


@cache
def integrity() -> str:
    """Returns the SHA-384 of the element, for the integrity check of browsers."""
    return "sha384-" + b64encode(hashlib.sha384(asset(ELEMENT)).digest()).decode()


def fill_marks(text: str) -> str:
    return text.replace(VERSION_MARK, version()).replace(INTEGRITY_MARK, integrity())
