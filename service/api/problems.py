"""Problems (RFC 9457): the codes with their statuses, and what each refusal says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import orjson

from service.api.i18n import detail, error_document, problem_title
from service.api.message import Request
from service.games import catalogue
from service.rules.errors import Unanswerable
from service.rules.findings import Finding, Param, SchemaError, cited_rules
from service.sessions.change import SessionRuleError
from service.sessions.store import (
    CorruptSession,
    SessionDeleted,
    SessionNotFound,
    StoreError,
    StoreFull,
    StoreUnavailable,
    VersionConflict,
)
from service.telemetry.logs import log_event, trace

MOST_ERRORS = 50
"""Errors that a problem lists; its detail counts all. Else it could outgrow the request."""

STATUSES = {
    "malformed-json": 400,
    "invalid-request": 400,
    "bad-request": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "not-acceptable": 406,
    "request-timeout": 408,
    "illegal-event": 409,
    "cannot-undo": 409,
    "seeds-closed": 409,
    "session-ended": 409,
    "session-running": 409,
    "session-full": 409,
    "gone": 410,
    "precondition-failed": 412,
    "too-large": 413,
    "query-too-long": 414,
    "unsupported-media-type": 415,
    "misdirected-request": 421,
    "impossible-position": 422,
    "contradictory-options": 422,
    "idempotency-key-reused": 422,
    "too-many-streams": 429,
    "rate-limited": 429,
    "busy": 503,
    "sessions-away": 503,
    "sessions-full": 503,
    "session-unreadable": 503,
    "internal-error": 500,
}
"""Every problem of the contract."""


@dataclass(eq=False)
class ProblemError(Exception):
    """A request that is answered with a problem; nothing was done.

    ``key`` and ``params`` choose and fill the ``detail``; ``game`` owns the findings' words.
    """

    code: str
    key: str
    params: Mapping[str, Param] = field(default_factory=dict)
    errors: tuple[SchemaError, ...] = ()
    findings: tuple[Finding, ...] = ()
    game: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    """Members that only this kind of problem has."""
    reason: str = ""
    """Why the store refused, in a word for the log; never anything that a client has written."""

    @property
    def status(self) -> int:
        return STATUSES[self.code]

    def document(self, language: str) -> dict[str, Any]:
        """The problem in the reader's language."""
        return {
            "type": f"/problems/{self.code}",
            "title": problem_title(self.code, language),
            "status": self.status,
            "detail": detail(self.key, language, **self.params),
            "errors": [error_document(error, language) for error in self.errors[:MOST_ERRORS]],
            "findings": [
                catalogue()[self.game].finding_document(one, language) for one in self.findings
            ],
            "rules": sorted(cited_rules(self.findings)),
            **self.more,
        }


def problem_of(error: Exception, request: Request) -> ProblemError:
    """The problem that answers an error of an operation, of a session's rules or of the store."""
    match error:
        case ProblemError():
            return error
        case Unanswerable() | SessionRuleError():
            key = error.code if isinstance(error, Unanswerable) else error.key
            findings, game = tuple(error.findings), request.game
            count = {"count": len(findings)}
            return ProblemError(error.code, key, count, findings=findings, game=game)
        case SessionNotFound():
            return ProblemError("not-found", "unknown-session")
        case SessionDeleted():
            try:
                proof = orjson.loads(error.tombstone)
            except ValueError:
                return problem_of(CorruptSession("a tombstone that is none"), request)
            return ProblemError("gone", "gone", more={"fairness": proof})
        case StoreFull():
            later = retry_after(error.retry)
            return ProblemError("sessions-full", "store-full", headers=later, reason=error.word)
        case StoreUnavailable():
            later = retry_after(error.retry)
            return ProblemError("sessions-away", "sessions-away", headers=later, reason=error.word)
        case VersionConflict():
            return ProblemError("busy", "crowded-session", headers=retry_after(1))
        case StoreError():
            # Damaged or of a later release: another replica may be able to read it.
            code, later = "session-unreadable", retry_after(60)
            return ProblemError(code, code, headers=later, reason=type(error).__name__)
        case _:
            # A fault of ours: logged with its trace, answered without it.
            log_event("fault", "error", request_id=request.id, trace=trace(error))
            return ProblemError("internal-error", "internal-error")


def not_found(request: Request, near: str | None) -> ProblemError:
    """Nothing is served under the path of the request; ``near`` is what may have been meant."""
    if near is None:
        return ProblemError("not-found", "not-found", {"path": request.path})
    return ProblemError("not-found", "not-found-near", {"path": request.path, "near": near})


def invalid(errors: list[SchemaError]) -> ProblemError:
    """The request is not of the schema."""
    return ProblemError("invalid-request", "invalid-request", {"count": len(errors)}, tuple(errors))


def bad_request() -> ProblemError:
    """What was sent is not HTTP; the connection ends."""
    return ProblemError("bad-request", "bad-request", headers=_CLOSE)


def request_timeout(seconds: int) -> ProblemError:
    """The request took longer to arrive; the connection ends."""
    return ProblemError("request-timeout", "request-timeout", {"seconds": seconds}, headers=_CLOSE)


def busy() -> ProblemError:
    """All threads are taken, and the queue before them is full."""
    return ProblemError("busy", "busy", {"seconds": 1}, headers=retry_after(1))


def too_many_streams() -> ProblemError:
    """As many streams are open as may be, of the session or of the process."""
    return ProblemError("too-many-streams", "too-many-streams", headers=retry_after(1))


_CLOSE = (("Connection", "close"),)


def retry_after(seconds: float) -> tuple[tuple[str, str], ...]:
    """The header of a problem that may have passed after so many seconds."""
    return (("Retry-After", str(ceil(seconds))),)
