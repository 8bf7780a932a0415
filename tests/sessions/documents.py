"""Stored sessions of each schema: the document in the first line, its log in the lines below.

Each file holds a session of a game and a source of dice, running or over. Its name begins with its
schema. A line of the log has the values of its fields in Redis, in Base64. Stored files never
change. ``python -m tests.sessions.documents`` writes the missing files for the schema of this
release. Run it after a change of schema. Release 0.10.0 exported each ``0.10.0-<game>.json``.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from random import Random
from secrets import token_urlsafe
from typing import Any, NamedTuple

from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.sessions.compression import decompress_entry
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.session import SCHEMA
from tests.engines.servers import ENGINES, Single
from tests.sessions.player import BEGINNINGS, choose
from tests.unlimited import UNLIMITED

FOLDER = Path(__file__).parent / "documents"
HOST, SEATS = "the host", ("seat 0", "seat 1", "seat 2")
"""Tokens of the host and of the seats."""
NOW = 1_800_000_000_000
DECADE = 315_360_000
"""Lifetime of these sessions in seconds."""
OVER = "over"
FIELDS = [b"e", b"n", b"s", b"m"]
"""Fields of a line of the log, the last in some lines only."""


class Document(NamedTuple):
    """A stored session and the fields of each line of its log."""

    name: str
    content: bytes
    log: list[list[bytes]]

    @property
    def parsed(self) -> dict[str, Any]:
        parsed: dict[str, Any] = json.loads(self.content)
        return parsed

    @property
    def id(self) -> str:
        return str(self.parsed["id"])

    @property
    def version(self) -> int:
        return len(self.log)

    @property
    def entries(self) -> list[Any]:
        """Entries of a session of this release's schema."""
        lines = enumerate(self.log, 1)
        return [json.loads(decompress_entry(line[0], number, self.id)) for number, line in lines]

    @property
    def key(self) -> str:
        return f"referee:{{{self.id}}}"

    def keep(self, server: Single, content: bytes | None = None) -> None:
        """Stores the session in a server, unchanged or with other content."""
        server.ask("DEL", self.key)
        server.ask("DEL", f"{self.key}:log")
        server.ask("HSET", self.key, "v", self.version, "doc", content or self.content)
        for number, line in enumerate(self.log, 1):
            fields = chain(*zip(FIELDS, line, strict=False))
            server.ask("XADD", f"{self.key}:log", f"{number}-0", *fields)


def documents() -> Iterator[Document]:
    """Yields the documents of every schema that was ever written."""
    for path in sorted(FOLDER.glob("*.ndjson")):
        content, *lines = path.read_bytes().splitlines()
        yield Document(path.stem, content, [[*map(b64decode, json.loads(line))] for line in lines])


def names() -> list[str]:
    """Returns the names of the sample sessions of this release's schema."""
    return [
        f"{SCHEMA}-{game}-{dice}-{status}"
        for game in sorted(BEGINNINGS)
        for dice in ("client", "service")
        for status in (OVER, "running")
    ]


def write(server: Single, name: str) -> None:
    """Plays a session to the named state and saves it as the store holds it."""
    _, game, dice, status = name.split("-")
    store = RedisStore(server.unix_url, 5000)
    tokens = iter((HOST, *SEATS))
    id = name.ljust(22, "_")[-22:]
    client = create_app(
        replace(UNLIMITED, session_ttl=DECADE),
        store,
        now=lambda: NOW,
        new_id=lambda: id,
        new_token=lambda: next(tokens),
        new_seed=lambda: bytes(range(32)),
    ).test_client()
    beginning = {"game": game, "dice": dice, **BEGINNINGS[game]}
    created = client.post("/v1/sessions", json=beginning)
    at = created.headers["Location"]
    state = json.loads(created.data)["session"]
    # Covers each kind of content that a session can hold.
    if dice == "service":
        change(client, f"{at}/seeds", SEATS[1], {"seed": "of the second seat"})
    else:
        change(client, f"{at}/events", SEATS[0], choose(state, Random(name)))
        change(client, f"{at}/undo", HOST, {})
    play(client, at, to_the_end=status == OVER)
    content = [store.read(id).document]
    for _, fields in server.ask("XRANGE", f"referee:{{{id}}}:log", "-", "+"):
        assert [*fields] == FIELDS[: len(fields)]
        values = [b64encode(value).decode() for value in fields.values()]
        content.append(json.dumps(values).encode())
    (FOLDER / f"{name}.ndjson").write_bytes(b"".join(line + b"\n" for line in content))
    store.close()


def play(client: FlaskClient, at: str, *, to_the_end: bool) -> None:
    """Plays on to the end, or until the dice on the table leave a choice."""
    random = Random(at)
    state = json.loads(client.get(at).data)
    while state["status"] == "running":
        if not to_the_end and state["version"] > 30 and state["adjudication"]:
            break
        token = SEATS[state["player"]]
        state = change(client, f"{at}/events", token, choose(state, random))["session"]


def change(client: FlaskClient, path: str, token: str, body: Any) -> Any:
    """Posts a change with a new idempotency key, and expects success."""
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": token_urlsafe()}
    answer = client.post(path, json=body, headers=headers)
    assert answer.status_code == 200, answer.data
    return json.loads(answer.data)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with Single(ENGINES[0]) as started:
        for missing in {*names()} - {document.name for document in documents()}:
            write(started, missing)
