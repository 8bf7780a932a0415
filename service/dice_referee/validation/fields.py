"""Schema fields that mean what JSON Schema means.

marshmallow's own Integer takes ``"1"`` and 1.5; Python says ``True == 1``. A whole float, an
integer to JSON Schema, has become one where the JSON was read.
Every field here refuses with a code of the contract and what would have been right, and reads its
value from the text of a query parameter.
"""

import math
import re
from collections.abc import Mapping
from copy import copy
from typing import Any, Self

from marshmallow import ValidationError, fields, missing

from dice_referee.rulebook.findings import Param, SchemaError

FieldErrors = list[SchemaError] | Mapping[Any, Any] | None
"""The errors of a value, or those of its parts by key or index; falsy if there are none."""


FACE_PARTS = re.compile(r"[^\s,;\[\]]+")
"""The faces in a text that has commas, blanks or brackets between them, as other clients do."""


def field_error(code: str, **params: Param) -> list[SchemaError]:
    """Returns a single error, as ``WireField.field_errors`` does; its place is added later."""
    return [SchemaError(code, "", params)]


class Unreadable(ValueError):
    """The text of a query parameter is not of this form.

    ``meant`` is the text that would have been right, where that can be told.
    """

    def __init__(self, form: str, meant: str = "") -> None:
        super().__init__(form)
        self.form, self.meant = form, meant


def integer_of(text: str, form: str = "integer") -> int:
    """Reads an integer. No field allows more than twelve digits."""
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 13:
        raise Unreadable(form)
    return int(text)


def integers_by_name(text: str) -> dict[str, int]:
    """Reads integers by name: ``fives:15,house:32``. No name comes twice."""
    keys: dict[str, int] = {}
    for part in text.split(","):
        name, _, value = part.partition(":")
        if not name or name in keys:
            raise Unreadable("named-numbers")
        keys[name] = integer_of(value, "named-numbers")
    return keys


class WireField(fields.Field[Any]):
    """A field that takes a value as it stands in JSON, or says what is wrong with it."""

    def field_errors(self, value: Any) -> FieldErrors:
        """Returns the errors of the value."""
        raise NotImplementedError

    def read_text(self, text: str) -> Any:
        """Reads the JSON that the text of a query parameter stands for. Raises Unreadable."""
        return text

    def demanded(self) -> Self:
        """Returns this field, required."""
        field = copy(self)
        field.required = True
        return field

    def deserialize(
        self, value: Any, attr: str | None = None, data: Any = None, **kwargs: Any
    ) -> Any:
        if value is missing:
            errors: FieldErrors = field_error("missing-field") if self.required else None
        else:
            errors = self.field_errors(value)
        if errors:
            raise ValidationError(errors)  # type: ignore[arg-type]
        return value


class Integer(WireField):
    """An integer within bounds, a multiple of ``step``."""

    def __init__(self, minimum: int, maximum: int, step: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum, self.step = minimum, maximum, step

    def field_errors(self, value: Any) -> FieldErrors:
        if type(value) is int and self.minimum <= value <= self.maximum:
            return field_error("not-a-multiple", step=self.step) if value % self.step else None
        # The floats that are integers still are beyond every bound.
        if type(value) is int or (isinstance(value, float) and value.is_integer()):
            return field_error("out-of-range", minimum=self.minimum, maximum=self.maximum)
        return field_error("wrong-type", expected="integer")

    def read_text(self, text: str) -> int:
        return integer_of(text)


class Enumerated(WireField):
    """One of the words of a closed list."""

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
    """``true`` or ``false``."""

    def field_errors(self, value: Any) -> FieldErrors:
        return None if isinstance(value, bool) else field_error("wrong-type", expected="boolean")

    def read_text(self, text: str) -> bool:
        if text not in ("true", "false"):
            raise Unreadable("true-or-false")
        return text == "true"


class Text(WireField):
    """A text of so many characters, all of this ``form``: ``string`` (any), ``ascii``, ``hex``."""

    patterns = {"string": None, "ascii": "^[ -~]+$", "hex": "^[0-9a-f]+$"}  # noqa: RUF012

    def __init__(self, minimum: int, maximum: int, form: str = "string", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum, self.form = minimum, maximum, form
        self.pattern = self.patterns[form]

    def field_errors(self, value: Any) -> FieldErrors:
        if not isinstance(value, str):
            return field_error("wrong-type", expected="string")
        if not self.minimum <= len(value) <= self.maximum:
            return field_error("wrong-length", minimum=self.minimum, maximum=self.maximum)
        if self.pattern is not None and not re.fullmatch(self.pattern, value):
            return field_error("wrong-type", expected=self.form)
        return None


class Line(Text):
    """A text that no query may distort: its bytes there are UTF-8."""


class Brought(WireField):
    """Field that the service fills in: a request leaves it out."""

    def field_errors(self, value: Any) -> FieldErrors:
        return field_error("brought-by-service")


class Nullable(WireField):
    """Something, or ``null``."""

    def __init__(self, item: WireField, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.item = item

    def field_errors(self, value: Any) -> FieldErrors:
        return None if value is None else self.item.field_errors(value)

    def read_text(self, text: str) -> Any:
        return self.item.read_text(text)


class ListOf(WireField):
    """A list of so many items; the errors of all items are reported."""

    def __init__(
        self, item: WireField, minimum: int = 0, maximum: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.item, self.minimum, self.maximum = item, minimum, maximum
        self.most = math.inf if maximum is None else maximum
        self.plain = (1, 0)
        """The bounds of plain integers; no number is between these."""
        if isinstance(item, Integer) and item.step == 1:
            self.plain = (item.minimum, item.maximum)

    def field_errors(self, value: Any) -> FieldErrors:
        if not isinstance(value, list):
            return field_error("wrong-type", expected="array")
        if not self.minimum <= len(value) <= self.most:
            return field_error("wrong-length", minimum=self.minimum, maximum=self.maximum or 0)
        # Most of what is validated are dice: a call for each would double the time.
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
        return errors_by_index

    def read_text(self, text: str) -> list[Any]:
        try:
            return [self.item.read_text(part) for part in text.split(",")]
        except Unreadable:
            dice = isinstance(self.item, Dice)
            raise Unreadable("digit-lists" if dice else "number-list") from None


class Dice(ListOf):
    """Dice by their faces; in a query a run of digits: ``1255``."""

    def read_text(self, text: str) -> list[Any]:
        if not text.isdecimal() or not text.isascii():
            raise Unreadable("digits", self.run_meant(text))
        return self.faces(text)

    def faces(self, run: str) -> list[Any]:
        """Reads a run of faces as dice."""
        return [int(face) if face in "0123456789" else face for face in run]

    def run_meant(self, text: str) -> str:
        """Returns the run that a text with commas between the faces means; empty if it has none."""
        parts = FACE_PARTS.findall(text)
        run = "".join(parts)
        single = run.isalnum() and run.isascii() and len(run) == len(parts)
        return run if single and run != text and not self.field_errors(self.faces(run)) else ""
