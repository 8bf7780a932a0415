"""The log of a session: one entry a version, checked when it is read back."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from service.sessions.store import CorruptSession, Line

Entry = Mapping[str, Any]
"""An event or a note: its version, its player, and its effects."""

NOTES = frozenset({"undone", "seeded", "reissued", "abandoned", "rematch"})
"""The types of entries that are no events of the game."""

LAST = 253_402_300_799_999
"""The last millisecond of the year 9999: a date has no more digits."""


def entry_of(line: Line, session_id: str) -> Entry:
    """The entry of a log line. Raises CorruptSession if it has not the shape of one."""
    try:
        entry = orjson.loads(line.entry)
        _check(entry, line.version)
    except (ValueError, LookupError, TypeError, OverflowError) as error:
        raise CorruptSession(session_id) from error
    checked: Entry = entry
    return checked


def _check(entry: Any, version: int) -> None:
    """Raises ValueError, LookupError, TypeError or OverflowError."""
    event, player = entry["event"], entry["player"]
    if entry["version"] != version or milliseconds(entry["at"]) > LAST:
        raise ValueError("another entry")
    if type(player) is not int and player is not None:
        raise TypeError("no player")
    kinds = {
        "undone": ("version", int),
        "seeded": ("seed", str),
        "reissued": ("player", int),
        "rematch": ("session", str),
    }
    if event["type"] in kinds:
        name, kind = kinds[event["type"]]
        if type(event[name]) is not kind:
            raise TypeError(name)
    elif type(event["type"]) is not str:
        raise TypeError("type")


def standing_entries(log: Iterable[Entry], session_id: str) -> list[Entry]:
    """The events of the game that were not taken back. Raises CorruptSession."""
    standing: list[Entry] = []
    for entry in log:
        event = entry["event"]
        if event["type"] == "undone":
            if not standing or standing.pop()["version"] != event["version"]:
                raise CorruptSession(session_id)
        elif event["type"] not in NOTES:
            standing.append(entry)
    return standing


def timestamp(milliseconds: int) -> str:
    """A time, in milliseconds since 1970, in the format of RFC 3339."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def milliseconds(at: str) -> int:
    """The time that ``timestamp`` wrote."""
    return round(datetime.fromisoformat(at).timestamp() * 1000)
