"""The three verbs of every game: adjudications (and their batch), transitions, games."""

from collections.abc import Iterator, Sized
from functools import partial
from typing import Any

import orjson
from flask import Flask, Response

from service.api.answering import (
    cached,
    fresh,
    in_words,
    language,
    streamed,
    with_findings,
)
from service.api.problems import Refused, unanswerable
from service.api.reading import (
    NDJSON,
    about,
    accept,
    body,
    json_document,
    media_type,
    parsed,
    query_document,
    settings,
    shaped,
)
from service.api.words import book
from service.http.message import JSON
from service.http.metrics import count_verdict
from service.rules.errors import Unanswerable
from service.rules.game import Adjudication, Game

LINES_AT_A_TIME = 50
"""Answers of a streamed batch that are sent together: some 60 kB."""


def add_verbs(app: Flask, game: Game) -> None:
    """The resources of one game."""
    base = f"/v1/{game.name}"
    for path, methods, view in (
        ("/adjudications", ["POST"], adjudicate),
        ("/adjudications", ["GET"], adjudicate_query),
        ("/adjudications/batch", ["POST"], adjudicate_batch),
        ("/transitions", ["POST"], apply_event),
        ("/games", ["POST"], audit),
    ):
        endpoint = f"{game.name}.{view.__name__}"
        app.add_url_rule(base + path, endpoint, partial(view, game), methods=methods)


def adjudicate(game: Game) -> Response:
    """What this roll allows."""
    accept(JSON)
    document = about(game, shaped(game.position, json_document()))
    return fresh(_judged(game, document).text.encode())


def adjudicate_query(game: Game) -> Response:
    """The same, asked by a query string; anybody may keep the answer."""
    accept(JSON)
    return cached(_judged(game, about(game, query_document(game))).text.encode())


def _judged(game: Game, document: Any) -> Adjudication:
    try:
        adjudication = game.adjudicate(document)
    except Unanswerable as error:
        raise unanswerable(game.name, error) from None
    count_verdict(game.name, adjudication.status)
    return adjudication


def apply_event(game: Game) -> Response:
    """Where one event leads, or why it is illegal."""
    accept(JSON)
    document = about(game, shaped(game.transition, json_document()))
    try:
        return with_findings(game.name, game.step(document))
    except Unanswerable as error:
        raise unanswerable(game.name, error) from None


def audit(game: Game) -> Response:
    """How the game of a log stands."""
    accept(JSON)
    document = json_document()
    log, limit = document.get("log") if isinstance(document, dict) else None, settings().log_limit
    if isinstance(log, list) and len(log) > limit:
        raise Refused("too-large", "log-too-long", {"limit": limit})
    try:
        return with_findings(game.name, game.audit(about(game, shaped(game.log, document))))
    except Unanswerable as error:
        raise unanswerable(game.name, error) from None


def adjudicate_batch(game: Game) -> Response:
    """Many rolls at once: JSON in and out, or a line each."""
    kind = media_type(JSON, NDJSON)
    accept(kind)
    raw, spoken = body(settings().batch_body_limit), language(book(game.name).languages)
    if kind == NDJSON:
        lines = [line for line in raw.split(b"\n") if line.strip()]
        _check_number(lines)
        stream = _answer_lines(game, lines, spoken, settings().nesting_limit)
        return in_words(streamed(stream, kind), spoken)
    document = parsed(raw, settings().nesting_limit)
    if isinstance(document, dict) and isinstance(document.get("positions"), list):
        _check_number(document["positions"])
    positions = shaped(game.batch, document)["positions"]
    answers = [_answer(game, position, spoken) for position in positions]
    response = fresh(b'{"answers":[' + b",".join(answers) + b"]}")
    # Problems alone hold text, and every problem says which it is.
    refused = any(answer.startswith(b'{"type":"/problems/') for answer in answers)
    return in_words(response, spoken) if refused else response


def _check_number(positions: Sized) -> None:
    limit = settings().batch_limit
    if len(positions) > limit:
        raise Refused("too-large", "batch-too-long", {"limit": limit})


def _answer(game: Game, position: Any, spoken: str) -> bytes:
    """The answer to one position of a batch; a bad one fails alone, with a problem."""
    try:
        return _judged(game, shaped(game.position, position)).text.encode()
    except Refused as refused:
        return orjson.dumps(refused.document(spoken))


def _answer_lines(game: Game, lines: list[bytes], spoken: str, nesting: int) -> Iterator[bytes]:
    for start in range(0, len(lines), LINES_AT_A_TIME):
        some = lines[start : start + LINES_AT_A_TIME]
        yield b"".join([_answer_line(game, line, spoken, nesting) + b"\n" for line in some])


def _answer_line(game: Game, line: bytes, spoken: str, nesting: int) -> bytes:
    try:
        return _answer(game, parsed(line, nesting), spoken)
    except Refused as refused:
        return orjson.dumps(refused.document(spoken))
