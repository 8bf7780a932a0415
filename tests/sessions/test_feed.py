"""The feed of a session: a reader whose next entries were removed gets a reset."""

from types import SimpleNamespace
from typing import Any

from dice_referee.sessions.feed import FeedPage, read_feed
from dice_referee.sessions.store import LogLine


def store_from(version: int, first: int) -> Any:
    """Returns a store without the entries before ``first``."""
    lines = [LogLine(number, b'{"version":%d}' % number) for number in range(first, version + 1)]
    return SimpleNamespace(
        log=lambda _, after, most: (
            version,
            [line for line in lines if line.version > after][:most],
        )
    )


def test_reader_gets_all_entries_or_a_reset() -> None:
    for version in range(5):
        for first in range(1, version + 2):
            for after in range(7):
                page = read_feed(store_from(version, first), "id", after)
                case = version, first, after
                if after > version or first > after + 1 <= version:
                    assert page == FeedPage(version, (), True), case
                else:
                    versions = [line.version for line in page.lines]
                    assert versions == [*range(after + 1, version + 1)], case
                    assert not page.reset, case
