"""The table of a session, in its game's own form and as it is stored."""

from dataclasses import replace
from typing import Any

from service.games.base import Game
from service.sessions.session import Session, Status
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
