"""Each right of the service's user, when revoked, damages no session."""

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from dice_referee.sessions.redis.scripts import scripts
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import Quota, SessionDeleted, SessionNotFound, StoreUnavailable
from tests.engines.servers import Single
from tests.programs import ROOT
from tests.sessions.conftest import PATIENT_MS

TTL = 600
USERS = (ROOT / "deploy/valkey/users.conf").read_text("utf-8")
(WORDS,) = re.findall(r"^user referee on #SERVICE (.*)$", USERS, re.MULTILINE)
RIGHTS = sorted(word[1:].upper() for word in WORDS.split() if word.startswith("+"))
SOURCES = "".join(script.source for script in scripts().values())
CALLED = set(re.findall(r"redis\.p?call\('(\w+)'", SOURCES))
NEEDED = sorted(CALLED | {"EVAL", "EVALSHA", "PING", "SUBSCRIBE", "UNSUBSCRIBE"})
CONNECTION_COMMANDS = {"AUTH", "HELLO", "SELECT", "ROLE"}
"""Commands at the start of a connection, and the check of a master behind Sentinel."""
OF_CLUSTERS = {"READONLY", "ASKING", "COMMAND"} | {name for name in RIGHTS if "|" in name}

Uses = dict[str, Callable[[RedisStore, str], object]]
USES: Uses = {
    "write": lambda store, id: store.write(id, 2, b"three", b"third", TTL),
    "write with a key": lambda store, id: store.write(
        id, 2, b"four", b"third", TTL, b"keys 4", b"moment", [b"fourth"]
    ),
    "delete": lambda store, id: store.delete(id, 2, b"tombstone", TTL),
    "create": lambda store, id: store.create(f"{id}-2", b"one", TTL, [b"first"]),
    "create empty": lambda store, id: store.create(f"{id}-3", b"zero", TTL),
    "create counted": lambda store, id: store.create(f"{id}-4", b"zero", TTL, quota=Quota(id, 60)),
    "read": lambda store, id: store.read(id, keyed=True),
    "log": lambda store, id: store.log(id, 0, 10),
    "kept": lambda store, id: store.kept(id, 2),
    "past": lambda store, id: store.past(id, 2),
    "nudge": lambda store, id: store.nudge(id, 0),
    "hold": lambda store, id: store.hold(id, 0, "holder", 100),
}


@pytest.fixture
def server(server: Single) -> Iterator[Single]:
    """A server with the user of the deployment. Its rights are restored afterwards."""
    server.ask("ACL", "SETUSER", "referee", "reset", "on", ">secret", *WORDS.split())
    yield server
    server.ask("ACL", "DELUSER", "referee")


@pytest.fixture
def limited(server: Single) -> Iterator[RedisStore]:
    """The service's store, connected as that user."""
    store = RedisStore(server.url.replace("//", "//referee:secret@"), PATIENT_MS)
    yield store
    store.close()


REVOCATIONS = {
    **{name: ((f"-{name}",), (f"+{name}",)) for name in NEEDED},
    "keys": (("resetkeys",), ("~referee:*",)),
    "logs": (("resetkeys", "~referee:{*}"), ("~referee:*",)),
    "channels": (("resetchannels",), ("&referee:bell:*",)),
}
"""Changes to the user that revoke a right, and those that restore the right."""


@pytest.mark.parametrize(("taken", "granted"), REVOCATIONS.values(), ids=REVOCATIONS)
def test_missing_right_damages_no_session(
    server: Single, limited: RedisStore, taken: tuple[str, ...], granted: tuple[str, ...]
) -> None:
    for use in USES.values():
        id = secrets.token_urlsafe(16)
        limited.create(id, b"one", TTL, [b"first"])
        limited.write(id, 1, b"two", b"second", TTL, b"keys 2")
        server.ask("ACL", "SETUSER", "referee", *taken)
        with suppress(StoreUnavailable):
            use(limited, id)
        server.ask("ACL", "SETUSER", "referee", *granted)
        for session in (id, f"{id}-2", f"{id}-3"):
            with suppress(SessionNotFound, SessionDeleted):
                is_whole(limited, session)
        lasting = [key for key in server.ask("KEYS", f"*{id}*") if server.ask("TTL", key) < 0]
        assert lasting == [], "the key never expires"


def is_whole(store: RedisStore, id: str) -> None:
    """Expects a document of its version, a log that ends there, and a change that succeeds."""
    version, document = store.read(id)[:2]
    assert document == [b"zero", b"one", b"two", b"three", b"four"][version]
    assert (store.read(id, keyed=True).keys == b"keys 4") == (version == 4)
    logged, lines, _ = store.log(id, 0, 10)
    assert logged == version == len(lines)
    store.write(id, version, b"next", b"next", TTL, b"keys 5")
    assert store.read(id).version == version + 1


def test_session_is_playable_after_a_refused_deletion(server: Single, limited: RedisStore) -> None:
    for right in ("DEL", "HSET", "EXPIRE"):
        id = secrets.token_urlsafe(16)
        limited.create(id, b"zero", TTL)
        server.ask("ACL", "SETUSER", "referee", f"-{right}")
        with pytest.raises(StoreUnavailable):
            limited.delete(id, 0, b"tombstone", TTL)
        server.ask("ACL", "SETUSER", "referee", f"+{right}")
        is_whole(limited, id)


def test_sessions_are_created_without_the_info_right(server: Single, limited: RedisStore) -> None:
    server.ask("ACL", "SETUSER", "referee", "-info")
    limited.create(secrets.token_urlsafe(16), b"zero", TTL)


def test_deployed_users_have_every_right_that_the_service_needs() -> None:
    assert set(RIGHTS) - set(NEEDED) == CONNECTION_COMMANDS | OF_CLUSTERS
    assert set(NEEDED) <= set(RIGHTS)
