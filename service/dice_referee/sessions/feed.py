"""The feed of a session: its log after a version, as JSON or as Server-Sent Events.

A version, its entry and the id of its Server-Sent Event have the same number. A reader gets a
reset, and begins anew, if it knows a later version than the service, or if the log lacks lines for
it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dice_referee.sessions.log import entry_of
from dice_referee.sessions.store import CorruptSession, LogLine, Seats, Store
from dice_referee.sessions.view import read_state

PAGE_LINES = 200
"""Maximum entries of an answer, and of a read from the store, to bound their time."""
RETRY_MS = 1000
"""Milliseconds after which a client with an ended stream reconnects."""

# Readers such as httpx-sse turn every empty line into an event, so only the end of an event has an
# empty line.
RETRY = b"retry: %d\n" % RETRY_MS
HEARTBEAT = b": heartbeat\n"
NUDGE = b'event: nudge\ndata: {"player":%d}\n\n'
CONNECTED = b'event: connected\ndata: {"connected":%b}\n\n'
GONE = b"event: gone\ndata: {}\n\n"
CROWDED = b"event: crowded\ndata: {}\n\n"

ENTRY = b'{"version":%d,'
STATE = b'{"id":'


@dataclass(frozen=True)
class FeedPage:
    """Log entries that a reader has not read yet."""

    version: int
    """Present version of the session, above that of the last line if not all entries fit."""
    lines: tuple[LogLine, ...]
    reset: bool
    """True if the reader must begin anew."""
    state: bytes = b""
    """State of the session after the last line in JSON, empty if unknown or past."""
    connected: Seats = ()
    """Connected seats, empty if the page is of a notification."""

    @property
    def last(self) -> int:
        return self.lines[-1].version if self.lines else self.version

    @property
    def is_complete(self) -> bool:
        """True if the log has no entries after this page."""
        return self.last >= self.version

    @property
    def is_news(self) -> bool:
        return self.reset or bool(self.lines)

    def json(self, *, with_state: bool = False) -> bytes:
        lines = self._lines_with_state if with_state else self.lines
        events = b",".join([line.entry for line in lines])
        reset = b"true" if self.reset else b"false"
        return b'{"events":[%b],"version":%d,"reset":%b,"connected":%b}' % (
            events,
            self.version,
            reset,
            numbers(self.connected),
        )

    def frames(self, *, with_state: bool = False) -> bytes:
        """Returns the page as Server-Sent Events, encoded once for all followers."""
        return self._frames_with_state if with_state else self._frames

    @cached_property
    def _frames(self) -> bytes:
        return self._encode(self.lines)

    @cached_property
    def _frames_with_state(self) -> bytes:
        return self._encode(self._lines_with_state)

    @property
    def _lines_with_state(self) -> list[LogLine]:
        """Lines whose entries are ``{entry, session}``, without a session except in the last."""
        states = [*(b"null" for _ in self.lines[1:]), self.state or b"null"]
        return [
            LogLine(version, b'{"entry":%b,"session":%b}' % (entry, state))
            for (version, entry), state in zip(self.lines, states, strict=False)
        ]

    def _encode(self, lines: Sequence[LogLine]) -> bytes:
        if self.reset:
            return b'event: reset\nid: %d\ndata: {"version":%d}\n\n' % (self.version, self.version)
        return b"".join([b"id: %d\ndata: %b\n\n" % line for line in lines])


def numbers(seats: Seats) -> bytes:
    """Returns seats in JSON."""
    return b"[%b]" % b",".join([b"%d" % seat for seat in seats])


def message_of(first: int, entries: Sequence[bytes], state: bytes) -> bytes:
    """Returns the message of a notification: the first version, each entry, and the state."""
    return b"\n".join((b"%d" % first, *entries, *((state,) if state else ())))


def page_of(message: bytes) -> FeedPage | None:
    """Returns the page of a notification's message, or None if the log must be read.

    Another message, such as that of another release, is only a hint.
    """
    first, *entries = message.split(b"\n")
    state = entries.pop() if entries and entries[-1].startswith(STATE) else b""
    if not entries or not first.isdigit():
        return None
    lines = tuple(map(LogLine._make, enumerate(entries, int(first))))
    if not all(line.entry.startswith(ENTRY % line.version) for line in lines):
        return None
    return FeedPage(lines[-1].version, lines, False, state)


def read_feed(store: Store, session_id: str, after: int, *, with_state: bool = False) -> FeedPage:
    """Reads the page after a version, if required with the present state. Raises StoreError."""
    version, lines, connected = store.log(session_id, after, PAGE_LINES)
    for line in lines:
        # Entries are sent unchanged, after a check.
        entry_of(line, session_id)
    if lines and lines[-1].version > version:
        raise CorruptSession(session_id)
    missed = lines[0].version != after + 1 if lines else version > after
    if after > version or missed:
        return FeedPage(version, (), True, connected=connected)
    page = FeedPage(version, tuple(lines), False, connected=connected)
    if with_state and lines and page.is_complete:
        present, state = read_state(store, session_id)
        if present == version:
            return replace(page, state=state)
    return page
