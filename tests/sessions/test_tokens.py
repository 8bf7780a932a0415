"""Secrets of hosts and seats: length, randomness, and comparison by hash."""

import hashlib
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator

import pytest
from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.sessions import tokens
from dice_referee.sessions.fairness import new_seed
from dice_referee.sessions.tokens import is_id, matching, new_id, new_token, token_hash
from tests.application import accepted, begin
from tests.tools.stores import fresh_store
from tests.unlimited import UNLIMITED


def in_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@pytest.mark.parametrize(
    ("make", "bits"),
    [
        (lambda: in_bytes(new_token()), 256),
        (lambda: in_bytes(new_id()), 128),
        (new_seed, 256),
    ],
    ids=["token", "id", "seed"],
)
def test_every_bit_of_a_secret_is_random(make: Callable[[], bytes], bits: int) -> None:
    """Every bit of 300 secrets was 0 and 1, and no two bits equal: by chance once in 2**270."""
    secrets = [make() for _ in range(300)]
    assert {8 * len(secret) for secret in secrets} == {bits}
    columns = [
        sum((int.from_bytes(secret) >> place & 1) << n for n, secret in enumerate(secrets))
        for place in range(bits)
    ]
    assert not {0, (1 << len(secrets)) - 1} & {*columns}
    assert len({*columns}) == bits


def test_id_has_22_url_safe_characters() -> None:
    assert all(is_id(new_id()) for _ in range(100))
    assert not any(
        map(is_id, ("", "a" * 21, "a" * 23, "a" * 21 + "\n", "a" * 21 + "é", new_token()))
    )


def test_token_hash_is_its_sha256() -> None:
    token = new_token()
    assert token_hash(token) == hashlib.sha256(token.encode()).hexdigest()


def test_token_opens_its_own_seat_only() -> None:
    tokens = [new_token() for _ in range(5)]
    hashes = [*map(token_hash, tokens)]
    assert [matching(token, hashes) for token in tokens] == [0, 1, 2, 3, 4]
    for wrong in (new_token(), "", hashes[0], tokens[0][:-1], tokens[0] + "A", "\udcff"):
        assert matching(wrong, hashes) is None
    assert matching(tokens[0], []) is None


def test_hashes_are_compared_to_their_last_character(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes of random tokens differ everywhere. These hashes differ in a single character."""
    digest = "0123456789abcdef" * 4
    similar = [f"{digest[:n]}x{digest[n + 1 :]}" for n in range(len(digest))]
    monkeypatch.setattr(tokens, "token_hash", lambda token: token)
    assert matching(digest, similar) is None
    assert [matching(digest, [*similar[:n], digest, *similar[n:]]) for n in (0, 63)] == [0, 63]
    for wrong in (digest[:-1], f"{digest}0", ""):
        assert matching(digest, [wrong]) is None


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    with fresh_store() as store:
        yield create_app(UNLIMITED, store).test_client()


def test_every_secret_of_a_session_has_256_bits(client: FlaskClient) -> None:
    """Covers the secrets at creation and a reissued secret."""
    table = begin(client)
    reissued = accepted(table.post("seats/1/token"))["seat_token"]
    secrets = [table.host, *table.seats, reissued]
    assert len(set(secrets)) == 4
    assert {len(in_bytes(secret)) for secret in secrets} == {32}
    assert len(in_bytes(table.id)) == 16


def test_every_session_has_its_own_seed_of_256_bits(client: FlaskClient) -> None:
    seeds = set()
    for _ in range(5):
        table = begin(client, game="pot")
        seeds.add(accepted(table.post("abandon"))["session"]["fairness"]["seed"])
        rematch = accepted(table.post("rematch"))["session"]["rematch"]
        second = table._replace(at=f"/v1/sessions/{rematch}")
        seeds.add(accepted(second.post("abandon"))["session"]["fairness"]["seed"])
    assert len(seeds) == 10
    assert {len(bytes.fromhex(seed)) for seed in seeds} == {32}
