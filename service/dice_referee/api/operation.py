"""Registration of operations on a Flask blueprint, and values that they make once."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

from flask import Blueprint

from dice_referee.api.message import JSON, TEXT, Operation, View

T = TypeVar("T")

SPOKEN = (JSON, TEXT)


class NotMade(Exception):
    """The answer needs a value that takes long to make: that of a function of some arguments."""

    def make(self) -> None:
        function, *arguments = self.args
        if self.args not in MADE:
            MADE[self.args] = function(*arguments)


MADE: dict[tuple[Any, ...], Any] = {}
"""Values that take long, by function and arguments: each is made at its first use."""


def make_once(make: Callable[..., T], *arguments: Hashable) -> T:
    """Returns what the function makes of the arguments. Raises NotMade if that is missing."""
    key = (make, *arguments)
    if key not in MADE:
        raise NotMade(*key)
    value: T = MADE[key]
    return value


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
            # Flask's types accept only callables. The pipeline alone calls the view.
            cast(Any, Operation(view, **facts)),
            methods=methods.split(),
            # The router answers OPTIONS, and all requests without an operation.
            provide_automatic_options=False,
        )
        return view

    return register
