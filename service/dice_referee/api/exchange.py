"""A request on its way to its answer."""

from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from dice_referee.api.message import Request
from dice_referee.api.operation import Operation
from dice_referee.limits.bill import Bill
from dice_referee.limits.counters import RateLimitStatus


@dataclass(slots=True)
class Exchange:
    """State of a request in the pipeline, which only the pipeline writes."""

    operation: Operation
    request: Request
    """Request without its body, whose memory is released earlier."""
    id: str
    bill: Bill
    """Costs of the request."""
    limit: RateLimitStatus | None = None
    """Status of the limit in the headers of the answer, if any."""
    problem: Exception | None = None
    """Failure before the operation, or later in a held feed."""
    game: str = ""
    """Name of the game, for the log and for the words of findings."""
    ruleset: str = ""
    refusal: tuple[str, str] = ("", "")
    """Code of the answered problem and reason of the store, for the log."""
    span: Any = None
    """Span of the tracer, if requests are traced."""
    waited: float = 0.0
    """Seconds for which the answer was held until news arrived."""
    started: float = field(default_factory=perf_counter)
    """Time of the start in seconds, by the performance counter."""

    @property
    def client(self) -> str:
        """Client of the rate limit, empty for all clients without a limit."""
        return "" if self.bill.key is None else self.bill.key.client
