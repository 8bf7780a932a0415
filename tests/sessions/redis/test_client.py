"""The connection to Redis is opened by a single thread at a time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from dice_referee.sessions.redis import client
from dice_referee.sessions.redis.client import RedisClient
from dice_referee.sessions.redis.driver import RedisCluster
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
