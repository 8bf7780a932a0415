"""Rights in a session: every changing operation, with every kind of token."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.app import create_app
from dice_referee.sessions import tokens
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.tokens import token_hash
from tests.api.conftest import PATIENT_MS
from tests.application import SessionClient, accepted, begin, refused
from tests.tools.examples import operations
from tests.unlimited import UNLIMITED

AT = "/v1/sessions/{session_id}"
BODIES: dict[tuple[str, str], Any] = {
    ("post", f"{AT}/events"): {"type": "draw"},
    ("post", f"{AT}/seeds"): {"seed": "mine"},
    ("post", f"{AT}/seats/{{number}}/bot"): {"level": "bold"},
    ("post", f"{AT}/host"): {"seat": 1},
}
"""Bodies that operations need besides a token."""

ANYBODY: dict[str, Any] = {}
"""Security of an operation that needs no token."""
CHANGES = [
    (method, path)
    for path, method, described in operations()
    if ANYBODY not in described.get("security", [ANYBODY])
]
READS = [
    (method, path)
    for path, method, described in operations()
    if path.startswith(AT) and (method, path) not in CHANGES
]
STREAMS = {
    (method, path)
    for path, method, described in operations()
    if ANYBODY in described.get("security", ())
}
"""Operations that also read a token."""

GUARDED = [
    (method, path)
    for path, method, described in operations()
    if {"$ref": "#/components/parameters/IfMatch"} in described.get("parameters", ())
]
"""Operations that accept the expected version of the session."""

BOT = f"{AT}/seats/{{number}}/bot"
RIGHTS = {
    ("delete", AT): "h",
    ("post", f"{AT}/abandon"): "h",
    ("post", f"{AT}/seats/{{number}}/token"): "h",
    ("post", f"{AT}/host"): "h",
    ("post", BOT): "h1",
    ("delete", BOT): "h1",
    ("post", f"{AT}/seeds"): "01",
    ("post", f"{AT}/events"): "h0",
    ("post", f"{AT}/undo"): "h",
    ("post", f"{AT}/seats/{{number}}/nudge"): "h01",
    ("post", f"{AT}/seats/{{number}}/arrival"): "h1",
    ("post", f"{AT}/rematch"): "h01",
}
"""Owners of the tokens that may use an operation: the host, and seats by number.

