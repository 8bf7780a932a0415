"""Schema fields that mean what JSON Schema means.

marshmallow's own Integer takes ``"1"`` and 1.5, or else refuses 1.0; Python says ``True == 1``.
Every field here refuses with a code of the contract and what would have been right, and describes
itself as JSON Schema, so that a test can compare it with ``openapi.yaml``.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from marshmallow import RAISE, Schema, ValidationError, fields

from service.rules.game import Option
from service.rules.verdict import Flaw, Param

JsonSchema = dict[str, Any]


class Defect(NamedTuple):
    """What is wrong with one value; the place is added when the errors are collected."""

    code: str
    params: Mapping[str, Param] = {}


def refuse(code: str, **params: Param) -> ValidationError:
    """The error to raise for a value."""
    return ValidationError([Defect(code, params)])


def is_integer(value: object) -> bool:
    """Whether JSON Schema calls the value an integer: 1 and 1.0, but neither true nor 1.5."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


class WireField(fields.Field[Any]):
    """A field that describes itself."""

    # marshmallow declares these messages, and those of schemas, as plain attributes.
    default_error_messages: dict[str, str | list[Any] | dict[Any, Any]] = {  # noqa: RUF012
        "required": "missing-field",
        "null": "wrong-type",
    }
    expected = ""

    def json_schema(self) -> JsonSchema:
        raise NotImplementedError

    def make_error(self, key: str, **kwargs: Any) -> ValidationError:
        if key == "null":
            return refuse("wrong-type", expected=self.expected)
        return super().make_error(key, **kwargs)


class Whole(WireField):
    """An integer within bounds, a multiple of ``step``."""

    expected = "integer"

    def __init__(self, minimum: int, maximum: int, step: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum, self.step = minimum, maximum, step

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not is_integer(value):
            raise refuse("wrong-type", expected=self.expected)
        if not self.minimum <= value <= self.maximum:
            raise refuse("out-of-range", minimum=self.minimum, maximum=self.maximum)
        if value % self.step:
            raise refuse("not-a-multiple", step=self.step)
        return value

    def json_schema(self) -> JsonSchema:
        step = {"multipleOf": self.step} if self.step > 1 else {}
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum, **step}


class Choice(WireField):
    """One of the words of a closed list."""

    expected = "string"

    def __init__(self, *choices: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices = tuple(map(str, choices))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, str):
            raise refuse("wrong-type", expected=self.expected)
        if value not in self.choices:
            raise refuse("not-a-choice", choices=self.choices)
        return value

    def json_schema(self) -> JsonSchema:
        return {"type": "string", "enum": list(self.choices)}


class Flag(WireField):
    """``true`` or ``false``."""

    expected = "boolean"

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise refuse("wrong-type", expected=self.expected)
        return value

    def json_schema(self) -> JsonSchema:
        return {"type": "boolean"}


class Name(WireField):
    """A text of so many characters."""

    expected = "string"

    def __init__(self, minimum: int, maximum: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum = minimum, maximum

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, str):
            raise refuse("wrong-type", expected=self.expected)
        if not self.minimum <= len(value) <= self.maximum:
            raise refuse("wrong-length", minimum=self.minimum, maximum=self.maximum)
        return value

    def json_schema(self) -> JsonSchema:
        return {"type": "string", "minLength": self.minimum, "maxLength": self.maximum}


class Many(WireField):
    """A list of so many items; every item's defects are told, not only the first one's."""

    expected = "array"

    def __init__(
        self, item: WireField, minimum: int = 0, maximum: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.item, self.minimum, self.maximum = item, minimum, maximum

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise refuse("wrong-type", expected=self.expected)
        if len(value) < self.minimum or (self.maximum is not None and len(value) > self.maximum):
            raise refuse("wrong-length", minimum=self.minimum, maximum=self.maximum or 0)
        errors: dict[int, Any] = {}
        for i, item in enumerate(value):
            try:
                self.item.deserialize(item)
            except ValidationError as error:
                errors[i] = error.messages
        if errors:
            raise ValidationError(errors)
        return value

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

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise refuse("wrong-type", expected=self.expected)
        if errors := self.schema.validate(value):
            raise ValidationError(errors)
        return value

    def json_schema(self) -> JsonSchema:
        return self.schema.json_schema()


class OneOf(WireField):
    """An object whose ``type`` says which of several closed schemas it follows."""

    expected = "event"

    def __init__(self, kinds: "Mapping[str, RequestSchema]", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kinds = kinds
        self.type = Choice(*kinds, required=True)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise refuse("wrong-type", expected=self.expected)
        if "type" not in value:
            raise ValidationError({"type": [Defect("missing-field")]})
        try:
            self.type.deserialize(value["type"])
        except ValidationError as error:
            raise ValidationError({"type": error.messages}) from None
        if errors := self.kinds[value["type"]].validate(value):
            raise ValidationError(errors)
        return value

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

    error_messages: dict[str, str] = {  # noqa: RUF012
        "unknown": "unknown-field",
        "type": "wrong-type",
    }

    class Meta:
        unknown = RAISE

    def flaws(self, document: object, at: str = "") -> list[Flaw]:
        """Every place where the document is not of this schema."""
        if not isinstance(document, dict):
            return [Flaw("wrong-type", at, {"expected": "object"})]
        return list(_collected(self.validate(document), at))

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
        super().__init__(allow_none=True, **kwargs)
        self.described_by = described_by

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
