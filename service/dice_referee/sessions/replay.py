"""The state of a game, from the stored session and from the log."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.games.verbs import audit
from dice_referee.rulebook.game import AnyQuestion, AnyState
from dice_referee.sessions.change import SessionRuleError
from dice_referee.sessions.log import Entry, entry_of, kept_entries, milliseconds
from dice_referee.sessions.session import DiceSource, Session, Status, at_moment, decode
from dice_referee.sessions.store import CorruptSession, Past, StoredSession


def opened(stored: StoredSession, session_id: str) -> tuple[AnyGame, Session, AnyState]:
    """Returns the game, the session and the state of the game of a stored session.

    Raises the errors of ``decode``.
    """
    session = decode(stored.document, session_id, stored.version)
    game = catalogue().get(session.game)
    if game is None:
        raise CorruptSession(session_id)
    return game, session, state_of(game, session)


def state_of(game: AnyGame, session: Session) -> AnyState:
    """Returns the present state of the game. Raises CorruptSession."""
    try:
        return game.load_state(session.setup, session.table, session.hidden)
    except ValueError as error:
        raise CorruptSession(session.id) from error


def state_fields(game: AnyGame, state: AnyState) -> dict[str, Any]:
    player = game.player_of(state)
    status = Status.OVER if player is None else Status.RUNNING
    return {"table": game.save_state(state), "player": player, "status": status}


def at_past(game: AnyGame, session: Session, past: Past) -> tuple[Session, AnyState]:
    """Returns an earlier state of the session, without hidden parts, and that of its game.

    At version 0 only that of the game is of the past. Raises CorruptSession.
    """
    if past.moment:
        session = at_moment(session, past.moment, past.version)
        state = state_of(game, session)
    elif past.version or past.lines:
        raise CorruptSession(session.id)
    else:
        state = game.new_state(session.setup)
    for line in past.lines:
        session, state = _after(game, session, state, entry_of(line, session.id))
    return session, state


def _after(
    game: AnyGame, session: Session, state: AnyState, entry: Entry
) -> tuple[Session, AnyState]:
    event, at = entry["event"], milliseconds(entry["at"])
    session = replace(session, version=entry["version"], updated_at=at)
    match event["type"]:
        case "seeded":
            session = session.with_seed(event["player"], event["seed"])
        case "substituted":
            session = session.with_bot(event["player"], event["level"])
        case "rematch":
            session = replace(session, rematch=event["session"])
        case "abandoned":
            session = session.abandon()
        case "hosted":
            session = replace(session, host_seat=event["player"])
        case "reissued":
            pass
        case kind:
            state = game.advance(state, event).state
            draws = session.draws + (session.seed is not None and kind in game.chance_events)
            session = replace(session, draws=draws, **state_fields(game, state))
    return session, state


def export(game: AnyGame, session: Session, log: Iterable[Entry]) -> dict[str, Any]:
    """Returns the game in the form of its audits, without undone events."""
    events = [entry["event"] for entry in kept_entries(log)]
    document = {"game": session.game, **session.setup, "log": events}
    return {**document, "line": audit(game, document)["line"]}


def question(
    game: AnyGame, session: Session, log: Callable[[], Iterable[Entry]], aim: str | None = None
) -> AnyQuestion:
    """Returns the odds question of this session, with all public information.

    At a table with its own dice the log, which ``log`` reads, has that information. Raises
    SessionRuleError when the game is over, CorruptSession, and Unanswerable if this aim has no
    answer.
    """
    if session.status is not Status.RUNNING:
        raise SessionRuleError("session-ended")
    # At a table with its own dice the service hides nothing.
    public = game.public_of(session.hidden)
    if session.dice is DiceSource.CLIENT:
        for event in [entry["event"] for entry in kept_entries(log())]:
            public = game.public_after(public, game.event_of(event))
    return game.question_at(state_of(game, session).turn, public, aim)
