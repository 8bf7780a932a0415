"""How requests are counted against their rate limits, and refused where these are used up."""

from collections.abc import Callable

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
    """What the request is counted on under this policy; None if it is not limited."""
    return services.limiter.key(policy, request.peer, request.header(b"x-forwarded-for"))


def limited_key(request: Request, services: Services) -> RateLimitKey | None:
    """Returns the key under which a rate limit has refused the request; None if none has."""
    status = request.rate_limit
    if status is None or status.allowed:
        return None
    return key_of(RatePolicy(status.policy), request, services)


def admit(
    operation: Operation,
    request: Request,
    services: Services,
    count: Callable[[RateLimitKey, int], RateLimitStatus | None],
) -> bool:
    """Counts the request against its rate limit, once; ``request.rate_limit`` says what came of it.

    ``count`` is a method of the limiter. False if it would have to wait for the store.
    """
    if operation.rate is None or request.admitted:
        return True
    key = key_of(operation.rate, request, services)
    if key is not None:
        request.rate_limit = count(key, key.cost(request.body.size, operation.cost))
    request.admitted = key is None or request.rate_limit is not None
    return request.admitted


def check_rate(request: Request) -> None:
    """Refuses a request that its rate limit does not allow."""
    status = request.rate_limit
    if status is not None and not status.allowed:
        count_rate_limited(status.policy)
        params = dict[str, Param](policy=status.policy, limit=status.limit, seconds=status.seconds)
        headers = retry_after(status.seconds)
        raise ProblemError("rate-limited", Detail.RATE_LIMITED, params, headers=headers)
