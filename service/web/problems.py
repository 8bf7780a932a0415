"""The page behind the ``type`` of a problem."""

from service.api.headers import CACHEABLE
from service.api.i18n import problem_text, problem_title
from service.api.message import Answer, Request
from service.api.problems import STATUSES
from service.web.html import html_answer, reader_of
from service.web.markdown import rendered


def problem_page(request: Request, code: str) -> Answer:
    """Says what a problem means and what to do about it, with the ways to all others."""
    reader = reader_of(request)
    return html_answer(
        request,
        "problem.html",
        reader,
        caching=CACHEABLE,
        code=code,
        number=STATUSES[code],
        title=problem_title(code, reader.spoken),
        text=rendered(problem_text(code, reader.spoken)),
        others={one: problem_title(one, reader.spoken) for one in STATUSES if one != code},
    )
