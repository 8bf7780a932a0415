"""An operation of the API, and the decorator that registers it on a Flask blueprint."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

from flask import Blueprint

from dice_referee.api.message import JSON, TEXT, Answer, Place, Request
from dice_referee.api.services import Services
from dice_referee.games.game import AnyGame
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.game import Document
from dice_referee.settings import Settings

T = TypeVar("T")

SPOKEN = (JSON, TEXT)
"""Media types of an operation that can answer in sentences."""


class NotHere(Exception):
    """The answer would take too long at this place: the operation must run in another thread."""


class NotMade(Exception):
    """The answer needs a value that takes long to make: ``make`` makes it."""

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


MADE: dict[tuple[Hashable, ...], Any] = {}
"""Values that take long, by function and arguments: each is made at its first use."""


def make_once(request: Request, make: Callable[..., T], *arguments: Hashable) -> T:
    """Returns what the function makes of the arguments.

    Raises NotMade outside of the heavy thread if the value is missing.
    """
    key = (make, *arguments)
    if key not in MADE:
        if request.place is not Place.HEAVY:
            raise NotMade(partial(make_once, request._replace(place=Place.HEAVY), make, *arguments))
        MADE[key] = make(*arguments)
    value: T = MADE[key]
    return value


class Inquiry(NamedTuple):
    """Question about a game that an operation has read from its request."""

    game: AnyGame
    document: Document
    """Question of a valid shape, which may name a ruleset."""
    answer: Callable[[], Answer]
    """Answers the document."""


View = Callable[[Request, Services], Answer | Inquiry]


@dataclass(frozen=True, slots=True)
class Operation:
    """Function from a request to an answer, with all facts about its route."""

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
    """Runs in the event loop, because it takes microseconds and reads no store."""
    heavy: bool = False
    """Runs in the heavy thread of the process, in turn with other long computations."""
    counted: bool = True
    """Counts and logs the answers."""

    def __call__(self, request: Request, services: Services) -> Any:
        """Answers a request as ``view`` does. Flask's types accept only callables."""
        return self.view(request, services)

    def body_limit(self, settings: Settings) -> int:
        """Returns the maximum size of a body in bytes."""
        return settings.batch_body_limit if self.large_body else settings.body_limit


def operation(
    blueprint: Blueprint, methods: str, path: str, name: str = "", **facts: Any
) -> Callable[[View], View]:
    """Registers the function as an operation of the blueprint.

    ``methods`` are HTTP methods, separated by spaces. ``name`` is the name of the endpoint, by
    default that of the function. ``facts`` are fields of ``Operation``.
    """

    def register(view: View) -> View:
        blueprint.add_url_rule(
            path,
            name or view.__name__,
            Operation(view, **facts),
            methods=methods.split(),
            # The router answers OPTIONS, and all requests without an operation.
            provide_automatic_options=False,
        )
        return view

    return register
