"""The table of a session, from the stored document and from the log."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.games.verbs import audit
from dice_referee.rulebook.game import AnyQuestion, AnyTable
from dice_referee.sessions.change import SessionRuleError
from dice_referee.sessions.log import Entry, entry_of, milliseconds, standing_entries
from dice_referee.sessions.session import DiceSource, Session, Status, at_moment, decode
from dice_referee.sessions.store import CorruptSession, Past, StoredSession


def opened(stored: StoredSession, session_id: str) -> tuple[AnyGame, Session, AnyTable]:
    """Returns the game, the session and the table of a stored session.

    Raises the errors of ``decode``.
    """
    session = decode(stored.document, session_id, stored.version)
    game = catalogue().get(session.game)
    if game is None:
        raise CorruptSession(session_id)
    return game, session, table_of(game, session)


def table_of(game: AnyGame, session: Session) -> AnyTable:
    """Returns the present state of the game. Raises CorruptSession."""
    try:
        return game.load_table(session.setup, session.table, session.hidden)
    except ValueError as error:
        raise CorruptSession(session.id) from error


def table_fields(game: AnyGame, table: AnyTable) -> dict[str, Any]:
    player = game.player_of(table)
    status = Status.OVER if player is None else Status.RUNNING
    return {"table": game.save_table(table), "player": player, "status": status}


def at_past(game: AnyGame, session: Session, past: Past) -> tuple[Session, AnyTable]:
    """Returns an earlier state of the session, without hidden parts, and its table.

    At version 0 only the table is of the past. Raises CorruptSession.
    """
    if past.moment:
        session = at_moment(session, past.moment, past.version)
        table = table_of(game, session)
    elif past.version or past.lines:
        raise CorruptSession(session.id)
    else:
        table = game.new_table(session.setup)
    for line in past.lines:
        session, table = _after(game, session, table, entry_of(line, session.id))
    return session, table


def _after(
    game: AnyGame, session: Session, table: AnyTable, entry: Entry
) -> tuple[Session, AnyTable]:
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
            table = game.advance(table, event).table
            draws = session.draws + (session.seed is not None and kind in game.chance_events)
            session = replace(session, draws=draws, **table_fields(game, table))
    return session, table


def export(game: AnyGame, session: Session, log: Iterable[Entry]) -> dict[str, Any]:
    """Returns the game in the form of its audits, without the events taken back."""
    events = [entry["event"] for entry in standing_entries(log)]
    document = {"game": session.game, **session.setup, "log": events}
    return {**document, "line": audit(game, document)["line"]}


def question(
    game: AnyGame, session: Session, log: Callable[[], Iterable[Entry]], aim: str | None = None
) -> AnyQuestion:
    """Returns the odds question of this table, with all public information.

    At a table with its own dice the log, which ``log`` reads, has that information. Raises
    SessionRuleError when the game is over, CorruptSession, and Unanswerable if this aim has no
    answer.
    """
    if session.status is not Status.RUNNING:
        raise SessionRuleError("session-ended")
    # At a table with its own dice the service hides nothing.
    public = game.public_of(session.hidden)
    if session.dice is DiceSource.CLIENT:
        for event in [entry["event"] for entry in standing_entries(log())]:
            public = game.public_after(public, game.event_of(event))
    return game.question_at(table_of(game, session).turn, public, aim)
