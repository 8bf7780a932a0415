"""The table of a session: as it is stored, and as it follows from the log."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from service.games.base import Game
from service.rules.details import Detail
from service.rules.errors import Unanswerable
from service.sessions.change import SessionRuleError
from service.sessions.log import LAST, Entry, milliseconds, standing_entries
from service.sessions.session import DiceSource, Session, Status
from service.sessions.store import CorruptSession


def check_setup(game: Game, session: Session) -> None:
    """Raises CorruptSession unless the session begins as one of this game can."""
    if game.setup_schema.errors(session.setup):
        raise CorruptSession(session.id)


def table_of(game: Game, session: Session) -> Any:
    """The game as it stands. Raises CorruptSession."""
    try:
        return game.load_table(session.setup, session.table)
    except ValueError as error:
        raise CorruptSession(session.id) from error


def with_table(game: Game, session: Session, table: Any) -> Session:
    """The session with this table."""
    player = game.player_of(table)
    status = Status.OVER if player is None else Status.RUNNING
    return replace(session, table=game.save_table(table), player=player, status=status)


def replayed(game: Game, session: Session, standing: Iterable[Entry]) -> Any:
    """The table after these events. Raises CorruptSession for what cannot have been."""
    try:
        table = game.new_table(session.setup)
    except Unanswerable as error:
        raise CorruptSession(session.id) from error
    for entry in standing:
        event = entry["event"]
        if game.reported_event_schema.errors(event) or game.objections(table, event, ""):
            raise CorruptSession(session.id)
        table = game.advance(table, event).table
    return table


def rebuilt(game: Game, session: Session, log: Sequence[Entry]) -> tuple[Session, Any]:
    """The session and its table after this beginning of its log; what it hides is left out."""
    table = replayed(game, session, standing_entries(log, session.id))
    seeds: tuple[str | None, ...] = (None,) * len(session.seeds)
    draws = 0
    if session.seed is not None:
        draws = sum(entry["event"]["type"] in game.chance_events for entry in log)
    before = replace(session, seeds=seeds, draws=draws, version=len(log), hidden=None, rematch=None)
    before = with_table(game, before, table)
    for entry in log:
        if entry["event"]["type"] == "seeded":
            before = before.with_seed(entry["event"]["player"], entry["event"]["seed"])
        elif entry["event"]["type"] == "abandoned":
            before = before.abandoned()
        elif entry["event"]["type"] == "rematch":
            before = replace(before, rematch=entry["event"]["session"])
    at = milliseconds(log[-1]["at"]) if log else session.created_at
    before = replace(before, updated_at=at)
    if before.expires_at > LAST:
        raise CorruptSession(session.id)
    return before, table


def exported(session: Session, log: Iterable[Entry]) -> dict[str, Any]:
    """The game in the form that its audits take, without what was taken back."""
    events = [entry["event"] for entry in standing_entries(log, session.id)]
    return {**session.setup, "log": events}


def question(game: Game, session: Session, log: Callable[[], Iterable[Entry]]) -> Any:
    """What is asked of the odds at this table, with all that everybody knows.

    At a table with dice of its own that follows from the log, which ``log`` reads.
    Raises SessionRuleError when the game is over, and CorruptSession.
    """
    if session.status is not Status.RUNNING:
        raise SessionRuleError("session-ended", Detail.SESSION_ENDED)
    # At a table with dice of its own the service hides nothing.
    known = game.odds.known(session.hidden)
    if session.dice is DiceSource.CLIENT:
        for event in [entry["event"] for entry in standing_entries(log(), session.id)]:
            if game.reported_event_schema.errors(event):
                raise CorruptSession(session.id)
            known = game.odds.follow(known, game.event_of(event))
    return game.odds.question_at(table_of(game, session).turn, known)
