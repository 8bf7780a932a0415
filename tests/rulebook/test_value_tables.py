"""The cache builds each table once and evicts all but those of published rules."""

from collections.abc import Callable
from threading import Thread

import pytest

from dice_referee.rulebook.value_tables import ValueTableCache


class Builder:
    """Builds a table (twice the number) and records the number."""

    def __init__(self) -> None:
        self.built: list[int] = []

    def __call__(self, number: int) -> int:
        self.built.append(number)
        return 2 * number


def test_table_is_built_once() -> None:
    build = Builder()
    tables = ValueTableCache(build, published=(), unpublished=2)
    assert 3 not in tables
    assert (tables[3], tables[3]) == (6, 6)
    assert 3 in tables
    assert build.built == [3]


def test_next_caller_builds_after_a_failed_build() -> None:
    builds: list[Callable[[int], int]] = [lambda number: 1 // number, Builder()]

    def build(number: int) -> int:
        return builds.pop(0)(number)

    tables = ValueTableCache(build, published=(), unpublished=2)
    with pytest.raises(ZeroDivisionError):
        tables[0]
    builder = Thread(target=lambda: tables[0], daemon=True)
    builder.start()
    builder.join(60)
    assert 0 in tables


def test_cache_evicts_the_least_recently_used_table() -> None:
    tables = ValueTableCache(Builder(), published=(), unpublished=2)
    for number in (1, 2, 1, 3):
        tables[number]
    assert [number in tables for number in (1, 2, 3)] == [True, False, True]


def test_cache_never_evicts_tables_of_published_rules() -> None:
    build = Builder()
    tables = ValueTableCache(build, published=(1, 2), unpublished=1)
    for number in range(1, 9):
        tables[number]
    assert [number in tables for number in (1, 2, 7, 8)] == [True, True, False, True]
    assert (tables[1], tables[2]) == (2, 4)
    assert sorted(build.built) == list(range(1, 9))


def test_cache_of_capacity_0_holds_published_tables_only() -> None:
    tables = ValueTableCache(Builder(), published=(1,), unpublished=0)
    assert (tables[1], tables[2]) == (2, 4)
    assert (1 in tables, 2 in tables) == (True, False)
