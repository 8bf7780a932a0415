"""The GET form of a position: a query string as the JSON that it stands for."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

from service.rules.game import Option, Reader
from service.rules.verdict import Flaw


class Unreadable(ValueError):
    """The text of a parameter is not of its form; ``expected`` names the form."""

    def __init__(self, expected: str) -> None:
        super().__init__(expected)
        self.expected = expected


def word(text: str) -> str:
    """An id, as it stands."""
    return text


def number(text: str) -> int:
    """An integer: ``-150``. More than twelve digits are no number that any field allows."""
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 13:
        raise Unreadable("integer")
    return int(text)


def flag(text: str) -> bool:
    """``true`` or ``false``."""
    if text not in ("true", "false"):
        raise Unreadable("true-or-false")
    return text == "true"


def digits(text: str) -> list[int]:
    """Dice as a run of digits: ``1255``."""
    if not text.isdecimal() or not text.isascii():
        raise Unreadable("digits")
    return [int(digit) for digit in text]


def digit_lists(text: str) -> list[list[int]]:
    """Dice roll by roll: ``1,222``."""
    try:
        return [digits(part) for part in text.split(",")]
    except Unreadable:
        raise Unreadable("digit-lists") from None


def numbers(text: str) -> list[int]:
    """A list of integers: ``0,-1000``."""
    try:
        return [number(part) for part in text.split(",")]
    except Unreadable:
        raise Unreadable("number-list") from None


def named_numbers(text: str) -> dict[str, int]:
    """Integers by name: ``fives:15,house:32``. No name comes twice."""
    found: dict[str, int] = {}
    for part in text.split(","):
        name, colon, value = part.partition(":")
        if not name or not colon or name in found:
            raise Unreadable("named-numbers")
        try:
            found[name] = number(value)
        except Unreadable:
            raise Unreadable("named-numbers") from None
    return found


def option_reader(option: Option) -> Reader:
    """How the text of a house rule is read."""
    if option.minimum is not None:
        return number if option.length is None else numbers
    return flag if True in option.values else word


def read_query(
    raw: bytes, readers: Mapping[str, Reader], option_readers: Mapping[str, Reader]
) -> tuple[dict[str, Any], list[Flaw]]:
    """The document that a query string stands for, and every flaw of its form.

    Options are parameters of their own and stand under ``options`` in the document.
    """
    document: dict[str, Any] = {}
    options: dict[str, Any] = {}
    flaws: list[Flaw] = []
    for pair in raw.split(b"&") if raw else ():
        if not pair:
            flaws.append(Flaw("empty-parameter", ""))
            continue
        name, _, text = (_decoded(part) for part in pair.replace(b"+", b" ").partition(b"="))
        if name in option_readers:
            at, place, read = f"/options/{name}", options, option_readers[name]
        elif name in readers:
            at, place, read = f"/{name}", document, readers[name]
        else:
            escaped = name.replace("~", "~0").replace("/", "~1")
            flaws.append(Flaw("unknown-field", f"/{escaped}"))
            continue
        if name in place:
            flaws.append(Flaw("repeated-parameter", at))
            continue
        place[name] = None
        if not text:
            flaws.append(Flaw("empty-parameter", at))
            continue
        try:
            place[name] = read(text)
        except Unreadable as refusal:
            flaws.append(Flaw("malformed-value", at, {"expected": refusal.expected}))
    if options:
        document["options"] = options
    return document, flaws


def _decoded(part: bytes) -> str:
    return unquote_to_bytes(part).decode("utf-8", "replace")
