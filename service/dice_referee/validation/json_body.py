"""JSON as the contract requires: UTF-8, finite numbers, no duplicate keys, no lone surrogates."""

import re
from typing import Any

import orjson

POINT = ord(".")
EXACT = 2**53
"""Smallest integer from which on floats are ambiguous."""
STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?[ \t\r\n]*+(:?)', re.DOTALL)
WHITE_SPACE = " \t\r\n"


class NotJson(ValueError):
    """The bytes are not JSON. ``code`` is the key of the sentence with the reason.

    ``line`` and ``column`` are where parsing stopped, both from 1, or 0 if unknown.
    """

    def __init__(self, key: str, line: int = 0, column: int = 0) -> None:
        super().__init__(key)
        self.key, self.line, self.column = key, line, column


def read_json(body: bytes) -> Any:
    """Parses the document of a body, with integers for whole floats.

    Raises NotJson, also for duplicate keys, which orjson accepts.
    """
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise _refusal(body, error) from None
    try:
        dumped = orjson.dumps(document)
    except orjson.JSONEncodeError:
        raise NotJson("too-deep") from None
    if not has_plain_keys(body, dumped) and number_of_keys(body) > number_of_keys(dumped):
        raise NotJson("duplicate-key")
    # Serialized floats have a point, except floats beyond every accepted number.
    return in_integers(document) if POINT in dumped else document


def _refusal(body: bytes, error: orjson.JSONDecodeError) -> NotJson:
    try:
        text = body.decode()
    except UnicodeDecodeError as bad:
        before = body[: bad.start].decode()
        return NotJson("not-utf-8", before.count("\n") + 1, len(before) - before.rfind("\n"))
    if not text.strip(WHITE_SPACE):
        return NotJson("empty-body")
    place, rest = (error.lineno, error.colno), text[error.pos :]
    if rest.startswith("'"):
        return NotJson("single-quotes", *place)
    if rest.startswith(("//", "/*", "#")):
        return NotJson("comment", *place)
    if rest.startswith(",") and rest[1:].lstrip(WHITE_SPACE).startswith(("]", "}")):
        return NotJson("trailing-comma", *place)
    return NotJson("malformed-json", *place)


def has_plain_keys(body: bytes, dumped: bytes) -> bool:
    """Tells if the body certainly has no duplicate key. ``dumped`` is its serialized document.

    The two are equal, or have the same number of quotation marks: a lost key loses its quotation
    marks too. A body with escapes is never certain.
    """
    return dumped == body or (b"\\" not in body and dumped.count(b'"') == body.count(b'"'))


def number_of_keys(body: bytes) -> int:
    return sum(1 for string in STRING.finditer(body) if string[1])


def in_integers(document: Any) -> Any:
    """Returns the document with integers for whole floats, as in JSON Schema: 1.0 is 1."""
    if isinstance(document, dict):
        return {name: in_integers(value) for name, value in document.items()}
    if isinstance(document, list):
        return [in_integers(item) for item in document]
    is_integer = isinstance(document, float) and document.is_integer() and abs(document) < EXACT
    return int(document) if is_integer else document


def depth(document: Any) -> int:
    """Returns the nesting depth of lists and objects: 0 for a scalar."""
    level, deepest = [document], 0
    while level := [x for x in level if isinstance(x, dict | list)]:
        deepest += 1
        level = [y for x in level for y in (x.values() if isinstance(x, dict) else x)]
    return deepest


def is_shallow(body: bytes, limit: int) -> bool:
    """Tells if the JSON of the body certainly nests at most ``limit`` levels deep.

    A body with escapes, or with brackets in a string, is never certain: the quotation marks of such
    a string are not adjacent.
    """
    if body.count(b"[") + body.count(b"{") <= limit:
        return True
    if b"\\" in body:
        return False
    brackets = body.translate(_ONE_KIND, _ALL_BUT_BRACKETS_AND_MARKS).replace(b'""', b"")
    for _ in range(limit):
        if not brackets:
            break
        brackets = brackets.replace(b"[]", b"")
    return not brackets


_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_ALL_BUT_BRACKETS_AND_MARKS = bytes(set(range(256)) - set(b'[]{}"'))
