"""Pages of problem types, and the page of an unknown address."""

from dice_referee.api.headers import CACHEABLE
from dice_referee.api.i18n import problem_text, problem_title
from dice_referee.api.message import HTML, PROBLEM, Answer, Request
from dice_referee.api.negotiation import prefers
from dice_referee.api.problems import STATUSES, not_found
from dice_referee.web.html import reader_of, render


def problem_page(request: Request, code: str) -> Answer:
    reader = reader_of(request, pictured=False)
    return reader.page(
        "problem.html",
        caching=CACHEABLE,
        code=code,
        number=STATUSES[code],
        title=problem_title(code, reader.lang),
        text=render(problem_text(code, reader.lang)),
        others={
            status: problem_title(status, reader.lang) for status in STATUSES if status != code
        },
    )


def missing(request: Request, near: str | None = None) -> Answer:
    """Shows that the address is unknown. Raises ProblemError for a client."""
    error = not_found(request.path, near)
    if request.method not in ("GET", "HEAD") or not prefers(request, HTML, PROBLEM):
        raise error
    reader = reader_of(request, pictured=False)
    detail = error.detail(reader.lang)
    return reader.page(
        "missing.html",
        error.status,
        title=error.title(reader.lang),
        detail=detail,
        # The suggestion is the end of the detail.
        suggestion=detail.rpartition(near) if near else (detail, "", ""),
    )
