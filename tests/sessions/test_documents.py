"""What lies in Redis and was not written by this release, or not by any."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.games import catalogue
from service.sessions import play as changes
from service.sessions import replay, view
from service.sessions.change import Actor, SessionRuleError
from service.sessions.log import NOTES, entry_of
from service.sessions.session import SCHEMA, Session, decoded, encoded
from service.sessions.store import StoreError
from tests.engines.servers import Single
from tests.sessions.documents import HOST, NOW, SEATS, Document, change, documents, names, play
from tests.sessions.playing import choose

DOCUMENTS = list(documents())
RUNNING = [document for document in DOCUMENTS if document.name.endswith("-running")]
AS_HOST = {"Authorization": f"Bearer {HOST}"}

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.name)


def test_this_release_has_left_documents_of_its_schema() -> None:
    assert {*names()} <= {document.name for document in DOCUMENTS}


@every_document
def test_what_this_release_writes_is_what_it_reads(document: Document) -> None:
    session = decoded(document.content, document.id, document.version)
    if document.parsed["schema"] == SCHEMA:
        assert encoded(session) == document.content


@every_document
def test_a_session_of_an_earlier_release_goes_on(
    document: Document, server: Single, session_client: FlaskClient
) -> None:
    document.keep(server)
    at, parsed, client = f"/v1/sessions/{document.id}", document.parsed, session_client
    state = json.loads(client.get(at).data)
    assert (state["status"], state["version"]) == (parsed["status"], document.version)
    events = json.loads(client.get(f"{at}/events").data)["events"]
    assert events == [json.loads(entry) for entry in document.entries]
    if parsed["status"] == "over" and parsed["dice"] == "client":
        state = change(client, f"{at}/undo", HOST, {})["session"]
        assert state["status"] == "running"
    play(client, at, to_the_end=True)
    state = json.loads(client.get(at).data)
    assert state["status"] == "over"
    record = json.loads(client.get(f"{at}/game").data)
    audit = json.loads(client.post(f"/v1/{parsed['game']}/games", json=record).data)
    assert (audit["legal"], audit["over"]) == (True, True)
    assert audit["winners"] == state["winners"]
    if parsed["dice"] == "service":
        claim = {"game": parsed["game"], "record": record, "fairness": state["fairness"]}
        verdict = json.loads(client.post("/v1/fairness/verify", json=claim).data)
        assert verdict["fair"], verdict
        assert len(verdict["chances"]) == state["fairness"]["draws"]


def floated(value: Any) -> Any:
    """The same with floats for integers, as some clients write them."""
    if isinstance(value, list):
        return [floated(one) for one in value]
    return float(value) if type(value) is int else value


@every_document
def test_an_event_that_was_kept_with_floats_is_read_in_integers(document: Document) -> None:
    for line in document.lines:
        entry = json.loads(line.entry)
        event = {name: floated(value) for name, value in entry["event"].items()}
        if entry["event"]["type"] in NOTES:
            continue
        sent = line._replace(entry=orjson.dumps({**entry, "event": event}))
        read = orjson.dumps(entry_of(sent, document.id))
        assert read == orjson.dumps(entry_of(line, document.id))


# What cannot be read ----------------------------------------------------------------------------


def is_unreadable(answer: TestResponse) -> None:
    assert answer.status_code == 503, answer.data
    assert json.loads(answer.data)["type"] == "/problems/session-unreadable"
    assert int(answer.headers["Retry-After"]) > 0


def is_left_alone(document: Document, server: Single, client: FlaskClient) -> None:
    """Whatever is asked of it says that it cannot be read, and leaves it as it is."""
    at, keys = f"/v1/sessions/{document.id}", (document.key, f"{document.key}:log")
    before = [server.ask("DUMP", key) for key in keys]
    is_unreadable(client.get(at))
    is_unreadable(client.get(f"{at}/game"))
    for token in (HOST, *SEATS):
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "one"}
        event = {"type": "draw"}
        is_unreadable(client.post(f"{at}/events", json=event, headers=headers))
        is_unreadable(client.post(f"{at}/undo", json={}, headers=headers))
        is_unreadable(client.post(f"{at}/seeds", json={"seed": "a"}, headers=headers))
        is_unreadable(client.post(f"{at}/abandon", json={}, headers=headers))
    is_unreadable(client.post(f"{at}/seats/0/token", json={}, headers=AS_HOST))
    is_unreadable(client.delete(at, headers=AS_HOST))
    assert [server.ask("DUMP", key) for key in keys] == before


def changed(document: Document, **members: Any) -> bytes:
    return orjson.dumps({**document.parsed, **members})


CHANGED: dict[str, Callable[[Document], bytes]] = {
    "cut off": lambda document: document.content[:-40],
    "no JSON": lambda document: b"\x80\x04K\x01.",
    "no object": lambda document: b"[1]",
    "no schema": lambda document: changed(document, schema=None),
    "of a later release": lambda document: changed(
        document, schema=SCHEMA + 1, dice={"throws": "a robot"}
    ),
    "of a game that is not known": lambda document: changed(document, game="skat"),
    "of another session": lambda document: changed(document, id="0" * 22),
    "of another version": lambda document: changed(document, version=document.version + 1),
    "without a seat": lambda document: changed(document, seats=document.parsed["seats"][1:]),
    "of a ruleset that is not known": lambda document: changed(
        document, beginning={**document.parsed["beginning"], "ruleset": "unheard-of"}
    ),
}


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_a_document_that_cannot_be_read_is_left_alone(
    change: Callable[[Document], bytes], server: Single, session_client: FlaskClient
) -> None:
    document = RUNNING[0]
    document.keep(server, change(document))
    is_left_alone(document, server, session_client)
    # And what can be read goes on beside it.
    beginning = {"game": "pot", "players": ["Ann", "Ben"]}
    assert session_client.post("/v1/sessions", json=beginning).status_code == 201


@pytest.mark.parametrize(
    "command",
    [
        ("SET", "{}", "something else"),
        ("RPUSH", "{}", "something else"),
        ("HSET", "{}", "v", "one", "doc", "{}"),
        ("HSET", "{}", "v", "1"),
        ("HSET", "{}", "other", "fields"),
        ("HSET", "{}", "gone", "no JSON"),
    ],
    ids=" ".join,
)
def test_something_else_under_our_key_is_left_alone(
    command: tuple[str, ...], server: Single, session_client: FlaskClient
) -> None:
    document = RUNNING[0]
    server.ask("DEL", document.key)
    server.ask("DEL", f"{document.key}:log")
    name, key, *values = command
    server.ask(name, key.format(document.key), *values)
    is_left_alone(document, server, session_client)
    is_unreadable(session_client.get(f"/v1/sessions/{document.id}/events"))


@pytest.mark.parametrize(
    "command",
    [("SET", "{}:log", "something else"), ("XADD", "{}:log", "99-0", "e", "an entry")],
    ids=" ".join,
)
def test_a_log_that_is_not_the_sessions_is_left_alone(
    command: tuple[str, ...], server: Single, session_client: FlaskClient
) -> None:
    document, client = RUNNING[0], session_client
    document.keep(server)
    name, key, *values = command
    if name == "SET":
        server.ask("DEL", f"{document.key}:log")
    server.ask(name, key.format(document.key), *values)
    keys = (document.key, f"{document.key}:log")
    before = [server.ask("DUMP", key) for key in keys]
    at = f"/v1/sessions/{document.id}"
    state = json.loads(client.get(at).data)
    event = choose(state, Random(1))
    is_unreadable(client.get(f"{at}/events"))
    is_unreadable(client.post(f"{at}/events", json=event, headers=AS_HOST))
    assert [server.ask("DUMP", key) for key in keys] == before


ODD_ENTRIES: tuple[dict[str, Any] | bytes, ...] = (
    b"no entry",
    {"version": 7},
    {"at": "yesterday"},
    {"player": "Ann"},
    {"event": {"type": 1}},
    {"event": {"type": "undone", "version": 1}},
    {"event": {"type": "undone", "version": "1"}},
    {"event": {"type": "seeded", "player": 9, "seed": "x"}},
    {"event": {"type": "seeded"}},
    {"event": {"type": "reissued"}},
)


@pytest.mark.parametrize("odd", ODD_ENTRIES, ids=str)
def test_a_log_that_no_session_has_written_is_said_to_be_so(
    odd: dict[str, Any] | bytes,
    server: Single,
    session_client: FlaskClient,
    forget: Callable[[str], None],
) -> None:
    document, client, key = RUNNING[0], session_client, "a key"
    first = odd if isinstance(odd, bytes) else orjson.dumps(json.loads(document.entries[0]) | odd)
    document._replace(entries=[first, *document.entries[1:]]).keep(server)
    at = f"/v1/sessions/{document.id}"
    event = choose(json.loads(client.get(at).data), Random(1))
    retried = AS_HOST | {"Idempotency-Key": key}
    played = client.post(f"{at}/events", json=event, headers=retried)
    assert played.status_code == 200
    event_after = choose(json.loads(played.data)["session"], Random(1))
    assert client.post(f"{at}/events", json=event_after, headers=AS_HOST).status_code == 200
    # Where what a change has left is not kept with its key, its answer is made from the log.
    forget(document.id)
    answers = [
        client.get(f"{at}/game"),
        client.post(f"{at}/undo", headers=AS_HOST),
        client.post(f"{at}/events", json=event, headers=retried),
    ]
    # What reads well but cannot have been is found out where the log is replayed.
    assert {answer.status_code for answer in answers} <= {200, 503}
    is_unreadable(answers[2])


def played_with_a_key(
    document: Document, server: Single, client: FlaskClient
) -> tuple[Callable[[], TestResponse], TestResponse]:
    """Plays an event under a key: what sends it once more, and how it was answered."""
    document.keep(server)
    at = f"/v1/sessions/{document.id}"
    event = choose(json.loads(client.get(at).data), Random(1))
    retried = AS_HOST | {"Idempotency-Key": "a key"}
    send = partial(client.post, f"{at}/events", json=event, headers=retried)
    played = send()
    assert played.status_code == 200
    return send, played


@pytest.mark.parametrize("odd", ["", "0", "9", "9" * 30, "x", "1.0"])
def test_a_record_that_no_session_has_written_is_said_to_be_so(
    odd: str, server: Single, session_client: FlaskClient
) -> None:
    document, client = RUNNING[0], session_client
    retry, _ = played_with_a_key(document, server, client)
    kept = server.ask("HGETALL", document.key)
    fields = kept if isinstance(kept, dict) else dict(zip(kept[::2], kept[1::2], strict=True))
    name, record = next(pair for pair in fields.items() if pair[0].startswith(b"k:"))
    said, _, _ = record.rpartition(b":")
    server.ask("HSET", document.key, name, said + b":" + odd.encode())
    answer = retry()
    if odd == "9" and document.version >= 9:
        assert answer.status_code == 200
    else:
        is_unreadable(answer)


@pytest.mark.parametrize(
    "odd",
    ["no list", "[]", "{}", "null", "[3,31]", '[2,31,0,"running",7,{},[],0,null]'],
)
def test_a_moment_that_no_session_has_left_is_said_to_be_so(
    odd: str, server: Single, session_client: FlaskClient
) -> None:
    document, client = RUNNING[0], session_client
    retry, played = played_with_a_key(document, server, client)
    at = f"/v1/sessions/{document.id}"
    event_after = choose(json.loads(played.data)["session"], Random(1))
    assert client.post(f"{at}/events", json=event_after, headers=AS_HOST).status_code == 200
    assert retry().data == played.data
    server.ask("HSET", document.key, f"m:{document.version + 1}", odd)
    is_unreadable(retry())


# Every member of a document, in turn ------------------------------------------------------------

ODD: tuple[Any, ...] = (None, True, -1, 10**18, 1.5, "x", "", [], {}, [[]], {"x": 1})


def members(value: Any, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """Where something stands in a document."""
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        # The first and the last of them: the others are no different.
        inner = [(place, value[place]) for place in {0, len(value) - 1} if value]
    for name, one in inner:
        yield (*path, name)
        yield from members(one, *path, name)


def with_odd_members(document: Document) -> Iterator[tuple[str, bytes]]:
    for path in members(document.parsed):
        for odd in ODD:
            parsed = document.parsed
            place: Any = parsed
            for name in path[:-1]:
                place = place[name]
            place[path[-1]] = odd
            yield f"{path} {odd!r}", orjson.dumps(parsed)


@every_document
def test_a_document_with_an_odd_member_is_read_or_refused(document: Document) -> None:
    """Nothing else is ever raised: that would be a fault of ours."""
    refused = 0
    for what, content in with_odd_members(document):
        try:
            session = decoded(content, document.id, document.version)
            if session.game in catalogue():
                replay.check_setup(catalogue()[session.game], session)
        except StoreError:
            refused += 1
            continue
        try:
            use(document, session)
        except Exception as error:
            raise AssertionError(what) from error
    assert refused


def use(document: Document, session: Session) -> None:
    """All that can be done with it, and every time it may be refused."""
    game = catalogue().get(session.game)
    if game is None:
        return
    log = [entry_of(line, session.id) for line in document.lines]
    host, seat, token = Actor(None), Actor(0), session.host
    event = orjson.loads(document.entries[-1])["event"]
    uses: tuple[Callable[[], object], ...] = (
        lambda: view.state(game, session, replay.table_of(game, session)),
        lambda: changes.act(game, session, event, host, NOW),
        lambda: changes.undo(game, session, lambda: log, host, NOW),
        lambda: changes.add_seed(game, session, {"seed": "a"}, seat, NOW),
        lambda: changes.reissue(game, session, 0, token, host, NOW),
        lambda: changes.abandon(game, session, {}, host, NOW),
        lambda: replay.rebuilt(game, session, log),
    )
    for one in uses:
        with suppress(StoreError, SessionRuleError):
            one()
