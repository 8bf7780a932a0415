"""Changes to sessions: an event, an undo, a seed, another token, a bot, a host, the end.

Every change takes the same steps in the same order. The session exists (404, 410), the token is
valid (401), the body has its shape (400), a known key returns its first answer (422 for another
request), the seat may make the change (403), the client knows the version (412), the game allows
the change (409).
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
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
from dice_referee.games import most_players
from dice_referee.limits.counters import RateLimitStatus
from dice_referee.rulebook.bots import Level
from dice_referee.sentences import speech
from dice_referee.sessions import keys, play, replay, tokens, view
from dice_referee.sessions.change import Actor, Change, SessionRuleError
from dice_referee.sessions.keys import Key, Record, Versions
from dice_referee.sessions.session import DiceSource, Session, Status, encode, moment
from dice_referee.sessions.store import (
    CorruptSession,
    SessionDeleted,
    SessionNotFound,
    StoreError,
    StoreFull,
    VersionConflict,
)
from dice_referee.telemetry.metrics import count_change
from dice_referee.validation.fields import Enumerated, Integer, Text
from dice_referee.validation.schema import RequestSchema, Shape, define
from dice_referee.voice import EVERYBODY

LEVEL = define("SeatBot", {"level": Enumerated(*Level, required=True)})
SEED = define("SessionSeed", {"seed": Text(1, 64, "ascii", required=True)})


@cache
def host_request() -> RequestSchema:
    return define("SessionHost", {"seat": Integer(0, most_players() - 1, required=True)})


@cache
def rematch_request() -> RequestSchema:
    return define("SessionRematch", {"starter": access.seat_field()})


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

    def use(self, document: Any) -> bytes:
        """Returns the use of a key, the same for bodies of equal JSON."""
        return orjson.dumps([self.name, document], option=orjson.OPT_SORT_KEYS)


class Asked(NamedTuple):
    who: Actor
    body: Any
    listener: int
    """Seat that an answer in sentences addresses."""
    key: Key | None


Making = Callable[[Opened, Asked, int], Change]


@session_view(blueprint, "POST", "/<session_id>/events", offers=SPOKEN, is_long=Opened.lacks_tables)
def add_event(opened: Opened) -> Answer:
    def make(now: Opened, asked: Asked, time: int) -> Change:
        return play.act(now.game, now.session, asked.body, asked.who, time, now.bots())

    serves = opened.session.dice is DiceSource.SERVICE
    schemas = opened.game.schemas
    shape = schemas.requested_event if serves else schemas.reported_event
    return _change(opened, Kind("act", shape), make)


@session_view(
    blueprint,
    "POST",
    "/<session_id>/undo",
    offers=SPOKEN,
    is_long=Opened.lacks_tables,
)
def undo(opened: Opened) -> Answer:
    def make(now: Opened, asked: Asked, time: int) -> Change:
        return play.undo(now.game, now.session, now.last_event, asked.who, time, now.bots())

    return _change(opened, Kind("undo"), make)


@session_view(blueprint, "POST", "/<session_id>/seeds", offers=SPOKEN, is_long=Opened.has_long_log)
def add_seed(opened: Opened) -> Answer:
    def make(now: Opened, asked: Asked, time: int) -> Change:
        return play.add_seed(now.game, now.session, now.log, asked.body, asked.who, time)

    return _change(opened, Kind("seed", SEED), make)


@session_view(blueprint, "POST", "/<session_id>/abandon", offers=SPOKEN)
def abandon(opened: Opened) -> Answer:
    def make(now: Opened, asked: Asked, time: int) -> Change:
        return play.abandon(now.game, now.session, asked.who, time)

    return _change(opened, Kind("abandon"), make)


@session_view(
    blueprint, "POST", "/<session_id>/rematch", offers=SPOKEN, is_long=Opened.lacks_tables
)
def rematch(opened: Opened) -> Answer:
    """Begins another game of the same players, with the same tokens."""

    def make(now: Opened, asked: Asked, time: int) -> Change:
        services = now.request.services
        new_id, seed = now.store.choose_id(services.new_id), services.new_seed()
        starter = asked.body.get("starter")
        return play.rematch(
            now.game, now.session, new_id, seed, starter, asked.who, time, now.bots()
        )

    return _change(opened, Kind("rematch", rematch_request()), make)


@session_view(blueprint, "POST", "/<session_id>/seats/<number>/token")
def reissue_token(opened: Opened) -> Answer:
    token = opened.request.services.new_token()

    def make(now: Opened, asked: Asked, time: int) -> Change:
        hashed = tokens.token_hash(token)
        return play.reissue(now.game, now.session, now.seat(), hashed, asked.who, time)

    return _change(opened, Kind("token", keyed=False), make, {"seat_token": token})


@session_view(
    blueprint,
    "POST",
    "/<session_id>/seats/<number>/bot",
    offers=SPOKEN,
    is_long=lambda opened: access.lack_tables(opened.game, opened.session.setup, Level),
)
def seat_bot(opened: Opened) -> Answer:
    return _substitute(opened, LEVEL)


@session_view(blueprint, "DELETE", "/<session_id>/seats/<number>/bot", offers=SPOKEN)
def unseat_bot(opened: Opened) -> Answer:
    """Gives a bot's seat back to its token."""
    return _substitute(opened, EMPTY)


