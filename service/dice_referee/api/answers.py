"""Answers that contain findings, a problem, sentences or a file."""

import gzip
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from dice_referee.api.headers import CACHEABLE, LOADS_NOTHING, entity_tag
from dice_referee.api.i18n import LANGUAGES, rulebook, text_language
from dice_referee.api.message import JSON, PROBLEM, TEXT, Answer, Request
from dice_referee.api.negotiation import accepts_gzip, accepts_only_text, language
from dice_referee.api.operation import make_once
from dice_referee.api.problems import ProblemError
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import Json
from dice_referee.sentences import speech
from dice_referee.sentences.findings import finding_document
from dice_referee.sentences.problems import problem_lines


def with_findings(request: Request, game: AnyGame, document: Json) -> Answer:
    """Returns the document with its findings in words. Without findings it contains no text."""
    lang: str | None = None

    def worded(value: object) -> Any:
        nonlocal lang
        if isinstance(value, Finding):
            lang = lang or language(request, rulebook(game.name).languages)
            return finding_document(game, value, lang)
        raise TypeError(f"no JSON for {value!r}")

    body = orjson.dumps(document, default=worded)
    return Answer(body, language=lang)


TEXT_UTF8 = f"{TEXT}; charset=utf-8"


def text_answer(lines: Sequence[str], lang: str, **facts: Any) -> Answer:
    body = speech.text(lines)
    return Answer(body, media_type=TEXT_UTF8, language=text_language(lang), **facts)


def cacheable(
    request: Request, document: Json, lang: str, tell: Callable[[], Sequence[str]] = list
) -> Answer:
    if request.accepted == TEXT:
        return text_answer(tell(), lang, cache=CACHEABLE)
    return Answer(orjson.dumps(document), cache=CACHEABLE, language=lang)


def problem_answer(request: Request, error: ProblemError) -> Answer:
    offered = rulebook(error.game).languages if error.findings else LANGUAGES
    lang, status, headers = language(request, offered), error.status, error.headers
    document = error.document(lang)
    if accepts_only_text(request):
        lines = problem_lines(document, lang)
        return text_answer(lines, lang, status=status, headers=headers)
    return Answer(orjson.dumps(document), status, PROBLEM, language=lang, headers=headers)


def gzip_file(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)


def file_answer(
    request: Request,
    content: bytes,
    media_type: str = JSON,
    caching: str = CACHEABLE,
    policy: str = LOADS_NOTHING,
    lang: str | None = None,
    status: int = 200,
    compress: Callable[[bytes], bytes] | None = None,
) -> Answer:
    """Serves a static file, compressed for a client that accepts gzip.

    ``lang`` is the language of its text. The default ``compress`` keeps its results.
    """
    small = accepts_gzip(request)
    body = content
    if small:
        body = compress(content) if compress else make_once(gzip_file, content)
    return Answer(
        body,
        status,
        media_type,
        caching,
        etag=entity_tag(body),
        language=lang,
        vary=("Accept-Encoding",),
        headers=(("Content-Encoding", "gzip"),) if small else (),
        policy=policy,
    )
