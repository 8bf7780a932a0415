"""A session and its stored document.

This release reads documents of its own schema, and leaves any other unchanged.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from operator import attrgetter
from types import UnionType
from typing import Any, get_args, get_origin

import orjson

from dice_referee.sessions.store import (
    MOMENT_VERSIONS,
    CorruptSession,
    EarlierRelease,
    UnknownSchema,
)

SCHEMA = 3
"""Schema of the documents that this release reads and writes."""
EARLIER_SCHEMA = 2
"""Schema of release 0.10.0."""
UNUSED_SECONDS = 86_400
"""Maximum lifetime in seconds of a session that is never used after its creation."""


class DiceSource(StrEnum):
    SERVICE = "service"
    CLIENT = "client"


class Status(StrEnum):
    RUNNING = "running"
    OVER = "over"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Game at a table. Times are milliseconds since 1970."""

    id: str
    game: str
    setup: Mapping[str, Any]
    """Ruleset, options and players, as the game's audits read them."""
    dice: DiceSource
    created_at: int
    updated_at: int
    ttl: int
    """Lifetime in seconds after the last entry."""
    version: int = 0
    status: Status = Status.RUNNING
    player: int | None = None
    """Player to move, as an index, or None when the game is over."""
    table: Mapping[str, Any] = field(default_factory=dict)
    host: str
    """Hash of the host's token."""
    seats: tuple[str, ...]
    """Hash of every seat's token."""
    seed: bytes | None = None
    """Seed of fair dice, or None if people roll."""
    seeds: tuple[str | None, ...] = ()
    draws: int = 0
    """Number of events that chance has decided, which never decreases."""
    hidden: Any = None
    odds: bool = True
    """True if the session answers with odds. The host may forbid them at the start."""
    bots: tuple[str | None, ...] = ()
    """Level of the bot in each seat, None for people, empty without bots."""
    rematch: str | None = None
    """Id of the session in which the same people play again."""
    idle_seconds: int | None = None
    """Seconds without an entry after which any seat may give the seat to move to a bot, or None."""
    host_seat: int | None = None
    """Seat whose token is also the host's, or None while the host has a token of their own."""
    until: int | None = None
    """Time of expiry before the first entry after the creation, None from then on."""

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(self.setup["players"])

    @property
    def starter(self) -> int:
        """Number of the player who has the first turn."""
        return int(self.setup.get("starter", 0))

    @property
    def expires_at(self) -> int:
        return self.until or self.updated_at + 1000 * self.ttl

    @property
    def seconds(self) -> int:
        """Seconds from the creation or the last entry to the expiry."""
        return (self.expires_at - self.updated_at) // 1000

    def unused(self) -> "Session":
        return replace(self, until=self.created_at + 1000 * min(self.ttl, UNUSED_SECONDS))

    def after_arrival(self, now: int) -> "Session":
        return replace(self, until=max(now, self.updated_at) + 1000 * self.ttl)

    def setup_with(self, starter: int) -> Mapping[str, Any]:
        """Returns the setup of another game with this starter. It omits the first player."""
        setup = {name: value for name, value in self.setup.items() if name != "starter"}
        return {**setup, "starter": starter} if starter else setup

    def with_seed(self, seat: int, seed: str) -> "Session":
        return replace(self, seeds=(*self.seeds[:seat], seed, *self.seeds[seat + 1 :]))

    def with_bot(self, seat: int, level: str | None) -> "Session":
        """Returns the session with a bot of this level in a seat, or without a bot there."""
        bots = self.bots or (None,) * len(self.seats)
        return replace(self, bots=(*bots[:seat], level, *bots[seat + 1 :]))

    def with_host(self, seat: int) -> "Session":
        """Returns the session with this seat's token as the host's, without the host's own."""
        return replace(self, host="", host_seat=seat)

    def abandon(self) -> "Session":
        return replace(self, status=Status.ABANDONED, player=None)


_KEYS = {"beginning" if item.name == "setup" else item.name: item.name for item in fields(Session)}
_values = attrgetter(*_KEYS.values())

_ABSENT = ("idle_seconds", "host_seat", "until")
"""Fields that a document lacks without a value."""
_MOVED = (
    *("version", "updated_at", "status", "player", "table", "seeds", "draws", "rematch", "bots"),
    "host_seat",
)
"""Fields that changes affect and answers show. A list of them takes half the bytes, and omits the
last without a value."""
_moved = attrgetter(*_MOVED)