The first seat moves, ``number`` is 1, and the players roll their own dice before an undo.
"""


def test_rights_tests_cover_every_operation_of_a_session() -> None:
    assert set(CHANGES) == RIGHTS.keys()
    parts = ("", "/events", "/stream", "/seats", "/odds", "/game")
    assert [("get", f"{AT}{part}") for part in parts] == READS


class Table(SessionClient):
    """A session addressed by the paths of the contract."""

    def ask(self, method: str, path: str, authorization: str | None = None) -> TestResponse:
        address = path.format(session_id=self.id, number=1)
        headers = {} if authorization is None else {"Authorization": authorization}
        body = BODIES.get((method, path))
        return self.client.open(address, method=method.upper(), headers=headers, json=body)

    def read_answers(self) -> list[bytes]:
        """Returns the answer of every operation that reads the session."""
        return [self.ask(method, path).get_data() for method, path in READS]


def new_table(client: FlaskClient, dice: str = "service") -> Table:
    return Table(*begin(client, players=["Ada", "Ben"], dice=dice))


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return new_table(client)


def unauthorized(answer: TestResponse, challenge: str) -> None:
    refused(answer, "unauthorized", 401)
    assert answer.headers.getlist("WWW-Authenticate") == [challenge]


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_changes_without_a_token_are_unauthorized(table: Table, method: str, path: str) -> None:
    before = table.read_answers()
    for wrong in (None, "", "Bearer", "Bearer ", f"Basic {table.host}", table.host, "Token x"):
        unauthorized(table.ask(method, path, wrong), 'Bearer realm="session"')
    address, token = path.format(session_id=table.id, number=1), f"Bearer {table.host}"
    elsewhere = {"Cookie": f"token={table.host}", "X-Api-Key": table.host, "X-Authorization": token}
    request: dict[str, Any] = {"json": BODIES.get((method, path)), "method": method.upper()}
    assert table.client.open(address, headers=elsewhere, **request).status_code == 401
    for name in ("token", "access_token", "authorization"):
        answer = table.client.open(address, query_string={name: table.host}, **request)
        assert answer.status_code in (400, 401)
    assert table.read_answers() == before


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_foreign_and_malformed_tokens_are_unauthorized(
    client: FlaskClient, table: Table, method: str, path: str
) -> None:
    before, stranger = table.read_answers(), new_table(client)
    untouched = stranger.read_answers()
    almost = table.host[:-1] + ("A" if table.host[-1] != "A" else "B")
    odd = [f"{table.host}x", f"x{table.host}", table.host.swapcase(), f"{table.host},{table.host}"]
    odd += [
        f"{table.host} {table.host}",
        f'"{table.host}"',
        "null",
        "*",
        "A" * 43,
        "eyJhbGciOiJub25lIn0.e30.",
    ]
    for token in (*odd, stranger.host, *stranger.seats, stranger.id, table.id, almost, "ä", "\t."):
        answer = table.ask(method, path, f"Bearer {token}")
        unauthorized(answer, 'Bearer realm="session", error="invalid_token"')
    assert table.read_answers() == before
    assert stranger.read_answers() == untouched


@pytest.mark.parametrize(("method", "path"), GUARDED)
def test_other_if_match_is_refused_and_changes_nothing(
    client: FlaskClient, method: str, path: str
) -> None:
    table = new_table(client, "client" if path.endswith("/undo") else "service")
    before = table.read_answers()
    address = path.format(session_id=table.id, number=1)
    request: dict[str, Any] = {"json": BODIES.get((method, path)), "method": method.upper()}
    token = table.seats[0] if "h" not in RIGHTS[method, path] else table.host
    for known in ('"1"', 'W/"7", "00"'):
        headers = {"Authorization": f"Bearer {token}", "If-Match": known}
        refused(table.client.open(address, headers=headers, **request), "precondition-failed", 412)
    assert table.read_answers() == before


@pytest.mark.parametrize(("method", "path"), RIGHTS)
def test_operation_is_forbidden_to_all_other_tokens(
    client: FlaskClient, method: str, path: str
) -> None:
    for allowed in RIGHTS[method, path]:
        table = new_table(client, "client" if path.endswith("/undo") else "service")
        if path.endswith("/undo"):
            accepted(table.post("events", {"type": "draw", "card": "clover"}))
        if path.endswith("/rematch"):
            accepted(table.post("abandon"))
        if (method, path) == ("delete", BOT):
            accepted(table.ask("post", BOT, f"Bearer {table.host}"))
        owners, before = (
            {"h": table.host, "0": table.seats[0], "1": table.seats[1]},
            table.read_answers(),
        )
        for owner in owners.keys() - {*RIGHTS[method, path]}:
            refused(table.ask(method, path, f"Bearer {owners[owner]}"), "forbidden", 403)
        assert table.read_answers() == before
        answer = table.ask(method, path, f"bearer {owners[allowed]}")
        # A player may call, but not the own seat.
        itself = path.endswith("/nudge") and allowed == "1"
        assert answer.status_code == (409 if itself else 200), (allowed, answer.data)
        entry = answer.get_json().get("entry", {"by": "host" if allowed == "h" else "seat"})
        assert entry["by"] == ("host" if allowed == "h" else "seat")
        if path.endswith("/seeds"):
            assert entry["event"]["player"] == int(allowed)
        if path.endswith("/arrival"):
            assert (table.read_answers() == before) == (allowed == "h")


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_replaced_token_is_unauthorized(table: Table, method: str, path: str) -> None:
    answer = table.ask("post", f"{AT}/seats/{{number}}/token", f"Bearer {table.host}").get_json()
    before = table.read_answers()
    unauthorized(
        table.ask(method, path, f"Bearer {table.seats[1]}"),
        'Bearer realm="session", error="invalid_token"',
    )
    assert table.read_answers() == before
    new = f"Bearer {answer['seat_token']}"
    assert table.ask("post", f"{AT}/seeds", new).get_json()["entry"]["player"] == 1


def test_idempotency_key_belongs_to_its_token(table: Table) -> None:
    """Two seats may use equal keys. Each gets its own answer."""
    for place, seat in enumerate(table.seats):
        answer = table.post("seeds", {"seed": "same"}, seat, Idempotency_Key="k").get_json()
        assert answer["entry"]["event"]["player"] == place


def test_hashes_with_equal_beginnings_are_different_tokens(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token with a similar hash opens nothing, reports no arrival and repeats no answer."""
    monkeypatch.setattr(tokens, "token_hash", lambda token: f"{token[-1]:0>64}")
    store = RedisStore(redis_url, PATIENT_MS)
    secrets = map("token-{}".format, "H01NN")
    client = create_app(UNLIMITED, store, new_token=secrets.__next__).test_client()
    table = new_table(client)
    before = table.read_answers()
    for method, path in CHANGES:
        answer = table.ask(method, path, "Bearer token-2")
        unauthorized(answer, 'Bearer realm="session", error="invalid_token"')
    assert table.read_answers() == before
    for place, secret in enumerate(table.seats):
        key = {"Idempotency-Key": "k"}
        answer = table.post("seeds", {"seed": "same"}, secret, **key).get_json()
        assert answer["entry"]["player"] == place
        arrived = table.post(f"seats/{place}/arrival", None, secret, **key).get_json()
        assert [seat["arrived"] for seat in arrived["seats"]] == [True, place == 1]
    for method, path in (
        right for right, owners in RIGHTS.items() if owners == "h" and right[1] != f"{AT}/undo"
    ):
        assert table.ask(method, path, f"Bearer {table.seats[1]}").status_code == 403
    assert table.ask("post", f"{AT}/abandon", f"Bearer {table.host}").status_code == 200
    store.close()


