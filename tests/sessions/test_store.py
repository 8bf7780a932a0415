"""One suite for the store, on every engine and in every shape of it."""

import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import Queue

import pytest

from service.sessions.embedded import Engine
from service.sessions.redis_store import RedisStore
from service.sessions.store import Damaged, Gone, Kept, Line, Missing, Stale, Store, StoreError
from tests.engines.servers import Single
from tests.sessions.conftest import Home, Start

TTL = 60


@pytest.fixture
def id() -> str:
    return secrets.token_urlsafe(16)


@pytest.fixture
def kept(store: RedisStore, id: str) -> str:
    """The id of a session at version 2."""
    store.create(id, b"zero", TTL)
    store.write(id, 0, b"one", b"first", TTL, "key", b"record")
    store.write(id, 1, b"two", b"second", TTL)
    return id


def keys(id: str) -> list[str]:
    return [f"referee:{{{id}}}{end}" for end in ("", ":log", ":streams")]


def test_a_new_session_is_kept_at_version_nought(store: Store, id: str) -> None:
    store.create(id, b"\0\xff document", TTL)
    assert store.read(id) == Kept(0, b"\0\xff document", None)
    assert store.read(id, "key") == Kept(0, b"\0\xff document", None)
    assert store.log(id, 0, 10) == (0, [])


def test_a_write_brings_the_next_version_its_line_and_its_record(store: Store, id: str) -> None:
    store.create(id, b"zero", TTL)
    store.write(id, 0, b"one", b"\r\nfirst\0", TTL, "key", b"record")
    store.write(id, 1, b"x" * 300_000, b"second", TTL)
    assert store.read(id, "key") == Kept(2, b"x" * 300_000, b"record")
    assert store.read(id, "other").record is None
    assert store.read(id).record is None
    assert store.log(id, 0, 10) == (2, [Line(1, b"\r\nfirst\0"), Line(2, b"second")])
    assert store.log(id, 1, 10) == (2, [Line(2, b"second")])
    assert store.log(id, 0, 1) == (2, [Line(1, b"\r\nfirst\0")])
    assert store.log(id, 2, 10) == (2, [])


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_a_write_onto_another_version_changes_nothing(
    store: Store, kept: str, expected: int
) -> None:
    with pytest.raises(Stale):
        store.write(kept, expected, b"other", b"entry", TTL, "new", b"record")
    assert store.read(kept, "new") == Kept(2, b"two", None)
    assert len(store.log(kept, 0, 10)[1]) == 2


def test_a_key_is_used_once(store: Store, kept: str) -> None:
    with pytest.raises(Stale):
        store.write(kept, 2, b"other", b"entry", TTL, "key", b"other")
    assert store.read(kept, "key") == Kept(2, b"two", b"record")


def test_of_many_who_write_at_once_one_succeeds(store: Store, kept: str) -> None:
    def write(number: int) -> int | None:
        try:
            store.write(kept, 2, b"%d" % number, b"by %d" % number, TTL)
        except Stale:
            return None
        return number

    with ThreadPoolExecutor(8) as people:
        winners = [number for number in people.map(write, range(24)) if number is not None]
    assert len(winners) == 1
    assert store.read(kept) == Kept(3, b"%d" % winners[0], None)
    assert store.log(kept, 2, 10) == (3, [Line(3, b"by %d" % winners[0])])


def test_nothing_is_created_where_something_is(store: Store, kept: str, home: Home) -> None:
    with pytest.raises(Stale):
        store.create(kept, b"other", TTL)
    assert store.read(kept) == Kept(2, b"two", None)
    store.bury(kept, 2, b"tombstone", TTL)
    with pytest.raises(Stale):
        store.create(kept, b"other", TTL)
    foreign = secrets.token_urlsafe(16)
    home.ask("SET", keys(foreign)[1], "somebody's")
    with pytest.raises(Stale):
        store.create(foreign, b"other", TTL)
    assert home.ask("GET", keys(foreign)[1]) == b"somebody's"


