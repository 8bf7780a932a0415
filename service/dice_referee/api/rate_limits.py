"""Counts requests against their rate limits: each at its admission, and its work afterwards."""

from dice_referee.api.message import Request
from dice_referee.api.operation import Operation
from dice_referee.api.problems import ProblemError, retry_after
from dice_referee.api.services import Services
from dice_referee.limits.bill import Bill
from dice_referee.limits.counters import RateLimitKey, RateLimitStatus
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.details import Detail
from dice_referee.rulebook.findings import Param


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
        counter = services.limiter.counter
        head.rate_limit = counter.count(key)
        if head.rate_limit.allowed:
            head.bill = Bill(key, counter, services.work, head.rate_limit)
        else:
            head.problem = RateLimited(head.rate_limit)


def look_again(request: Request) -> None:
    """Refuses a request whose limit others have brought into debt while it waited for its turn."""
    if request.bill is not None:
        check(request.bill.look())


def charge(request: Request) -> None:
    """Charges the work until now. Raises RateLimited where the debt has no room for more."""
    if request.bill is not None:
        check(request.bill.charge())


def check(status: RateLimitStatus) -> None:
    """Raises RateLimited if the limit does not allow more."""
    if not status.allowed:
        raise RateLimited(status)


class RateLimited(ProblemError):
    """A request that its rate limit does not allow."""

    def __init__(self, limit: RateLimitStatus) -> None:
        params = dict[str, Param](policy=limit.policy, limit=limit.limit, seconds=limit.seconds)
        later = retry_after(limit.seconds)
        super().__init__("rate-limited", Detail.RATE_LIMITED, params, headers=later)
        self.limit = limit
