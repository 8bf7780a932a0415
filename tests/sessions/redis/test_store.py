"""Scripts of the store on every engine, over the server's Unix socket."""

import secrets
from collections.abc import Callable

import pytest

from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import (
    MOMENT_VERSIONS,
    CorruptSession,
    LogLine,
    Past,
    Seats,
    SessionDeleted,
    SessionNotFound,
    Store,
    StoredSession,
    StoreError,
    VersionConflict,
)
from tests.engines.servers import Single, wait_until
from tests.sessions.conftest import PATIENT_MS

TTL = 60


@pytest.fixture
def id() -> str:
    return secrets.token_urlsafe(16)


@pytest.fixture
def existing(store: RedisStore, id: str) -> str:
    """The id of a session at version 2."""
    store.create(id, b"zero", TTL)
    store.write(id, 0, b"one", b"first", TTL, b"keys")
    store.write(id, 1, b"two", b"second", TTL)
    return id


def keys(id: str) -> list[str]:
    return [f"referee:{{{id}}}{end}" for end in ("", ":log")]


def test_new_session_has_version_zero(store: Store, id: str) -> None:
    store.create(id, b"\0\xff document", TTL)
    assert store.read(id) == StoredSession(0, b"\0\xff document")
    assert store.read(id, keyed=True) == StoredSession(0, b"\0\xff document", b"")
    assert store.log(id, 0, 10)[:2] == (0, [])


def test_write_stores_version_line_and_keys(store: Store, id: str) -> None:
    store.create(id, b"zero", TTL)
    store.write(id, 0, b"one", b"\r\nfirst\0", TTL, b"keys")
    store.write(id, 1, b"x" * 300_000, b"second", TTL)
    assert store.read(id, keyed=True) == StoredSession(2, b"x" * 300_000, b"keys")
    assert store.read(id) == StoredSession(2, b"x" * 300_000)
    assert store.log(id, 0, 10)[:2] == (2, [LogLine(1, b"\r\nfirst\0"), LogLine(2, b"second")])
    assert store.log(id, 1, 10)[:2] == (2, [LogLine(2, b"second")])
    assert store.log(id, 0, 1)[:2] == (2, [LogLine(1, b"\r\nfirst\0")])
    assert store.log(id, 2, 10)[:2] == (2, [])