USES: dict[str, Callable[[Store, str], object]] = {
    "read": lambda store, id: store.read(id),
    "write": lambda store, id: store.write(id, 2, b"new", b"entry", TTL, "k2", b"record"),
    "log": lambda store, id: store.log(id, 0, 10),
    "bury": lambda store, id: store.bury(id, 2, b"tombstone", TTL),
}
use = pytest.mark.parametrize("use", USES.values(), ids=USES.keys())


@use
def test_an_unknown_session_is_missing(
    store: Store, id: str, use: Callable[[Store, str], object]
) -> None:
    with pytest.raises(Missing):
        use(store, id)


@use
def test_a_buried_session_is_gone_and_leaves_its_tombstone(
    store: Store, kept: str, home: Home, use: Callable[[Store, str], object]
) -> None:
    store.lease(kept, "me", 1, TTL)
    store.bury(kept, 2, b"tomb\0stone", TTL)
    with pytest.raises(Gone) as gone:
        use(store, kept)
    assert gone.value.tombstone == b"tomb\0stone"
    session, log, streams = keys(kept)
    assert home.ask("HKEYS", session) == [b"gone"]
    assert home.ask("EXISTS", log) == home.ask("EXISTS", streams) == 0
    assert 0 < int(str(home.ask("TTL", session))) <= TTL


def test_only_the_version_that_was_read_is_buried(store: Store, kept: str) -> None:
    with pytest.raises(Stale):
        store.bury(kept, 1, b"tombstone", TTL)
    assert store.read(kept) == Kept(2, b"two", None)


def test_sessions_tombstones_and_places_expire_and_writing_starts_the_time_anew(
    engine: Engine, started: Start
) -> None:
    home = started(engine, Single)
    store = RedisStore(home.url, 2000)
    forgotten, kept, buried = (secrets.token_urlsafe(16) for _ in range(3))
    for id in (forgotten, kept, buried):
        store.create(id, b"zero", 1)
    store.write(forgotten, 0, b"one", b"entry", 1)
    store.write(kept, 0, b"one", b"entry", TTL)
    store.bury(buried, 0, b"tombstone", 1)
    assert store.lease(kept, "short", 2, 1)
    assert store.lease(kept, "long", 2, TTL)
    assert not store.lease(kept, "new", 2, TTL)
    time.sleep(1.1)
    for id in (forgotten, buried):
        with pytest.raises(Missing):
            store.read(id)
        assert [home.ask("EXISTS", key) for key in keys(id)] == [0, 0, 0]
    assert store.read(kept).version == 1
    assert store.lease(kept, "new", 2, TTL), "the other never came back"
    assert not store.lease(kept, "short", 2, TTL)
    assert all(0 < int(str(home.ask("TTL", key))) <= TTL for key in keys(kept))
    store.close()


FOREIGN: dict[str, tuple[str, ...]] = {
    "a text": ("0", "SET", "text"),
    "a list": ("0", "RPUSH", "one"),
    "another hash": ("0", "HSET", "name", "value"),
    "no version": ("0", "HSET", "v", "two", "doc", "x"),
    "half of a session": ("0", "HSET", "v", "2"),
    "a log that is none": ("1", "SET", "text"),
}


@use
@pytest.mark.parametrize("foreign", FOREIGN.values(), ids=FOREIGN.keys())
def test_what_is_no_session_is_damaged_and_left_as_it_is(
    store: Store,
    kept: str,
    home: Home,
    use: Callable[[Store, str], object],
    foreign: tuple[str, ...],
) -> None:
    number, command, *rest = foreign
    key = keys(kept)[int(number)]
    home.ask("DEL", key)
    home.ask(command, key, *rest)
    before = [home.ask("DUMP", key) for key in keys(kept)]
    if number == "1" and use is USES["read"]:
        assert store.read(kept).version == 2  # the document alone is whole
    else:
        with pytest.raises(Damaged):
            use(store, kept)
    assert [home.ask("DUMP", key) for key in keys(kept)] == before


