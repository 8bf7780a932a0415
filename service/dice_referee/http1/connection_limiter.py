"""The limit on connections, and the eviction when it is reached."""

from typing import Any


class ConnectionLimiter:
    """Connections of a worker at an address, at most ``limit``.

    A connection is idle without a complete request. All methods take constant time, because they
    are called for every request.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._open: set[Any] = set()
        self._idle: dict[Any, None] = {}
        self._stalled: dict[Any, int] = {}
        self.unread = 0
        """Bytes of answers that clients have not read."""

    def __len__(self) -> int:
        return len(self._open)

    def opened(self, connection: Any) -> Any | None:
        """Adds an idle connection. Returns the connection to close if that exceeds the limit."""
        excess = len(self._open) >= self.limit
        candidate = (self.eviction_candidate() or connection) if excess else None
        self._open.add(connection)
        self._idle[connection] = None
        return candidate

    def idle(self, connection: Any) -> None:
        """Marks the connection as idle, unless it already is.

        A closed connection stays closed: data that came before may still be parsed.
        """
        if connection in self._open:
            self._idle.setdefault(connection)

    def busy(self, connection: Any) -> None:
        """Marks the connection as busy: a request is complete."""
        self._idle.pop(connection, None)

    def write_stalled(self, connection: Any, size: int) -> None:
        """Records that the client has stopped reading, with ``size`` bytes unread."""
        self._stalled[connection] = size
        self.unread += size

    def write_resumed(self, connection: Any) -> None:
        self.unread -= self._stalled.pop(connection, 0)

    def closed(self, connection: Any) -> None:
        self._open.discard(connection)
        self.busy(connection)
        self.write_resumed(connection)

    def eviction_candidate(self) -> Any | None:
        """Returns the longest idle connection, else the longest stalled connection, or None."""
        return next(iter(self._idle), None) or self.longest_stalled()

    def longest_stalled(self) -> Any | None:
        """Returns the connection whose client has not read for longest, or None."""
        return next(iter(self._stalled), None)
