"""Changes to sessions: an event, an undo, a seed, another token, a bot, the end.

Every change takes the same steps in the same order. The session exists (404, 410), the token is
valid (401), the body has its shape (400), a known key returns its first answer (422 for another
request), the seat may make the change (403), the client knows the version (412), the game allows
the change (409).
"""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson
from flask import Blueprint

from dice_referee.api import session_access as access
from dice_referee.api.answers import text_answer
from dice_referee.api.message import Answer
from dice_referee.api.negotiation import sentence_language
from dice_referee.api.operation import SPOKEN
from dice_referee.api.problems import ProblemError
from dice_referee.api.session_access import EMPTY, Opened, session_view
from dice_referee.limits.counters import RateLimitStatus
from dice_referee.rulebook.bots import Level
from dice_referee.sentences import speech
from dice_referee.sessions import play, replay, tokens, view
from dice_referee.sessions.change import Actor, Change, SessionRuleError
from dice_referee.sessions.session import DiceSource, Session, Status, at_moment, encode, moment
from dice_referee.sessions.store import (
    CorruptSession,
    SessionDeleted,
    SessionNotFound,
    StoreError,
    StoreFull,
    VersionConflict,
)
from dice_referee.telemetry.metrics import count_change
from dice_referee.validation.fields import Enumerated, Text
from dice_referee.validation.schema import Shape, define
from dice_referee.voice import EVERYBODY

LEVEL = define("SeatBot", {"level": Enumerated(*Level, required=True)})
SEED = define("SessionSeed", {"seed": Text(1, 64, "ascii", required=True)})

blueprint = Blueprint("session_changes", __name__, url_prefix="/v1/sessions")

TOMBSTONE_SECONDS = 1
"""Lifetime in seconds of the tombstone of a session that was never shown."""

UNWRITTEN = (VersionConflict, StoreFull, CorruptSession, SessionNotFound, SessionDeleted)
"""Errors after which a change is certainly not written."""

NO_SECRETS: Mapping[str, str] = MappingProxyType({})


