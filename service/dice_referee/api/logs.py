"""Logs of games as JSON, or as a line in a query, in JSON or in a text body."""

from typing import Any

from dice_referee.api.documents import (
    body_of,
    check_number,
    json_document,
    query_document,
    validate,
)
from dice_referee.api.message import JSON, TEXT, Request
from dice_referee.api.negotiation import media_type
from dice_referee.api.parsing import is_line, log_of_line
from dice_referee.api.problems import invalid
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.findings import SchemaError


def log_document(request: Request, game: AnyGame) -> Any:
    limit = request.services.settings.log_limit
    if request.method != "POST":
        line = query_document(request, game.schemas.line)["line"]
    elif media_type(request, JSON, TEXT) == TEXT:
        line = _text(body_of(request, request.services.settings.body_limit, limit))
    else:
        document = json_document(request, limit)
        if not is_line(document):
            check_number(document, "log", "log-too-long", limit)
            return validate(game.schemas.log, document)
        line = validate(game.schemas.line, document)["line"]
    return log_of_line(game, line, limit)


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        error = SchemaError("malformed-value", "/line", {"expected": "utf-8"})
        raise invalid([error]) from None
