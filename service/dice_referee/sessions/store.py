"""Port of the session store: its promises, and its errors.

StoreError
  StoreUnavailable  no answer in time, or a refusal by the server: try again after ``retry`` seconds
    StoreFull       the memory is full: nothing was written, and reading still works
  SessionNotFound   the session does not exist, or has expired
  SessionDeleted    the session was deleted, and ``tombstone`` remains
  TooManySessions   the client has recently created as many as it may
  VersionConflict   another write was first, or the new session already exists
  CorruptSession    the stored value is not a session, and stays unchanged
  UnknownSchema     only a later release reads the stored session
  EarlierRelease    only release 0.10.0 reads the stored session
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from dice_referee.rulebook.errors import Refusal


class StoreError(Refusal):
    """An operation of the store failed."""


class StoreUnavailable(StoreError):
    code = "sessions-away"
    retry: float = 1.0

    def __init__(self, reason: str = "", retry: float | None = None, word: str = "") -> None:
        super().__init__(reason)
        self.word = word
        """First word of the server's error (``OOM``), or the kind of error, for the log."""
        if retry is not None:
            self.retry = retry


class StoreFull(StoreUnavailable):
    code, key = "sessions-full", "store-full"
    retry = 60.0
    """Seconds in which sessions may expire."""


class SessionNotFound(StoreError):
    code, key = "not-found", "unknown-session"


class SessionDeleted(StoreError):
    code = "gone"

    def __init__(self, tombstone: bytes) -> None:
        super().__init__("deleted")
        self.tombstone = tombstone


class VersionConflict(StoreError):
    code, key, retry = "busy", "crowded-session", 1.0


class TooManySessions(StoreError):
    code = "rate-limited"

    def __init__(self, owed: int) -> None:
        super().__init__("too many")
        self.owed = owed
        """Microseconds until the client may create its whole quota of a minute again."""


class CorruptSession(StoreError):
    code, retry, word = "session-unreadable", 60.0, "CorruptSession"


class UnknownSchema(StoreError):
    code, retry, word = "session-unreadable", 60.0, "UnknownSchema"


class EarlierRelease(StoreError):
    code, key, retry, word = "session-unreadable", "earlier-release", 60.0, "EarlierRelease"


MOMENT_VERSIONS = 16
"""Maximum versions from a stored state to the next."""


class Quota(NamedTuple):
    client: str
    limit: int


class StoredSession(NamedTuple):
    version: int
    document: bytes
    keys: bytes = b""
    """Records of idempotency keys, if they were asked for."""


class LogLine(NamedTuple):
    version: int
    entry: bytes


Seats = tuple[int, ...]
"""Numbers of seats in their order."""


class Log(NamedTuple):
    """Part of a session's log, with its present version and connected seats."""

    version: int
    lines: list[LogLine]
    connected: Seats = ()


class Attendance(NamedTuple):
    arrivals: list[bool]
    """True for each token whose holder has arrived."""
    connected: Seats


class Past(NamedTuple):
    """Last stored state up to a version, and the log lines from the state to the version."""

    version: int
    """Version of the state, or 0 for the beginning."""
    moment: bytes
    """The state, empty at the beginning."""
    lines: tuple[LogLine, ...]


class KeptLine(NamedTuple):
    """Line of the last kept event, which no undo removed."""

    line: LogLine
    before: int
    past: Past


class Notifications(Protocol):
    """Hints about writes to sessions. They may be late, lost or needless, so read the log."""

    def watch(self, id: str) -> None:
        """Begins notifications of this session."""

    def unwatch(self, id: str) -> None:
        """Ends notifications of this session."""

    def close(self) -> None:
        """Ends the thread and its connection."""


