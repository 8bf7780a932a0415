"""What is answered where nothing is: a page for a browser, a problem for a client."""

from service.api.i18n import detail, problem_title
from service.api.message import HTML, PROBLEM, Answer, Request
from service.api.negotiation import prefers
from service.api.problems import STATUSES, not_found
from service.web.html import html_answer, reader_of

CODE = "not-found"


def missing(request: Request) -> Answer:
    """Says that nothing is served under this address. Raises ProblemError for a client."""
    if request.method not in ("GET", "HEAD") or not prefers(request, HTML, PROBLEM):
        not_found(request)
    reader = reader_of(request)
    return html_answer(
        request,
        "missing.html",
        reader,
        STATUSES[CODE],
        title=problem_title(CODE, reader.spoken),
        detail=detail(CODE, reader.spoken, path=request.path),
    )
