"""Stored sessions of this release, of release 0.10.0, and unreadable sessions."""

import json
from collections.abc import Callable, Iterator
from types import NoneType
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.sessions.session import EARLIER_SCHEMA, SCHEMA, decode, encode
from tests.engines.servers import Single
from tests.sessions.documents import FOLDER, HOST, SEATS, Document, change, documents, names, play

EVERY_SCHEMA = list(documents())
DOCUMENTS = [document for document in EVERY_SCHEMA if document.parsed["schema"] == SCHEMA]
OF_0_10_0 = [document for document in EVERY_SCHEMA if document.parsed["schema"] == EARLIER_SCHEMA]
RUNNING = [document for document in DOCUMENTS if document.name.endswith("-running")]
AS_HOST = {"Authorization": f"Bearer {HOST}"}

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)


def test_release_has_sample_documents_of_its_schema() -> None:
    assert {*names()} <= {document.name for document in DOCUMENTS}
    assert OF_0_10_0


@every_document
def test_release_reads_the_documents_it_writes(document: Document) -> None:
    session = decode(document.content, document.id, document.version)
    assert encode(session) == document.content


@every_document
def test_stored_session_of_this_schema_continues(
    document: Document, server: Single, session_client: FlaskClient
) -> None:
    document.keep(server)
    at, parsed, client = f"/v1/sessions/{document.id}", document.parsed, session_client
    state = json.loads(client.get(at).data)
    assert (state["status"], state["version"]) == (parsed["status"], document.version)
    events = json.loads(client.get(f"{at}/events").data)["events"]
    assert events == document.entries
    if parsed["status"] == "over" and parsed["dice"] == "client":
        state = change(client, f"{at}/undo", HOST, {})["session"]
        assert state["status"] == "running"
    play(client, at, to_the_end=True)
    state = json.loads(client.get(at).data)
    assert state["status"] == "over"
    record = json.loads(client.get(f"{at}/game").data)
    audit = json.loads(client.post(f"/v1/{parsed['game']}/audits", json=record).data)
    assert (audit["legal"], audit["over"]) == (True, True)
    assert audit["winners"] == state["winners"]
    if parsed["dice"] == "service":
        claim = {"game": parsed["game"], "record": record, "fairness": state["fairness"]}
        verdict = json.loads(client.post("/v1/fairness/verify", json=claim).data)
        assert verdict["fair"], verdict
        assert len(verdict["chances"]) == state["fairness"]["draws"]


WINNERS_OF_0_10_0 = {"tutto": [2], "yatzee": [1], "pot": [2]}
"""Winners by the audits of release 0.10.0."""


@pytest.mark.parametrize("game", WINNERS_OF_0_10_0)
def test_export_of_0_10_0_is_audited_by_its_line(game: str, session_client: FlaskClient) -> None:
    export = json.loads((FOLDER / f"0.10.0-{game}.json").read_bytes())
    # The log of an event `throw` is no longer read.
    whole = session_client.post(f"/v1/{game}/audits", json=export)
    assert whole.status_code == (200 if game == "tutto" else 400)
    answer = session_client.post(f"/v1/{game}/audits", json={"line": export["line"]})
    audit = json.loads(answer.data)
    assert (audit["legal"], audit["over"]) == (True, True)
    assert audit["winners"] == WINNERS_OF_0_10_0[game]
    assert audit["line"] == export["line"]


# Unreadable documents
# ------------------------------------------------------------------------------


def is_unreadable(answer: TestResponse) -> None:
    assert answer.status_code == 503, answer.data
    assert json.loads(answer.data)["type"] == "/problems/session-unreadable"
    assert int(answer.headers["Retry-After"]) > 0


def is_left_alone(document: Document, server: Single, client: FlaskClient) -> None:
    """Expects every request to report the document as unreadable and leave it unchanged."""
    at, keys = f"/v1/sessions/{document.id}", (document.key, f"{document.key}:log")
    before = [server.ask("DUMP", key) for key in keys]
    for path in ("", "/game", "/seats"):
        is_unreadable(client.get(at + path))
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


def without_log(document: Document) -> Document:
    """Returns the session before its first entry."""
    return document._replace(content=changed(document, version=0), log=[])


@pytest.mark.parametrize(
    "document",
    [*OF_0_10_0, *map(without_log, OF_0_10_0)],
    ids=lambda document: f"{document.name}-{document.version}",
)
def test_session_of_0_10_0_is_left_unchanged(
    document: Document, server: Single, session_client: FlaskClient
) -> None:
    document.keep(server)
    is_left_alone(document, server, session_client)
    at_the_end = f"/events?after={document.version}"
    for path in ("", "/events", at_the_end, "/stream", "/game"):
        answer = session_client.get(f"/v1/sessions/{document.id}{path}")
        is_unreadable(answer)
        assert "of release 0.10.0" in json.loads(answer.data)["detail"]


CHANGED: dict[str, Callable[[Document], bytes]] = {
    "cut off": lambda document: document.content[:-40],
    "no JSON": lambda document: b"\x80\x04K\x01.",
    "no object": lambda document: b"[1]",
    "no text": lambda document: b"\xff\xfe",
    "too deep": lambda document: b"[" * 100_000,
    "a number of 10,000 digits": lambda document: b"9" * 10_000,
    "no schema": lambda document: changed(document, schema=None),
    "of a later release": lambda document: changed(
        document, schema=SCHEMA + 1, dice={"rolls_made": "a robot"}
    ),
    "of a game that is not known": lambda document: changed(document, game="skat"),
    "of another session": lambda document: changed(document, id="0" * 22),
    "of another version": lambda document: changed(document, version=document.version + 1),
    "of 0.4.0": lambda document: changed(document, schema=1),
}


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_unreadable_document_is_left_unchanged(
    change: Callable[[Document], bytes], server: Single, session_client: FlaskClient
) -> None:
    document = RUNNING[0]
    document.keep(server, change(document))
    is_left_alone(document, server, session_client)
    # Readable documents beside it remain usable.
    beginning = {"game": "pot", "players": ["Ann", "Ben"]}
    assert session_client.post("/v1/sessions", json=beginning).status_code == 201


def wrong(value: Any) -> list[Any]:
    """Returns values of other types than a stored value, as a whole and as an item."""
    whole = {str: 7, bool: "x", int: "x", dict: [1], list: {"a": 1}, NoneType: 1.5}[type(value)]
    return [whole, [{}] * len(value)] if isinstance(value, list) and value else [whole]


def spoilt(document: Document) -> Iterator[bytes]:
    """Yields the document with each field, also of setup and table, in another type."""
    parsed = document.parsed
    parts = [(parsed, ()), (parsed["beginning"], ("beginning",)), (parsed["table"], ("table",))]
    for part, path in parts:
        for name, value in part.items():
            for other in wrong(value):
                spoilt_part = {**part, name: other}
                yield changed(document, **({path[0]: spoilt_part} if path else spoilt_part))


@every_document
def test_field_of_a_wrong_type_makes_a_session_unreadable(
    document: Document, server: Single, session_client: FlaskClient
) -> None:
    at, headers = f"/v1/sessions/{document.id}", {"Authorization": f"Bearer {HOST}"}
    contents = [*spoilt(document)]
    assert len(contents) > 25
    for content in contents:
        document.keep(server, content)
        for path in ("", "/seats", "/game"):
            is_unreadable(session_client.get(at + path))
        is_unreadable(session_client.post(f"{at}/undo", json={}, headers=headers))
