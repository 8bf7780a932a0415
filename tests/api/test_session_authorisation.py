"""Rights in a session: every changing operation, with every kind of token."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.api import session_access
from dice_referee.app import create_app
from dice_referee.sessions import tokens
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.tokens import hashed
from tests.api.conftest import PATIENT_MS
from tests.application import SessionClient, accepted, begin, refused
from tests.tools.examples import operations
from tests.unlimited import UNLIMITED

AT = "/v1/sessions/{session_id}"
BODIES: dict[tuple[str, str], Any] = {
    ("post", f"{AT}/events"): {"type": "draw"},
    ("post", f"{AT}/seeds"): {"seed": "mine"},
    ("post", f"{AT}/seats/{{number}}/bot"): {"level": "bold"},
}
"""Bodies that operations need besides a token."""

CHANGES = [(method, path) for path, method, described in operations() if described.get("security")]
READS = [
    (method, path)
    for path, method, described in operations()
    if path.startswith(AT) and not described.get("security")
]

GUARDED = [
    (method, path)
    for path, method, described in operations()
    if {"$ref": "#/components/parameters/IfMatch"} in described.get("parameters", ())
]
"""Operations that take the version of the session that a change is meant for."""

BOT = f"{AT}/seats/{{number}}/bot"
HOST_ONLY = {("delete", AT), ("post", f"{AT}/abandon"), ("post", f"{AT}/seats/{{number}}/token")}
HOST_ONLY |= {("post", BOT), ("delete", BOT)}
SEAT_ONLY = {("post", f"{AT}/seeds")}
FOR_WHOSE_TURN_IT_IS = {("post", f"{AT}/events")}
FOR_WHO_DID_IT = {("post", f"{AT}/undo")}
FOR_ALL_AT_THE_TABLE = {("post", f"{AT}/rematch"), ("post", f"{AT}/seats/{{number}}/nudge")}
FOR_THE_SEAT_ITSELF = {("post", f"{AT}/seats/{{number}}/arrival")}


def test_rights_tests_cover_every_operation_of_a_session() -> None:
    ruled = HOST_ONLY | SEAT_ONLY | FOR_WHOSE_TURN_IT_IS | FOR_WHO_DID_IT
    ruled |= FOR_ALL_AT_THE_TABLE | FOR_THE_SEAT_ITSELF
    assert set(CHANGES) == ruled
    parts = ("", "/events", "/stream", "/seats", "/odds", "/game")
    assert [("get", f"{AT}{part}") for part in parts] == READS


class Table(SessionClient):
    """A session that is asked by the paths of the contract."""

    def ask(self, method: str, path: str, authorization: str | None = None) -> TestResponse:
        address = path.format(session_id=self.id, number=1)
        headers = {} if authorization is None else {"Authorization": authorization}
        body = BODIES.get((method, path))
        return self.client.open(address, method=method.upper(), headers=headers, json=body)

    def seen(self) -> list[bytes]:
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
def test_a_session_cannot_be_changed_without_a_token(table: Table, method: str, path: str) -> None:
    before = table.seen()
    for wrong in (None, "", "Bearer", "Bearer ", f"Basic {table.host}", table.host, "Token x"):
        unauthorized(table.ask(method, path, wrong), 'Bearer realm="session"')
    address, token = path.format(session_id=table.id, number=1), f"Bearer {table.host}"
    elsewhere = {"Cookie": f"token={table.host}", "X-Api-Key": table.host, "X-Authorization": token}
    request: dict[str, Any] = {"json": BODIES.get((method, path)), "method": method.upper()}
    assert table.client.open(address, headers=elsewhere, **request).status_code == 401
    for name in ("token", "access_token", "authorization"):
        answer = table.client.open(address, query_string={name: table.host}, **request)
        assert answer.status_code in (400, 401)
    assert table.seen() == before


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_no_token_of_another_session_opens_this_one(
    client: FlaskClient, table: Table, method: str, path: str
) -> None:
    before, stranger = table.seen(), new_table(client)
    untouched = stranger.seen()
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
    assert table.seen() == before
    assert stranger.seen() == untouched


@pytest.mark.parametrize(("method", "path"), GUARDED)
def test_a_change_meant_for_another_version_changes_nothing(
    client: FlaskClient, method: str, path: str
) -> None:
    table = new_table(client, "client" if path.endswith("/undo") else "service")
    before = table.seen()
    address = path.format(session_id=table.id, number=1)
    request: dict[str, Any] = {"json": BODIES.get((method, path)), "method": method.upper()}
    token = table.seats[0] if (method, path) in SEAT_ONLY else table.host
    for known in ('"1"', 'W/"7", "00"'):
        headers = {"Authorization": f"Bearer {token}", "If-Match": known}
        refused(table.client.open(address, headers=headers, **request), "precondition-failed", 412)
    assert table.seen() == before


@pytest.mark.parametrize(("method", "path"), sorted(HOST_ONLY))
def test_operation_of_the_host_is_forbidden_to_seats(table: Table, method: str, path: str) -> None:
    if (method, path) == ("delete", BOT):
        accepted(table.ask("post", BOT, f"Bearer {table.host}"))
    before = table.seen()
    for seat in table.seats:
        refused(table.ask(method, path, f"Bearer {seat}"), "forbidden", 403)
    assert table.seen() == before
    assert table.ask(method, path, f"bearer {table.host}").status_code == 200


@pytest.mark.parametrize(("method", "path"), sorted(SEAT_ONLY))
def test_operation_of_a_seat_is_forbidden_to_the_host(table: Table, method: str, path: str) -> None:
    before = table.seen()
    refused(table.ask(method, path, f"Bearer {table.host}"), "forbidden", 403)
    assert table.seen() == before
    for place, seat in enumerate(table.seats):
        answer = table.ask(method, path, f"Bearer {seat}")
        assert answer.get_json()["accepted"]["event"]["player"] == place


@pytest.mark.parametrize(("method", "path"), sorted(FOR_THE_SEAT_ITSELF))
def test_only_the_holder_of_a_seat_arrives_there(table: Table, method: str, path: str) -> None:
    before = table.seen()
    refused(table.ask(method, path, f"Bearer {table.seats[0]}"), "forbidden", 403)
    assert table.ask(method, path, f"Bearer {table.host}").status_code == 200
    assert table.seen() == before
    assert table.ask(method, path, f"Bearer {table.seats[1]}").status_code == 200


@pytest.mark.parametrize(("method", "path"), sorted(FOR_WHOSE_TURN_IT_IS))
def test_only_the_player_to_move_or_the_host_moves(table: Table, method: str, path: str) -> None:
    before = table.seen()
    refused(table.ask(method, path, f"Bearer {table.seats[1]}"), "forbidden", 403)
    assert table.seen() == before
    accepted = table.ask(method, path, f"Bearer {table.host}").get_json()["accepted"]
    assert (accepted["player"], accepted["by"]) == (0, "host")


@pytest.mark.parametrize(("method", "path"), sorted(FOR_WHO_DID_IT))
def test_table_dice_are_taken_back_by_the_host_alone(
    client: FlaskClient, method: str, path: str
) -> None:
    table = new_table(client, "client")
    moved = table.post("events", {"type": "draw", "card": "clover"})
    assert moved.status_code == 200
    before = table.seen()
    for seat in table.seats:
        refused(table.ask(method, path, f"Bearer {seat}"), "forbidden", 403)
    assert table.seen() == before
    assert table.ask(method, path, f"Bearer {table.host}").status_code == 200


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_a_token_that_was_reissued_is_worth_nothing(table: Table, method: str, path: str) -> None:
    answer = table.ask("post", f"{AT}/seats/{{number}}/token", f"Bearer {table.host}").get_json()
    before = table.seen()
    unauthorized(
        table.ask(method, path, f"Bearer {table.seats[1]}"),
        'Bearer realm="session", error="invalid_token"',
    )
    assert table.seen() == before
    new = f"Bearer {answer['seat_token']}"
    assert table.ask("post", f"{AT}/seeds", new).get_json()["accepted"]["player"] == 1


def test_a_key_is_the_token_s_own(table: Table) -> None:
    """Two seats may use equal keys; each gets its own answer."""
    for place, seat in enumerate(table.seats):
        answer = table.post("seeds", {"seed": "same"}, seat, Idempotency_Key="k").get_json()
        assert answer["accepted"]["event"]["player"] == place


def test_hashes_of_one_beginning_belong_to_different_tokens(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token opens nothing, arrives nowhere and repeats nothing for a hash that is similar."""
    monkeypatch.setattr(tokens, "hashed", lambda token: f"{token[-1]:0>64}")
    store = RedisStore(redis_url, PATIENT_MS)
    secrets = map("token-{}".format, "H01NN")
    client = create_app(UNLIMITED, store, new_token=secrets.__next__).test_client()
    table = new_table(client)
    before = table.seen()
    for method, path in CHANGES:
        answer = table.ask(method, path, "Bearer token-2")
        unauthorized(answer, 'Bearer realm="session", error="invalid_token"')
    assert table.seen() == before
    for place, secret in enumerate(table.seats):
        key = {"Idempotency-Key": "k"}
        answer = table.post("seeds", {"seed": "same"}, secret, **key).get_json()
        assert answer["accepted"]["player"] == place
        arrived = table.post(f"seats/{place}/arrival", None, secret, **key).get_json()
        assert [seat["arrived"] for seat in arrived["seats"]] == [True, place == 1]
    for method, path in sorted(HOST_ONLY, reverse=True):
        assert table.ask(method, path, f"Bearer {table.seats[1]}").status_code == 403
    assert table.ask("post", f"{AT}/abandon", f"Bearer {table.host}").status_code == 200
    store.close()


