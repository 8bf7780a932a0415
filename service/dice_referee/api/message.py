"""A request, the operation that answers it, and its answer."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple

from dice_referee.api.headers import LOADS_NOTHING, NO_HEADERS, NO_STORE, Headers, SharedHeaders
from dice_referee.api.services import Services
from dice_referee.games.game import AnyGame
from dice_referee.limits.bill import FREE, Bill
from dice_referee.limits.counters import RateLimitStatus
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.game import Document
from dice_referee.sessions.store import Seats
from dice_referee.settings import Settings

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


View = Callable[["Request"], "Answer | Rest"]
Rest = Callable[[], "Answer | Rest"]


@dataclass(frozen=True, slots=True)
class Operation:
    view: View
    rate: RatePolicy | None = RatePolicy.STATELESS
    """Rate policy, or ``None`` without a limit."""
    offers: tuple[str, ...] = (JSON,)
    """Media types of its answers, empty if it reads ``Accept`` itself."""
    large_body: bool = False
    """Allows a body of BATCH_BODY_LIMIT bytes instead of BODY_LIMIT."""
    any_origin: bool = True
    """Lets pages of every origin read the answer, not only those of SESSION_ORIGINS."""
    any_host: bool = False
    """Skips the Host check, because probes connect by address."""
    quick: bool = False
    """Begins in the event loop, because it takes microseconds and reads no store."""
    heavy: bool = False
    """Runs in the heavy thread of the process, in turn with other long computations.

    If it is ``quick`` too, only its rest does.
    """
    counted: bool = True
    """Counts and logs the answers."""

    def body_limit(self, settings: Settings) -> int:
        return settings.batch_body_limit if self.large_body else settings.body_limit


@dataclass(slots=True, eq=False)
class Request:
    method: str
    path: str
    query: bytes
    headers: Mapping[bytes, bytes]
    """Headers by lower-case name. Commas join the values of a repeated header."""
    peer: str
    """Address of the connected socket, empty for a unix socket."""
    route: str
    """Pattern of the path, such as ``/v1/<game>``."""
    parameters: Mapping[str, Any]
    operation: Operation
    services: Services
    body: Body = NO_BODY
    """Body, whose memory is released once the answer is made."""
    accepted: str = JSON
    id: str = ""
    bill: Bill = FREE
    limit: RateLimitStatus | None = None
    problem: Exception | None = None
    rest: Rest | None = None
    game: str = ""
    ruleset: str = ""
    refusal: tuple[str, str] = ("", "")
    """Code of the answered problem and reason of the store, for the log."""
    span: Any = None
    waited: float = 0.0
    """Seconds for which the answer was held until news arrived."""
    started: float = field(default_factory=perf_counter)
    """Time of the start in seconds, by the performance counter."""

    @property
    def client(self) -> str:
        """Client of the rate limit, empty for all clients without a limit."""
        return "" if self.bill.key is None else self.bill.key.client

    def header(self, name: bytes) -> str | None:
        """Returns the value of a header, by its lower-case name."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    def note(self, game: AnyGame, document: Document) -> None:
        """Notes the game and the ruleset of a document of a valid shape."""
        self.game, self.ruleset = game.name, document.get("ruleset", game.default.id)


class Feed(NamedTuple):
    session: str
    after: int
    """Version that the client knows after the answer."""
    seconds: int
    """Maximum seconds of a long poll."""
    streamed: bool
    behind: bool = False
    with_state: bool = False
    """True if the last entry of a page has the session after it."""
    late_body: Callable[[], bytes] | None = None
    """Makes an answer in sentences when news arrives. Raises StoreError and ProblemError."""
    connected: Seats = ()
    """Connected seats that the client knows after the answer."""
    holder: str | None = None
    seat: int | None = None
    """Seat of the token, None for the host's own token and while a bot plays the seat."""
    check: Callable[[], int | None] | None = None
    """Returns the present seat. Raises ProblemError if the token is void, and StoreError."""


@dataclass(slots=True)
class Answer:
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
    """Own headers, to which the pipeline adds."""
    policy: str = LOADS_NOTHING
    feed: Feed | None = None
    limit: RateLimitStatus | None = None
    """Status of a limit that the answer reports instead of the operation's own limit."""
    shared: SharedHeaders = NO_HEADERS
