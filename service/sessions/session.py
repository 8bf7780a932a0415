"""A session as it is kept: one document, checked when it is read back.

Documents carry the number of their schema. This release reads every schema up to its own; a newer
document, met after a rollback, is refused and left as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson

from service.sessions.log import LAST
from service.sessions.store import Damaged, TooNew
from service.sessions.tokens import HASHED

SCHEMA = 1
"""The schema of the documents that this release writes."""


class Thrower(StrEnum):
    """Who throws the dice and draws the cards."""

    SERVICE = "service"
    CLIENT = "client"


class Status(StrEnum):
    """Whether a session goes on."""

    RUNNING = "running"
    OVER = "over"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Session:
    """One game at one table. Times are milliseconds since 1970."""

    id: str
    game: str
    beginning: Mapping[str, Any]
    """Ruleset, options and players, as the game's audits take them."""
    dice: Thrower
    created_at: int
    updated_at: int
    ttl: int
    """Seconds that the session is kept after its last event."""
    version: int
    status: Status
    player: int | None
    """Whose turn it is; nobody's when the game is over."""
    table: Mapping[str, Any]
    """The game as it stands, in the game's own form."""
    host: str
    """The host's token, hashed."""
    seats: tuple[str, ...]
    """The token of every seat, hashed."""
    seed: bytes | None = None
    """What fair dice are derived from; None where people throw."""
    seeds: tuple[str | None, ...] = ()
    """What the seats have added to it."""
    draws: int = 0
    """Events that chance has decided; never goes back."""
    hidden: Any = None
    """What the game hides of its dice and cards, in its own form."""

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(self.beginning["players"])

    @property
    def expires_at(self) -> int:
        return self.updated_at + 1000 * self.ttl


def encoded(session: Session) -> bytes:
    """The document of a session."""
    return orjson.dumps(
        {
            "schema": SCHEMA,
            "id": session.id,
            "game": session.game,
            "beginning": session.beginning,
            "dice": session.dice,
            "created_at": session.created_at,
            "updated_at": session.updated_at,
            "ttl": session.ttl,
            "version": session.version,
            "status": session.status,
            "player": session.player,
            "table": session.table,
            "host": session.host,
            "seats": session.seats,
            "seed": None if session.seed is None else session.seed.hex(),
            "seeds": session.seeds,
            "draws": session.draws,
            "hidden": session.hidden,
        }
    )


def decoded(document: bytes, session_id: str, version: int) -> Session:
    """The session of a document that is kept under this id as this version.

    Raises TooNew for a schema of a later release and Damaged for anything that is no session.
    """
    try:
        told = orjson.loads(document)
        schema = _whole(told["schema"])
    except (ValueError, KeyError, TypeError) as error:
        raise Damaged(session_id) from error
    if schema > SCHEMA:
        raise TooNew(session_id)
    try:
        session = _session(told)
    except (ValueError, KeyError, TypeError) as error:
        raise Damaged(session_id) from error
    if (session.id, session.version) != (session_id, version):
        raise Damaged(session_id)
    return session


def _session(told: Mapping[str, Any]) -> Session:
    beginning = _mapping(told["beginning"])
    players = len(_texts(beginning["players"]))
    seats, seeds, seed, player = told["seats"], told["seeds"], told["seed"], told["player"]
    dice = Thrower(told["dice"])
    status = Status(told["status"])
    fair = dice is Thrower.SERVICE
    if (
        len(_texts(seats)) != players
        or any(len(token) != HASHED for token in (*seats, _text(told["host"])))
        or len(_list(seeds)) != (players if fair else 0)
        or (seed is None) is fair
        or (player is None) is (status is Status.RUNNING)
    ):
        raise ValueError("parts that do not belong together")
    session = Session(
        _text(told["id"]),
        _text(told["game"]),
        beginning,
        dice,
        _whole(told["created_at"]),
        _whole(told["updated_at"]),
        _whole(told["ttl"]),
        _whole(told["version"]),
        status,
        player if player is None else _below(player, players),
        _mapping(told["table"]),
        told["host"],
        tuple(seats),
        None if seed is None else bytes.fromhex(seed),
        tuple(text if text is None else _ascii(text) for text in seeds),
        _whole(told["draws"]),
        told["hidden"],
    )
    if max(session.created_at, session.expires_at) > LAST:
        raise ValueError("no time")
    return session


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("no number")
    return value


def _below(value: Any, bound: int) -> int:
    if _whole(value) >= bound:
        raise ValueError("no player")
    return int(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _ascii(value: Any) -> str:
    if not _text(value).isascii():
        raise ValueError("no ASCII")
    return str(value)


def _texts(value: Any) -> list[str]:
    return [_text(one) for one in _list(value)]


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("no object")
    return value
