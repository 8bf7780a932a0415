"""Closed schemas of fields: the shape of a request, and its errors."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from marshmallow import Schema

from dice_referee.rulebook.errors import ImpossiblePosition
from dice_referee.rulebook.findings import MOST_ERRORS, Finding, SchemaError
from dice_referee.rulebook.game import OVER
from dice_referee.validation.fields import (
    Enumerated,
    FieldErrors,
    WireField,
    field_error,
    integers_by_name,
)

Fields = Mapping[str, WireField]

SHOWN = 3
"""Optional fields that the form of an object shows where none is required."""


class Shape:
    def field_errors(self, value: Any) -> FieldErrors:
        raise NotImplementedError

    def errors(self, document: object, at: str = "") -> list[SchemaError]:
        field_errors_found = self.field_errors(document)
        if not field_errors_found:
            return []
        return list(islice(_flatten(field_errors_found, at), MOST_ERRORS))


class RequestSchema(Shape, Schema):
    """Closed object, which refuses undeclared fields."""

    def field_errors(self, value: Any) -> FieldErrors:
        """Returns the errors of an object, declared fields first, or a falsy value."""
        if not isinstance(value, dict):
            return field_error("wrong-type", expected="object", form=self.form)
        errors: dict[str, FieldErrors] = {}
        for name, required, judge in self._judges:
            if name in value:
                if field_errors := judge(value[name]):
                    errors[name] = field_errors
            elif required:
                errors[name] = field_error("missing-field")
        if not value.keys() <= self.fields.keys():
            errors |= _unknown_fields(value, self.fields)
        return errors

    @cached_property
    def _judges(self) -> list[tuple[str, bool, Callable[[Any], FieldErrors]]]:
        fields = self.wire_fields.items()
        return [(name, field.required, field.field_errors) for name, field in fields]

    @cached_property
    def form(self) -> str:
        """Form of the object in JSON: its required fields, or its first fields, without values."""
        required = [name for name, field in self.wire_fields.items() if field.required]
        names = required or list(self.wire_fields)[:SHOWN]
        rest = ["…"] if len(names) < len(self.wire_fields) else []
        return "{" + ", ".join([f'"{name}": …' for name in names] + rest) + "}"

    @cached_property
    def wire_fields(self) -> dict[str, WireField]:
        return {name: field for name, field in self.fields.items() if isinstance(field, WireField)}

    @cached_property
    def parameters(self) -> dict[str, tuple[str | None, WireField]]:
        """Parameters of a query by name: the parent object of each, if any, and its field."""
        names: dict[str, tuple[str | None, WireField]] = {}
        for name, field in self.wire_fields.items():
            if name == "options" and isinstance(field, Nested):
                names |= {
                    inner: (name, inner_field)
                    for inner, inner_field in field.schema.wire_fields.items()
                }
            else:
                names[name] = (None, field)
        return names


class PositionSchema(RequestSchema):
    """Closed object of a position, which is a running turn."""

    ends_turn = ""

    def field_errors(self, value: Any) -> FieldErrors:
        """Returns the errors of a position. Raises ImpossiblePosition for a turn that is over."""
        if isinstance(value, dict):
            is_over = value.get("phase") == OVER
            if is_over or "outcome" in value:
                at = "/phase" if is_over else "/outcome"
                raise ImpossiblePosition((Finding("game-over", self.ends_turn, at),))
        return super().field_errors(value)


def define(name: str, declared: Fields) -> RequestSchema:
    """Returns a schema of this name with these fields and no others."""
    schema = RequestSchema.from_dict(dict(declared), name=name)()
    assert isinstance(schema, RequestSchema)
    return schema


def define_position(name: str, declared: Fields, ends_turn: str) -> RequestSchema:
    """Returns the schema of a position, which by this rule is no turn that is over."""
    schema = PositionSchema.from_dict(dict(declared), name=name)()
    assert isinstance(schema, PositionSchema)
    schema.ends_turn = ends_turn
    return schema


class Nested(WireField):
    def __init__(self, schema: RequestSchema, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.schema = schema

    def field_errors(self, value: Any) -> FieldErrors:
        return self.schema.field_errors(value)

    def read_text(self, text: str) -> dict[str, int]:
        return integers_by_name(text)


class OneOf(Shape, WireField):
    def __init__(self, kinds: Mapping[str, RequestSchema], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kinds = kinds
        self.type = Enumerated(*kinds, required=True)

    def field_errors(self, value: Any) -> FieldErrors:
        if not isinstance(value, dict):
            return field_error("wrong-type", expected="event")
        if "type" not in value:
            known = dict.fromkeys(name for kind in self.kinds.values() for name in kind.fields)
            return {"type": field_error("missing-field")} | _unknown_fields(value, known)
        if errors := self.type.field_errors(value["type"]):
            return {"type": errors}
        return self.kinds[value["type"]].field_errors(value)


class Raw(WireField):
    """Any JSON, which another schema judges later."""

    def field_errors(self, value: Any) -> FieldErrors:
        return None


def _unknown_fields(value: Mapping[str, Any], known: Collection[str]) -> dict[str, FieldErrors]:
    lacked = tuple(name for name in known if name not in value)
    unknown = islice((name for name in value if name not in known), MOST_ERRORS)
    return {name: field_error("unknown-field", given=name, choices=lacked) for name in unknown}


def pointer_step(name: str) -> str:
    """Escapes a name as a step of a JSON pointer (RFC 6901), because clients invent fields."""
    return name.replace("~", "~0").replace("/", "~1")


def _flatten(messages: Any, at: str) -> Iterator[SchemaError]:
    if isinstance(messages, dict):
        for key, nested in messages.items():
            yield from _flatten(nested, f"{at}/{pointer_step(str(key))}")
        return
    for error in messages:
        yield error._replace(pointer=at)
