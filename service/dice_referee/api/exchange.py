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
    """A request, and what the pipeline has learned about it. The pipeline alone writes here."""

    operation: Operation
    request: Request
    """The request without its body, which need not live as long."""
    id: str
    bill: Bill
    """The costs of the request."""
    limit: RateLimitStatus | None = None
    """Status of the limit that the answer tells, if there is one."""
    problem: Exception | None = None
    """Failure before the operation, or after it while a feed was held."""
    game: str = ""
    """The game in question, for the log and for the words of findings."""
    ruleset: str = ""
    refusal: tuple[str, str] = ("", "")
    """The code of the problem that answers it, and why the store refused; for the log."""
    span: Any = None
    """The span of the tracer, if requests are traced."""
    waited: float = 0.0
    """Seconds that the answer was held back until there was news."""
    started: float = field(default_factory=perf_counter)
    """Seconds, by the performance counter."""
