"""The port to where sessions are kept: what a store promises, and the errors it raises.

StoreError
  StoreUnavailable  no answer in time, or the server refuses: try again after ``retry`` seconds
    StoreFull       its memory has no room: nothing was written, and reading still works
  SessionNotFound   there is no such session, or it has expired
  SessionDeleted    it was deleted; ``tombstone`` is what was left behind
  TooManySessions   the client has created as many as it may lately
  VersionConflict   another write came first, or what is to be created is already there
  CorruptSession    what lies there is not a session; it is left as it is
  UnknownSchema     the document has a schema that only a later release reads
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from dice_referee.rulebook.errors import Refusal


class StoreError(Refusal):
    """An operation of the store failed."""


class StoreUnavailable(StoreError):
    """The store did not answer in time. Whether a write was done is unknown."""

    code = "sessions-away"
    retry: float = 1.0

    def __init__(self, reason: str = "", retry: float | None = None, word: str = "") -> None:
        super().__init__(reason)
        self.word = word
        """First word of the server's error (``OOM``), or the kind of error; for the log."""
        if retry is not None:
            self.retry = retry


class StoreFull(StoreUnavailable):
    """The memory of the store has no room for this. Nothing was written."""

    code, key = "sessions-full", "store-full"
    retry = 60.0
    """Seconds in which sessions may expire."""


class SessionNotFound(StoreError):
    """There is no such session, or it has expired."""

    code, key = "not-found", "unknown-session"


class SessionDeleted(StoreError):
    """The session was deleted."""

    code = "gone"

    def __init__(self, tombstone: bytes) -> None:
        super().__init__("deleted")
        self.tombstone = tombstone


class VersionConflict(StoreError):
    """The version, the idempotency key or the id is not as expected."""

    code, key, retry = "busy", "crowded-session", 1.0


class TooManySessions(StoreError):
    """The client has created as many sessions as it may. Nothing was written."""

    code = "rate-limited"

    def __init__(self, owed: int) -> None:
        super().__init__("too many")
        self.owed = owed
        """Microseconds until it may create a whole minute's worth at once again."""


class CorruptSession(StoreError):
    """The value under the id is not a session. Another replica may be able to read it."""

    code, retry, word = "session-unreadable", 60.0, "CorruptSession"


class UnknownSchema(StoreError):
    """The document was written by a later release. Another replica may be able to read it."""

    code, retry, word = "session-unreadable", 60.0, "UnknownSchema"


class Quota(NamedTuple):
    """A client, and the sessions that it may create a minute."""

    client: str
    limit: int


class StoredSession(NamedTuple):
    """A session as it is kept."""

    version: int
    document: bytes
    record: bytes | None = None
    """The record under the idempotency key, if one was named."""
    moment: bytes | None = None
    """State that the change under that key has left, if it was kept."""


class LogLine(NamedTuple):
    """One line of a session's log."""

    version: int
    entry: bytes


class Notifications(Protocol):
    """Hints that a session was written to. They may be late, lost or needless: read the log."""

    def watch(self, id: str) -> None:
        """Notifies of this session from now on."""

    def unwatch(self, id: str) -> None:
        """Notifies of it no more."""

    def close(self) -> None:
        """Ends the thread and its connection."""


class Store(Protocol):
    """Sessions by their id, for many threads. Every method may raise StoreUnavailable."""

    def choose_id(self, new_id: Callable[[], str]) -> str:
        """Returns a new id for a session. Of several servers, a server that answers keeps it."""

    def create(
        self,
        id: str,
        document: bytes,
        ttl_seconds: int,
        entries: Sequence[bytes] = (),
        quota: Quota | None = None,
    ) -> int:
        """Stores a new session at the version of its last entry, or 0 without entries.

        First charges it to the quota, which all processes share by one clock, and returns the
        client's debt: microseconds until a whole minute's worth is there again.
        Raises TooManySessions, VersionConflict if the id is taken, and StoreFull while four fifths
        of the memory are used: the rest is for sessions that exist.
        """

    def read(self, id: str, key: str | None = None) -> StoredSession:
        """Reads the session, and the record under an idempotency key.

        Raises SessionNotFound, SessionDeleted, CorruptSession; so do the next five.
        """

    def write(
        self,
        id: str,
        expected: int,
        document: bytes,
        entry: bytes,
        ttl_seconds: int,
        key: str | None = None,
        record: bytes | None = None,
        moment: bytes = b"",
        following: Sequence[bytes] = (),
    ) -> None:
        """Brings the session from version ``expected`` to the next, with the entry that led there.

        ``record`` and ``moment`` are kept with the key; the record ends with the version that is
        reached, in decimals. ``following`` are the entries of what it brought about at once: each
        makes a version more.

        All of it or nothing, once even if it is sent twice. Raises VersionConflict if the session
        has another version or the key is taken.
        """

    def log(self, id: str, after: int, most: int) -> tuple[int, list[LogLine]]:
        """Reads the version now, and at most ``most`` lines after version ``after``."""

    def arrive(
        self,
        id: str,
        secret: str,
        expected: int | None = None,
        document: bytes = b"",
        ttl_seconds: int = 0,
    ) -> bool:
        """Notes that the holder of a secret, which is told by its hash, has come to the table.

        Returns True if the arrival is new. The version and the log stay. A session that still has
        the version ``expected`` gets this document and expires after ``ttl_seconds``.
        """

    def arrived(self, id: str, secrets: Sequence[str]) -> list[bool]:
        """Tells of each secret whether its holder has come."""

    def nudge(self, id: str, seat: int) -> int:
        """Notifies the watchers of a call to this seat, once a minute.

        Returns the microseconds until the next call is allowed; 0 if this call was sent.
        """

    def delete(self, id: str, expected: int, tombstone: bytes, ttl_seconds: int) -> None:
        """Deletes the session, its log and its records; keeps the tombstone for some seconds.

        Raises VersionConflict.
        """

    def ping(self) -> bool:
        """Asks each server for an answer. Raises StoreUnavailable if none is well.

        Returns False if some do not answer, or have just refused a command about a session. A
        server is well again as soon as it answers the same command.
        """

    def open_breakers(self) -> int:
        """Counts the servers that are not asked at the moment, because they did not answer."""

    def notifications(
        self, notify: Callable[[str], None], nudge: Callable[[str, int], None]
    ) -> Notifications:
        """Calls ``notify`` with the id of each watched session that was written to.

        Calls ``nudge`` with the id and the seat of each nudge. Both are called from a thread of
        their own, which starts at once.
        """
