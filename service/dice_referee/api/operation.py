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
"""Media types of an operation whose answer exists in sentences."""


class NotHere(Exception):
    """The answer takes long this time: the operation has to run where tables may be made."""


class NotMade(Exception):
    """The answer needs a value that takes long to make: ``make`` makes it."""

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


MADE: dict[tuple[Hashable, ...], Any] = {}
"""Values that take long, by function and arguments: each is made at its first use."""


def made(request: Request, make: Callable[..., T], *arguments: Hashable) -> T:
    """Returns what the function makes of the arguments.

    Raises NotMade outside of the heavy thread if the value is missing.
    """
    key = (make, *arguments)
    if key not in MADE:
        if request.place is not Place.HEAVY:
            raise NotMade(partial(made, request._replace(place=Place.HEAVY), make, *arguments))
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
    """A function from a request to an answer, with all that is to be known about its route."""

    view: View
    rate: RatePolicy | None = RatePolicy.STATELESS
    """The rate policy; ``None``: not limited."""
    offers: tuple[str, ...] = (JSON,)
    """The media types that it can answer; empty: it looks at ``Accept`` itself."""
    large_body: bool = False
    """Allows a body of BATCH_BODY_LIMIT bytes instead of BODY_LIMIT."""
    any_origin: bool = True
    """Lets pages of every origin read the answer, not only those of SESSION_ORIGINS."""
    any_host: bool = False
    """Skips the Host check; probes connect by address."""
    quick: bool = False
    """Runs in the event loop: takes microseconds and asks no store."""
    heavy: bool = False
    """Runs in the one thread of a process where long computations take turns."""
    counted: bool = True
    """Counts and logs the answers."""

    def __call__(self, request: Request, services: Services) -> Any:
        """Answers a request, as the function does: by its types Flask takes callables only."""
        return self.view(request, services)

    def body_limit(self, settings: Settings) -> int:
        """Returns the bytes that a body may have."""
        return settings.batch_body_limit if self.large_body else settings.body_limit


def operation(
    blueprint: Blueprint, methods: str, path: str, name: str = "", **facts: Any
) -> Callable[[View], View]:
    """Registers the function as an operation of the blueprint; ``facts`` as in ``Operation``.

    ``methods`` is one, or several with spaces; ``name`` is that of the endpoint, if it is not to
    be the function's.
    """

    def register(view: View) -> View:
        blueprint.add_url_rule(
            path,
            name or view.__name__,
            Operation(view, **facts),
            methods=methods.split(),
            # The router answers OPTIONS, like everything else that no operation does.
            provide_automatic_options=False,
        )
        return view

    return register
