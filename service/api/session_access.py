"""How operations reach sessions: reading them, their logs and the bodies of changes."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from service.api.documents import json_document, note_ruleset, validate
from service.api.message import Answer, Request
from service.api.preconditions import etag_header
from service.api.problems import no_sessions, sessions_full
from service.api.rate_limits import check_rate, key_of
from service.api.services import Services
from service.games.base import Game
from service.limits.policies import RatePolicy
from service.sessions import replay, tokens
from service.sessions.feed import PAGE_LINES
from service.sessions.log import Entry, entry_of
from service.sessions.session import Session, decoded
from service.sessions.store import (
    CorruptSession,
    SessionNotFound,
    Store,
    StoredSession,
    VersionConflict,
)
from service.validation.schema import Shape, closed

ATTEMPTS = 20
"""How often a change is tried again because another one came before it."""

COUNTED_ENTRIES = 100
"""Entries of a log of which the reading costs as much as a request."""

EMPTY = closed("Nothing", {})
"""The shape of a request that says everything by its path."""


def store_of(services: Services) -> Store:
    """Where sessions are kept. Refuses where none are."""
    if services.watchers is None:
        raise no_sessions()
    return services.watchers.store


def check_room(services: Services) -> None:
    """Refuses another session where there are as many as there may be."""
    limit = services.settings.sessions_limit
    # How many there are is known from a while ago; where it is not known none is refused.
    if (store_of(services).count_live() or 0) >= limit:
        raise sessions_full(limit)


def id_of(request: Request) -> str:
    """The id that the path names. Raises SessionNotFound for what cannot be one."""
    session_id: str = request.parameters["session_id"]
    if not tokens.is_id(session_id):
        raise SessionNotFound(session_id)
    return session_id


def opened(
    request: Request, services: Services, key: str | None = None
) -> tuple[Game, Session, StoredSession]:
    """The game, the session that the path names, and how it is stored.

    The latter with the record under the idempotency key. Raises StoreError.
    """
    store, session_id = store_of(services), id_of(request)
    stored = store.read(session_id, key)
    session = decoded(stored.document, session_id, stored.version)
    game = services.games.get(session.game)
    if game is None:
        raise CorruptSession(session_id)
    note_ruleset(request, game, session.setup)
    replay.check_setup(game, session)
    return game, session, stored


def count_reading(request: Request, services: Services, entries: int) -> None:
    """Counts the reading of so many entries of a log as further requests; 429 if it may not be."""
    key = key_of(RatePolicy.EVENTS, request, services)
    if key is None:
        return
    # The request itself is counted already: a whole minute's worth is always enough.
    cost = min(entries // COUNTED_ENTRIES, key.limit - 1)
    if cost > 0:
        request.rate_limit = services.limiter.acquire(key, cost)
        check_rate(request)


def log(
    request: Request, services: Services, session_id: str, until: int, after: int = 0
) -> list[Entry]:
    """The log after one version up to another, counted by its length. Raises StoreError."""
    count_reading(request, services, until - after)
    store, entries = store_of(services), list[Entry]()
    while after < until:
        _, lines = store.log(session_id, after, min(until - after, PAGE_LINES))
        if not lines or lines[0].version != after + 1:
            raise CorruptSession(session_id)
        entries += [entry_of(line, session_id) for line in lines]
        after += len(lines)
        # A store that gives page after page is there, however many they are.
        store.begin_request()
    return entries


def body_of_change(request: Request, services: Services, shape: Shape) -> Any:
    """The body of a change. Where nothing is to be said there need not be one."""
    if shape is EMPTY and not request.body.size:
        return {}
    return validate(shape, json_document(request, services.settings))


def tagged(content: bytes, session: Session) -> Answer:
    """An answer about the session as it is in this version."""
    return Answer(content, headers=(etag_header(session),))


def until_written(attempt: Callable[[], Answer]) -> Answer:
    """What the attempt answers; it is made again where another change came before it.

    Raises VersionConflict where that happened every time.
    """
    for _ in range(ATTEMPTS - 1):
        with suppress(VersionConflict):
            return attempt()
    return attempt()
