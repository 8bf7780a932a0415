"""A request that was read whole, and an answer without the common headers."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from dice_referee.api.headers import LOADS_NOTHING, NO_STORE, Headers, SharedHeaders
from dice_referee.limits.bill import Bill
from dice_referee.limits.counters import LocalCounter, RateLimitStatus

JSON = "application/json"
HTML = "text/html"
NDJSON = "application/x-ndjson"
TEXT = "text/plain"
EVENT_STREAM = "text/event-stream"
PROBLEM = "application/problem+json"


class Body(NamedTuple):
    """Body of a request: ``size`` in bytes, without content if it is over the limit."""

    content: bytes
    size: int


NO_BODY = Body(b"", 0)


class Place(Enum):
    """Place where a request is answered."""

    LOOP = "loop"
    """The event loop: nothing may wait or take long."""
    THREAD = "thread"
    """A thread of ordinary operations: it may wait, but not compute for long."""
    HEAVY = "heavy"
    """The thread of what computes for long, or a server without an event loop."""


class Request(NamedTuple):
    """One request: what the client sent, and the place where it is answered."""

    method: str
    path: str
    query: bytes
    headers: Mapping[bytes, bytes]
    """Headers by lower-case name; the values of a repeated header are joined by commas."""
    peer: str
    """The address of the connected socket; empty for a unix socket."""
    route: str
    """The pattern of the path, such as ``/v1/games/<game>``: a label of few values."""
    parameters: Mapping[str, Any]
    """Parameters of the path."""
    body: Body = NO_BODY
    accepted: str = JSON
    """The media type of the answer, of those that the operation offers."""
    place: Place = Place.HEAVY
    """Place where the request is answered."""
    bill: Bill = Bill(LocalCounter())
    """The costs of the request."""

    def header(self, name: bytes) -> str | None:
        """Returns the value of a header, by its lower-case name."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")


class Feed(NamedTuple):
    """Feed of a session that a request waits for after its answer."""

    session: str
    after: int
    """The version that the client knows after the answer."""
    seconds: int
    """Seconds that a long poll waits."""
    streamed: bool
    late_body: Callable[[], bytes] | None = None
    """Makes the answer where that is sentences. Raises StoreError and ProblemError."""


@dataclass(slots=True)
class Answer:
    """Answer of an operation; the pipeline adds what every answer has."""

    body: bytes | Generator[bytes, None, None] = b""
    """Whole, or in pieces that are sent as they are made."""
    status: int = 200
    media_type: str = JSON
    cache: str = NO_STORE
    etag: str | None = None
    """The entity tag, if ``If-None-Match`` counts; made from the body where anyone may cache it."""
    language: str | None = None
    """The language of the text in the body; ``None`` if it holds none."""
    vary: tuple[str, ...] = ()
    headers: Headers = ()
    policy: str = LOADS_NOTHING
    """The Content-Security-Policy."""
    feed: Feed | None = None
    """Feed that follows the body, if there is one."""
    limit: RateLimitStatus | None = None
    """Status of another limit than the operation's, for the answer to tell."""


class Response(NamedTuple):
    """An answer as a server sends it, but for the length of its body."""

    status: int
    shared: SharedHeaders
    own: Headers
    body: bytes | Generator[bytes, None, None]
    feed: Feed | None