@pytest.mark.parametrize("shift", ["lost", "ahead", "behind"])
def test_nothing_is_written_behind_a_log_that_ends_elsewhere(
    store: Store, kept: str, home: Home, shift: str
) -> None:
    log = keys(kept)[1]
    match shift:
        case "lost":
            home.ask("DEL", log)
        case "ahead":
            home.ask("XADD", log, "3-0", "e", "x")
        case _:
            home.ask("XDEL", log, "2-0")
    before = [home.ask("DUMP", key) for key in keys(kept)]
    with pytest.raises(Damaged):
        store.write(kept, 2, b"new", b"entry", TTL)
    assert [home.ask("DUMP", key) for key in keys(kept)] == before


def test_places_at_a_feed_are_counted(store: Store, id: str) -> None:
    assert store.lease(id, "a", 2, TTL)
    assert store.lease(id, "b", 2, TTL)
    assert not store.lease(id, "c", 2, TTL)
    assert store.lease(id, "a", 2, TTL), "renewing takes no place"
    store.release(id, "a")
    assert store.lease(id, "c", 2, TTL)
    assert not store.lease(id, "a", 2, TTL)
    store.release(id, "nobody")


def test_the_places_of_somebody_elses_key_are_damaged(store: Store, id: str, home: Home) -> None:
    home.ask("SET", keys(id)[2], "text")
    for use in (lambda: store.lease(id, "a", 1, TTL), lambda: store.release(id, "a")):
        with pytest.raises(Damaged):
            use()
    assert home.ask("GET", keys(id)[2]) == b"text"


def test_bells_ring_for_what_is_watched(store: RedisStore, kept: str) -> None:
    other = secrets.token_urlsafe(16)
    store.create(other, b"zero", TTL)
    rung: Queue[str] = Queue()
    watched = {kept}

    def ring(id: str) -> None:
        rung.put(id)
        raise RuntimeError("who listens may fail")

    def hear(id: str) -> None:
        """Needless rings are allowed, but none for what is not watched."""
        while (heard := rung.get(timeout=5)) != id:
            assert heard in watched

    bells = store.bells(ring)
    try:
        bells.watch(kept)
        hear(kept)
        assert rung.empty()
        store.write(other, 0, b"one", b"entry", TTL)
        store.write(kept, 2, b"three", b"entry", TTL)
        hear(kept)
        watched.add(other)
        bells.watch(other)
        hear(other)
        store.write(other, 1, b"two", b"entry", TTL)
        hear(other)
        bells.unwatch(other)
        watched.add("marker")
        bells.watch("marker")
        hear("marker")
        watched.remove(other)
        store.write(other, 2, b"three", b"entry", TTL)
        store.bury(kept, 3, b"tombstone", TTL)
        hear(kept)
    finally:
        bells.close()


def test_it_answers_a_ping_and_finds_nothing_wrong(store: Store) -> None:
    store.ping()
    assert store.warnings() == []


def test_every_question_is_observed(home: Home, id: str) -> None:
    seen: list[tuple[str, bool]] = []
    store = RedisStore(home.url, 2000, lambda name, seconds, ok: seen.append((name, ok)))
    store.create(id, b"zero", TTL)
    with pytest.raises(StoreError):
        store.create(id, b"zero", TTL)
    store.read(id)
    store.close()
    assert seen == [("create", True), ("create", True), ("read", True)]


def test_scripts_that_the_server_forgot_are_sent_again(store: Store, kept: str, home: Home) -> None:
    for node in getattr(home.group, "nodes", [getattr(home.group, "node", home.group)]):
        node.ask("SCRIPT", "FLUSH")
    store.write(kept, 2, b"three", b"third", TTL)
    assert store.log(kept, 2, 10) == (3, [Line(3, b"third")])
