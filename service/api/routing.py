"""Finds the operation for a method and a path, in the URL map of the Flask application."""

from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from flask import Flask
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from service.api.headers import preflight
from service.api.message import Answer, Request
from service.api.operation import Operation, View
from service.api.problems import ProblemError
from service.api.services import Services


class Match(NamedTuple):
    """An operation, the pattern of its path, and what the path names."""

    operation: Operation
    route: str
    parameters: dict[str, Any]


def _not_found(request: Request, services: Services) -> Answer:
    return services.not_found(request)


NOT_FOUND = Match(Operation(_not_found, offers=(), quick=True), "none", {})


class Router:
    """The routes of a Flask application. Paths without parameters are found in a table."""

    def __init__(self, app: Flask) -> None:
        self._adapter = app.url_map.bind("localhost")
        self._operations: dict[str, Any] = app.view_functions
        if not all(isinstance(view, Operation) for view in self._operations.values()):
            raise TypeError("a view is registered that is no operation")
        self._plain: dict[tuple[str, str], Match] = {}
        for rule in app.url_map.iter_rules():
            if rule.arguments == set(rule.defaults or ()):
                for method in rule.methods or ():
                    self._plain[method, rule.rule] = self._match(method, rule.rule)

    def find(self, method: str, path: str) -> Match:
        """The operation of the request; one that answers 404, 405 or OPTIONS if there is none."""
        plain = self._plain.get((method, path))
        if plain is not None:
            return plain
        # werkzeug strips slashes before a path; here they make it another path.
        if not path.startswith("//"):
            with suppress(HTTPException):
                return self._match(method, path)
        return NOT_FOUND

    def _match(self, method: str, path: str) -> Match:
        """The operation of the request. Raises HTTPException if the path has none."""
        try:
            rule, parameters = self._adapter.match(path, method, return_rule=True)
        except MethodNotAllowed as error:
            methods = sorted(error.valid_methods or ())
            sibling = self._match(methods[0], path)
            view = _other_method(", ".join(sorted([*methods, "OPTIONS"])))
            of = sibling.operation
            # Nothing is begun, so that it does not count as a new session.
            rate = "events" if of.rate == "sessions" else of.rate
            rate = None if method == "OPTIONS" else rate
            operation = replace(of, view=view, rate=rate, cost=1, offers=(), quick=True)
            return sibling._replace(operation=operation)
        return Match(self._operations[rule.endpoint], rule.rule, dict(parameters))


def _other_method(allowed: str) -> View:
    """Answers OPTIONS, and refuses a method that the path does not have."""

    def answer(request: Request, services: Services) -> Answer:
        allow = ("Allow", allowed)
        if request.method == "OPTIONS":
            return Answer(status=204, cache="", headers=(allow, *preflight(allowed)))
        params = {"method": request.method, "allowed": allowed}
        raise ProblemError("method-not-allowed", "method-not-allowed", params, headers=(allow,))

    return answer
