"""Schema fields that mean what JSON Schema means.

marshmallow's own Integer takes ``"1"`` and 1.5, or else refuses 1.0; Python says ``True == 1``.
Every field here refuses with a code of the contract and what would have been right, and describes
itself as JSON Schema, so that a test can compare it with ``openapi.yaml``.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import jsonschema_rs
from marshmallow import RAISE, Schema, ValidationError, fields, missing

from service.rules.game import Option
from service.rules.verdict import Flaw, Param

JsonSchema = dict[str, Any]


class Defect(NamedTuple):
    """What is wrong with one value; the place is added when the errors are collected."""

    code: str
    params: Mapping[str, Param] = {}


Wrong = list[Defect] | Mapping[Any, Any] | None
"""What is wrong with a value: its defects, or those of its parts by key or index; else None."""


def wrong(code: str, **params: Param) -> list[Defect]:
    """One defect, as the answer of ``WireField.defects``."""
    return [Defect(code, params)]


def is_integer(value: object) -> bool:
    """Whether JSON Schema calls the value an integer: 1 and 1.0, but neither true nor 1.5."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


class WireField(fields.Field[Any]):
    """A field that describes itself."""

    expected = ""

    def defects(self, value: Any) -> Wrong:
        """What is wrong with the value; falsy if nothing is."""
        raise NotImplementedError

    def json_schema(self) -> JsonSchema:
        """What ``defects`` demands, as JSON Schema."""
        raise NotImplementedError

    def deserialize(
        self, value: Any, attr: str | None = None, data: Any = None, **kwargs: Any
    ) -> Any:
        if value is missing:
            if self.required:
                raise ValidationError([Defect("missing-field")])
            return value
        if found := self.defects(value):
            raise ValidationError(found)  # type: ignore[arg-type]
        return value


class Whole(WireField):
    """An integer within bounds, a multiple of ``step``."""

    expected = "integer"

    def __init__(self, minimum: int, maximum: int, step: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum, self.step = minimum, maximum, step

    def defects(self, value: Any) -> Wrong:
        if not is_integer(value):
            return wrong("wrong-type", expected=self.expected)
        if not self.minimum <= value <= self.maximum:
            return wrong("out-of-range", minimum=self.minimum, maximum=self.maximum)
        if value % self.step:
            return wrong("not-a-multiple", step=self.step)
        return None

    def json_schema(self) -> JsonSchema:
        step = {"multipleOf": self.step} if self.step > 1 else {}
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum, **step}


