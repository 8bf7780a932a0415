"""Watchers of sessions: a notification reaches every watcher of its session, and no other."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from random import Random
from typing import Any

from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.watchers import SessionWatchers

SESSIONS = "abc"


class Notifier(RedisStore):
    """A store that notifies only of sessions that are watched."""

    def __init__(self) -> None:
        super().__init__("redis://127.0.0.1:1")
        self.watched: set[str] = set()
        self.notified: Callable[[str], None] = NotImplemented

    def notifications(self, notify: Callable[[str], None]) -> Any:
        self.notified = notify
        return self

    def watch(self, id: str) -> None:
        assert id not in self.watched
        self.watched.add(id)

    def unwatch(self, id: str) -> None:
        self.watched.remove(id)

    def publish(self, id: str) -> None:
        if id in self.watched:
            self.notified(id)


def test_watchers_hear_of_their_session_while_they_watch() -> None:
    random, store = Random(7), Notifier()
    watchers, heard = SessionWatchers(store), list[int]()
    watched: dict[int, tuple[str, AbstractContextManager[None]]] = {}
    for number in range(400):
        if watched and random.random() < 0.5:
            _, watching = watched.pop(random.choice(list(watched)))
            watching.__exit__(None, None, None)
        else:
            session = random.choice(SESSIONS)
            watching = watchers.watching(session, partial(heard.append, number))
            watching.__enter__()
            watched[number] = session, watching
        assert store.watched == {session for session, _ in watched.values()}
        for session in SESSIONS:
            heard.clear()
            store.publish(session)
            assert sorted(heard) == [number for number, (id, _) in watched.items() if id == session]
