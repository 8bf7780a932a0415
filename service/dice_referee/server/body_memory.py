"""Memory for large bodies, reserved while they arrive and released after their answers."""

from dice_referee.http1.connection_limiter import ConnectionLimiter


class BodyMemory:
    """Memory of large bodies. Bodies and unread answers have at most ``limit`` bytes together."""

    def __init__(self, limit: int, connections: ConnectionLimiter) -> None:
        self._limit, self._connections = limit, connections
        self.held = 0

    def has_room(self, size: int) -> bool:
        """Tells if ``size`` more bytes can be reserved."""
        return self.held + self._connections.unread + size <= self._limit


class LargeBody:
    """Reservation of a body. It grows with the bytes that arrive, not by the announced size."""

    refused = False

    def __init__(self, memory: BodyMemory) -> None:
        self._memory, self._held = memory, 0

    def keep(self, size: int) -> bool:
        """Reserves ``size`` bytes. On failure it releases the reservation and returns False."""
        if self.refused or not self._memory.has_room(size):
            self.refused = True
            self.release()
            return False
        self._held += size
        self._memory.held += size
        return True

    def release(self) -> None:
        self._memory.held -= self._held
        self._held = 0
