"""Hears that something was written: one connection a process, in a thread of its own."""

import select
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic
from typing import Any, Protocol

from service.sessions.store import Away

CHANNEL = "referee:bell:"
BEAT_SECONDS = 5.0
"""Silence after which the server is asked whether it is still there."""
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds between attempts to connect."""


class Wire(Protocol):
    """A connection to a server. Every method raises Away when it is of no use any more."""

    def fileno(self) -> int:
        """What to wait for."""

    def send(self, *command: str) -> None:
        """Say something, and do not wait for the answer."""

    def waiting(self) -> bool:
        """Whether something was said."""

    def hear(self) -> Any:
        """What was said."""

    def close(self) -> None:
        """Hang up. Never raises."""


class Doorbell:
    """Bells over publish and subscribe. Rings for a session once when it begins to listen, too:

    what was written before, on the way here or while the connection was lost, is not missed.
    """

    def __init__(self, connect: Callable[[], Wire], ring: Callable[[str], None]) -> None:
        self._connect = connect
        self._ring = ring
        self._lock = Lock()
        self._watched: set[str] = set()
        self._thread: Thread | None = None
        self._closed = False
        self._woken, self._wake = socket.socketpair()
        self._woken.setblocking(False)
        self._wake.setblocking(False)

    def watch(self, id: str) -> None:
        with self._lock:
            self._watched.add(id)
            if self._thread is None and not self._closed:
                self._thread = Thread(target=self._run, name="doorbell", daemon=True)
                self._thread.start()
        self._nudge()

    def unwatch(self, id: str) -> None:
        with self._lock:
            self._watched.discard(id)
        self._nudge()

    def close(self) -> None:
        with self._lock:
            self._closed, thread = True, self._thread
        self._nudge()
        if thread:
            thread.join(1.0)
        else:
            self._hang_up()

    def _hang_up(self) -> None:
        self._wake.close()
        self._woken.close()

    def _nudge(self) -> None:
        # Full: the thread is woken anyway. Closed: nobody is there to wake.
        with suppress(OSError):
            self._wake.send(b"!")

    def _run(self) -> None:
        failures = 0
        while not self._closed:
            try:
                wire = self._connect()
            except Away:
                self._wait(PAUSES[min(failures, len(PAUSES) - 1)])
                failures += 1
                continue
            failures = 0
            try:
                self._listen(wire)
            except Away:
                self._wait(PAUSES[0])
            finally:
                wire.close()
        self._hang_up()

    def _listen(self, wire: Wire) -> None:
        heard: set[str] = set()
        last, asked = monotonic(), False
        while not self._closed:
            with self._lock:
                watched = set(self._watched)
            if new := watched - heard:
                wire.send("SUBSCRIBE", *(CHANNEL + id for id in new))
            if old := heard - watched:
                wire.send("UNSUBSCRIBE", *(CHANNEL + id for id in old))
            heard = watched
            self._wait(BEAT_SECONDS, wire)
            while wire.waiting():
                self._hear(wire.hear())
                last, asked = monotonic(), False
            silent = monotonic() - last
            if silent > BEAT_SECONDS * 1.5:
                return
            if silent > BEAT_SECONDS / 2 and not asked:
                wire.send("PING")
                asked = True

    def _wait(self, seconds: float, *wires: Wire) -> None:
        """Until something is said, somebody wakes us, or so many seconds have passed."""
        poll = select.poll()
        for number in (self._woken.fileno(), *(wire.fileno() for wire in wires)):
            poll.register(number, select.POLLIN)
        poll.poll(seconds * 1000)
        with suppress(BlockingIOError):
            self._woken.recv(1 << 16)

    def _hear(self, told: Any) -> None:
        if isinstance(told, list) and told[0] in (b"message", b"subscribe"):
            # Whoever listens may fail; the others still want to hear.
            with suppress(Exception):
                self._ring(told[1].decode().removeprefix(CHANNEL))
