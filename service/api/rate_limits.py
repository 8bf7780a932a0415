"""Counts requests against their rate limits: each at its admission, and what its content costs."""

from service.api.message import Request
from service.api.operation import Operation
from service.api.problems import ProblemError, retry_after
from service.api.services import Services
from service.limits.counters import RateLimitKey, RateLimitStatus
from service.limits.policies import RatePolicy
from service.rules.details import Detail
from service.rules.findings import Param
from service.telemetry.metrics import count_rate_limited


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
        cost = min(operation.cost, key.limit)
        head.rate_limit = services.limiter.counter.count(key, cost)
        if not head.rate_limit.allowed:
            head.problem = too_many_requests(head.rate_limit)


def charge(request: Request, services: Services, policy: RatePolicy, cost: int) -> None:
    """Counts what the content of a request costs beyond its admission, in permits.

    Raises a problem 429.
    """
    key = key_of(policy, request, services)
    if key is None or cost < 1:
        return
    told, admitted = request.rate_limit, 0
    if told is not None and told.policy == policy:
        admitted = 1
    # A minute's permits are always enough for a request.
    status = services.limiter.counter.count(key, min(cost, key.limit - admitted))
    if admitted or not status.allowed:
        note(request, status)


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
    return ProblemError("rate-limited", Detail.RATE_LIMITED, params, headers=headers)
