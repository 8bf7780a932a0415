"""What a request to a session brings: a token, an idempotency key, the version it knows."""

import hashlib
from typing import Any

import orjson

from service.api.documents import query_document, query_value
from service.api.headers import is_match
from service.api.message import Request
from service.api.problems import ProblemError
from service.games import most_players
from service.rules.findings import Param
from service.rules.voice import EVERYBODY
from service.sessions import tokens
from service.sessions.change import Actor
from service.sessions.session import Session
from service.settings import LONGEST_WAIT
from service.validation.fields import Integer
from service.validation.schema import closed

LONGEST_KEY = 128
"""Characters of an idempotency key."""

LISTENER = {"seat": Integer(0, most_players() - 1)}
LISTENER_QUERY = closed("ListenerQuery", LISTENER)
FEED_QUERY = closed(
    "FeedQuery", {"after": Integer(0, 1_000_000_000), "wait": Integer(0, LONGEST_WAIT), **LISTENER}
)


def bearer(request: Request) -> str | None:
    """The token that the request brings."""
    scheme, _, token = (request.header(b"authorization") or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def actor(session: Session, token: str | None) -> Actor:
    """Whose token it is."""
    if token is None:
        raise _unauthorized("no-token", 'Bearer realm="session"')
    found = tokens.matching(token, (session.host, *session.seats))
    if found is None:
        raise _unauthorized("unknown-token", 'Bearer realm="session", error="invalid_token"')
    return Actor(found - 1 if found else None)


def _unauthorized(key: str, challenge: str) -> ProblemError:
    return ProblemError("unauthorized", key, headers=(("WWW-Authenticate", challenge),))


def seat(number: str, session: Session) -> int:
    """The seat of this number; 404 if the table has none."""
    seats = [str(one) for one in range(len(session.seats))]
    if number not in seats:
        raise ProblemError("not-found", "unknown-seat", {"name": number, "count": len(seats)})
    return int(number)


def check_key(key: str | None, *, taken: bool) -> None:
    """Refuses an idempotency key that is malformed, or sent where none is taken."""
    if key is None:
        return
    if not taken:
        raise ProblemError("invalid-request", "key-not-taken")
    if not 1 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise ProblemError("invalid-request", "bad-idempotency-key", {"limit": LONGEST_KEY})


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


def etag_header(session: Session) -> tuple[str, str]:
    """The header of an answer about the session as it is in this version."""
    return "ETag", tag(session)


def check_version(request: Request, session: Session) -> None:
    """If-Match guards against a lost update; a weak tag is as good as a strong one here."""
    known = request.header(b"if-match")
    if known is not None and not is_match(known, tag(session)):
        params: dict[str, Param] = {"version": session.version}
        raise ProblemError("precondition-failed", "precondition-failed", params)


def listener(request: Request, session: Session, default: int = EVERYBODY) -> int:
    """Which seat the sentences of an answer are for: ``seat`` in the query, else the default."""
    # Other parameters have always been ignored here, or are read elsewhere.
    number = query_value(request, LISTENER_QUERY, "seat")
    return default if number is None else seat(str(number), session)


def feed_query(request: Request) -> tuple[int, int]:
    """After which version, and for how many seconds to wait."""
    document = query_document(request, FEED_QUERY)
    seen = request.header(b"last-event-id")
    if seen is not None:
        # What a client that reconnects has seen counts for more than where it began first.
        if not (seen.isascii() and seen.isdecimal() and len(seen) < 10):
            raise ProblemError("invalid-request", "bad-last-event-id")
        document["after"] = int(seen)
    return document.get("after", 0), document.get("wait", 0)
