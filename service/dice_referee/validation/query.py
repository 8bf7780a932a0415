"""Query strings as JSON documents: the GET form of a position."""

from collections.abc import Collection
from typing import Any
from urllib.parse import unquote_to_bytes

from dice_referee.rulebook.findings import MOST_ERRORS, Param, SchemaError
from dice_referee.validation.fields import Line, Unreadable
from dice_referee.validation.schema import RequestSchema, pointer_step


def read_query(
    raw: bytes, schema: RequestSchema, names: Collection[str] = ()
) -> tuple[dict[str, Any], list[SchemaError]]:
    """Reads the document of a query string, and the first errors of form and schema.

    House rules are parameters of their own, and fields of ``options`` in the document. Empty pairs
    (``&&``) are skipped, as in the URL standard. With ``names``, other parameters are ignored.
    """
    document: dict[str, Any] = {}
    errors: list[SchemaError] = []
    for pair in filter(None, raw.split(b"&")):
        key, _, value = map(unquote_to_bytes, pair.replace(b"+", b" ").partition(b"="))
        name = key.decode(errors="replace")
        if names and name not in names:
            continue
        if len(errors) == MOST_ERRORS:
            break
        if name not in schema.parameters:
            params: dict[str, Param] = {"given": name, "choices": tuple(schema.parameters)}
            errors.append(SchemaError("unknown-field", f"/{pointer_step(name)}", params))
            continue
        parent, field = schema.parameters[name]
        place = document if parent is None else document.setdefault(parent, {})
        at = f"/{name}" if parent is None else f"/{parent}/{name}"
        if name in place:
            errors.append(SchemaError("repeated-parameter", at))
            continue
        place[name] = None
        if not value:
            errors.append(SchemaError("empty-parameter", at))
            continue
        try:
            handling = "strict" if isinstance(field, Line) else "replace"
            place[name] = field.read_text(value.decode(errors=handling))
        except UnicodeDecodeError:
            errors.append(SchemaError("malformed-value", at, {"expected": "utf-8"}))
        except Unreadable as refusal:
            right = {"write": f"{name}={refusal.meant}"} if refusal.meant else {}
            errors.append(SchemaError("malformed-value", at, {"expected": refusal.form, **right}))
    named = {error.pointer for error in errors}
    for error in schema.errors(document):
        if error.pointer not in named and (not names or error.pointer[1:] in names):
            errors.append(error)
    return document, errors[:MOST_ERRORS]
