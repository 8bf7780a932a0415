"""The table of a session, from the stored document and from the log."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.games.verbs import audit
from dice_referee.rulebook.game import AnyQuestion, AnyTable
from dice_referee.rulebook.pauses import pause
from dice_referee.sessions.change import LastEvent, SessionRuleError
from dice_referee.sessions.log import Entry, standing_entries
from dice_referee.sessions.session import DiceSource, Session, Status, decode
from dice_referee.sessions.store import CorruptSession, StoredSession


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
    """Returns the fields of a session with this table."""
    player = game.player_of(table)
    status = Status.OVER if player is None else Status.RUNNING
    return {"table": game.save_table(table), "player": player, "status": status}


def last_event(game: AnyGame, session: Session, log: Iterable[Entry]) -> LastEvent | None:
    """Returns the last event of a log that was not taken back."""
    standing = standing_entries(log)
    if not standing:
        return None
    *earlier, last = standing
    before = earlier[-1]["version"] if earlier else 0
    return LastEvent(last, before, partial(table_after, game, session, earlier))


def table_after(game: AnyGame, session: Session, standing: Iterable[Entry]) -> AnyTable:
    """Returns the table after these events."""
    table = game.new_table(session.setup)
    for entry in standing:
        pause()
        table = game.advance(table, entry["event"]).table
    return table


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