class Store(Protocol):
    """Sessions by their id, for many threads. Every method may raise StoreUnavailable."""

    def choose_id(self, new_id: Callable[[], str]) -> str:
        """Returns a new id for a session, in a cluster for a server that answers."""

    def create(
        self,
        id: str,
        document: bytes,
        ttl_seconds: int,
        entries: Sequence[bytes] = (),
        quota: Quota | None = None,
        moment: bytes = b"",
        game: str = "",
    ) -> int:
        """Stores a new session at the version of its last entry, or 0 without entries.

        ``moment`` is the state at that version, and ``game`` names the game, for compression.

        It first charges the session to the quota, which all processes share by the server's clock,
        and returns the client's debt: microseconds until the whole quota of a minute is available
        again. Raises TooManySessions, VersionConflict if the id is taken, and StoreFull while four
        fifths of the memory are used: the rest is for existing sessions.
        """

    def read(self, id: str, *, keyed: bool = False) -> StoredSession:
        """Reads the session, and the records of its idempotency keys if ``keyed``.

        Raises SessionNotFound, SessionDeleted, CorruptSession, as do the next six methods.
        """

    def write(
        self,
        id: str,
        expected: int,
        document: bytes,
        entry: bytes,
        ttl_seconds: int,
        keys: bytes = b"",
        moment: bytes = b"",
        following: Sequence[bytes] = (),
        kept: int | None = None,
        game: str = "",
        state: bytes = b"",
    ) -> None:
        """Replaces the session of version ``expected`` by its next version, and appends its entry.

        ``keys`` replaces the records of idempotency keys, unless empty. ``following`` are the
        entries of the bots' moves after ``entry``. Each adds a version. ``moment``, if any, is the
        state at the version that is reached: each multiple of ``MOMENT_VERSIONS`` and each undo is
        stored with the state after its write. ``kept`` is the version of the last kept event after
        ``entry``, by default that before it. ``game`` names the game, for compression. ``state`` is
        the public state at the version that is reached, for notifications.

        The write is atomic, and idempotent if it is sent twice. Raises VersionConflict if the
        session has another version.
        """

    def log(self, id: str, after: int, most: int) -> Log:
        """Reads the version, the connected seats, and at most ``most`` lines after ``after``."""

    def kept(self, id: str, version: int) -> KeptLine | None:
        """Reads the last kept event up to this version, if any.

        Reads fewer than ``MOMENT_VERSIONS`` lines beside the event's.
        """

    def past(self, id: str, version: int) -> Past:
        """Reads the past at the end of a write, from fewer than ``MOMENT_VERSIONS`` lines."""

    def arrive(
        self,
        id: str,
        secret: str,
        expected: int | None = None,
        document: bytes = b"",
        ttl_seconds: int = 0,
    ) -> bool:
        """Records the arrival of a token's holder at the table.

        ``secret`` is the hash of the token. Returns True if the arrival is new. The version and the
        log do not change. A session that still has the version ``expected`` gets this document and
        expires after ``ttl_seconds``.
        """

    def attendance(self, id: str, secrets: Sequence[str]) -> Attendance:
        """Reads the connected seats, and the arrivals of tokens' holders by the tokens' hashes."""

    def hold(self, id: str, seat: int, holder: str, seconds: int) -> None:
        """Replaces this holder's lease of a seat, or ends it with 0 seconds.

        A seat is connected while it has a lease. Notifies the watchers of a change. The version,
        the log and the expiry do not change.
        """

    def nudge(self, id: str, seat: int) -> int:
        """Notifies the watchers of a call to this seat, once a minute.

        Returns the microseconds until the next call is allowed, or 0 if this call was sent.
        """

    def delete(self, id: str, expected: int, tombstone: bytes, ttl_seconds: int) -> None:
        """Deletes the session, its log and its records, and stores a tombstone for some seconds.

        Raises VersionConflict.
        """

    def ping(self) -> bool:
        """Pings each server. Raises StoreUnavailable if none is healthy.

        Returns False if some do not answer, or have just refused a command about a session. A
        server is healthy again as soon as it answers the same command.
        """

    def open_breakers(self) -> int:
        """Counts the servers with an open circuit breaker."""

    def notifications(
        self,
        notify: Callable[[str, bytes], None],
        nudge: Callable[[str, int], None],
        connect: Callable[[str, Seats], None],
    ) -> Notifications:
        """Calls ``notify`` with the id of each watched session, and a message, after a write.

        The message is that of ``message_of`` in ``feed.py``. Another message, such as that of an
        earlier release, is only a hint. Calls ``nudge`` with the id and the seat of each nudge, and
        ``connect`` with the connected seats after a change. The calls come from a thread of its
        own, which starts immediately.
        """
