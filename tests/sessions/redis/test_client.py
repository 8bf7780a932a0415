"""The client opens its connections once, and keeps pages of logs apart from sessions."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from dice_referee.sessions.redis import client
from dice_referee.sessions.redis.circuit_breaker import CircuitBreaker
from dice_referee.sessions.redis.client import RedisClient
from dice_referee.sessions.redis.driver import RedisCluster
from dice_referee.sessions.redis.scripts import scripts
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.redis.url import parse
from dice_referee.sessions.store import StoreUnavailable


@pytest.mark.parametrize("error", [ConnectionError, ValueError, ArithmeticError])
def test_every_exit_from_opening_lets_the_next_caller_open(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver: Any = SimpleNamespace(close=lambda: None, client=lambda: driver)
    failures = [False, True]

    def opens(*_: Any) -> Any:
        if failures.pop():
            raise error
        return driver

    monkeypatch.setattr(client, "open_driver", opens)
    asking = RedisClient(parse("redis://127.0.0.1:1"), 0.1, lambda *_: None)
    with pytest.raises((StoreUnavailable, error)):
        asking.ask("ping", lambda opened: opened)
    assert asking.ask("ping", lambda opened: opened) is driver
    asking.close()


def test_a_failure_renews_the_clients_of_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Expects dead connections in other threads too."""
    pool = SimpleNamespace(disconnect=lambda inuse_connections: None)
    numbers = count()
    driver = SimpleNamespace(close=lambda: None, client=lambda: next(numbers), connection_pool=pool)
    monkeypatch.setattr(client, "open_driver", lambda *_: driver)
    asking = RedisClient(parse("redis://127.0.0.1:1"), 0.1, lambda *_: None)

    def ask() -> Any:
        return asking.ask("ping", lambda own: own)

    def fail(_: Any) -> None:
        raise ConnectionError

    with ThreadPoolExecutor(1) as thread:
        assert [ask(), thread.submit(ask).result()] == [0, 1]
        assert [ask(), thread.submit(ask).result()] == [0, 1]
        with pytest.raises(StoreUnavailable):
            asking.ask("ping", fail)
        assert [ask(), thread.submit(ask).result()] == [2, 3]
    asking.close()


class Absent:
    """Driver without its methods."""


def own_mistake(driver: Any) -> Any:
    return driver.missing


def other_mistake(_: Any) -> Any:
    return int("no number")


def missing_node(_: Any) -> Any:
    # As redis-py fails after an ASK to an unknown node of a cluster.
    return RedisCluster.get_redis_connection(Absent(), None)


@pytest.mark.parametrize(
    ("command", "raised"),
    [
        (own_mistake, AttributeError),
        (other_mistake, ValueError),
        (missing_node, StoreUnavailable),
    ],
)
def test_only_errors_of_redis_py_are_outages(
    command: Callable[[Any], Any], raised: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = SimpleNamespace(disconnect=lambda inuse_connections: None)
    driver = SimpleNamespace(close=lambda: None, client=Absent, connection_pool=pool)
    monkeypatch.setattr(client, "open_driver", lambda *_: driver)
    asking = RedisClient(parse("redis://127.0.0.1:1"), 0.1, lambda *_: None)
    with pytest.raises(raised):
        asking.ask("ping", command)
    asking.close()


def test_late_pages_of_logs_never_open_the_breaker_for_sessions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lasting = partial(CircuitBreaker, pause=1000.0)
    monkeypatch.setattr(client, "CircuitBreaker", lasting)
    own, clients = RedisStore("redis://127.0.0.1:1", 100), list[Any]()

    def evaluate(digest: str, *_: Any) -> Any:
        if digest == scripts()["log"].digest:
            raise TimeoutError
        return [b"ok", b"", None]

    def connect() -> Any:
        clients.append(SimpleNamespace(evalsha=evaluate))
        return clients[-1]

    driver = SimpleNamespace(close=lambda: None, client=connect)
    monkeypatch.setattr(client, "open_driver", lambda *_: driver)
    reasons = list[str]()
    for _ in range(5):
        with pytest.raises(StoreUnavailable) as refused:
            own.log("a", 0, 200)
        reasons.append(refused.value.word)
        assert own.attendance("a", ["b"]).arrivals == [False]
    assert reasons == ["TimeoutError"] * 3 + ["not-asked: TimeoutError"] * 2
    assert own.open_breakers() == 0
    # Three for the log, each after a failure, and a single connection for sessions.
    assert len(clients) == 4
    own.close()


def test_pages_of_logs_are_read_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers, reading, gate = count(), Event(), Event()
    driver = SimpleNamespace(close=lambda: None, client=lambda: next(numbers))
    monkeypatch.setattr(client, "open_driver", lambda *_: driver)
    asking = RedisClient(parse("redis://127.0.0.1:1"), 0.1, lambda *_: None)

    def read(own: Any) -> Any:
        reading.set()
        assert gate.wait(60)
        return own

    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(asking.read_log, "log", read, "a")
        assert reading.wait(60)
        with pytest.raises(StoreUnavailable):
            asking.read_log("log", lambda own: own, "a")
        assert asking.ask("read", lambda own: own) != 0
        gate.set()
        assert first.result() == 0
    assert asking.read_log("log", lambda own: own, "a") == 0
    asking.close()
