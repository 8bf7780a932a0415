"""The feed of a session: its log after a version, as JSON or as Server-Sent Events.

A version, its entry and the id of its Server-Sent Event have the same number. A reader gets a
reset, and begins anew, if it knows a later version than the service, or if the log lacks lines for
it.
"""

from dataclasses import dataclass
from functools import cached_property

from dice_referee.sessions.log import entry_of
from dice_referee.sessions.store import CorruptSession, LogLine, Store

PAGE_LINES = 200
"""Maximum entries of an answer, and of a read from the store, to bound their time."""
RETRY_MS = 1000
"""Milliseconds after which a client with an ended stream reconnects."""

# Readers such as httpx-sse turn every empty line into an event, so only the end of an event has an
# empty line.
RETRY = b"retry: %d\n" % RETRY_MS
HEARTBEAT = b": heartbeat\n"
NUDGE = b'event: nudge\ndata: {"player":%d}\n\n'
GONE = b"event: gone\ndata: {}\n\n"
CROWDED = b"event: crowded\ndata: {}\n\n"


@dataclass(frozen=True)
class FeedPage:
    """Log entries that a reader has not read yet."""

    version: int
    """Present version of the session, above that of the last line if not all entries fit."""
    lines: tuple[LogLine, ...]
    reset: bool
    """True if the reader must begin anew."""

    @property
    def last(self) -> int:
        """Version that the reader knows after this page."""
        return self.lines[-1].version if self.lines else self.version

    @property
    def is_complete(self) -> bool:
        """True if the log has no entries after this page."""
        return self.last >= self.version

    @property
    def is_news(self) -> bool:
        return self.reset or bool(self.lines)

    @property
    def json(self) -> bytes:
        """Page as a JSON document."""
        events = b",".join([line.entry for line in self.lines])
        reset = b"true" if self.reset else b"false"
        return b'{"events":[%b],"version":%d,"reset":%b}' % (events, self.version, reset)

    @cached_property
    def frames(self) -> bytes:
        """Page as Server-Sent Events, encoded once for all followers."""
        if self.reset:
            return b'event: reset\nid: %d\ndata: {"version":%d}\n\n' % (self.version, self.version)
        return b"".join([b"id: %d\ndata: %b\n\n" % line for line in self.lines])


def page_of(message: bytes) -> FeedPage | None:
    """Returns the page that the message of a notification carries, or None without entries."""
    first, *entries = message.split(b"\n")
    if not entries:
        return None
    lines = tuple(map(LogLine._make, enumerate(entries, int(first))))
    return FeedPage(lines[-1].version, lines, False)


def read_feed(store: Store, session_id: str, after: int) -> FeedPage:
    """Reads the page after a version. Raises StoreError."""
    version, lines = store.log(session_id, after, PAGE_LINES)
    for line in lines:
        # Entries are sent unchanged, after a check.
        entry_of(line, session_id)
    if lines and lines[-1].version > version:
        raise CorruptSession(session_id)
    missed = lines[0].version != after + 1 if lines else version > after
    if after > version or missed:
        return FeedPage(version, (), True)
    return FeedPage(version, tuple(lines), False)