class Choice(WireField):
    """One of the words of a closed list."""

    expected = "string"

    def __init__(self, *choices: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices = tuple(map(str, choices))

    def defects(self, value: Any) -> Wrong:
        if not isinstance(value, str):
            return wrong("wrong-type", expected=self.expected)
        if value not in self.choices:
            return wrong("not-a-choice", choices=self.choices)
        return None

    def json_schema(self) -> JsonSchema:
        return {"type": "string", "enum": list(self.choices)}


class Flag(WireField):
    """``true`` or ``false``."""

    expected = "boolean"

    def defects(self, value: Any) -> Wrong:
        if not isinstance(value, bool):
            return wrong("wrong-type", expected=self.expected)
        return None

    def json_schema(self) -> JsonSchema:
        return {"type": "boolean"}


class Name(WireField):
    """A text of so many characters."""

    expected = "string"

    def __init__(self, minimum: int, maximum: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum = minimum, maximum

    def defects(self, value: Any) -> Wrong:
        if not isinstance(value, str):
            return wrong("wrong-type", expected=self.expected)
        if not self.minimum <= len(value) <= self.maximum:
            return wrong("wrong-length", minimum=self.minimum, maximum=self.maximum)
        return None

    def json_schema(self) -> JsonSchema:
        return {"type": "string", "minLength": self.minimum, "maxLength": self.maximum}


class Ascii(Name):
    """A text of so many printable ASCII characters."""

    expected = "ascii"

    def defects(self, value: Any) -> Wrong:
        if found := super().defects(value):
            return found
        if not (value.isascii() and value.isprintable()):
            return wrong("wrong-type", expected=self.expected)
        return None

    def json_schema(self) -> JsonSchema:
        return super().json_schema() | {"pattern": "^[ -~]+$"}


class Hex(Name):
    """So many hexadecimal digits, in lower case."""

    expected = "hex"

    def __init__(self, length: int, **kwargs: Any) -> None:
        super().__init__(length, length, **kwargs)

    def defects(self, value: Any) -> Wrong:
        if found := super().defects(value):
            return found
        if not set(value) <= set("0123456789abcdef"):
            return wrong("wrong-type", expected=self.expected)
        return None

    def json_schema(self) -> JsonSchema:
        return super().json_schema() | {"pattern": "^[0-9a-f]+$"}


class OrNull(WireField):
    """Something, or ``null``."""

    def __init__(self, item: WireField, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.item = item

    def defects(self, value: Any) -> Wrong:
        return None if value is None else self.item.defects(value)

    def json_schema(self) -> JsonSchema:
        schema = self.item.json_schema()
        return schema | {"type": [schema["type"], "null"]}


class Many(WireField):
    """A list of so many items; every item's defects are told, not only the first one's."""

    expected = "array"

    def __init__(
        self, item: WireField, minimum: int = 0, maximum: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.item, self.minimum, self.maximum = item, minimum, maximum

    def defects(self, value: Any) -> Wrong:
        if not isinstance(value, list):
            return wrong("wrong-type", expected=self.expected)
        if len(value) < self.minimum or (self.maximum is not None and len(value) > self.maximum):
            return wrong("wrong-length", minimum=self.minimum, maximum=self.maximum or 0)
        found = {i: one for i, item in enumerate(value) if (one := self.item.defects(item))}
        return found or None

    def json_schema(self) -> JsonSchema:
        schema: JsonSchema = {"type": "array", "items": self.item.json_schema()}
        if self.minimum:
            schema["minItems"] = self.minimum
        if self.maximum is not None:
            schema["maxItems"] = self.maximum
        return schema


class Part(WireField):
    """An object of a closed schema."""

    expected = "object"

    def __init__(self, schema: "RequestSchema", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.schema = schema

    def defects(self, value: Any) -> Wrong:
        if not isinstance(value, dict):
            return wrong("wrong-type", expected=self.expected)
        return self.schema.validate(value) or None

    def json_schema(self) -> JsonSchema:
        return self.schema.json_schema()


class OneOf(WireField):
    """An object whose ``type`` says which of several closed schemas it follows."""

    expected = "event"

    def __init__(self, kinds: "Mapping[str, RequestSchema]", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kinds = kinds
        self.type = Choice(*kinds, required=True)

    def defects(self, value: Any) -> Wrong:
        if not isinstance(value, dict):
            return wrong("wrong-type", expected=self.expected)
        if "type" not in value:
            return {"type": wrong("missing-field")}
        if found := self.type.defects(value["type"]):
            return {"type": found}
        return self.kinds[value["type"]].validate(value) or None

    def flaws(self, document: object, at: str = "") -> list[Flaw]:
        """Every place where the document, an event by itself, is not of this shape."""
        return list(_collected(self.defects(document) or [], at))

    def json_schema(self) -> JsonSchema:
        return {"oneOf": [schema.json_schema() for schema in self.kinds.values()]}


def option_field(option: Option) -> WireField:
    """The field of a house rule."""
    if option.minimum is not None and option.maximum is not None:
        number = Whole(option.minimum, option.maximum)
        return number if option.length is None else Many(number, option.length, option.length)
    return Flag() if True in option.values else Choice(*map(str, option.values))


class RequestSchema(Schema):
    """A closed object: what it does not declare is refused."""

    # marshmallow declares these messages as a plain attribute.
    error_messages: dict[str, str] = {  # noqa: RUF012
        "unknown": "unknown-field",
        "type": "wrong-type",
    }

    class Meta:
        unknown = RAISE

    def flaws(self, document: object, at: str = "") -> list[Flaw]:
        """Every place where the document is not of this schema."""
        if self.fits(document):
            return []
        if not isinstance(document, dict):
            return [Flaw("wrong-type", at, {"expected": "object"})]
        return list(_collected(self.validate(document), at))

    @cached_property
    def fits(self) -> Callable[[object], bool]:
        """The same declaration, compiled: it only says yes or no, but that soon."""
        return jsonschema_rs.Draft202012Validator(self.json_schema()).is_valid

    def json_schema(self) -> JsonSchema:
        required = [name for name, field in self.fields.items() if field.required]
        described = {
            name: field.json_schema()
            for name, field in self.fields.items()
            if isinstance(field, WireField)
        }
        schema: JsonSchema = {
            "type": "object",
            "additionalProperties": False,
            "properties": described,
        }
        return schema | ({"required": required} if required else {})


def closed(name: str, declared: Mapping[str, fields.Field[Any]]) -> RequestSchema:
    """A schema of this name with these fields and no others."""
    schema = RequestSchema.from_dict(dict(declared), name=name)()
    assert isinstance(schema, RequestSchema)
    return schema


class Anything(WireField):
    """An item that is judged by itself, so that it fails alone."""

    def __init__(self, described_by: RequestSchema, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.described_by = described_by

    def defects(self, value: Any) -> Wrong:
        return None

    def json_schema(self) -> JsonSchema:
        return self.described_by.json_schema()


def batch_of(position: RequestSchema) -> RequestSchema:
    """The request of a batch of such positions; how many there may be is a setting."""
    return closed("Batch", {"positions": Many(Anything(position), required=True)})


def _collected(messages: Any, at: str) -> Iterator[Flaw]:
    """marshmallow's tree of messages as flaws with pointers."""
    if isinstance(messages, dict):
        for key, nested in messages.items():
            # The pointer escapes of RFC 6901, for fields that clients invent.
            step = str(key).replace("~", "~0").replace("/", "~1")
            yield from _collected(nested, f"{at}/{step}")
        return
    for message in messages:
        code, params = message if isinstance(message, Defect) else (message, {})
        yield Flaw(code, at, params)
