"""What a request to a session claims: who asks, under which key, knowing which version."""

import hashlib
from typing import Any

import orjson
from flask import request

from service.api.problems import Refused, invalid
from service.http.policy import is_match
from service.rules.verdict import Param
from service.sessions import tokens
from service.sessions.play import Actor
from service.sessions.session import Session
from service.wire import query
from service.wire.fields import Whole, closed
from service.wire.query import read_query

LONGEST_KEY = 128
"""Characters of an idempotency key."""

FEED_QUERY = closed("FeedQuery", {"after": Whole(0, 1_000_000_000), "wait": Whole(0, 30)})
FEED_READERS = {"after": query.number, "wait": query.number}


def bearer() -> str | None:
    """The token that the request brings."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def actor(session: Session, token: str | None) -> Actor:
    """Whose token it is."""
    if token is None:
        challenge = (("WWW-Authenticate", 'Bearer realm="session"'),)
        raise Refused("unauthorized", "no-token", headers=challenge)
    found = tokens.matching(token, (session.host, *session.seats))
    if found is None:
        challenge = (("WWW-Authenticate", 'Bearer realm="session", error="invalid_token"'),)
        raise Refused("unauthorized", "unknown-token", headers=challenge)
    return Actor(found - 1 if found else None)


def seat(number: str, session: Session) -> int:
    """The seat of this number; 404 if the table has none."""
    places = [str(place) for place in range(len(session.seats))]
    if number not in places:
        raise Refused("not-found", "unknown-seat", {"name": number, "count": len(places)})
    return int(number)


def check_key(key: str | None, *, taken: bool) -> None:
    """Refuse an idempotency key that is none, or where none is taken."""
    if key is None:
        return
    if not taken:
        raise Refused("invalid-request", "key-not-taken")
    if not 1 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise Refused("invalid-request", "bad-idempotency-key", {"limit": LONGEST_KEY})


def digest(kind: str, document: Any) -> bytes:
    """What a key was used for. Bodies are the same if they say the same: 1.0 is 1."""
    canonical = orjson.dumps([kind, _plain(document)], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(canonical).hexdigest().encode() + b":"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(nested) for name, nested in value.items()}
    if isinstance(value, list):
        return [_plain(nested) for nested in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def tag(session: Session) -> str:
    """The entity tag of a session: its version."""
    return f'"{session.version}"'


def check_version(session: Session) -> None:
    """If-Match guards against a lost update; a weak tag is as good as a strong one here."""
    told = request.headers.get("If-Match")
    if told is not None and not is_match(told, tag(session)):
        params: dict[str, Param] = {"version": session.version}
        raise Refused("precondition-failed", "precondition-failed", params)


def feed_query() -> tuple[int, int]:
    """After which version, and for how many seconds to wait."""
    document, flaws = read_query(request.query_string, FEED_READERS, {})
    named = {flaw.pointer for flaw in flaws}
    flaws += [flaw for flaw in FEED_QUERY.flaws(document) if flaw.pointer not in named]
    if flaws:
        raise invalid(flaws)
    seen = request.headers.get("Last-Event-ID")
    if seen is not None:
        # What a client that reconnects has seen counts for more than where it began.
        if not (seen.isascii() and seen.isdecimal() and len(seen) < 10):
            raise Refused("invalid-request", "bad-last-event-id")
        document["after"] = int(seen)
    return document.get("after", 0), document.get("wait", 0)