def test_each_log_entry_of_a_write_increments_the_version(
    store: Store, id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_bytes", lambda size: b"n" * size)
    for _ in range(2):
        store.create(id, b"two", TTL, [b"first", b"second"])
    assert store.read(id) == StoredSession(2, b"two")
    for _ in range(2):
        store.write(id, 2, b"five", b"third", TTL, b"keys", following=[b"fourth", b"fifth"])
    assert store.read(id, keyed=True) == StoredSession(5, b"five", b"keys")
    lines = [b"first", b"second", b"third", b"fourth", b"fifth"]
    assert store.log(id, 0, 10)[:2] == (5, [LogLine(n, entry) for n, entry in enumerate(lines, 1)])
    monkeypatch.undo()
    with pytest.raises(VersionConflict):
        store.write(id, 2, b"three", b"other", TTL)


def test_each_line_names_the_last_event_not_undone(store: Store, id: str) -> None:
    def last(version: int) -> tuple[LogLine, int] | None:
        kept = store.kept(id, version)
        return kept and kept[:2]

    store.create(id, b"two", TTL, [b"first", b"second"], moment=b"at 2")
    assert last(0) is None
    assert last(2) == (LogLine(2, b"second"), 1)
    store.write(id, 2, b"three", b"note", TTL)
    assert last(3) == (LogLine(2, b"second"), 1)
    store.write(id, 3, b"five", b"fourth", TTL, following=[b"fifth"], kept=4)
    assert last(4) == (LogLine(4, b"fourth"), 2)
    assert last(5) == (LogLine(5, b"fifth"), 4)
    store.write(id, 5, b"six", b"undone", TTL, kept=2)
    assert last(6) == (LogLine(2, b"second"), 1)
    kept = store.kept(id, 4)
    assert kept is not None
    assert kept.past == store.past(id, 3) == Past(2, b"at 2", (LogLine(3, b"note"),))
    fresh = secrets.token_urlsafe(16)
    store.create(fresh, b"zero", TTL)
    store.write(fresh, 0, b"one", b"note", TTL)
    assert store.kept(fresh, 1) is None


def test_past_begins_at_the_last_stored_state(store: Store, id: str) -> None:
    interval = MOMENT_VERSIONS
    store.create(id, b"0", TTL)
    assert store.past(id, 0) == Past(0, b"", ())
    for version in range(1, 2 * interval + 2):
        stored = version in (1, interval, interval + 5, 2 * interval)
        moment = b"at %d" % version if stored else b""
        store.write(id, version - 1, b"document", b"%d" % version, TTL, moment=moment)
    for version in range(1, 2 * interval + 2):
        base = max(n for n in (1, interval, interval + 5, 2 * interval) if n <= version)
        lines = [LogLine(number, b"%d" % number) for number in range(base + 1, version + 1)]
        assert store.past(id, version) == Past(base, b"at %d" % base, tuple(lines))


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_write_to_a_stale_version_changes_nothing(
    store: Store, existing: str, expected: int
) -> None:
    with pytest.raises(VersionConflict):
        store.write(existing, expected, b"other", b"entry", TTL, b"other")
    assert store.read(existing, keyed=True) == StoredSession(2, b"two", b"keys")
    assert len(store.log(existing, 0, 10)[1]) == 2


def test_command_sent_twice_is_executed_once(
    store: Store, id: str, server: Single, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client retries a command when its connection breaks before the answer."""
    monkeypatch.setattr(secrets, "token_bytes", lambda size: b"n" * size)
    for _ in range(2):
        store.create(id, b"zero", TTL)
    for _ in range(2):
        store.write(id, 0, b"one", b"first", TTL, b"keys")
    assert store.log(id, 0, 10)[:2] == (1, [LogLine(1, b"first")])
    monkeypatch.undo()
    with pytest.raises(VersionConflict):
        store.create(id, b"zero", TTL)
    with pytest.raises(VersionConflict):
        store.write(id, 0, b"one", b"first", TTL, b"keys")
    store.write(id, 1, b"two", b"second", TTL)
    # Other writes may have followed meanwhile.
    monkeypatch.setattr(secrets, "token_bytes", lambda size: b"n" * size)
    store.write(id, 0, b"one", b"first", TTL, b"keys")
    assert store.log(id, 0, 10)[:2] == (2, [LogLine(1, b"first"), LogLine(2, b"second")])
    for _ in range(2):
        store.delete(id, 2, b"tombstone", TTL)
    assert server.ask("HKEYS", keys(id)[0]) == [b"gone"]


def test_existing_session_is_not_created_again(store: Store, existing: str, server: Single) -> None:
    with pytest.raises(VersionConflict):
        store.create(existing, b"other", TTL)
    assert store.read(existing) == StoredSession(2, b"two")
    store.delete(existing, 2, b"tombstone", TTL)
    with pytest.raises(VersionConflict):
        store.create(existing, b"other", TTL)
    foreign = secrets.token_urlsafe(16)
    server.ask("SET", keys(foreign)[1], "somebody's")
    with pytest.raises(VersionConflict):
        store.create(foreign, b"other", TTL)
    assert server.ask("GET", keys(foreign)[1]) == b"somebody's"


USES: dict[str, Callable[[Store, str], object]] = {
    "read": lambda store, id: store.read(id),
    "write": lambda store, id: store.write(id, 2, b"new", b"entry", TTL, b"more"),
    "log": lambda store, id: store.log(id, 0, 10),
    "kept": lambda store, id: store.kept(id, 2),
    "past": lambda store, id: store.past(id, 2),
    "arrive": lambda store, id: store.arrive(id, "hash"),
    "arrived": lambda store, id: store.attendance(id, ["hash"]),
    "hold": lambda store, id: store.hold(id, 0, "holder", 100),
    "bury": lambda store, id: store.delete(id, 2, b"tombstone", TTL),
}
use = pytest.mark.parametrize("use", USES.values(), ids=USES.keys())


@use
def test_unknown_session_is_missing(
    store: Store, id: str, use: Callable[[Store, str], object]
) -> None:
    with pytest.raises(SessionNotFound):
        use(store, id)


@use
def test_deleted_session_is_gone_and_leaves_its_tombstone(
    store: Store, existing: str, server: Single, use: Callable[[Store, str], object]
) -> None:
    store.delete(existing, 2, b"tomb\0stone", TTL)
    with pytest.raises(SessionDeleted) as gone:
        use(store, existing)
    assert gone.value.tombstone == b"tomb\0stone"
    session, log = keys(existing)
    assert server.ask("HKEYS", session) == [b"gone"]
    assert server.ask("EXISTS", log) == 0
    assert 0 < server.ask("TTL", session) <= TTL


def test_arrival_is_stored_outside_the_log(store: Store, existing: str, server: Single) -> None:
    before = store.read(existing), store.log(existing, 0, 10)
    server.ask("EXPIRE", keys(existing)[0], "40")
    assert store.attendance(existing, ["ada", "ben"]).arrivals == [False, False]
    assert [store.arrive(existing, "ben") for _ in range(2)] == [True, False]
    assert store.attendance(existing, ["ada", "ben"]).arrivals == [False, True]
    assert (store.read(existing), store.log(existing, 0, 10)) == before
    assert 0 < server.ask("TTL", keys(existing)[0]) <= 40
    store.write(existing, 2, b"three", b"third", TTL)
    assert store.attendance(existing, ["ada", "ben"]).arrivals == [False, True]


def test_seat_is_connected_while_any_lease_lasts(
    store: Store, existing: str, server: Single
) -> None:
    def connected() -> Seats:
        seats = store.log(existing, 0, 1).connected
        assert store.attendance(existing, ["ada"]).connected == seats
        return seats

    before = store.read(existing)
    server.ask("EXPIRE", keys(existing)[0], "40")
    assert connected() == ()
    for seat, holder in ((9, "one"), (1, "one"), (1, "two"), (10, "one")):
        store.hold(existing, seat, holder, 100)
    assert connected() == (1, 9, 10)
    store.hold(existing, 1, "one", 0)
    store.hold(existing, 9, "two", 0)
    assert connected() == (1, 9, 10)
    store.hold(existing, 1, "two", 0)
    assert connected() == (9, 10)
    (now, _), leases = server.ask("TIME"), server.ask("HGET", keys(existing)[0], "here")
    ends = {lease: int(end) for lease, _, end in (each.rpartition(b"/") for each in leases.split())}
    assert ends.keys() == {b"9/one", b"10/one"}
    assert all(90 < end - int(now) <= 100 for end in ends.values())
    server.ask(
        "HSET", keys(existing)[0], "here", b"9/one/%d 10/one/%d" % (ends[b"9/one"], int(now))
    )
    assert connected() == (9,)
    assert store.read(existing) == before
    assert 0 < server.ask("TTL", keys(existing)[0]) <= 40


def test_delete_requires_the_version_that_was_read(store: Store, existing: str) -> None:
    with pytest.raises(VersionConflict):
        store.delete(existing, 1, b"tombstone", TTL)
    assert store.read(existing) == StoredSession(2, b"two")


def test_sessions_and_tombstones_expire(store: Store, server: Single) -> None:
    unplayed, played, buried, present = (secrets.token_urlsafe(16) for _ in range(4))
    store.create(unplayed, b"zero", 1, [b"entry"])
    for id in (played, buried, present):
        store.create(id, b"zero", TTL)
    store.write(played, 0, b"one", b"entry", 1)
    store.delete(buried, 0, b"tombstone", 1)
    store.write(present, 0, b"one", b"entry", 10 * TTL)
    for id in (unplayed, played, buried):
        wait_until("the keys expire", lambda id=id: server.ask("EXISTS", *keys(id)) == 0)  # type: ignore[misc]
        with pytest.raises(SessionNotFound):
            store.read(id)
    assert store.read(present).version == 1
    assert all(TTL < server.ask("TTL", key) <= 10 * TTL for key in keys(present))


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
def test_damaged_session_is_left_unchanged(
    store: Store,
    existing: str,
    server: Single,
    use: Callable[[Store, str], object],
    foreign: tuple[str, ...],
) -> None:
    number, command, *rest = foreign
    key = keys(existing)[int(number)]
    server.ask("DEL", key)
    server.ask(command, key, *rest)
    before = [server.ask("DUMP", key) for key in keys(existing)]
    if number == "1" and use in [USES[name] for name in ("read", "arrive", "arrived", "hold")]:
        use(store, existing)  # the session itself is intact
        return
    with pytest.raises(CorruptSession):
        use(store, existing)
    assert [server.ask("DUMP", key) for key in keys(existing)] == before


@pytest.mark.parametrize("shift", ["lost", "ahead", "behind"])
def test_log_with_an_unexpected_end_is_not_extended(
    store: Store, existing: str, server: Single, shift: str
) -> None:
    log = keys(existing)[1]
    match shift:
        case "lost":
            server.ask("DEL", log)
        case "ahead":
            server.ask("XADD", log, "3-0", "e", "x")
        case _:
            server.ask("XDEL", log, "2-0")
    before = [server.ask("DUMP", key) for key in keys(existing)]
    with pytest.raises(CorruptSession):
        store.write(existing, 2, b"new", b"entry", TTL)
    assert [server.ask("DUMP", key) for key in keys(existing)] == before


def test_every_command_is_observed(server: Single, id: str) -> None:
    seen: list[tuple[str, bool]] = []
    store = RedisStore(
        server.unix_url, PATIENT_MS, lambda name, seconds, ok: seen.append((name, ok))
    )
    store.create(id, b"zero", TTL)
    with pytest.raises(StoreError):
        store.create(id, b"zero", TTL)
    store.read(id)
    store.close()
    assert seen == [("create", True), ("create", True), ("read", True)]
