"""JSON Schema of the fields that requests declare, for comparison with ``openapi.yaml``."""

from typing import Any

from dice_referee.games.pot.documents import FaceField
from dice_referee.validation.fields import (
    Boolean,
    Brought,
    Enumerated,
    Integer,
    ListOf,
    Nullable,
    Text,
)
from dice_referee.validation.schema import Nested, OneOf, Raw, RequestSchema

JsonSchema = dict[str, Any]


def json_schema(shape: Any) -> JsonSchema:
    """Returns the JSON Schema of a field or of a closed object."""
    match shape:
        case RequestSchema():
            taken = {k: v for k, v in shape.wire_fields.items() if not isinstance(v, Brought)}
            fields = {name: json_schema(field) for name, field in taken.items()}
            names = [name for name, field in taken.items() if field.required]
            required = {"required": names} if names else {}
            closed = {"type": "object", "additionalProperties": False, "properties": fields}
            return closed | required
        case Nested():
            return json_schema(shape.schema)
        case Raw():
            return {}
        case OneOf():
            return {"oneOf": [json_schema(kind) for kind in shape.kinds.values()]}
        case Nullable():
            item = json_schema(shape.item)
            return item | {"type": [item["type"], "null"]}
        case ListOf():
            return without_none(
                {
                    "type": "array",
                    "items": json_schema(shape.item),
                    "minItems": shape.minimum or None,
                    "maxItems": shape.maximum,
                }
            )
        case Integer():
            bounds = {"type": "integer", "minimum": shape.minimum, "maximum": shape.maximum}
            return bounds | ({"multipleOf": shape.step} if shape.step > 1 else {})
        case Enumerated():
            return {"type": "string", "enum": list(shape.choices)}
        case Boolean():
            return {"type": "boolean"}
        case Text():
            bounds = {"type": "string", "minLength": shape.minimum, "maxLength": shape.maximum}
            return without_none({**bounds, "pattern": shape.pattern and shape.pattern.pattern})
        case FaceField():
            numbers = [face for face in shape.choices if isinstance(face, int)]
            assert numbers == list(range(min(numbers), max(numbers) + 1))
            letters = [face for face in shape.choices if isinstance(face, str)]
            number = {"type": "integer", "minimum": min(numbers), "maximum": max(numbers)}
            return {"oneOf": [number, {"type": "string", "enum": letters}]}
        case _:
            raise TypeError(f"what does {shape!r} demand?")


def without_none(schema: JsonSchema) -> JsonSchema:
    return {name: value for name, value in schema.items() if value is not None}
