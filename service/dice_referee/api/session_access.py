"""A request about a session: the session of its path, its token, its key and its version."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, partial
from typing import Any, NamedTuple

import orjson
from flask import Blueprint

from dice_referee.api.documents import json_document, query_document, validate
from dice_referee.api.headers import is_match
from dice_referee.api.message import Answer, Request, Rest
from dice_referee.api.operation import operation
from dice_referee.api.problems import ProblemError, retry_after
from dice_referee.api.rate_limits import check, key_of
from dice_referee.api.verdicts import prepare
from dice_referee.games import most_players
from dice_referee.games.game import AnyGame
from dice_referee.limits.counters import RateLimitStatus
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.game import AnyQuestion, AnyState, Document
from dice_referee.sessions import replay, tokens
from dice_referee.sessions.change import Actor, Begun, LastEvent
from dice_referee.sessions.feed import PAGE_LINES
from dice_referee.sessions.log import Entry, entry_of
from dice_referee.sessions.play import Prepare
from dice_referee.sessions.session import Session, encode, moment
from dice_referee.sessions.store import (
    CorruptSession,
    Quota,
    SessionNotFound,
    Store,
    StoredSession,
    TooManySessions,
    VersionConflict,
)
from dice_referee.validation.fields import Integer
from dice_referee.validation.schema import RequestSchema, Shape, define
from dice_referee.voice import EVERYBODY

FORM = re.compile(r'"(\d{1,9})-[^",]*"')
"""Tag of sentences: a version with a suffix."""
ATTEMPTS = 20
"""Maximum attempts at a change while concurrent changes win."""

session_operation = partial(operation, rate=RatePolicy.EVENTS, any_origin=False)

EMPTY = define("Nothing", {})

LONGEST_KEY = 128
"""Maximum length of an idempotency key."""

QUICK_ENTRIES = 500
"""Entries of a log that take at most 5 ms, even in sentences. A long game has 300."""


@cache
def seat_field() -> Integer:
    return Integer(0, most_players() - 1)


@cache
def listener_query() -> RequestSchema:
    return define("ListenerQuery", {"seat": seat_field()})


class Opened(NamedTuple):
    request: Request
    game: AnyGame
    session: Session
    state: AnyState
    stored: StoredSession

    @property
    def store(self) -> Store:
        return store_of(self.request)

    def actor(self) -> Actor:
        token = bearer(self.request)
        if token is None:
            raise _unauthorized("no-token", 'Bearer realm="session"')
        seat = tokens.matching(token, (self.session.host, *self.session.seats))
        if seat is None:
            raise _unauthorized("unknown-token", 'Bearer realm="session", error="invalid_token"')
        if not seat:
            return Actor(None)
        return Actor(seat - 1, is_host=self.session.host_seat == seat - 1)

    def seat(self) -> int:
        return self.seat_at(self.request.parameters["number"])

    def listener(self, default: int = EVERYBODY) -> int:
        # Other parameters have always been ignored here, or are read elsewhere.
        number = query_document(self.request, listener_query(), "seat").get("seat")
        return default if number is None else self.seat_at(str(number))

    def seat_at(self, number: str) -> int:
        """Raises a problem 404 if the table lacks the seat."""
        seats = [str(index) for index in range(len(self.session.seats))]
        if number not in seats:
            raise ProblemError("not-found", "unknown-seat", {"name": number, "count": len(seats)})
        return int(number)

    def body(self, shape: Shape = EMPTY) -> Any:
        """Reads the body of a change. A body without required fields may be missing."""
        if not self.request.body.size and not shape.errors({}):
            return {}
        return validate(shape, json_document(self.request))

    def check_version(self) -> None:
        """Refuses a lost update by If-Match, which may name the version in any tag, even weak."""
        known = self.request.header(b"if-match")
        if known is not None and not is_match(FORM.sub(r'"\1"', known), self.tag()):
            current = {"version": self.session.version}
            if '"' not in known:
                raise ProblemError("precondition-failed", "unquoted-version", current)
            raise ProblemError("precondition-failed", params=current)

    def tag(self, lang: str | None = None, seat: int = EVERYBODY) -> str:
        """Returns the entity tag of the session: its version.

        Sentences have a tag for each language and listener, since a strong tag names a single
        representation (RFC 9110, 8.8.1): ``"3-text-de-0"``.
        """
        form = "" if lang is None else f"-text-{lang}"
        listener = "" if lang is None or seat == EVERYBODY else f"-{seat}"
        return f'"{self.session.version}{form}{listener}"'

    def answer(self, content: Any) -> Answer:
        return Answer(orjson.dumps(content), headers=(("ETag", self.tag()),))

    def has_long_log(self, after: int = 0, until: int | None = None) -> bool:
        """Tells if the entries after a version up to another take more than 5 ms."""
        version = self.session.version
        return (version if until is None else min(until, version)) - after > QUICK_ENTRIES

    def lacks_tables(self) -> bool:
        return lack_tables(self.game, self.session.setup, self.session.bots)

    def bots(self) -> Prepare:
        return bots(self.request, self.game)

    def log(self, after: int = 0, until: int | None = None) -> list[Entry]:
        """Reads the log entries after a version up to another, and charges them.

        Without ``until`` it reads up to the session's version. Raises StoreError, and RateLimited
        if the client cannot pay for the next page.
        """
        bill, entries, id = self.request.bill, list[Entry](), self.session.id
        until = self.session.version if until is None else until
        while after < until:
            check(bill.look())
            lines = self.store.log(id, after, min(until - after, PAGE_LINES)).lines
            if not lines or lines[0].version != after + 1:
                raise CorruptSession(id)
            bill.read(len(lines))
            entries += [entry_of(line, id) for line in lines]
            after += len(lines)
        return entries

    def last_event(self) -> LastEvent | None:
        """Reads the last kept event, if any. Raises StoreError."""
        kept = self.store.kept(self.session.id, self.session.version)
        if kept is None:
            return None

        def state() -> AnyState:
            return replay.at_past(self.game, self.session, kept.past)[1]

        return LastEvent(entry_of(kept.line, self.session.id), kept.before, state)

    def until_written(self, attempt: Callable[["Opened"], Answer]) -> Answer:
        """Repeats the attempt while concurrent changes win, and returns its answer.

        Raises VersionConflict if every attempt fails.
        """
        now = self
        for _ in range(ATTEMPTS - 1):
            with suppress(VersionConflict):
                return attempt(now)
            now = open_session(self.request)
        return attempt(now)


SessionView = Callable[[Opened], Answer | Rest]
IsLong = Callable[[Opened], bool]
"""Tells if the view of an opened session takes more than 5 ms."""


def open_session(request: Request) -> Opened:
    """Reads the session of the path, with records of idempotency keys if the request has a key.

    Raises StoreError.
    """
    store, session_id = store_of(request), id_of(request)
    stored = store.read(session_id, keyed=request.header(b"idempotency-key") is not None)
    return Opened(request, *replay.opened(stored, session_id), stored)


def session_view(
    blueprint: Blueprint, methods: str, path: str, *, is_long: IsLong | None = None, **facts: Any
) -> Callable[[SessionView], SessionView]:
    """Registers a view of the session that the path names. ``facts`` as in ``Operation``."""

    def register(view: SessionView) -> SessionView:
        read = partial(open_for, view, is_long)
        session_operation(blueprint, methods, path, view.__name__, **facts)(read)
        return view

    return register


def open_for(view: SessionView, is_long: IsLong | None, request: Request) -> Answer | Rest:
    opened = open_session(request)
    request.note(opened.game, opened.session.setup)
    rest = partial(view, opened)
    return rest if is_long is not None and is_long(opened) else rest()


def store_of(request: Request) -> Store:
    """Returns the session store. Refuses a service without sessions."""
    if request.services.watchers is None:
        raise ProblemError("sessions-away", "no-sessions", headers=retry_after(60))
    return request.services.watchers.store


def id_of(request: Request) -> str:
    """Returns the id in the path. Raises SessionNotFound if it is malformed."""
    session_id: str = request.parameters["session_id"]
    if not tokens.is_id(session_id):
        raise SessionNotFound(session_id)
    return session_id


def key_name(request: Request) -> str | None:
    key = request.header(b"idempotency-key")
    return None if key is None else f"{tokens.token_hash(bearer(request) or '')}:{key}"


def check_key(request: Request, *, taken: bool) -> None:
    """Refuses an idempotency key that is malformed, or sent to an operation without keys."""
    key = request.header(b"idempotency-key")
    if key is None:
        return
    if not taken:
        raise ProblemError("invalid-request", "key-not-taken")
    if not 1 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise ProblemError("invalid-request", "bad-idempotency-key", {"limit": LONGEST_KEY})


def create(request: Request, begun: Begun) -> RateLimitStatus | None:
    """Stores a new session and returns its client's limit. Raises StoreError and RateLimited."""
    key, session = key_of(RatePolicy.SESSIONS, request), begun.session
    quota = None if key is None else Quota(key.client, key.limit)
    lines, store = [*map(orjson.dumps, begun.entries)], store_of(request)
    allowed = True
    try:
        owed = store.create(
            session.id,
            encode(session),
            session.seconds,
            lines,
            quota,
            moment(session, 0),
            session.game,
        )
    except TooManySessions as refusal:
        owed, allowed = refusal.owed, False
    if key is None:
        return None
    limit = key.status(allowed, owed)
    check(limit)
    return limit


def bots(request: Request, game: AnyGame) -> Prepare:
    """Returns the preparation of bots' decisions, which builds their value tables.

    It raises the errors of ``prepare``.
    """

    def prepare_decision(question: AnyQuestion, level: Level) -> None:
        if level not in game.levels_without_tables:
            prepare(request, game, game.bot_question(question, level))

    return prepare_decision


def lack_tables(game: AnyGame, setup: Document, levels: Iterable[str | None]) -> bool:
    """Tells if bots of these levels may have to build value tables before they play."""
    return any(level and not game.is_ready(game.rules_of(setup), Level(level)) for level in levels)


def bearer(request: Request) -> str | None:
    scheme, _, token = (request.header(b"authorization") or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def _unauthorized(key: str, challenge: str) -> ProblemError:
    return ProblemError("unauthorized", key, headers=(("WWW-Authenticate", challenge),))