@session_view(blueprint, "POST", "/<session_id>/host", offers=SPOKEN)
def pass_host(opened: Opened) -> Answer:
    """Makes a seat's token the host's. No secret is sent, so a lost answer loses none."""

    def make(now: Opened, asked: Asked, time: int) -> Change:
        seat = now.seat_at(str(asked.body["seat"]))
        return play.pass_host(now.game, now.session, seat, asked.who, time)

    return _change(opened, Kind("host", host_request(), keyed=False), make)


def _substitute(opened: Opened, shape: Shape) -> Answer:
    def make(now: Opened, asked: Asked, time: int) -> Change:
        seat, level = now.seat(), Level(asked.body["level"]) if asked.body else None
        return play.substitute(now.game, now.session, seat, level, asked.who, time, now.bots())

    return _change(opened, Kind("bot", shape), make)


def _change(
    opened: Opened, kind: Kind, make: Making, secrets: Mapping[str, str] = NO_SECRETS
) -> Answer:
    def attempt(now: Opened) -> Answer:
        asked = _read(now, kind)
        if asked.key and (record := keys.find(now.stored.keys, asked.key)):
            first = _first_change(now, asked.key, record)
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
    who = opened.actor()
    listener = opened.listener(EVERYBODY if who.seat is None else who.seat)
    body = opened.body(kind.shape)
    access.check_key(opened.request, taken=kind.keyed)
    name = access.key_name(opened.request)
    key = None if name is None else keys.key_of(who, name, kind.use(body))
    return Asked(who, body, listener, key)


def _decide(opened: Opened, asked: Asked, make: Making) -> Change:
    try:
        change = make(opened, asked, opened.request.services.now())
    except SessionRuleError as error:
        if error.code != "forbidden":
            opened.check_version()
        raise
    opened.check_version()
    limit = opened.request.services.settings.session_events
    # A full game can still be abandoned, so that its seed is revealed.
    if opened.session.version >= limit and change.session.status is not Status.ABANDONED:
        raise ProblemError("session-full", params={"limit": limit})
    return change


def _state(opened: Opened, change: Change) -> bytes:
    return orjson.dumps(view.session_document(opened.game, change.session, change.state))


def _write(opened: Opened, asked: Asked, change: Change, state: bytes) -> RateLimitStatus | None:
    limit = None
    entry, *following = map(orjson.dumps, (change.entry, *change.following))
    before, after = opened.session.version, change.session.version
    records = b""
    if asked.key:
        records = keys.add(opened.stored.keys, asked.key, Versions(before + 1, after))
    undone = change.entry["event"]["type"] == "undone"
    if change.begun is not None:
        limit = access.create(opened.request, change.begun)
    try:
        opened.store.write(
            opened.session.id,
            before,
            encode(change.session),
            entry,
            opened.session.ttl,
            records,
            moment(change.session, before, undone=undone),
            following,
            change.kept,
            change.session.game,
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


def _first_change(opened: Opened, key: Key, record: Record) -> Change:
    if record.key.use != key.use:
        raise ProblemError("idempotency-key-reused")
    (first, last), session, state = record.versions, opened.session, opened.state
    entry, *following = opened.log(first - 1, last)
    # The use has the body but not the path.
    if opened.request.parameters.get("number") not in (None, str(entry["event"].get("player"))):
        raise ProblemError("idempotency-key-reused")
    if last < session.version:
        past = opened.store.past(session.id, last)
        session, state = replay.at_past(opened.game, session, past)
    return Change(session, state, entry, tuple(following))


def _answer(
    opened: Opened,
    change: Change,
    asked: Asked,
    state: bytes,
    secrets: Mapping[str, str] = NO_SECRETS,
) -> Answer:
    game, after = opened.game, opened._replace(session=change.session, state=change.state)
    if lang := sentence_language(opened.request, game.languages):
        entries = (change.entry, *change.following)
        lines = speech.events(game, orjson.loads(state), entries, asked.listener, lang)
        return text_answer(lines, lang, headers=(("ETag", after.tag()),))
    return after.answer({"entry": change.entry, "session": orjson.Fragment(state), **secrets})
