"""Changes to sessions: an event, an undo, a seed, another token, a bot, the end.

Every change takes the same steps in the same order. The session exists (404, 410), the token is
valid (401), the body has its shape (400), a known key returns its first answer (422 for another
request), the seat may make the change (403), the client knows the version (412), the game allows
the change (409).
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any

import orjson
from flask import Blueprint

from dice_referee.api import session_access as access
from dice_referee.api.answers import text_answer
from dice_referee.api.message import Answer, Request
from dice_referee.api.negotiation import sentence_language
from dice_referee.api.operation import SPOKEN
from dice_referee.api.problems import ProblemError
from dice_referee.api.services import Services
from dice_referee.api.session_access import Opened, session_view
from dice_referee.games.game import AnyGame
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

Changing = Callable[[AnyGame, Session, Any, Actor, int], Change]
"""Function that makes a change from the body of the request, its actor and the time."""


@session_view(blueprint, "POST", "/<session_id>/events", offers=SPOKEN)
def make_move(opened: Opened) -> Answer:
    """Applies an event of the game."""

    def change(game: AnyGame, session: Session, event: Any, who: Actor, now: int) -> Change:
        return play.act(game, session, event, who, now, access.bots(opened.request, game))

    return _change(opened, "act", None, change)


@session_view(blueprint, "POST", "/<session_id>/undo", offers=SPOKEN)
def undo(opened: Opened) -> Answer:
    """Takes back the last event."""

    def change(game: AnyGame, session: Session, _: Any, who: Actor, now: int) -> Change:
        read = partial(access.last_event, opened, session)
        return play.undo(game, session, read, who, now, access.bots(opened.request, game))

    return _change(opened, "undo", access.EMPTY, change)


@session_view(blueprint, "POST", "/<session_id>/seeds", offers=SPOKEN)
def add_seed(opened: Opened) -> Answer:
    """Adds a seat's text to the seed."""

    def change(game: AnyGame, session: Session, body: Any, who: Actor, now: int) -> Change:
        access.check_place(opened.request, session.version)
        read = partial(access.log, opened, session.id, session.version)
        return play.add_seed(game, session, read, body, who, now)

    return _change(opened, "seed", SEED, change)


@session_view(blueprint, "POST", "/<session_id>/abandon", offers=SPOKEN)
def abandon(opened: Opened) -> Answer:
    """Abandons the game."""
    return _change(opened, "abandon", access.EMPTY, play.abandon)


@session_view(blueprint, "POST", "/<session_id>/rematch", offers=SPOKEN)
def rematch(opened: Opened) -> Answer:
    """Begins another game of the same players, with the same tokens."""
    begun, limit = list[Session](), None
    request, services = opened.request, opened.services

    def change(game: AnyGame, session: Session, _: Any, who: Actor, now: int) -> Change:
        new_id = access.store_of(services).choose_id(services.new_id)
        seed = services.new_seed()
        bots = access.bots(request, game)
        outcome, next_session, entries = play.rematch(game, session, new_id, seed, who, now, bots)
        access.check_version(request, session)
        _check_room(session, outcome, services)
        # The new session must exist before this session refers to it.
        nonlocal limit
        limit = access.create(request, services, next_session, entries)
        begun.append(next_session)
        return outcome

    def lost() -> None:
        unseen = begun.pop()
        proof = orjson.dumps(view.fairness(unseen, revealed=True))
        # If the store is unavailable, the session expires.
        with suppress(StoreError):
            access.store_of(services).delete(unseen.id, unseen.version, proof, TOMBSTONE_SECONDS)

    answer = _change(opened, "rematch", access.EMPTY, change, lost=lost)
    answer.limit = limit
    return answer


@session_view(blueprint, "POST", "/<session_id>/seats/<number>/token")
def reissue_token(opened: Opened) -> Answer:
    """Replaces the token of a seat."""
    token = opened.services.new_token()

    def change(game: AnyGame, session: Session, _: Any, who: Actor, now: int) -> Change:
        number = access.seat(opened.request.parameters["number"], session)
        return play.reissue(game, session, number, tokens.token_hash(token), who, now)

    return _change(opened, "", access.EMPTY, change, {"seat_token": token})


@session_view(blueprint, "POST", "/<session_id>/seats/<number>/bot", offers=SPOKEN)
def seat_bot(opened: Opened) -> Answer:
    """Lets a bot play a seat."""
    return _substitute(opened, LEVEL)


