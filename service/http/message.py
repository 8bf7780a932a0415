"""A request that was read whole, and an answer before it is dressed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from service.http.policy import CACHED, UNCACHED, entity_tag, is_match

JSON = "application/json"

REFUSAL = "referee.refusal"
"""The WSGI environ key by which the front door asks for a problem that it has found out itself."""

SPENT = "referee.spent"
"""The WSGI environ key, and that of an ASGI scope, of the receipt for a request that is counted."""

GAME, RULESET = "referee.game", "referee.ruleset"
"""The WSGI environ keys of what a request is about, as far as is known; for the log."""

HELD = "referee.held"
"""The WSGI environ key of a ``Held``: the front door waits for news itself, without a thread."""


@dataclass(slots=True)
class Held:
    """What a request for a session's feed waits for, told to the front door by who answers it."""

    session: str = ""
    """The id of the session; none if there is nothing to wait for."""
    after: int = 0
    """The version that the client knows after the answer."""
    seconds: int = 0
    streamed: bool = False
    count: Callable[[], None] = field(default=lambda: None)
    """Counts and logs the answer; called by the front door, if this is what it sends."""

    def hold(self, session: str, after: int, seconds: int, *, streamed: bool) -> None:
        """The answer is not the end: wait for what comes after this version."""
        self.session, self.after, self.seconds, self.streamed = session, after, seconds, streamed


class Request(NamedTuple):
    """Header names are lower-case; values are as they came."""

    method: str
    path: str
    query: bytes
    headers: dict[bytes, bytes]
    body: bytes


class Answer(NamedTuple):
    """What is to be sent, but for the headers that every answer has."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    ruleset: str = ""
    """By what was judged, if it was; for the log."""


def fresh(body: bytes, kind: str = JSON, ruleset: str = "") -> Answer:
    """An answer that nobody keeps."""
    return Answer(200, (("Content-Type", kind), UNCACHED), body, ruleset)


def cached(body: bytes, if_none_match: str | None, kind: str = JSON, ruleset: str = "") -> Answer:
    """The answer to a GET that anybody may keep for a while; 304 if the client has it already."""
    tag = entity_tag(body)
    if is_match(if_none_match, tag):
        return Answer(304, (CACHED, ("ETag", tag)), b"", ruleset)
    return Answer(200, (("Content-Type", kind), CACHED, ("ETag", tag)), body, ruleset)
