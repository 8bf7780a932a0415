"""Parsing of JSON bodies, or a problem that explains what is wrong."""

from typing import Any

from dice_referee.api.problems import ProblemError
from dice_referee.validation.json_body import NotJson, depth, is_shallow, read_json


def parsed(raw: bytes, limit: int) -> Any:
    """Reads the JSON of a body or of one of its lines, nested at most ``limit`` levels deep."""
    try:
        document = read_json(raw)
    except NotJson as error:
        where = {"line": error.line, "column": error.column, "limit": limit}
        raise ProblemError("malformed-json", error.key, where) from None
    if not is_shallow(raw, limit) and depth(document) > limit:
        raise ProblemError("malformed-json", "too-deep", {"limit": limit})
    return document
