"""Parsing of JSON bodies and of lines, or a problem that explains the error."""

from typing import Any

from dice_referee.api.problems import ProblemError, invalid
from dice_referee.games.game import AnyGame
from dice_referee.games.line import LogTooLong, read_line
from dice_referee.validation.json_body import NotJson, depth, is_shallow, read_json


def parse(raw: bytes, limit: int) -> Any:
    """Parses the JSON of a body or of a line of it, nested at most ``limit`` levels deep."""
    try:
        document = read_json(raw)
    except NotJson as error:
        where = {"line": error.line, "column": error.column, "limit": limit}
        raise ProblemError("malformed-json", error.key, where) from None
    if not is_shallow(raw, limit) and depth(document) > limit:
        raise ProblemError("malformed-json", "too-deep", {"limit": limit})
    return document


def is_line(document: object) -> bool:
    """Tells if a document has a line but no log. With a log, the line is ignored."""
    return isinstance(document, dict) and "line" in document and "log" not in document


def log_of_line(game: AnyGame, line: str, limit: int | None = None) -> Any:
    """Returns the log of a line with at most ``limit`` events. Raises ProblemError."""
    try:
        document, errors = read_line(game, line, limit)
    except LogTooLong as error:
        raise ProblemError("too-large", "log-too-long", {"limit": error.limit}) from None
    if errors:
        raise invalid(errors)
    return document
