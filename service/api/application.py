"""What happens to every request and answer of the Flask application, whatever the resource."""

from time import perf_counter

from flask import Flask, Request, Response, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.routing import MapAdapter

from service.api.answering import problem
from service.api.problems import Refused
from service.api.reading import settings
from service.http.logs import log_request, logger
from service.http.message import REFUSAL
from service.http.metrics import count_request
from service.http.policy import COMMON, preflight, request_id
from service.rules.verdict import Param

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods that metrics know by name; whatever else a client invents is one label."""


class Application(Flask):
    """Flask without its own pages: no static files, no redirects, a sorted ``Allow``."""

    def __init__(self, name: str) -> None:
        super().__init__(name, static_folder=None)
        # A path with a slash too many is a 404 problem, never a redirect with an HTML page.
        self.url_map.merge_slashes = False
        self.url_map.strict_slashes = True
        self.url_map.redirect_defaults = False
        self.before_request(_begin)
        self.after_request(_finish)
        self.register_error_handler(Refused, _refused)
        self.register_error_handler(HTTPException, _http_exception)
        self.register_error_handler(Exception, _fault)

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        # What the client calls this host is nothing to us: the path decides.
        if request is None:
            return None
        path = request.environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
        # werkzeug strips slashes before a path; here they make it another one.
        path = "/" if path.startswith("//") else path
        return self.url_map.bind("localhost", path_info=path, default_method=request.method)

    def make_default_options_response(self) -> Response:
        allowed = ", ".join(sorted(self.create_url_adapter(request).allowed_methods()))  # type: ignore[union-attr]
        response = Response(status=204, headers=[("Allow", allowed), *preflight(allowed)])
        del response.headers["Content-Type"]
        return response


def _begin() -> None:
    g.started = perf_counter()
    g.request_id = request_id(request.headers.get("X-Request-ID"))
    if refusal := request.environ.get(REFUSAL):
        raise _found_by_the_door(refusal)
    limit = settings().query_limit
    if len(request.query_string) > limit:
        raise Refused("query-too-long", "query-too-long", {"limit": limit})


def _found_by_the_door(refusal: str) -> Refused:
    """What the front door cannot do for a client, in the words of this room."""
    if refusal == "bad-request":
        return Refused(refusal, refusal, headers=(("Connection", "close"),))
    if refusal == "request-timeout":
        params: dict[str, Param] = {"seconds": settings().request_seconds}
        return Refused(refusal, refusal, params, headers=(("Connection", "close"),))
    return Refused("busy", "busy", {"seconds": 1}, headers=(("Retry-After", "1"),))


def _finish(response: Response) -> Response:
    """Dress the answer and observe it."""
    identity = g.request_id
    response.headers.extend((*COMMON, ("X-Request-ID", identity)))
    seconds = perf_counter() - g.started
    method = request.method if request.method in METHODS else "other"
    route = request.url_rule.rule if request.url_rule else "none"
    count_request(method, route, response.status_code, seconds)
    if response.status_code >= 400 or settings().log_answers:
        log_request(identity, method, route, response.status_code, seconds)
    return response


def _refused(refused: Refused) -> Response:
    return problem(refused)


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
    logger.error("fault", request_id=g.request_id, exc_info=error)
    return problem(Refused("internal-error", "internal-error"))
