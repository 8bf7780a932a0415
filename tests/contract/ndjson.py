"""NDJSON serializer for schemathesis, which lacks this media type of the contract."""

import json

import schemathesis
from schemathesis import SerializationContext


@schemathesis.serializer("application/x-ndjson")
def ndjson(_: SerializationContext, value: object) -> bytes:
    """Returns lines unchanged, and any other value as the JSON of its items, a line each."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    items = value if isinstance(value, list) else [value]
    return b"\n".join(json.dumps(item).encode() for item in items)
