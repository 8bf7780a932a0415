"""The log of a session, with an entry for each version."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from dice_referee.sessions.store import CorruptSession, LogLine
from dice_referee.validation.json_body import in_integers

WHOLE_FLOAT = re.compile(rb"\.0[],}]")
"""A float such as 1.0. Releases up to 0.8.0 stored events unchanged. Times do not match."""

Entry = Mapping[str, Any]
"""Event or note: its version, its player, and its effects."""

NOTES = frozenset({"undone", "seeded", "reissued", "substituted", "rematch", "abandoned"})
"""Types of entries that are not events of the game."""


def entry_of(line: LogLine, session_id: str) -> Entry:
    """Returns the entry of a log line. Raises CorruptSession if it is not JSON."""
    try:
        entry: Entry = orjson.loads(line.entry)
    except ValueError as error:
        raise CorruptSession(session_id) from error
    return in_integers(entry) if WHOLE_FLOAT.search(line.entry) else entry


def standing_entries(log: Iterable[Entry]) -> list[Entry]:
    """Returns the events of the game that were not taken back."""
    standing: list[Entry] = []
    for entry in log:
        event = entry["event"]
        if event["type"] == "undone":
            # Release 0.9.0 also takes back a `substituted`, which it does not know as a note.
            if standing and standing[-1]["version"] == event["version"]:
                standing.pop()
        elif event["type"] not in NOTES:
            standing.append(entry)
    return standing


def timestamp(milliseconds: int) -> str:
    """Formats a time, in milliseconds since 1970, by RFC 3339."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def milliseconds(at: str) -> int:
    """Reads a time in the format of ``timestamp``."""
    return round(datetime.fromisoformat(at).timestamp() * 1000)
