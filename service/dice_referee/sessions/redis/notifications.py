"""Notifications of writes, by publish and subscribe in a thread of the process."""

import logging
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from dice_referee.sessions.redis.driver import is_outage
from dice_referee.sessions.store import Seats

logger = logging.getLogger(__name__)

CHANNEL = "referee:bell:"
NUDGE = b"nudge "
"""Beginning of the message of a nudge, before the seat."""
CONNECTED = b"connected "
"""Beginning of the message of a change of connected seats, before the seats."""
BEAT_SECONDS = 3.5
"""Seconds between two pings. The connection to a server silent for that long is dropped."""
TICK_SECONDS = 0.1
"""Seconds until a new subscription is sent. redis-py allows only a single thread to use it."""
PAUSE_SECONDS = 0.5
"""Seconds between attempts to connect."""


def seats_of(text: bytes) -> Seats:
    """Returns the seats of a script's answer or message."""
    return tuple(sorted(map(int, text.split())))


class RedisSubscriber:
    """Notifications by publish and subscribe.

    It also notifies of a session when its subscription begins or resumes, so no write before it or
    during a lost connection is missed.
    """

    def __init__(
        self,
        subscribe: Callable[[], Any],
        notify: Callable[[str, bytes], None],
        nudge: Callable[[str, int], None],
        connect: Callable[[str, Seats], None],
    ) -> None:
        self._subscribe = subscribe
        self._notify, self._nudge, self._connect = notify, nudge, connect
        self._lock = Lock()
        self._watched: set[str] = set()
        self._changed, self._closed = Event(), Event()
        self._thread = Thread(target=self._run, name="notifications", daemon=True)
        self._thread.start()

    def watch(self, id: str) -> None:
        with self._lock:
            self._watched.add(id)
        self._changed.set()

    def unwatch(self, id: str) -> None:
        with self._lock:
            self._watched.discard(id)
        self._changed.set()

    def close(self) -> None:
        self._closed.set()
        self._changed.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                with self._subscribe() as pubsub:
                    self._listen(pubsub)
            except Exception as error:
                if not is_outage(error):
                    logger.exception("Error in the notifications")
            self._closed.wait(PAUSE_SECONDS)

    def _listen(self, pubsub: Any) -> None:
        """Listens until the listener is closed, or the server is silent or replaced.

        Raises redis-py's errors.
        """
        subscribed: set[str] = set()
        heard, beat = True, monotonic()
        self._changed.set()
        while not self._closed.is_set():
            if self._changed.is_set():
                self._changed.clear()
                with self._lock:
                    watched = set(self._watched)
                # The order matters: after a confirmed subscription, unwatched channels are quiet.
                if old := subscribed - watched:
                    pubsub.unsubscribe(*(CHANNEL + id for id in old))
                if new := watched - subscribed:
                    pubsub.subscribe(*(CHANNEL + id for id in new))
                subscribed = watched
            if not pubsub.subscribed:
                self._changed.wait()
                heard, beat = True, monotonic()
                continue
            message = pubsub.get_message(timeout=TICK_SECONDS)
            if message is not None:
                heard = True
                if message["type"] in ("message", "subscribe"):
                    # A failing listener must not stop notifications of the others.
                    with suppress(Exception):
                        self._pass_on(message)
            if monotonic() - beat > BEAT_SECONDS:
                # The sentinels may name another master than the connected server.
                if not heard or not pubsub.connection_pool.owns_connection(pubsub.connection):
                    return
                pubsub.ping()
                heard, beat = False, monotonic()

    def _pass_on(self, message: Any) -> None:
        """Passes a message on to its listener. A new subscription has a number for its data."""
        id, data = message["channel"].decode().removeprefix(CHANNEL), message["data"]
        if isinstance(data, bytes) and data.startswith(NUDGE):
            self._nudge(id, int(data.removeprefix(NUDGE)))
        elif isinstance(data, bytes) and data.startswith(CONNECTED):
            self._connect(id, seats_of(data.removeprefix(CONNECTED)))
        else:
            self._notify(id, data if isinstance(data, bytes) else b"")
