"""A session as it is stored: one document.

Documents carry the number of their schema. This release reads its own schema; any other document is
refused and left as it is. Nothing that this service has written is proved anew when it is read.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from operator import attrgetter
from typing import Any

import orjson

from dice_referee.sessions.store import CorruptSession, UnknownSchema

SCHEMA = 2
"""The schema of the documents that this release reads and writes."""
UNUSED_SECONDS = 86_400
"""Maximum seconds for which a session is kept after its creation if it is never used."""


class DiceSource(StrEnum):
    """Source of dice and cards."""

    SERVICE = "service"
    CLIENT = "client"


class Status(StrEnum):
    """State of a session."""

    RUNNING = "running"
    OVER = "over"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One game at one table. Times are milliseconds since 1970."""

    id: str
    game: str
    setup: Mapping[str, Any]
    """Ruleset, options and players, as the game's audits take them."""
    dice: DiceSource
    created_at: int
    updated_at: int
    ttl: int
    """Seconds that the session is kept after its last entry."""
    version: int = 0
    status: Status = Status.RUNNING
    player: int | None = None
    """Player to move, as an index; None when the game is over."""
    table: Mapping[str, Any] = field(default_factory=dict)
    """The game as it stands, in the game's own form."""
    host: str
    """The host's token, hashed."""
    seats: tuple[str, ...]
    """The token of every seat, hashed."""
    seed: bytes | None = None
    """Seed of fair dice; None where people throw."""
    seeds: tuple[str | None, ...] = ()
    """Texts that the seats have added to the seed."""
    draws: int = 0
    """Events that chance has decided; never goes back."""
    hidden: Any = None
    """Hidden dice and cards of the game, in its own form."""
    odds: bool = True
    """True if the session tells its odds; the host may forbid it at the start."""
    bots: tuple[str | None, ...] = ()
    """Level at which the service plays each seat, None for people; empty without bots."""
    rematch: str | None = None
    """The id of the session in which the same people play again."""
    until: int | None = None
    """Time of expiry before the first entry after the creation; None from then on."""

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(self.setup["players"])

    @property
    def expires_at(self) -> int:
        return self.until or self.updated_at + 1000 * self.ttl

    @property
    def seconds(self) -> int:
        """Seconds from the creation or the last entry to the expiry."""
        return (self.expires_at - self.updated_at) // 1000

    def unused(self) -> "Session":
        """Returns the session as it is created."""
        return replace(self, until=self.created_at + 1000 * min(self.ttl, UNUSED_SECONDS))

    def arrived(self, now: int) -> "Session":
        """Returns the session after an arrival before its first entry."""
        return replace(self, until=max(now, self.updated_at) + 1000 * self.ttl)

    def with_seed(self, seat: int, seed: str) -> "Session":
        """Returns the session with what a seat has added to its seed."""
        return replace(self, seeds=(*self.seeds[:seat], seed, *self.seeds[seat + 1 :]))

    def abandoned(self) -> "Session":
        """Returns the session given up: it is the turn of no player."""
        return replace(self, status=Status.ABANDONED, player=None)


_KEYS = {"beginning" if one.name == "setup" else one.name: one.name for one in fields(Session)}
"""The fields of a session, by their keys in a document."""
_values = attrgetter(*_KEYS.values())

_MOVED = ("version", "updated_at", "status", "player", "table", "seeds", "draws", "rematch")
"""The fields that changes move and answers show; as a list they take half the bytes.

The bots follow at the end, where the session has any: release 0.9.0 reads a moment without them.
"""
_moved = attrgetter(*_MOVED)
LONGEST_PLAIN = 512
"""Bytes of a state that is kept as it is: one of few players."""


def encoded(session: Session) -> bytes:
    """Returns the document of a session."""
    document = dict(zip(_KEYS, _values(session), strict=True))
    if session.until is None:
        del document["until"]
    return orjson.dumps({"schema": SCHEMA, **document}, default=bytes.hex)


def moment(session: Session) -> bytes:
    """Returns the state that a change has left, to repeat its answer later.

    Leaves the seeds out after the first draw: nothing changes them from then on. A long state is
    compressed. Release 0.9.0 reads short ones.
    """
    left = replace(session, seeds=(None,) * len(session.seeds)) if session.draws else session
    bots = (session.bots,) if session.bots else ()
    plain = orjson.dumps((SCHEMA, *_moved(left), *bots))
    return plain if len(plain) <= LONGEST_PLAIN else zlib.compress(plain)


def at_moment(session: Session, stored: bytes, version: int) -> Session:
    """Returns the session as ``moment`` kept it at this version; hidden parts are left out.

    Raises as ``decoded``.
    """
    try:
        values = orjson.loads(stored if stored.startswith(b"[") else zlib.decompress(stored))
        left = {"bots": (), **dict(zip(("schema", *_MOVED, "bots"), values, strict=False))}
        if left["draws"] and not any(left["seeds"]):
            left["seeds"] = session.seeds
        document = {**orjson.loads(encoded(session)), "hidden": None, **left}
    except (ValueError, TypeError, zlib.error) as error:
        raise CorruptSession(session.id) from error
    return decoded(orjson.dumps(document), session.id, version)


def decoded(document: bytes, session_id: str, version: int) -> Session:
    """Reads the session of a document that is stored under this id as this version.

    Raises UnknownSchema for the schema of another release, and CorruptSession for other content.
    """
    try:
        stored = {"until": None, **orjson.loads(document)}
        if stored["schema"] != SCHEMA:
            raise UnknownSchema(session_id)
        session = _session(stored)
    except (ValueError, LookupError, TypeError) as error:
        raise CorruptSession(session_id) from error
    if (session.id, session.version) != (session_id, version):
        raise CorruptSession(session_id)
    return session


def _session(stored: Mapping[str, Any]) -> Session:
    """Raises ValueError, LookupError or TypeError."""
    values = {name: stored[key] for key, name in _KEYS.items()}
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
