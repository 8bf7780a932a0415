"""What happens to every request and answer of the Flask application, whatever the resource."""

from functools import partial
from time import perf_counter
from typing import Any

from flask import Flask, Request, Response, request
from flask.sessions import NullSession, SessionInterface
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.routing import MapAdapter

from service.api.answering import DRESS, IDENTITY, Dressed, problem, sent
from service.api.problems import Refused, not_kept, rate_limited
from service.games import catalogue
from service.http.limits import Limits
from service.http.logs import logger
from service.http.message import GAME, HELD, REFUSAL, RULESET, SPENT, Answer, Held
from service.http.metrics import count_rate_limited, count_request, log_request
from service.http.policy import listed, preflight, request_id
from service.http.spans import SPAN, Spans
from service.rules.verdict import Param
from service.sessions.bells import Listeners
from service.sessions.store import Away, Damaged
from service.settings import Settings

STARTED = "referee.started"
"""The WSGI environ key of when a request came, by the performance counter."""

SESSIONS = "/v1/sessions"
"""The beginning of the paths that are not open to pages of every origin."""

NOWHERE = "/\0"
"""A path that no resource has."""

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods that metrics know by name; whatever else a client invents is one label."""


class NoSessions(SessionInterface):
    """Nothing is kept in cookies, so one empty session serves every request."""

    _null = NullSession()

    def open_session(self, *_: object) -> NullSession:
        return self._null

    def save_session(self, *_: object) -> None:
        """Nothing to save."""


class Application(Flask):
    """Flask without its own pages: no static files, no redirects, no sessions.

    Every request is admitted and every answer observed here, in the places where Flask would call
    lists of functions.
    """

    response_class = Dressed

    def __init__(
        self,
        name: str,
        settings: Settings,
        listeners: Listeners | None,
        limits: Limits,
        spans: Spans | None = None,
    ) -> None:
        super().__init__(name, static_folder=None)
        self.settings, self.limits, self.spans = settings, limits, spans
        self.origins = frozenset(settings.session_origins.replace(",", " ").split())
        """Origins whose pages may use sessions."""
        self.listeners = listeners
        """Who waits for news of sessions, and where these are kept; None where none are."""
        # A path with a slash too many is a 404 problem, never a redirect with an HTML page.
        self.url_map.merge_slashes = False
        self.url_map.strict_slashes = True
        self.url_map.redirect_defaults = False
        self.register_error_handler(Refused, problem)
        self.register_error_handler(HTTPException, _http_exception)
        self.register_error_handler(Exception, _fault)

    session_interface = NoSessions()

    def full_dispatch_request(self, *_: Any) -> Response:
        # As Flask does it, without the signals that nobody here listens to.
        try:
            self.preprocess_request()
            answer = self.dispatch_request()
        except Exception as error:
            answer = self.handle_user_exception(error)
        return self.process_response(self.make_response(answer))

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        # What the client calls this host is nothing to us: the path decides.
        if request is None:
            return None
        path = request.environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
        # werkzeug strips slashes before a path; here they make it another one.
        path = NOWHERE if path.startswith("//") else path
        return self.url_map.bind("localhost", path_info=path, default_method=request.method)

    def make_default_options_response(self) -> Response:
        allowed = ", ".join(sorted(self.create_url_adapter(request).allowed_methods()))  # type: ignore[union-attr]
        return sent(Answer(204, (("Allow", allowed), *preflight(allowed)), b""))

    def preprocess_request(self, *_: object) -> None:
        environ = request.environ
        environ[STARTED] = perf_counter()
        environ[IDENTITY] = request_id(environ.get("HTTP_X_REQUEST_ID"))
        if self.spans is not None:
            environ[SPAN] = self.spans.begin(environ.get("HTTP_TRACEPARENT"))
        if environ["PATH_INFO"].startswith(SESSIONS):
            environ[DRESS] = listed(environ.get("HTTP_ORIGIN"), self.origins)
        refusal, receipt = environ.get(REFUSAL), environ.get(SPENT)
        if receipt is None and refusal is None:
            # Nobody has counted this request yet.
            account = self.limits.account(
                environ["REQUEST_METHOD"],
                environ["PATH_INFO"],
                environ.get("REMOTE_ADDR", ""),
                environ.get("HTTP_X_FORWARDED_FOR"),
            )
            if account is not None:
                receipt = environ[SPENT] = self.limits.spend(account)
        if receipt is not None and not receipt.allowed:
            count_rate_limited(receipt.policy)
            raise rate_limited(receipt)
        if refusal is not None:
            raise _found_by_the_door(refusal, self.settings)
        limit = self.settings.query_limit
        if len(environ.get("QUERY_STRING", "")) > limit:
            raise Refused("query-too-long", "query-too-long", {"limit": limit})

    def process_response(self, *arguments: Any) -> Response:
        # Flask passes the context first in some of its versions.
        response: Response = arguments[-1]
        environ = request.environ
        seconds = perf_counter() - environ[STARTED]
        method = environ["REQUEST_METHOD"]
        method = method if method in METHODS else "other"
        rule = request.url_rule
        route, status = rule.rule if rule else "none", response.status_code
        held: Held | None = environ.get(HELD)
        if held is not None and held.session:
            # The door may yet refuse: it counts what it sends, as if that had been at once.
            held.count = partial(self._observe, environ, method, route, status, seconds)
        else:
            self._observe(environ, method, route, status, seconds)
        if self.spans is not None:
            self.spans.leave(environ[SPAN])
        return response

    def _observe(
        self, environ: dict[str, Any], method: str, route: str, status: int, seconds: float
    ) -> None:
        """Count an answer, and write down that it was given."""
        count_request(method, route, status, seconds)
        line = (environ[IDENTITY], method, route, status, seconds)
        if self.spans is not None:
            self.spans.end(environ[SPAN], line)
        if status >= 400 or self.settings.log_answers:
            known = route.split("/", 3)[2:3] if route.startswith("/v1/") else []
            game = environ.get(GAME) or next((name for name in known if name in catalogue()), "")
            log_request(line, game, environ.get(RULESET, ""))


def _found_by_the_door(refusal: str, settings: Settings) -> Refused:
    """What the front door cannot do for a client, in the words of this room."""
    if refusal == "bad-request":
        return Refused(refusal, refusal, headers=(("Connection", "close"),))
    if refusal == "request-timeout":
        params: dict[str, Param] = {"seconds": settings.request_seconds}
        return Refused(refusal, refusal, params, headers=(("Connection", "close"),))
    if refusal == "sessions-away":
        return not_kept(Away())
    if refusal == "session-unreadable":
        return not_kept(Damaged())
    headers = (("Retry-After", "1"),)
    if refusal == "too-many-streams":
        return Refused(refusal, refusal, headers=headers)
    return Refused("busy", "busy", {"seconds": 1}, headers=headers)


def _http_exception(error: HTTPException) -> Response:
    """What Flask itself refuses, as a problem of ours; its headers are kept."""
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        params: dict[str, Param] = {"method": request.method, "allowed": allowed}
        headers = (("Allow", allowed),)
        return problem(Refused("method-not-allowed", "method-not-allowed", params, headers=headers))
    if error.code == 404:
        return problem(Refused("not-found", "not-found", {"path": request.path}))
    return problem(Refused("bad-request", "bad-request"))


def _fault(error: Exception) -> Response:
    """A fault of ours: logged with its trace, answered without it."""
    logger.error("fault", request_id=request.environ[IDENTITY], exc_info=error)
    return problem(Refused("internal-error", "internal-error"))