def encode(session: Session) -> bytes:
    document = dict(zip(_KEYS, _values(session), strict=True))
    for name in _ABSENT:
        if document[name] is None:
            del document[name]
    return orjson.dumps({"schema": SCHEMA, **document}, default=bytes.hex)


def moment(session: Session, before: int, *, undone: bool = False) -> bytes:
    """Returns the state after a write from version ``before``, or nothing if it is not stored.

    Each write over a multiple of ``MOMENT_VERSIONS``, the first write and each ``undone`` store it.
    It omits the seeds after the first draw, because they cannot change any more.
    """
    crossed = before // MOMENT_VERSIONS < session.version // MOMENT_VERSIONS
    if not (session.version and (undone or not before or crossed)):
        return b""
    values = dict(zip(_MOVED, _moved(session), strict=True))
    if session.draws:
        values["seeds"] = ()
    stored = [*values.values()]
    return orjson.dumps(stored[:-1] if session.host_seat is None else stored)


def at_moment(session: Session, stored: bytes, version: int) -> Session:
    """Returns the session as ``moment`` stored it at this version, without hidden parts.

    Raises CorruptSession.
    """
    try:
        read = orjson.loads(stored)
        absent = [None] if len(read) < len(_MOVED) else []
        values = dict(zip(_MOVED, [*read, *absent], strict=True))
        values["status"] = Status(values["status"])
        values["seeds"] = tuple(values["seeds"]) or session.seeds
        values["bots"] = tuple(values["bots"])
    except (ValueError, TypeError) as error:
        raise CorruptSession(session.id) from error
    if values["version"] != version:
        raise CorruptSession(session.id)
    return replace(session, hidden=None, **values)


def decode(document: bytes, session_id: str, version: int) -> Session:
    """Reads the session of a document that is stored under this id and version.

    Raises EarlierRelease or UnknownSchema for the schema of another release, and CorruptSession for
    other content.
    """
    try:
        stored = {**dict.fromkeys(_ABSENT), **orjson.loads(document)}
        if stored["schema"] != SCHEMA:
            earlier = stored["schema"] == EARLIER_SCHEMA
            raise (EarlierRelease if earlier else UnknownSchema)(session_id)
        session = _session(stored)
    except (ValueError, LookupError, TypeError) as error:
        raise CorruptSession(session_id) from error
    if (session.id, session.version) != (session_id, version):
        raise CorruptSession(session_id)
    return session


def _stored_classes(annotation: Any) -> tuple[type, ...]:
    options = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    classes = [get_origin(option) or option for option in options]
    return tuple(
        str if issubclass(own_class, StrEnum) else _JSON.get(own_class, own_class)
        for own_class in classes
    )


_JSON = {tuple: list, Mapping: dict, bytes: str}
_CLASSES = {
    item.name: (
        _stored_classes(item.type),
        _stored_classes(get_args(item.type)[0]) if get_origin(item.type) is tuple else None,
    )
    for item in fields(Session)
    if item.type is not Any
}


def _check_classes(values: Mapping[str, Any]) -> None:
    """Raises TypeError if a stored value has another class."""
    for name, (classes, item_classes) in _CLASSES.items():
        value = values[name]
        if type(value) not in classes:
            raise TypeError(name)
        if item_classes is not None:
            for item in value:
                if type(item) not in item_classes:
                    raise TypeError(name)
    players = values["setup"]["players"]
    if type(players) is not list or len(players) != len(values["seats"]):
        raise TypeError("players")
    for player in players:
        if type(player) is not str:
            raise TypeError("players")


def _session(stored: Mapping[str, Any]) -> Session:
    """Raises ValueError, LookupError or TypeError."""
    values = {name: stored[key] for key, name in _KEYS.items()}
    _check_classes(values)
    seed = values["seed"]
    values |= {
        "dice": DiceSource(values["dice"]),
        "status": Status(values["status"]),
        "seats": tuple(values["seats"]),
        "seed": None if seed is None else bytes.fromhex(seed),
        "seeds": tuple(values["seeds"]),
        "bots": tuple(values["bots"]),
    }
    return Session(**values)
