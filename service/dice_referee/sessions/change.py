"""Types of a change: author, result, refusal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dice_referee.rulebook.errors import Refusal
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import AnyTable
from dice_referee.sessions.log import Entry
from dice_referee.sessions.session import Session


class Actor(NamedTuple):
    """Author of a change: the host, a seat, or the service for a bot's seat."""

    seat: int | None
    bot: bool = False

    @property
    def by(self) -> str:
        if self.bot:
            return "bot"
        return "host" if self.seat is None else "seat"


class LastEvent(NamedTuple):
    entry: Entry
    before: int
    """Version of the standing event before it, or 0 without an event."""
    table: Callable[[], AnyTable]
    """Returns the table before the event."""


class Begun(NamedTuple):
    """New session, its table in the game's own form, and the entries of bots that play first."""

    session: Session
    table: AnyTable
    entries: tuple[Entry, ...]


class Change(NamedTuple):
    """Session after a change, its table in the game's own form, and its log entries."""

    session: Session
    table: AnyTable
    entry: Entry
    following: tuple[Entry, ...] = ()
    """Entries of the bots' moves after the change."""
    standing: int | None = None
    """Version of the last event that was not taken back, None as before the change."""
    begun: Begun | None = None
    """Session that the change refers to, which must exist before it."""


@dataclass(eq=False)
class SessionRuleError(Refusal):
    """The session refuses a change. Nothing was changed.

    ``findings`` are the game's. ``key`` explains a refusal of the session.
    """

    code: str
    key: str = ""
    findings: Sequence[Finding] = ()
    players: Sequence[str] = ()
