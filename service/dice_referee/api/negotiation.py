"""Content negotiation: media types and languages."""

import re
from collections.abc import Iterable
from typing import TypeVar

from werkzeug.datastructures import Accept, LanguageAccept, MIMEAccept
from werkzeug.http import parse_accept_header, parse_options_header

from dice_referee.api.i18n import LANGUAGES
from dice_referee.api.message import JSON, PROBLEM, TEXT, Request
from dice_referee.api.problems import ProblemError

LONGEST = 1000
"""Characters of an ``Accept...`` header; browsers send some 200. A longer one is not read."""
BLANKS = re.compile("[ \t]+")
MEDIA_RANGE = re.compile(r"\*/\*|[^\s/*]+/(\*|[^\s/*]+)")
BARE_POINT = re.compile(r"(;\s?q\s?=\s?)(\.\d+|\d+\.(?!\d))", re.ASCII | re.IGNORECASE)
"""A weight that lacks the digit before its point or behind it, such as Java's ``q=.2``."""

Preferences = TypeVar("Preferences", bound=Accept)


def media_type(request: Request, *offered: str) -> str:
    """Returns the body's media type, one of those offered; a charset must be UTF-8."""
    if request.headers.get(b"content-encoding", b"identity").lower() != b"identity":
        headers = (("Accept-Encoding", "identity"),)
        raise ProblemError("unsupported-media-type", "unsupported-coding", headers=headers)
    header = request.header(b"content-type")
    if header in offered:
        return header
    name, parameters = parse_options_header(header)
    name, expected = name.lower(), {"expected": ", ".join(offered)}
    if not header:
        raise ProblemError("unsupported-media-type", "missing-content-type", expected)
    if name not in offered:
        raise ProblemError("unsupported-media-type", params=expected)
    if parameters.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise ProblemError("unsupported-media-type", "unsupported-charset")
    return name


def preferred(request: Request, *offered: str) -> str:
    """Returns the offered media type that the client prefers; the first one by default.

    Refuses a client that takes none of them. Parameters of media types do not count, nor does
    what is no media range (``*``); a header with nothing else counts as absent.
    """
    header = request.header(b"accept")
    if header is None or header == "*/*" or header == offered[0]:
        return offered[0]
    wishes = _preferences(header, MIMEAccept)
    ranges = [(value.partition(";")[0], quality) for value, quality in wishes]
    ranges = [wish for wish in ranges if MEDIA_RANGE.fullmatch(wish[0])]
    if not ranges:
        return offered[0]
    best = MIMEAccept(ranges).best_match(offered)
    if best is None:
        raise ProblemError("not-acceptable", params={"offered": ", ".join(offered)})
    return best


def prefers(request: Request, liked: str, alternative: str) -> bool:
    """Tells if the client prefers one media type to another."""
    accepted = _preferences(request.header(b"accept"), MIMEAccept)
    return accepted.quality(liked) > accepted.quality(alternative)


def accepts_only_text(request: Request) -> bool:
    """Tells if the client accepts text, and no JSON."""
    header = request.header(b"accept")
    if header is None or "text" not in header.lower():
        return False
    accepted = _preferences(header, MIMEAccept)
    return accepted[TEXT] > 0 and not accepted[JSON] and not accepted[PROBLEM]


def language(request: Request, offered: Iterable[str] = LANGUAGES) -> str:
    """Returns the language that the client prefers; English if it asks for none on offer."""
    wishes = _preferences(request.header(b"accept-language"), LanguageAccept)
    for tag, quality in sorted(wishes, key=lambda wish: -wish[1]):
        lang = re.split("[-_]", tag.lower())[0]
        if quality > 0 and lang in offered:
            return lang
        if quality > 0 and lang == "*":
            break
    return "en"


def spoken_language(request: Request, offered: Iterable[str]) -> str | None:
    """Returns the language of an answer in sentences; None if the client wants a document."""
    return language(request, offered) if request.accepted == TEXT else None


def accepts_gzip(request: Request) -> bool:
    """Tells if the client accepts gzip."""
    return _preferences(request.header(b"accept-encoding"), Accept)["gzip"] > 0


def _preferences(header: str | None, kind: type[Preferences]) -> Preferences:
    """Returns the entries of an ``Accept...`` header, each with its quality."""
    if header is None or len(header) > LONGEST:
        return kind()
    # werkzeug takes a time that grows with the square of the blanks in a row.
    header = BLANKS.sub(" ", header)
    if "." in header:
        # It drops items with such weights.
        header = BARE_POINT.sub(_with_digit, header)
    return parse_accept_header(header, kind)


def _with_digit(weight: re.Match[str]) -> str:
    """Completes a weight: ``.2`` is ``0.2``, and ``1.`` is ``1``."""
    return weight[1] + (f"0{weight[2]}" if weight[2].startswith(".") else weight[2][:-1])