@pytest.mark.parametrize("last", range(2))
def test_uses_and_keys_of_one_beginning_are_different(
    table: Table, monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    """The digest of a key's use differs in its last character, or the key does."""
    monkeypatch.setattr(
        session_access, "digest", lambda _, body: f"{body['seed'][-1]:0>64}:".encode()
    )
    statuses = []
    for number in range(2):
        body, key = {"seed": f"seed {number}"}, f"{number * last:0>128}"
        answer = table.post("seeds", body, table.seats[0], Idempotency_Key=key)
        statuses.append(answer.status_code)
    assert statuses == [200, 200 if last else 422]


@pytest.mark.parametrize(("method", "path"), CHANGES + READS)
def test_a_session_that_is_not_there_is_a_404_for_every_token(
    table: Table, method: str, path: str
) -> None:
    """A missing or deleted session answers 404 or 410 before the token is checked."""
    deleted = table.ask("delete", AT, f"Bearer {table.host}")
    assert deleted.status_code == 200
    unknown = table._replace(at=f"/v1/sessions/{'A' * 22}")
    for authorization in (None, "Bearer x", f"Bearer {table.host}"):
        gone = table.ask(method, path, authorization)
        problem = refused(gone, "gone", 410)
        assert problem["fairness"] == deleted.get_json()["session"]["fairness"]
        refused(unknown.ask(method, path, authorization), "not-found", 404)


@pytest.mark.parametrize(("method", "path"), READS)
def test_read_operations_reveal_no_secret(table: Table, method: str, path: str) -> None:
    for kind in ("draw", "roll"):
        table.post("events", {"type": kind})
    text = table.ask(method, path).get_data(as_text=True)
    for secret in (table.host, *table.seats):
        assert secret not in text
        assert hashed(secret) not in text
    assert '"seed":null' in text or '"fairness"' not in text
    # Odds hold the number of cards left in the pile, never their order.
    hidden = {"hidden", "token", "pile"} - ({"pile"} if path.endswith("/odds") else set())
    assert all(word not in text for word in hidden)
