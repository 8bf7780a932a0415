"""Memory for large bodies: set aside as they arrive, released once they are answered."""

from dice_referee.http1.connection_limiter import ConnectionLimiter


class BodyMemory:
    """The large bodies that a worker keeps: with unread answers at most ``limit`` bytes."""

    def __init__(self, limit: int, connections: ConnectionLimiter) -> None:
        self._limit, self._connections = limit, connections
        self.held = 0
        """Bytes that are set aside."""

    def has_room(self, size: int) -> bool:
        """Tells if this number of bytes more can be kept."""
        return self.held + self._connections.unread + size <= self._limit


class LargeBody:
    """The memory of one body: only what has arrived takes any, whatever its head announces."""

    refused = False
    """True once a part had no room, so that none of it is kept."""

    def __init__(self, memory: BodyMemory) -> None:
        self._memory, self._held = memory, 0

    def keep(self, size: int) -> bool:
        """Sets memory aside for so many bytes more; if there is none, gives back what it has."""
        if self.refused or not self._memory.has_room(size):
            self.refused = True
            self.release()
            return False
        self._held += size
        self._memory.held += size
        return True

    def release(self) -> None:
        """Gives the memory back."""
        self._memory.held -= self._held
        self._held = 0
