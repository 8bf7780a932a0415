"""Content negotiation: media types and languages."""

import re
from collections.abc import Iterable
from functools import partial

from dice_referee.api.i18n import LANGUAGES
from dice_referee.api.message import JSON, PROBLEM, TEXT, Request
from dice_referee.api.problems import ProblemError

LONGEST = 1000
"""Maximum characters of a header that are read. Browsers send some 200 in ``Accept``.

A longer ``Accept...`` header is ignored, a longer ``Content-Type`` truncated.
"""
MOST_WISHES = 16
"""Maximum entries of an ``Accept...`` header that are read. Browsers send some eight."""
WISH = re.compile(r"([^\s,;]+)([^,]*)")
"""Entry of an ``Accept...`` header: its value and its parameters."""
QUALITY = re.compile(r";\s*q\s*=\s*([^;\s]*)", re.IGNORECASE)
NUMBER = re.compile(r"\d+(?:\.\d*)?|\.\d+", re.ASCII)
"""Quality value. ``1.`` and Java's ``.2`` lack a digit."""
CHARSET = re.compile(r""";\s*charset\s*=\s*"?([^\s;"]*)""", re.IGNORECASE)
MEDIA_RANGE = re.compile(r"\*/\*|[^\s/*]+/(\*|[^\s/*]+)")


def media_type(request: Request, *offered: str) -> str:
    """Returns the body's media type, which must be offered. A charset must be UTF-8."""
    if request.headers.get(b"content-encoding", b"identity").lower() != b"identity":
        headers = (("Accept-Encoding", "identity"),)
        raise ProblemError("unsupported-media-type", "unsupported-coding", headers=headers)
    header = request.header(b"content-type")
    if header in offered:
        return header
    expected = {"expected": ", ".join(offered)}
    if not header:
        raise ProblemError("unsupported-media-type", "missing-content-type", expected)
    name = header.partition(";")[0].strip().lower()
    if name not in offered:
        raise ProblemError("unsupported-media-type", params=expected)
    charset = CHARSET.search(header[:LONGEST])
    if charset and charset[1].lower() not in ("utf-8", "utf8"):
        raise ProblemError("unsupported-media-type", "unsupported-charset")
    return name


def preferred_type(request: Request, *offered: str) -> str:
    """Returns the offered media type that the client prefers, by default the first.

    Refuses a client that accepts none of them. Parameters of media types and invalid media ranges
    (``*``) are ignored. A header without a valid media range counts as absent.
    """
    header = request.header(b"accept")
    if header is None or header == "*/*" or header == offered[0]:
        return offered[0]
    wishes = _wishes(header)
    if not any(map(MEDIA_RANGE.fullmatch, wishes)):
        return offered[0]
    best = max(offered, key=partial(_quality, wishes))
    if not _quality(wishes, best):
        raise ProblemError("not-acceptable", params={"offered": ", ".join(offered)})
    return best


def prefers(request: Request, liked: str, alternative: str) -> bool:
    wishes = _wishes(request.header(b"accept"))
    return _quality(wishes, liked) > _quality(wishes, alternative)


def accepts_only_text(request: Request) -> bool:
    header = request.header(b"accept")
    if header is None or "text" not in header.lower():
        return False
    wishes = _wishes(header)
    return _quality(wishes, TEXT) > 0 and not _quality(wishes, JSON) + _quality(wishes, PROBLEM)


def language(request: Request, offered: Iterable[str] = LANGUAGES) -> str:
    """Returns the offered language that the client prefers, by default English."""
    wishes = _wishes(request.header(b"accept-language"))
    for tag, quality in sorted(wishes.items(), key=lambda wish: -wish[1]):
        lang = re.split("[-_]", tag)[0]
        if quality > 0 and lang in offered:
            return lang
        if quality > 0 and lang == "*":
            break
    return "en"


def sentence_language(request: Request, offered: Iterable[str]) -> str | None:
    """Returns the language of an answer in sentences, or None if the client wants a document."""
    return language(request, offered) if request.accepted == TEXT else None


def accepts_gzip(request: Request) -> bool:
    wishes = _wishes(request.header(b"accept-encoding"))
    return wishes.get("gzip", wishes.get("*", 0)) > 0


def _wishes(header: str | None) -> dict[str, float]:
    """Returns the entries of an ``Accept...`` header in lower case, each with its quality.

    It omits parameters, and entries whose quality is not a number from 0 to 1.
    """
    wishes: dict[str, float] = {}
    if header is None or len(header) > LONGEST:
        return wishes
    for value, parameters in WISH.findall(header)[:MOST_WISHES]:
        quality = QUALITY.search(parameters)
        if quality is None:
            wishes.setdefault(value.lower(), 1.0)
        elif NUMBER.fullmatch(quality[1]) and float(quality[1]) <= 1:
            wishes.setdefault(value.lower(), float(quality[1]))
    return wishes


def _quality(wishes: dict[str, float], media_type: str) -> float:
    """Returns the quality of the most specific range (RFC 9110, 12.5.1)."""
    for wish in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
        if wish in wishes:
            return wishes[wish]
    return 0
