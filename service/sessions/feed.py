"""The feed of a session: its log after a version, as JSON or as Server-Sent Events.

Version N is event N is SSE id N. A reader whose past is gone (he knows a later version than the
service does, or lines that he has not seen are no longer there) is told to begin anew: a reset.
"""

from collections.abc import Sequence
from typing import NamedTuple

from service.sessions.log import entry_of
from service.sessions.store import Damaged, Line, Store

AT_ONCE = 1000
"""Entries of one answer, and of one question to the store: more would take too long."""
RETRY_MS = 1000
"""Milliseconds after which a client whose stream has ended comes back."""

BEGINNING = b"retry: %d\n\n" % RETRY_MS
HEARTBEAT = b": heartbeat\n\n"
GONE = b"event: gone\ndata: {}\n\n"


class News(NamedTuple):
    """What a reader has not seen yet."""

    version: int
    """That of the session now; more than the last line's if there are more than fit."""
    lines: tuple[Line, ...]
    reset: bool
    """Whether what he has seen is not what was."""

    @property
    def last(self) -> int:
        """The version that he knows after this."""
        return self.lines[-1].version if self.lines else self.version


def news(store: Store, session_id: str, after: int) -> News:
    """What happened after a version. Raises StoreError."""
    version, lines = store.log(session_id, after, AT_ONCE)
    for line in lines:
        # Entries are passed on as they were written.
        entry_of(line, session_id)
    if lines and lines[-1].version > version:
        raise Damaged(session_id)
    return as_news(version, lines, after)


def as_news(version: int, lines: Sequence[Line], after: int) -> News:
    """Lines read from the log, for somebody who knows this version."""
    missed = lines[0].version != after + 1 if lines else version > after
    if after > version or missed:
        return News(version, (), True)
    return News(version, tuple(lines), False)


def as_json(found: News) -> bytes:
    """The news as a document."""
    events = b",".join([line.entry for line in found.lines])
    reset = b"true" if found.reset else b"false"
    return b'{"events":[%b],"version":%d,"reset":%b}' % (events, found.version, reset)


def as_frames(found: News) -> bytes:
    """The news as Server-Sent Events."""
    if found.reset:
        return b'event: reset\nid: %d\ndata: {"version":%d}\n\n' % (found.version, found.version)
    return b"".join([b"id: %d\ndata: %b\n\n" % line for line in found.lines])
