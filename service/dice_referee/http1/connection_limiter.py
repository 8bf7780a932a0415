"""The limit on connections, and the choice of the one that is closed when it is reached."""

from typing import Any


class ConnectionLimiter:
    """The connections of a worker at one of its addresses, at most ``limit`` of them.

    A connection is idle while no whole request of it is there. All methods take constant time:
    they are called for every request.
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
        """Adds a connection, which is idle. Returns the one to close if there are too many now."""
        excess = len(self._open) >= self.limit
        candidate = (self.eviction_candidate() or connection) if excess else None
        self._open.add(connection)
        self._idle[connection] = None
        return candidate

    def idle(self, connection: Any) -> None:
        """Notes that no whole request is there, from now on if that is new.

        A closed connection stays closed: data that came before may still be parsed.
        """
        if connection in self._open:
            self._idle.setdefault(connection)

    def busy(self, connection: Any) -> None:
        """Notes that a whole request is there."""
        self._idle.pop(connection, None)

    def write_stalled(self, connection: Any, size: int) -> None:
        """Notes that the client has stopped reading, with ``size`` bytes unread."""
        self._stalled[connection] = size
        self.unread += size

    def write_resumed(self, connection: Any) -> None:
        """Notes that the client reads again."""
        self.unread -= self._stalled.pop(connection, 0)

    def closed(self, connection: Any) -> None:
        """Removes a connection."""
        self._open.discard(connection)
        self.busy(connection)
        self.write_resumed(connection)

    def eviction_candidate(self) -> Any | None:
        """Returns the longest idle connection, else the longest stalled one, or None."""
        return next(iter(self._idle), None) or self.longest_stalled()

    def longest_stalled(self) -> Any | None:
        """Returns the connection whose client has not read for longest, if there is one."""
        return next(iter(self._stalled), None)
