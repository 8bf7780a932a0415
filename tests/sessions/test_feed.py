"""The feed of a session: a reader whose next entries were removed gets a reset."""

from types import SimpleNamespace
from typing import Any

import pytest

from dice_referee.sessions.feed import FeedPage, message_of, page_of, read_feed
from dice_referee.sessions.store import Log, LogLine


def store_from(version: int, first: int) -> Any:
    """Returns a store without the entries before ``first``."""
    lines = [LogLine(number, b'{"version":%d}' % number) for number in range(first, version + 1)]
    return SimpleNamespace(
        log=lambda _, after, most: Log(
            version, [line for line in lines if line.version > after][:most]
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


ENTRIES = [b'{"version":%d,"at":""}' % version for version in (9, 10)]
STATE = b'{"id":"a","version":10}'


@pytest.mark.parametrize("state", [b"", STATE])
def test_page_of_a_message_has_entries_and_state(state: bytes) -> None:
    lines = (LogLine(9, ENTRIES[0]), LogLine(10, ENTRIES[1]))
    assert page_of(message_of(9, ENTRIES, state)) == FeedPage(10, lines, False, state)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"9",
        b"gone",
        b"9\n" + STATE,
        b"v2 9\n" + ENTRIES[0],
        b"9\n" + ENTRIES[1],
        b"9\n" + ENTRIES[0] + b"\nnew",
        b"9\n" + ENTRIES[0] + b"\n" + STATE + b"\nnew",
    ],
)
def test_message_of_another_release_is_only_a_hint(message: bytes) -> None:
    assert page_of(message) is None


def test_only_the_last_entry_of_a_page_has_the_state() -> None:
    lines = (LogLine(9, b"{}"), LogLine(10, b"{}"))
    page = FeedPage(10, lines, False, b"[]", (0, 2))
    expected = b'{"entry":{},"session":null}', b'{"entry":{},"session":[]}'
    rest = b'],"version":10,"reset":false,"connected":[0,2]}'
    assert page.json(with_state=True) == b'{"events":[%b,%b' % expected + rest
    assert page.frames(with_state=True) == b"id: 9\ndata: %b\n\nid: 10\ndata: %b\n\n" % expected
    assert page.json() == b'{"events":[{},{}' + rest
    assert page.frames() == b"id: 9\ndata: {}\n\nid: 10\ndata: {}\n\n"
