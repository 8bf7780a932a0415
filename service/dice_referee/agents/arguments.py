"""Arguments of a call, converted by the schema of its tool."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

Schema = dict[str, Any]
Document = dict[str, Any]

TYPES = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
FACES = ("dice", "held", "roll")
PAIRS = ("options", "scorecard")
"""Arguments with ``name=value`` items, which become an object."""


def read(arguments: Document, schema: Schema) -> Document:
    """Returns the arguments in the form of the service: without ``null``, JSON texts parsed."""
    document: Document = _read(arguments, schema)
    return document


def _read(value: Any, schema: Schema, name: str = "") -> Any:
    if isinstance(value, str) and schema["type"] != "string":
        with suppress(ValueError):
            value = json.loads(value)
    if isinstance(value, list) and name in PAIRS:
        return dict(map(_pair, value)) if all("=" in str(each) for each in value) else value
    if isinstance(value, list) and name in FACES:
        return [int(face) if str(face).isdecimal() else face for face in value]
    if isinstance(value, list) and "items" in schema:
        return [_read(item, schema["items"]) for item in value]
    if isinstance(value, dict) and "properties" in schema:
        fields = schema["properties"]
        return {
            field: _read(each, fields[field], field) if field in fields else each
            for field, each in value.items()
            if each is not None
        }
    return value


def _pair(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    with suppress(ValueError):
        return name.strip(), json.loads(value)
    return name.strip(), value.strip()


def complaints(arguments: Document, schema: Schema) -> Iterator[str]:
    fields = schema["properties"]
    for name in arguments.keys() - fields.keys():
        yield f"There is no argument {name}: {', '.join(fields)}."
    for name in schema["required"]:
        if name not in arguments:
            yield f"The argument {name} is missing."
    for name in fields.keys() & arguments.keys():
        value, field = arguments[name], fields[name]
        # Pairs are already an object.
        kinds = (list, dict) if name in PAIRS else TYPES[field["type"]]
        if not isinstance(value, kinds) or (isinstance(value, bool) and field["type"] != "boolean"):
            yield f"The argument {name} is not of type {field['type']}."
        elif value not in field.get("enum", (value,)):
            yield f"The argument {name} is {value!r}, but may be {', '.join(field['enum'])}."