@session_view(blueprint, "DELETE", "/<session_id>/seats/<number>/bot", offers=SPOKEN)
def unseat_bot(opened: Opened) -> Answer:
    """Gives a bot's seat back to its token."""
    return _substitute(opened, access.EMPTY)


def _substitute(opened: Opened, shape: Shape) -> Answer:
    """Gives a seat to a bot of the level in the body, or without a body to its token."""

    def change(game: AnyGame, session: Session, body: Any, who: Actor, now: int) -> Change:
        number = access.seat(opened.request.parameters["number"], session)
        level = Level(body["level"]) if body else None
        bots = access.bots(opened.request, game)
        return play.substitute(game, session, number, level, who, now, bots)

    return _change(opened, "bot", shape, change)


def _change(
    opened: Opened,
    kind: str,
    shape: Shape | None,
    change: Changing,
    secrets: Mapping[str, str] = MappingProxyType({}),
    lost: Callable[[], None] | None = None,
) -> Answer:
    """Takes the steps of a change.

    ``kind`` is the kind of its idempotency keys, or "" without keys. ``shape`` is the shape of the
    body, or ``None`` for an event of the game. ``lost`` is called if the store did not write the
    change.
    """
    request = opened.request
    token, key = access.bearer(request), request.header(b"idempotency-key")
    name = access.key_name(request)

    def attempt(now: Opened) -> Answer:
        _, services, game, session, _, stored = now
        who = access.actor(session, token)
        listening_seat = access.listener(
            request, session, EVERYBODY if who.seat is None else who.seat
        )
        serves = session.dice is DiceSource.SERVICE
        event = game.schemas.requested_event if serves else game.schemas.reported_event
        document = access.body_of_change(request, services, shape or event)
        access.check_key(key, taken=bool(kind))
        record = access.digest(kind, document) if name else b""
        if stored.record is not None:
            outcome = _first_change(now, record)
            return _change_answer(request, game, outcome, {}, listening_seat)
        try:
            outcome = change(game, session, document, who, services.now())
        except SessionRuleError as error:
            if error.code != "forbidden":
                access.check_version(request, session)
            raise
        access.check_version(request, session)
        _check_room(session, outcome, services)
        entry, *following = map(orjson.dumps, (outcome.entry, *outcome.following))
        after = encode(outcome.session)
        record += b"%d" % outcome.entry["version"]
        if following:
            record += b" %d" % outcome.session.version
        left = moment(outcome.session)
        written = (session.id, session.version, after, entry, session.ttl, name, record, left)
        try:
            access.store_of(services).write(*written, following, outcome.standing)
        except UNWRITTEN:
            if lost is not None:
                lost()
            raise
        count_change(game.name, kind or "token")
        return _change_answer(request, game, outcome, secrets, listening_seat)

    return access.until_written(attempt, opened)


def _check_room(session: Session, outcome: Change, services: Services) -> None:
    """Refuses a change of a session whose log is full."""
    limit = services.settings.session_events
    # A full game can still be abandoned, so that its seed is revealed.
    if session.version >= limit and outcome.session.status is not Status.ABANDONED:
        raise ProblemError("session-full", params={"limit": limit})


def _first_change(opened: Opened, record: bytes) -> Change:
    """Returns the change that was made under a key, from its record."""
    request, _, game, session, _, stored = opened
    stored_record = stored.record or b""
    if not stored_record.startswith(record):
        raise ProblemError("idempotency-key-reused")
    # Versions of the first entry, and of the last entry if bots followed.
    versions = stored_record[len(record) :].split()
    number, last = int(versions[0]), int(versions[-1])
    if last < session.version:
        session = at_moment(session, stored.moment or b"", last)
    entry, *following = access.log(opened, session.id, last, number - 1)
    # The digest has the body but not the path.
    if request.parameters.get("number") not in (None, str(entry["event"].get("player"))):
        raise ProblemError("idempotency-key-reused")
    return Change(session, replay.table_of(game, session), entry, tuple(following))


def _change_answer(
    request: Request, game: AnyGame, change: Change, secrets: Mapping[str, str], listening_seat: int
) -> Answer:
    """Returns the entry and the session after it, or both in sentences for the listener."""
    state = view.state(game, change.session, change.table)
    if lang := sentence_language(request, game.languages):
        entries = (change.entry, *change.following)
        lines = speech.events(game, state, entries, listening_seat, lang)
        return text_answer(lines, lang, headers=(access.etag_header(change.session),))
    content = {"accepted": change.entry, "session": state, **secrets}
    return access.with_etag(orjson.dumps(content), change.session)
