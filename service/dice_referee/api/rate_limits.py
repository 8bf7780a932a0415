"""Rate limits of requests: admission before the body, and charges for the work."""

from dice_referee.api.message import Request
from dice_referee.api.problems import ProblemError, retry_after
from dice_referee.limits.bill import FREE, Bill
from dice_referee.limits.counters import RateLimitKey, RateLimitStatus
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.findings import Param


def key_of(policy: RatePolicy, request: Request) -> RateLimitKey | None:
    return request.services.limiter.key(policy, request.peer, request.header(b"x-forwarded-for"))


def admit(request: Request) -> Bill:
    """Counts a request before its body is read."""
    rate = request.operation.rate
    key = None if rate is None else key_of(rate, request)
    if key is None:
        return FREE
    bill = Bill(request.services.limiter.counter, key, request.services.work)
    bill.admit()
    return bill


def check(limit: RateLimitStatus | None) -> None:
    """Raises RateLimited if the limit does not allow more."""
    if limit is not None and not limit.allowed:
        raise RateLimited(limit)


class RateLimited(ProblemError):
    def __init__(self, limit: RateLimitStatus) -> None:
        params = dict[str, Param](policy=limit.policy, limit=limit.limit, seconds=limit.seconds)
        later = retry_after(limit.seconds)
        super().__init__("rate-limited", params=params, headers=later)
        self.limit = limit
