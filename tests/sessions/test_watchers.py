"""Watchers of sessions: a notification reaches exactly the watchers of its session."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from random import Random
from typing import Any

import pytest

from dice_referee.sessions import watchers as module
from dice_referee.sessions.feed import FeedPage
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import Log, LogLine
from dice_referee.sessions.watchers import POLL_SECONDS, SessionWatchers

SESSIONS = "abc"


class Notifier(RedisStore):
    """A store that notifies of watched sessions only."""

    def __init__(self) -> None:
        super().__init__("redis://127.0.0.1:1")
        self.watched: set[str] = set()
        self.notified: Callable[[str, bytes], None] = NotImplemented
        self.nudged: Callable[[str, int], None] = NotImplemented

    def notifications(
        self, notify: Callable[[str, bytes], None], nudge: Any = None, connect: Any = None
    ) -> Any:
        self.notified, self.nudged = notify, nudge
        return self

    def watch(self, id: str) -> None:
        assert id not in self.watched
        self.watched.add(id)

    def unwatch(self, id: str) -> None:
        self.watched.remove(id)

    def publish(self, id: str) -> None:
        if id in self.watched:
            self.notified(id, b"")


def test_watchers_are_notified_of_their_session_while_watching() -> None:
    random, store = Random(7), Notifier()
    watchers, heard = SessionWatchers(store), list[int]()
    watched: dict[int, tuple[str, AbstractContextManager[None]]] = {}

    def hear(number: int, _: FeedPage | None) -> None:
        heard.append(number)

    for number in range(400):
        if watched and random.random() < 0.5:
            _, watching = watched.pop(random.choice(list(watched)))
            watching.__exit__(None, None, None)
        else:
            session = random.choice(SESSIONS)
            watching = watchers.watching(session, partial(hear, number))
            watching.__enter__()
            watched[number] = session, watching
        assert store.watched == {session for session, _ in watched.values()}
        for session in SESSIONS:
            heard.clear()
            store.publish(session)
            assert sorted(heard) == [number for number, (id, _) in watched.items() if id == session]


class Silence(Notifier):
    """A store that writes an entry at a time of its clock and never notifies.

    The class also serves as clock and event of a watcher: a wait advances the time.
    """

    def __init__(self, written_at: float) -> None:
        super().__init__()
        self.now, self.written_at = 0.0, written_at

    def log(self, id: str, after: int, most: int) -> Log:
        if self.now < self.written_at:
            return Log(0, [])
        return Log(1, [LogLine(1, b"{}")][after:])

    def wait(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds

    def clear(self) -> None:
        """Does nothing, since the event never happens."""

    def set(self) -> None:
        pass


def test_unnotified_wait_ends_with_the_entry_or_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = Random(8)
    for _ in range(200):
        store, seconds = Silence(random.uniform(0, 40)), random.uniform(0, 30)
        monkeypatch.setattr(module, "Event", lambda store=store: store)
        monkeypatch.setattr(module, "monotonic", lambda store=store: store.now)
        page = SessionWatchers(store).wait("id", 0, seconds)
        assert store.now < min(store.written_at + POLL_SECONDS, seconds + 1e-9)
        assert page.lines or store.now == pytest.approx(seconds)
        assert not store.watched
