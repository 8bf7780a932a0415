"""Where sessions are kept: what a store promises, and what it says when it cannot.

StoreError
  Away        no answer in time, or the server refuses to work: try again after ``retry`` seconds
    Full      its memory is full: nothing was written, and reading still works
  Missing     there is no such session, or it has expired
  Gone        it was deleted; ``tombstone`` is what was left behind
  Stale       somebody else wrote first, or what is to be created is already there
  Damaged     what lies there is not what a session looks like; it is left as it is
  TooNew      the document has a schema that only a later release reads
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol


class StoreError(Exception):
    """What a store answers instead."""


class Away(StoreError):
    """Not there at the moment. A write that ends like this may have happened."""

    def __init__(self, reason: str = "", retry: float = 1.0) -> None:
        super().__init__(reason)
        self.retry = retry
        """Seconds after which another attempt makes sense."""


class Full(Away):
    """No room for anything more. Nothing was written."""

    def __init__(self, reason: str = "", retry: float = 60.0) -> None:
        # Sessions have to expire first.
        super().__init__(reason, retry)


class Missing(StoreError):
    """No such session."""


class Gone(StoreError):
    """Deleted."""

    def __init__(self, tombstone: bytes) -> None:
        super().__init__("deleted")
        self.tombstone = tombstone


class Stale(StoreError):
    """Not the version, the key or the id that was expected."""


class Damaged(StoreError):
    """Not what a session looks like."""


class TooNew(StoreError):
    """Written by a later release."""


class Kept(NamedTuple):
    """A session as it is kept."""

    version: int
    document: bytes
    record: bytes | None
    """What is kept under the idempotency key that was asked for."""


class Line(NamedTuple):
    """One line of a session's log."""

    version: int
    entry: bytes


class Bells(Protocol):
    """Hints that something was written. They may be late, lost or needless: look for yourself."""

    def watch(self, id: str) -> None:
        """Ring for this session from now on."""

    def unwatch(self, id: str) -> None:
        """Ring no more."""

    def close(self) -> None:
        """End the thread and its connection."""


class Store(Protocol):
    """Sessions by their id. Safe to use from many threads. Every method may raise Away."""

    def create(self, id: str, document: bytes, ttl_seconds: int) -> None:
        """Keep a new session, at version 0. Raises Stale if something lies under the id."""

    def read(self, id: str, key: str | None = None) -> Kept:
        """The session, and the record under an idempotency key. Raises Missing, Gone, Damaged."""

    def write(
        self,
        id: str,
        expected: int,
        document: bytes,
        entry: bytes,
        ttl_seconds: int,
        key: str | None = None,
        record: bytes | None = None,
    ) -> None:
        """Bring the session from version ``expected`` to the next, with the entry that led there.

        Raises Stale if it has another version or the key is taken; Missing, Gone, Damaged.
        """

    def log(self, id: str, after: int, most: int) -> tuple[int, list[Line]]:
        """The version now, and at most so many lines after a version.

        Raises Missing, Gone, Damaged.
        """

    def bury(self, id: str, expected: int, tombstone: bytes, ttl_seconds: int) -> None:
        """Delete the session, its log and its records; say Gone for so many seconds.

        Raises Stale, Missing, Gone, Damaged.
        """

    def lease(self, id: str, member: str, most: int, seconds: int) -> bool:
        """Take or renew one of ``most`` places at the session's feed, counted over all processes.

        False if all are taken. A place falls free after so many seconds. Raises Damaged.
        """

    def release(self, id: str, member: str) -> None:
        """Give the place back."""

    def spend(self, client: str, policy: str, limit: int, most: int) -> tuple[int, int]:
        """Spend ``most`` of a client's requests, ``limit`` a minute, or as many as are left.

        How many were spent, and what is owed then: the microseconds until all are there again.
        Counted over all processes, by one clock. Never asked twice. Raises Damaged.
        """

    def ping(self) -> None:
        """Raises Away if no server answers."""

    def census(self) -> int | None:
        """How many sessions are kept, as counted a minute ago at most; None if nobody knows.

        Returns at once: it is counted in the background, from the first call on.
        """

    def open_breakers(self) -> int:
        """How many servers are not asked at the moment, because they did not answer."""

    def warnings(self) -> list[str]:
        """What is wrong with the way the server is set up, a line each."""

    def bells(self, ring: Callable[[str], None]) -> Bells:
        """Call ``ring`` with the id of every watched session that something was written to.

        It is called from a thread of the bells, which starts with the first session watched.
        """
