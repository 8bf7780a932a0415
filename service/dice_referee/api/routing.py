"""Router from method and path to an operation, on the URL map of the Flask application."""

from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from flask import Flask
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from dice_referee.api.headers import preflight
from dice_referee.api.message import Answer, Operation, Request, View
from dice_referee.api.problems import ProblemError
from dice_referee.api.spelling import nearest
from dice_referee.limits.policies import RatePolicy

SESSION = "/v1/sessions/<session_id>"
LONGEST_NEAR = 100
"""Maximum length of a path for which a similar path is suggested."""


class Match(NamedTuple):
    route: str
    parameters: dict[str, Any]
    operation: Operation


class Router:
    """The routes of a Flask application.

    A table holds the paths without parameters, and those whose only parameter is a session.
    """

    def __init__(self, app: Flask) -> None:
        self._adapter = app.url_map.bind("localhost")
        self._operations: dict[str, Any] = app.view_functions
        if not all(isinstance(view, Operation) for view in self._operations.values()):
            raise TypeError("a view is registered that is not an operation")
        self._not_found = Match("none", {}, Operation(self._missing, offers=(), quick=True))
        methods = {method for rule in app.url_map.iter_rules() for method in rule.methods or ()}
        self._server = _other_method(", ".join(sorted({*methods, "OPTIONS"})))
        self._plain: dict[tuple[str, str], Match] = {}
        for rule in app.url_map.iter_rules():
            named = {"session_id"} if rule.rule.startswith(SESSION) else set[str]()
            if rule.arguments - set(rule.defaults or ()) == named:
                for method in rule.methods or ():
                    self._plain[method, rule.rule] = self._match(method, rule.rule)
        self._paths = sorted(rule.rule.split("/")[1:] for rule in app.url_map.iter_rules())

    def find(self, method: str, path: str) -> Match:
        """Returns the operation of the request, or an answer with 404, 405 or to OPTIONS."""
        plain = self._plain.get((method, path))
        if plain is not None:
            return plain
        if path.startswith("/v1/sessions/"):
            _, _, _, session_id, *rest = path.split("/", 4)
            match = self._plain.get((method, "/".join((SESSION, *rest)))) if session_id else None
            if match is not None:
                return match._replace(parameters={"session_id": session_id})
        if not path.startswith("/"):
            # The whole server (``OPTIONS *``), or a request to a proxy (CONNECT).
            rate = None if method == "OPTIONS" else RatePolicy.STATELESS
            return Match("*", {}, Operation(self._server, rate=rate, offers=(), quick=True))
        # werkzeug strips slashes before a path, but here they make another path.
        if not path.startswith("//"):
            with suppress(HTTPException):
                return self._match(method, path)
        return self._not_found

    def _near(self, path: str) -> str | None:
        """Suggests a path for a misspelled path, or returns None. Its parameters may not exist.

        Possible errors are a missing or superfluous ``/v1``, ``/games`` or slash, a missing end,
        and a few wrong letters.
        """
        names = [name for name in path.split("/") if name]
        rest = names[1:] if names[:1] == ["v1"] else names
        if len(path) > LONGEST_NEAR or not names:
            return None
        if not rest:
            return "/v1"
        without = [name for name in rest if name != "games"]
        readings = (rest, ["v1", *rest], ["v1", *without])
        return next(filter(None, map(self._known, readings)), None)

    def _known(self, names: list[str]) -> str | None:
        address = "/" + "/".join(names)
        with suppress(HTTPException):
            self._match("GET", address)
            return address
        longer = (path for path in self._paths if path[: len(names)] == names)
        return self._spelt(names) or next(("/" + "/".join(path) for path in longer), None)

    def _spelt(self, names: list[str]) -> str | None:
        paths = [path for path in self._paths if len(path) == len(names)]
        for place, name in enumerate(names):
            steps = sorted({path[place] for path in paths})
            parameter = next((step for step in steps if step.startswith("<")), None)
            step = nearest(name, steps) or parameter
            paths = [path for path in paths if path[place] == step]
        if not paths:
            return None
        pairs = zip(paths[0], names, strict=True)
        return "".join(f"/{name if step.startswith('<') else step}" for step, name in pairs)

    def _missing(self, request: Request) -> Answer:
        answer: Answer = request.services.not_found(request, self._near(request.path))
        return answer

    def _match(self, method: str, path: str) -> Match:
        """Raises HTTPException without a route."""
        try:
            rule, parameters = self._adapter.match(path, method, return_rule=True)
        except MethodNotAllowed as error:
            methods = sorted(error.valid_methods or ())
            sibling = self._match(methods[0], path)
            view = _other_method(", ".join(sorted([*methods, "OPTIONS"])))
            of = sibling.operation
            # It begins nothing, so it does not count as a new session.
            rate = RatePolicy.EVENTS if of.rate is RatePolicy.SESSIONS else of.rate
            rate = None if method == "OPTIONS" else rate
            operation = replace(of, view=view, rate=rate, offers=(), quick=True)
            return sibling._replace(operation=operation)
        return Match(rule.rule, dict(parameters), self._operations[rule.endpoint])


def _other_method(allowed: str) -> View:
    def answer(request: Request) -> Answer:
        allow = ("Allow", allowed)
        if request.method == "OPTIONS":
            return Answer(status=204, cache="", headers=(allow, *preflight(allowed)))
        params = {"method": request.method, "allowed": allowed}
        raise ProblemError("method-not-allowed", params=params, headers=(allow,))

    return answer
