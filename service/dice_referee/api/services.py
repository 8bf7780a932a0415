"""Services that operations use: settings, sessions, limits, clock and ids."""

from collections.abc import Callable
from dataclasses import dataclass
from time import thread_time, time
from typing import TYPE_CHECKING, Any

from dice_referee.limits.limiter import RateLimiter
from dice_referee.sessions import fairness, tokens
from dice_referee.sessions.health import StoreHealth
from dice_referee.sessions.watchers import SessionWatchers
from dice_referee.settings import Settings

if TYPE_CHECKING:
    from dice_referee.telemetry.tracing import Tracing


def _now() -> int:
    return round(time() * 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Dependencies of operations, made once by ``app.py``.

    Tests replace the clock, ids and secrets.
    """

    settings: Settings
    limiter: RateLimiter
    origins: frozenset[str] = frozenset()
    """Origins whose pages may use sessions, by default those of this machine."""
    hosts: frozenset[str] | None = None
    """Allowed host names besides those of this machine, or None for all names."""
    watchers: SessionWatchers | None = None
    """Session store with its watchers, or ``None`` without sessions."""
    store_health: StoreHealth | None = None
    tracing: "Tracing | None" = None
    problem_page: Callable[..., Any]
    not_found: Callable[..., Any]
    """Answers a request to an unknown path. Its second argument is a suggested path, or None."""
    now: Callable[[], int] = _now
    """Clock, in milliseconds since 1970."""
    work: Callable[[], float] = thread_time
    new_id: Callable[[], str] = tokens.new_id
    new_token: Callable[[], str] = tokens.new_token
    new_seed: Callable[[], bytes] = fairness.new_seed
