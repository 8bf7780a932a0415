"""The log of a session, with an entry for each version."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from dice_referee.sessions.store import CorruptSession, LogLine

Entry = Mapping[str, Any]
"""Event or note: its version, its player, and its effects."""

NOTES = frozenset({"undone", "seeded", "reissued", "substituted", "hosted", "rematch", "abandoned"})


def entry_of(line: LogLine, session_id: str) -> Entry:
    """Returns the entry of a log line. Raises CorruptSession if it is not JSON."""
    try:
        entry: Entry = orjson.loads(line.entry)
    except ValueError as error:
        raise CorruptSession(session_id) from error
    return entry


def kept_entries(log: Iterable[Entry]) -> list[Entry]:
    """Returns the events of the game that were not undone."""
    kept: list[Entry] = []
    for entry in log:
        event = entry["event"]
        if event["type"] == "undone":
            kept.pop()
        elif event["type"] not in NOTES:
            kept.append(entry)
    return kept


def timestamp(milliseconds: int) -> str:
    """Formats a time, in milliseconds since 1970, by RFC 3339."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def milliseconds(at: str) -> int:
    return round(datetime.fromisoformat(at).timestamp() * 1000)
