"""Schema fields with the semantics of JSON Schema.

marshmallow's own Integer accepts ``"1"`` and 1.5, and Python says ``True == 1``. A whole float, an
integer in JSON Schema, was converted when the JSON was read. Every field refuses with a code of the
contract and the valid values, and reads its value from the text of a query parameter.
"""

import math
import re
from collections.abc import Mapping
from copy import copy
from typing import Any, Self

from marshmallow import fields

from dice_referee.rulebook.findings import MOST_ERRORS, Param, SchemaError

FieldErrors = list[SchemaError] | Mapping[Any, Any] | None
"""Errors of a value, or of its parts by key or index. Falsy without errors."""


ASCII, HEX = re.compile("^[ -~]+$"), re.compile("^[0-9a-f]+$")
FACE_PARTS = re.compile(r"[^\s,;\[\]]+")
"""Faces in a text with commas, spaces or brackets between them, as some clients send."""


def field_error(code: str, **params: Param) -> list[SchemaError]:
    """Returns a single error, as ``WireField.field_errors`` does. Its pointer is added later."""
    return [SchemaError(code, "", params)]


class Unreadable(ValueError):
    """The text of a query parameter does not have this form.

    ``meant`` is the text that the client probably meant, if known.
    """

    def __init__(self, form: str, meant: str = "") -> None:
        super().__init__(form)
        self.form, self.meant = form, meant


def integer_of(text: str, form: str = "integer") -> int:
    """Reads an integer of at most twelve digits, which suffice for every field."""
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 13:
        raise Unreadable(form)
    return int(text)


def integers_by_name(text: str) -> dict[str, int]:
    """Reads integers by name: ``fives:15,house:32``. A name may occur only once."""
    keys: dict[str, int] = {}
    for part in text.split(","):
        name, _, value = part.partition(":")
        if not name or name in keys:
            raise Unreadable("named-numbers")
        keys[name] = integer_of(value, "named-numbers")
    return keys


class WireField(fields.Field[Any]):
    def field_errors(self, value: Any) -> FieldErrors:
        raise NotImplementedError

    def read_text(self, text: str) -> Any:
        """Reads the JSON value from the text of a query parameter. Raises Unreadable."""
        return text

    def as_required(self) -> Self:
        field = copy(self)
        field.required = True
        return field


class Integer(WireField):
    def __init__(self, minimum: int, maximum: int, step: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum, self.step = minimum, maximum, step

    def field_errors(self, value: Any) -> FieldErrors:
        if type(value) is int and self.minimum <= value <= self.maximum:
            return field_error("not-a-multiple", step=self.step) if value % self.step else None
        # Whole floats that were not converted are beyond every bound.
        if type(value) is int or (isinstance(value, float) and value.is_integer()):
            return field_error("out-of-range", minimum=self.minimum, maximum=self.maximum)
        return field_error("wrong-type", expected="integer")

    def read_text(self, text: str) -> int:
        return integer_of(text)


class Enumerated(WireField):
    def __init__(self, *choices: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices = dict.fromkeys(map(str, choices))

    def field_errors(self, value: Any) -> FieldErrors:
        if not isinstance(value, str):
            return field_error("wrong-type", expected="string")
        if value in self.choices:
            return None
        return field_error("not-a-choice", choices=tuple(self.choices), given=value)


class Boolean(WireField):
    def field_errors(self, value: Any) -> FieldErrors:
        return None if isinstance(value, bool) else field_error("wrong-type", expected="boolean")

    def read_text(self, text: str) -> bool:
        if text not in ("true", "false"):
            raise Unreadable("true-or-false")
        return text == "true"


class Text(WireField):
    """Text of a bounded length in this ``form``: ``string`` (any), ``ascii``, ``hex``."""

    patterns = {"string": None, "ascii": ASCII, "hex": HEX}  # noqa: RUF012

    def __init__(self, minimum: int, maximum: int, form: str = "string", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum, self.form = minimum, maximum, form
        self.pattern = self.patterns[form]

    def field_errors(self, value: Any) -> FieldErrors:
        if not isinstance(value, str):
            return field_error("wrong-type", expected="string")
        if not self.minimum <= len(value) <= self.maximum:
            return field_error("wrong-length", minimum=self.minimum, maximum=self.maximum)
        if self.pattern is not None and not self.pattern.fullmatch(value):
            return field_error("wrong-type", expected=self.form)
        return None


class Line(Text):
    """Text whose bytes in a query must be UTF-8."""


class Brought(WireField):
    """Field that the service fills in. A request omits it."""

    def field_errors(self, value: Any) -> FieldErrors:
        return field_error("brought-by-service")


class Nullable(WireField):
    def __init__(self, item: WireField, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.item = item

    def field_errors(self, value: Any) -> FieldErrors:
        return None if value is None else self.item.field_errors(value)

    def read_text(self, text: str) -> Any:
        return self.item.read_text(text)


class ListOf(WireField):
    """List of a bounded length. It reports the errors of its first ``MOST_ERRORS`` wrong items."""

    def __init__(
        self, item: WireField, minimum: int = 0, maximum: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.item, self.minimum, self.maximum = item, minimum, maximum
        self.most = math.inf if maximum is None else maximum
        self.plain = (1, 0)
        """Bounds of plain integers. The default admits no number."""
        if isinstance(item, Integer) and item.step == 1:
            self.plain = (item.minimum, item.maximum)

    def field_errors(self, value: Any) -> FieldErrors:
        if not isinstance(value, list):
            return field_error("wrong-type", expected="array")
        if not self.minimum <= len(value) <= self.most:
            return field_error("wrong-length", minimum=self.minimum, maximum=self.maximum or 0)
        # Most lists are dice: a call for each item would double the time.
        low, high = self.plain
        for item in value:
            if type(item) is not int or not low <= item <= high:
                break
        else:
            return None
        judge = self.item.field_errors
        errors_by_index: dict[int, FieldErrors] = {}
        for i, item in enumerate(value):
            if errors := judge(item):
                errors_by_index[i] = errors
                if len(errors_by_index) == MOST_ERRORS:
                    break
        return errors_by_index

    def read_text(self, text: str) -> list[Any]:
        try:
            return [self.item.read_text(part) for part in text.split(",")]
        except Unreadable:
            dice = isinstance(self.item, Dice)
            raise Unreadable("digit-lists" if dice else "number-list") from None


class Dice(ListOf):
    """Dice by their faces. In a query they are a run of digits: ``1255``."""

    def read_text(self, text: str) -> list[Any]:
        if not text.isdecimal() or not text.isascii():
            raise Unreadable("digits", self.run_meant(text))
        return self.faces(text)

    def faces(self, run: str) -> list[Any]:
        return [int(face) if face in "0123456789" else face for face in run]

    def run_meant(self, text: str) -> str:
        """Returns the run of faces that a text with commas means, or "" without faces."""
        parts = FACE_PARTS.findall(text)
        run = "".join(parts)
        single = run.isalnum() and run.isascii() and len(run) == len(parts)
        return run if single and run != text and not self.field_errors(self.faces(run)) else ""
