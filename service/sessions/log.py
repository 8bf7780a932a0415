"""The log of a session: one entry a version, checked when it is read back."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from service.sessions.store import CorruptSession, LogLine
from service.validation.json_body import in_integers

Entry = Mapping[str, Any]
"""An event or a note: its version, its player, and its effects."""

NOTES: Mapping[str, tuple[str, type]] = {
    "undone": ("version", int),
    "seeded": ("seed", str),
    "reissued": ("player", int),
    "rematch": ("session", str),
    "abandoned": ("type", str),
}
"""The types of entries that are no events of the game; what each says, and in which type."""

LAST = 253_402_300_799_999
"""The last millisecond of the year 9999: a date has no more digits."""


def entry_of(line: LogLine, session_id: str) -> Entry:
    """The entry of a log line. Raises CorruptSession if it has not the shape of one."""
    try:
        entry: Entry = orjson.loads(line.entry)
        # Releases up to 0.8.0 have kept events as they were sent: a die may be 1.0.
        if b".0" in line.entry:
            entry = in_integers(entry)
        event, player = entry["event"], entry["player"]
        name, kind = NOTES.get(event["type"], ("type", str))
        if (
            entry["version"] != line.version
            or milliseconds(entry["at"]) > LAST
            or (type(player) is not int and player is not None)
            or type(event[name]) is not kind
        ):
            raise ValueError("no entry")
    except (ValueError, LookupError, TypeError, OverflowError) as error:
        raise CorruptSession(session_id) from error
    return entry


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
