"""Problems (RFC 9457): codes, statuses and details."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from typing import Any, TypeVar

import orjson

from dice_referee.api.i18n import detail, error_document, problem_title
from dice_referee.api.spelling import nearest
from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.errors import Refusal
from dice_referee.rulebook.findings import MOST_ERRORS, Finding, Param, SchemaError, cited_rules
from dice_referee.rulebook.game import AnyQuestion
from dice_referee.sentences.findings import finding_document
from dice_referee.sessions.store import CorruptSession, SessionDeleted
from dice_referee.telemetry.logs import log_event, trace

MOST_HINTED = 5
"""Maximum unknown names of a request that get a suggestion. Each takes up to 0.1 ms."""

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
    "seat-unchanged": 409,
    "cannot-nudge": 409,
    "gone": 410,
    "precondition-failed": 412,
    "too-large": 413,
    "query-too-long": 414,
    "unsupported-media-type": 415,
    "misdirected-request": 421,
    "impossible-position": 422,
    "no-odds": 422,
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


Text = TypeVar("Text", str, dict[str, str])
Place = TypeVar("Place", SchemaError, Finding)


@dataclass(eq=False)
class ProblemError(Exception):
    """Refusal of a request, which the service answers with a problem. Nothing was changed.

    ``params`` fill the ``detail``, which ``key`` or the code selects. ``game`` is the game whose
    words the findings use.
    """

    code: str
    key: str = ""
    params: Mapping[str, Param] = field(default_factory=dict)
    errors: tuple[SchemaError, ...] = ()
    findings: tuple[Finding, ...] = ()
    game: str = ""
    players: Sequence[str] = ()
    headers: tuple[tuple[str, str], ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    """Reason of the store's refusal, a word for the log. It never contains text of a client."""

    @property
    def status(self) -> int:
        return STATUSES[self.code]

    def title(self, language: str) -> str:
        return _write(partial(problem_title, self.code, language), self.code)

    def detail(self, language: str) -> str:
        """Returns the detail of the problem, or its title without a sentence for it."""
        key = self.key or self.code
        write = partial(detail, key, language, **self.params)
        return _write(write, self.title(language), key)

    def document(self, language: str) -> dict[str, Any]:
        title = self.title(language)

        def place(write: Callable[[Place, str], dict[str, str]], reason: Place) -> dict[str, str]:
            rule: dict[str, str] = {"rule": reason.rule} if isinstance(reason, Finding) else {}
            bare = {"code": reason.code, **rule, "detail": title, "pointer": reason.pointer}
            return _write(partial(write, reason, language), bare, reason.code)

        return {
            "type": f"/problems/{self.code}",
            "code": self.code,
            "title": title,
            "status": self.status,
            "detail": self.detail(language),
            "errors": [place(error_document, error) for error in self.errors],
            "findings": [
                place(
                    partial(finding_document, catalogue()[self.game], names=self.players), finding
                )
                for finding in self.findings
            ],
            "rules": sorted(cited_rules(self.findings)),
            **self.more,
        }


def _write(write: Callable[[], Text], instead: Text, key: str = "title") -> Text:
    """Writes a text. If it is missing or has wrong placeholders, logs that and returns ``instead``.

    A missing text must not turn a refusal into an internal error.
    """
    try:
        return write()
    except (LookupError, ValueError) as error:
        log_event("fault", "error", text=key, trace=trace(error))
        return instead


def problem_of(error: Exception, game: str = "", request_id: str = "") -> ProblemError:
    """Returns the problem for an error of an operation, a session's rules or the store."""
    match error:
        case ProblemError():
            return error
        case SessionDeleted():
            try:
                proof = orjson.loads(error.tombstone)
            except ValueError:
                return refusal_problem(CorruptSession("a tombstone that is not JSON"), game)
            return ProblemError(error.code, more={"fairness": proof})
        case Refusal():
            return refusal_problem(error, game)
        case _:
            # An internal error is logged with its traceback and answered without it.
            log_event("fault", "error", request_id=request_id, trace=trace(error))
            return internal_error()


def refusal_problem(error: Refusal, game: str) -> ProblemError:
    """Returns the problem of a refusal. ``game`` owns the words of its findings."""
    return ProblemError(
        error.code,
        error.key,
        {"count": len(error.findings)},
        findings=tuple(error.findings),
        game=game,
        players=error.players,
        headers=() if error.retry is None else retry_after(error.retry),
        reason=error.word,
    )


def internal_error() -> ProblemError:
    return ProblemError("internal-error")


def not_found(path: str, near: str | None = None) -> ProblemError:
    return ProblemError("not-found", params=_with_suggestion({"path": path}, near))


def unknown(key: str, name: str, known: Iterable[str]) -> ProblemError:
    """Returns the problem of an unknown name, and suggests the nearest known name."""
    return ProblemError("not-found", key, _with_suggestion({"name": name}, nearest(name, known)))


def _with_suggestion(params: dict[str, Param], near: str | None) -> dict[str, Param]:
    return params if near is None else {**params, "near": near}


def refuse_dear(game: AnyGame, questions: Iterable[AnyQuestion], limit: int) -> None:
    """Raises a problem 413 if the value tables of a question cover more points than ``limit``."""
    if any(game.span(question) > limit for question in questions):
        raise ProblemError("too-large", "too-dear", {"limit": limit})


def invalid(errors: list[SchemaError]) -> ProblemError:
    count, hinted = {"count": len(errors)}, tuple(_add_suggestions(errors))
    if len(errors) == MOST_ERRORS:
        return ProblemError("invalid-request", "many-errors", count, errors=hinted)
    return ProblemError("invalid-request", params=count, errors=hinted)


def _add_suggestions(errors: Iterable[SchemaError]) -> Iterator[SchemaError]:
    left = MOST_HINTED
    for error in errors:
        received, choices = error.params.get("given"), error.params.get("choices")
        if left and isinstance(received, str) and isinstance(choices, tuple):
            left -= 1
            near = nearest(received, map(str, choices))
            yield error._replace(params=_with_suggestion({**error.params}, near))
        else:
            yield error


def bad_request() -> ProblemError:
    """Returns the problem of bytes that are not HTTP. The connection closes."""
    return ProblemError("bad-request", headers=_CLOSE)


def query_too_long(limit: int) -> ProblemError:
    return ProblemError("query-too-long", params={"limit": limit})


def request_timeout(seconds: int) -> ProblemError:
    """Returns the problem of a request that arrived too slowly. The connection closes."""
    return ProblemError("request-timeout", params={"seconds": seconds}, headers=_CLOSE)


def busy() -> ProblemError:
    return ProblemError("busy", params={"seconds": 1}, headers=retry_after(1))


def too_many_streams() -> ProblemError:
    return ProblemError("too-many-streams", headers=retry_after(1))


_CLOSE = (("Connection", "close"),)


def retry_after(seconds: float) -> tuple[tuple[str, str], ...]:
    """Returns the Retry-After header of a problem that may end after ``seconds``."""
    return (("Retry-After", str(ceil(seconds))),)
