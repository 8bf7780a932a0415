"""Types of a change: author, result, refusal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dice_referee.rulebook.errors import Refusal
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import AnyState
from dice_referee.sessions.log import Entry
from dice_referee.sessions.session import Session


class Actor(NamedTuple):
    """Author of a change: the host, a seat, or the service for a bot's seat."""

    seat: int | None
    bot: bool = False
    is_host: bool = False
    """True for a seat whose token is also the host's."""

    @property
    def hosts(self) -> bool:
        return self.seat is None or self.is_host

    @property
    def by(self) -> str:
        if self.bot:
            return "bot"
        return "host" if self.seat is None else "seat"


class LastEvent(NamedTuple):
    entry: Entry
    before: int
    """Version of the kept event before it, or 0 without an event."""
    state: Callable[[], AnyState]
    """Returns the state before the event."""


class Begun(NamedTuple):
    """New session, the state of its game, and the entries of bots that play first."""

    session: Session
    state: AnyState
    entries: tuple[Entry, ...]


class Change(NamedTuple):
    """Session after a change, the state of its game, and its log entries."""

    session: Session
    state: AnyState
    entry: Entry
    following: tuple[Entry, ...] = ()
    """Entries of the bots' moves after the change."""
    kept: int | None = None
    """Version of the last kept event, None as before the change."""
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
