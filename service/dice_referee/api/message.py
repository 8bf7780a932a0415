"""A request that was read whole, and its answer without the common headers."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from dice_referee.api.headers import LOADS_NOTHING, NO_STORE, Headers, SharedHeaders
from dice_referee.limits.bill import FREE, Bill
from dice_referee.limits.counters import RateLimitStatus

JSON = "application/json"
HTML = "text/html"
NDJSON = "application/x-ndjson"
TEXT = "text/plain"
EVENT_STREAM = "text/event-stream"
PROBLEM = "application/problem+json"


class Body(NamedTuple):
    """Body of a request with its ``size`` in bytes. It is empty if it exceeds the limit."""

    content: bytes
    size: int


NO_BODY = Body(b"", 0)


class Place(Enum):
    """Place where a request is answered."""

    LOOP = "loop"
    """Event loop, which must not wait or compute for long."""
    THREAD = "thread"
    """Thread of ordinary operations, which may wait but not compute for long."""
    HEAVY = "heavy"
    """Thread of long computations, or a server without an event loop."""


class Request(NamedTuple):
    """Request of a client, with the place where it is answered."""

    method: str
    path: str
    query: bytes
    headers: Mapping[bytes, bytes]
    """Headers by lower-case name. Commas join the values of a repeated header."""
    peer: str
    """Address of the connected socket, empty for a unix socket."""
    route: str
    """Pattern of the path, such as ``/v1/<game>``, a label of low cardinality."""
    parameters: Mapping[str, Any]
    """Parameters of the path."""
    body: Body = NO_BODY
    accepted: str = JSON
    """Media type of the answer, chosen from those that the operation offers."""
    place: Place = Place.HEAVY
    """Place where the request is answered."""
    bill: Bill = FREE
    """Costs of the request."""

    def header(self, name: bytes) -> str | None:
        """Returns the value of a header, by its lower-case name."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")


class Feed(NamedTuple):
    """Feed of a session that follows an answer."""

    session: str
    after: int
    """Version that the client knows after the answer."""
    seconds: int
    """Maximum seconds of a long poll."""
    streamed: bool
    behind: bool = False
    """True if the log has entries after the answer."""
    with_state: bool = False
    """True if the last entry of a page has the session after it."""
    late_body: Callable[[], bytes] | None = None
    """Makes an answer in sentences when news arrives. Raises StoreError and ProblemError."""
    holder: str | None = None
    """Hash of a stream's token, if any."""
    check: Callable[[], object] | None = None
    """Raises ProblemError if the token is void, and StoreError."""


@dataclass(slots=True)
class Answer:
    """Answer of an operation. The pipeline adds the common headers."""

    body: bytes | Generator[bytes, None, None] = b""
    """Content, whole or in pieces that are sent as they are made."""
    status: int = 200
    media_type: str = JSON
    cache: str = NO_STORE
    etag: str | None = None
    """Entity tag to compare with ``If-None-Match``. Cacheable answers derive it from the body."""
    language: str | None = None
    """Language of the text in the body, or ``None`` without text."""
    vary: tuple[str, ...] = ()
    headers: Headers = ()
    policy: str = LOADS_NOTHING
    """Content-Security-Policy of the answer."""
    feed: Feed | None = None
    """Feed that follows the body, if any."""
    limit: RateLimitStatus | None = None
    """Status of a limit that the answer reports instead of the operation's own limit."""


class Response(NamedTuple):
    """Answer with all headers but the length of its body."""

    status: int
    shared: SharedHeaders
    own: Headers
    body: bytes | Generator[bytes, None, None]
    feed: Feed | None
