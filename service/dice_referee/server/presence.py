"""Leases of the seats whose streams this process serves.

The store holds a lease for each seat and process. The last stream that ends gives the lease back,
and after a crash the lease ends by itself.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dice_referee.sessions.store import Seats, Store

LEASE_SECONDS = 100
"""Seconds of a lease. After a crash watchers see its end within two minutes."""
RENEWAL_SECONDS = 60.0
RETRY_SECONDS = 5.0
"""Seconds until a failed write is repeated."""
RECONNECTION_SECONDS = 10
"""Seconds for which a seat stays connected after a stream that the service ends."""

Run = Callable[[Callable[[], None]], asyncio.Future[None]]


@dataclass(eq=False)
class _Lease:
    streams: int = 0
    rest: int = 0
    """Seconds for which the lease continues without streams."""
    is_writing: bool = False
    is_due: bool = False
    """True if the lease has changed since the write began."""
    renewal: asyncio.TimerHandle | None = None


class Presence:
    def __init__(self, store: Store, run: Run) -> None:
        self._store, self._run = store, run
        self._holder = secrets.token_hex(4)
        self._leases: dict[str, dict[int, _Lease]] = {}

    def seats(self, session: str, seats: Seats) -> Seats:
        """Returns these connected seats with those of this process, whose leases may be unknown."""
        leases = self._leases.get(session, {})
        own = {seat for seat, lease in leases.items() if lease.streams}
        return seats if own.issubset(seats) else tuple(sorted({*seats, *own}))

    def enter(self, session: str, seat: int) -> None:
        lease = self._leases.setdefault(session, {}).setdefault(seat, _Lease())
        lease.streams += 1
        if lease.streams == 1:
            self._write(session, seat, lease)

    def leave(self, session: str, seat: int, rest: int) -> None:
        lease = self._leases[session][seat]
        lease.streams, lease.rest = lease.streams - 1, rest
        if not lease.streams:
            self._write(session, seat, lease)

    def _write(self, session: str, seat: int, lease: _Lease) -> None:
        """Writes the lease after a write that is under way, so that the writes keep their order."""
        if lease.renewal is not None:
            lease.renewal.cancel()
            lease.renewal = None
        lease.is_due = lease.is_writing
        if lease.is_writing:
            return
        lease.is_writing = True
        seconds = LEASE_SECONDS if lease.streams else lease.rest
        writing = self._run(partial(self._store.hold, session, seat, self._holder, seconds))
        writing.add_done_callback(partial(self._finish, session, seat, lease))

    def _finish(
        self, session: str, seat: int, lease: _Lease, writing: asyncio.Future[None]
    ) -> None:
        # Without the store the lease ends by itself.
        failed = writing.cancelled() or writing.exception() is not None
        lease.is_writing = False
        if lease.is_due:
            self._write(session, seat, lease)
        elif lease.streams:
            delay, loop = RETRY_SECONDS if failed else RENEWAL_SECONDS, writing.get_loop()
            lease.renewal = loop.call_later(delay, self._write, session, seat, lease)
        else:
            leases = self._leases[session]
            del leases[seat]
            if not leases:
                del self._leases[session]
