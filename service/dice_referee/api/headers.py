"""Headers of every answer, and headers of conditional answers."""

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from random import getrandbits

REQUEST_ID = re.compile(r"[A-Za-z0-9-]{1,64}", re.ASCII)

EXPOSED = (
    "ETag, Location, Retry-After, X-Request-ID, Content-Language, RateLimit, RateLimit-Policy, "
    "Allow, WWW-Authenticate"
)
# Besides our own headers, headers that libraries of pages add, for caches and traces.
ALLOWED_HEADERS = (
    "content-type, authorization, if-match, if-none-match, idempotency-key, last-event-id, "
    "x-request-id, cache-control, pragma, traceparent, tracestate, baggage"
)
PREFLIGHT_SECONDS = 86_400

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class SharedHeaders:
    pairs: Headers

    @cached_property
    def encoded(self) -> list[tuple[bytes, bytes]]:
        return as_asgi(self.pairs)


NO_HEADERS = SharedHeaders(())


def as_asgi(headers: Headers) -> list[tuple[bytes, bytes]]:
    """Returns headers in the form of ASGI: bytes, with names in lower case."""
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]


LOADS_NOTHING = "default-src 'none'; frame-ancestors 'none'"
"""Content-Security-Policy of everything but pages: a browser loads nothing for it."""
_GUARDS: Headers = (("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"))
_EXPOSE = ("Access-Control-Expose-Headers", EXPOSED)

COMMON: Headers = (
    ("Access-Control-Allow-Origin", "*"),
    _EXPOSE,
    ("Cross-Origin-Resource-Policy", "cross-origin"),
    *_GUARDS,
)
"""Headers of every answer: any origin may read it, and browsers must not guess its type."""

LOOPBACK = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?", re.ASCII)

ORIGIN = re.compile(
    r"\*|null|[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?", re.ASCII
)
"""Values of ``Origin`` that browsers send, or the star for all of them."""


def read_origins(text: str) -> frozenset[str]:
    """Reads origins, separated by commas. Raises ValueError for an impossible origin."""
    words = text.replace(",", " ").split()
    for word in words:
        if not ORIGIN.fullmatch(word):
            raise ValueError(f"must be scheme://host[:port], in lower case, not {word!r}")
    return frozenset(words)


def session_headers(origin: str | None, allowed: frozenset[str]) -> Headers:
    """Returns the headers about origins for sessions: only pages of listed origins may read them.

    Without a list, only pages of this machine may read them, on any port. The answer varies with
    the origin.
    """
    headers: Headers = (("Cross-Origin-Resource-Policy", "same-origin"),)
    if origin is not None:
        known = origin in allowed if allowed else LOOPBACK.fullmatch(origin) is not None
        if known or "*" in allowed:
            headers += (("Access-Control-Allow-Origin", origin), _EXPOSE)
    return (*headers, *_GUARDS)


CACHEABLE = "public, max-age=3600"
"""Cache-Control of GET forms. It expires, so that a wrong verdict does too."""
NO_STORE = "no-store"


def request_id(header: str | None) -> str:
    """Returns the client's request id if it is well formed, else a new id."""
    if header is not None and REQUEST_ID.fullmatch(header):
        return header
    # Not security relevant, so a fast source suffices. Python reseeds it in every forked worker.
    return f"{getrandbits(64):016x}"  # nosec B311


def preflight(methods: str) -> Headers:
    return (
        ("Access-Control-Allow-Methods", methods),
        ("Access-Control-Allow-Headers", ALLOWED_HEADERS),
        ("Access-Control-Max-Age", str(PREFLIGHT_SECONDS)),
    )


def entity_tag(body: bytes) -> str:
    """Returns a strong ETag: equal bytes have equal tags."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def is_match(if_none_match: str | None, tag: str) -> bool:
    """Tells if the client has this representation (RFC 9110, 13.1.2, weak comparison)."""
    if if_none_match is None:
        return False
    held = [part.strip().removeprefix("W/") for part in if_none_match.split(",")]
    return tag in held or held == ["*"]