class Kind(NamedTuple):
    """Kind of change: its name in metrics, the shape of its body, and whether it takes keys."""

    name: str
    shape: Shape = EMPTY
    keyed: bool = True

    def digest(self, document: Any) -> bytes:
        """Returns a digest of a key's use. Bodies of equal JSON have equal digests."""
        canonical = orjson.dumps([self.name, document], option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(canonical).hexdigest().encode() + b":"


class Asked(NamedTuple):
    """Change that a request asks for."""

    who: Actor
    body: Any
    listener: int
    """Seat that an answer in sentences addresses."""
    key: str | None
    """Name of the record of its idempotency key, if any."""
    digest: bytes
    """Beginning of that record, empty without a key."""


Making = Callable[[Opened, Asked, int], Change]
"""Makes the change that a request asks for at this time."""


@session_view(blueprint, "POST", "/<session_id>/events", offers=SPOKEN)
def add_event(opened: Opened) -> Answer:
    """Applies an event of the game."""

    def make(now: Opened, asked: Asked, time: int) -> Change:
        return play.act(now.game, now.session, asked.body, asked.who, time, now.bots())

    serves = opened.session.dice is DiceSource.SERVICE
    schemas = opened.game.schemas
    shape = schemas.requested_event if serves else schemas.reported_event
    return _change(opened, Kind("act", shape), make)


@session_view(blueprint, "POST", "/<session_id>/undo", offers=SPOKEN)
def undo(opened: Opened) -> Answer:
    """Takes back the last event."""

    def make(now: Opened, asked: Asked, time: int) -> Change:
        return play.undo(now.game, now.session, now.last_event, asked.who, time, now.bots())

    return _change(opened, Kind("undo"), make)


@session_view(blueprint, "POST", "/<session_id>/seeds", offers=SPOKEN)
def add_seed(opened: Opened) -> Answer:
    """Adds a seat's text to the seed."""

    def make(now: Opened, asked: Asked, time: int) -> Change:
        access.check_place(now.request, now.session.version)
        return play.add_seed(now.game, now.session, now.log, asked.body, asked.who, time)

    return _change(opened, Kind("seed", SEED), make)


@session_view(blueprint, "POST", "/<session_id>/abandon", offers=SPOKEN)
def abandon(opened: Opened) -> Answer:
    """Abandons the game."""

    def make(now: Opened, asked: Asked, time: int) -> Change:
        return play.abandon(now.game, now.session, asked.who, time)

    return _change(opened, Kind("abandon"), make)


@session_view(blueprint, "POST", "/<session_id>/rematch", offers=SPOKEN)
def rematch(opened: Opened) -> Answer:
    """Begins another game of the same players, with the same tokens."""

    def make(now: Opened, asked: Asked, time: int) -> Change:
        new_id, seed = now.store.choose_id(now.services.new_id), now.services.new_seed()
        return play.rematch(now.game, now.session, new_id, seed, asked.who, time, now.bots())

    return _change(opened, Kind("rematch"), make)


@session_view(blueprint, "POST", "/<session_id>/seats/<number>/token")
def reissue_token(opened: Opened) -> Answer:
    """Replaces the token of a seat."""
    token = opened.services.new_token()

    def make(now: Opened, asked: Asked, time: int) -> Change:
        hashed = tokens.token_hash(token)
        return play.reissue(now.game, now.session, now.seat(), hashed, asked.who, time)

    return _change(opened, Kind("token", keyed=False), make, {"seat_token": token})


@session_view(blueprint, "POST", "/<session_id>/seats/<number>/bot", offers=SPOKEN)
def seat_bot(opened: Opened) -> Answer:
    """Lets a bot play a seat."""
    return _substitute(opened, LEVEL)


@session_view(blueprint, "DELETE", "/<session_id>/seats/<number>/bot", offers=SPOKEN)
def unseat_bot(opened: Opened) -> Answer:
    """Gives a bot's seat back to its token."""
    return _substitute(opened, EMPTY)


def _substitute(opened: Opened, shape: Shape) -> Answer:
    """Gives a seat to a bot of the level in the body, or without a body to its token."""

    def make(now: Opened, asked: Asked, time: int) -> Change:
        seat, level = now.seat(), Level(asked.body["level"]) if asked.body else None
        return play.substitute(now.game, now.session, seat, level, asked.who, time, now.bots())

    return _change(opened, Kind("bot", shape), make)


def _change(
    opened: Opened, kind: Kind, make: Making, secrets: Mapping[str, str] = NO_SECRETS
) -> Answer:
    """Reads, decides and writes a change, again while concurrent changes win."""

    def attempt(now: Opened) -> Answer:
        asked = _read(now, kind)
        if now.stored.record is not None:
            first = _first_change(now, asked)
            return _answer(now, first, asked, _state(now, first))
        change = _decide(now, asked, make)
        state = _state(now, change)
        limit = _write(now, asked, change, state)
        count_change(now.game.name, kind.name)
        answer = _answer(now, change, asked, state, secrets)
        answer.limit = limit
        return answer

    return opened.until_written(attempt)


def _read(opened: Opened, kind: Kind) -> Asked:
    """Reads the author, the body and the key of a change."""
    who = opened.actor()
    listener = opened.listener(EVERYBODY if who.seat is None else who.seat)
    body = opened.body(kind.shape)
    access.check_key(opened.request, taken=kind.keyed)
    key = access.key_name(opened.request)
    return Asked(who, body, listener, key, kind.digest(body) if key else b"")


def _decide(opened: Opened, asked: Asked, make: Making) -> Change:
    """Makes the change, unless a rule, the version that the client knows or the log forbids it."""
    try:
        change = make(opened, asked, opened.services.now())
    except SessionRuleError as error:
        if error.code != "forbidden":
            opened.check_version()
        raise
    opened.check_version()
    limit = opened.services.settings.session_events
    # A full game can still be abandoned, so that its seed is revealed.
    if opened.session.version >= limit and change.session.status is not Status.ABANDONED:
        raise ProblemError("session-full", params={"limit": limit})
    return change


def _state(opened: Opened, change: Change) -> bytes:
    """Returns the state of the session after the change in JSON."""
    return orjson.dumps(view.state(opened.game, change.session, change.table))


def _write(opened: Opened, asked: Asked, change: Change, state: bytes) -> RateLimitStatus | None:
    """Writes the change, and before it the session that it begins, whose limit it returns."""
    limit = None
    entry, *following = map(orjson.dumps, (change.entry, *change.following))
    versions = b"%d" % change.entry["version"]
    if following:
        versions += b" %d" % change.session.version
    if change.begun is not None:
        limit = access.create(opened.request, opened.services, change.begun)
    try:
        opened.store.write(
            opened.session.id,
            opened.session.version,
            encode(change.session),
            entry,
            opened.session.ttl,
            asked.key,
            asked.digest + versions,
            moment(change.session),
            following,
            change.standing,
            state,
        )
    except UNWRITTEN:
        if change.begun is not None:
            _bury(opened, change.begun.session)
        raise
    return limit


def _bury(opened: Opened, unseen: Session) -> None:
    """Deletes a session that was never shown. If the store is unavailable, it expires."""
    proof = orjson.dumps(view.fairness(unseen, revealed=True))
    with suppress(StoreError):
        opened.store.delete(unseen.id, unseen.version, proof, TOMBSTONE_SECONDS)


def _first_change(opened: Opened, asked: Asked) -> Change:
    """Returns the change that was made under the key of the request, from its record."""
    game, session, stored = opened.game, opened.session, opened.stored
    stored_record = stored.record or b""
    if not stored_record.startswith(asked.digest):
        raise ProblemError("idempotency-key-reused")
    # Versions of the first entry, and of the last entry if bots followed.
    versions = stored_record[len(asked.digest) :].split()
    number, last = int(versions[0]), int(versions[-1])
    if last < session.version:
        session = at_moment(session, stored.moment or b"", last)
    entry, *following = opened.log(number - 1, last)
    # The digest has the body but not the path.
    if opened.request.parameters.get("number") not in (None, str(entry["event"].get("player"))):
        raise ProblemError("idempotency-key-reused")
    return Change(session, replay.table_of(game, session), entry, tuple(following))


def _answer(
    opened: Opened,
    change: Change,
    asked: Asked,
    state: bytes,
    secrets: Mapping[str, str] = NO_SECRETS,
) -> Answer:
    """Returns the entry and the session after it, or both in sentences for the listener."""
    game, after = opened.game, opened._replace(session=change.session, table=change.table)
    if lang := sentence_language(opened.request, game.languages):
        entries = (change.entry, *change.following)
        lines = speech.events(game, orjson.loads(state), entries, asked.listener, lang)
        return text_answer(lines, lang, headers=(("ETag", after.tag()),))
    return after.answer({"entry": change.entry, "session": orjson.Fragment(state), **secrets})