@pytest.mark.parametrize("last", range(2))
def test_requests_and_keys_are_compared_to_the_last_character(table: Table, last: int) -> None:
    """Tests requests that differ in the last character, and then keys that do."""
    statuses = []
    for number in range(2):
        body, key = {"seed": f"seed {number}"}, f"{number * last:0>128}"
        answer = table.post("seeds", body, table.seats[0], Idempotency_Key=key)
        statuses.append(answer.status_code)
    assert statuses == [200, 200 if last else 422]


@pytest.mark.parametrize(("method", "path"), CHANGES + READS)
def test_missing_session_is_a_404_or_410_for_every_token(
    table: Table, method: str, path: str
) -> None:
    """A missing session answers 404, and a deleted session 410, before the token is checked."""
    deleted = table.ask("delete", AT, f"Bearer {table.host}")
    assert deleted.status_code == 200
    unknown = table._replace(at=f"/v1/sessions/{'A' * 22}")
    for authorization in (None, "Bearer x", f"Bearer {table.host}"):
        gone = table.ask(method, path, authorization)
        problem = refused(gone, "gone", 410)
        assert problem["fairness"] == deleted.get_json()["session"]["fairness"]
        refused(unknown.ask(method, path, authorization), "not-found", 404)


@pytest.mark.parametrize(("method", "path"), sorted(STREAMS))
def test_streams_take_no_token_or_a_valid_token(table: Table, method: str, path: str) -> None:
    address, accept = path.format(session_id=table.id), {"Accept": "text/event-stream"}
    stranger = new_table(table.client)

    def follow(authorization: str) -> TestResponse:
        headers = {**accept, "Authorization": authorization}
        return table.client.open(address, method=method.upper(), headers=headers)

    for authorization in ("", "Bearer", f"Basic {table.host}", table.host):
        assert follow(authorization).status_code == 200
    for token in (table.host, *table.seats):
        assert follow(f"Bearer {token}").status_code == 200
    accepted(table.ask("post", f"{AT}/seats/{{number}}/token", f"Bearer {table.host}"))
    for token in (table.seats[1], stranger.host, *stranger.seats, table.id, "x"):
        unauthorized(follow(f"Bearer {token}"), 'Bearer realm="session", error="invalid_token"')


def test_polls_ignore_tokens(table: Table) -> None:
    assert table.ask("get", f"{AT}/events", "Bearer x").status_code == 200


@pytest.mark.parametrize(("method", "path"), READS)
def test_read_operations_reveal_no_secrets(table: Table, method: str, path: str) -> None:
    for kind in ("draw", "roll"):
        table.post("events", {"type": kind})
    text = table.ask(method, path).get_data(as_text=True)
    for secret in (table.host, *table.seats):
        assert secret not in text
        assert token_hash(secret) not in text
    assert '"seed":null' in text or '"fairness"' not in text
    # Odds hold the number of cards left in the pile, never their order.
    hidden = {"hidden", "token", "pile"} - ({"pile"} if path.endswith("/odds") else set())
    assert all(word not in text for word in hidden)
