"""Counts requests against their rate limits: each at its admission, and what its content costs."""

from dice_referee.api.message import Request
from dice_referee.api.operation import Operation
from dice_referee.api.problems import ProblemError, retry_after
from dice_referee.api.services import Services
from dice_referee.limits.counters import RateLimitKey, RateLimitStatus
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.findings import Param
from dice_referee.telemetry.metrics import count_rate_limited

BYTES, BATCH_BYTES = 1 << 12, 1 << 17
"""Bytes of a body that cost a permit beyond the first: no position has as many; a game of 3,000
events."""


def key_of(policy: RatePolicy, request: Request, services: Services) -> RateLimitKey | None:
    """Returns what the request is counted on under this policy; None if it is not limited."""
    return services.limiter.key(policy, request.peer, request.header(b"x-forwarded-for"))


def limited_key(request: Request, services: Services) -> RateLimitKey | None:
    """Returns the key under which a rate limit has refused the request; None if none has."""
    status = request.rate_limit
    if status is None or status.allowed:
        return None
    return key_of(RatePolicy(status.policy), request, services)


def admit(operation: Operation, head: Request, services: Services) -> None:
    """Counts a request before its body is read; one too many gets a problem."""
    key = None if operation.rate is None else key_of(operation.rate, head, services)
    if key is not None:
        head.permits = min(operation.cost, key.limit)
        head.rate_limit = services.limiter.counter.count(key, head.permits)
        if not head.rate_limit.allowed:
            head.problem = too_many_requests(head.rate_limit)


def charge(request: Request, services: Services, policy: RatePolicy, cost: int) -> None:
    """Counts what the content of a request costs beyond its admission, in permits.

    Raises a problem 429.
    """
    key = key_of(policy, request, services)
    if key is None:
        return
    admitted = request.rate_limit is not None and request.rate_limit.policy == policy
    # A minute's permits are always enough for a request.
    cost = min(cost, key.limit - request.permits if admitted else key.limit)
    if cost < 1:
        return
    status = services.limiter.counter.count(key, cost)
    if admitted:
        request.permits += cost
    if admitted or not status.allowed:
        note(request, status)


def charge_body(request: Request, services: Services) -> None:
    """Charges a body by its length, whatever it holds. Raises a problem 429."""
    if request.rate_limit is not None:
        policy = RatePolicy(request.rate_limit.policy)
        per_permit = BATCH_BYTES if policy is RatePolicy.BATCH else BYTES
        # What was paid in the event loop is not paid again in a thread.
        charge(request, services, policy, 1 + request.body.size // per_permit - request.permits)


def note(request: Request, status: RateLimitStatus) -> None:
    """Notes what a limit says of the request. Raises a problem 429 if it does not allow it."""
    request.rate_limit = status
    if not status.allowed:
        raise too_many_requests(status)


def too_many_requests(status: RateLimitStatus) -> ProblemError:
    """Returns the problem of a request that its rate limit does not allow."""
    count_rate_limited(status.policy)
    params = dict[str, Param](policy=status.policy, limit=status.limit, seconds=status.seconds)
    headers = retry_after(status.seconds)
    return ProblemError("rate-limited", params=params, headers=headers)
