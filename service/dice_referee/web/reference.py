"""The contract as pages: every operation, with a form to try it, and every schema."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from flask import Blueprint
from markupsafe import Markup, escape

from dice_referee.api.answers import file_answer
from dice_referee.api.contract import contract, operations
from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import make_once
from dice_referee.games import catalogue
from dice_referee.sentences import speech
from dice_referee.web.html import page_operation, reader_of, render
from dice_referee.web.problems import missing

BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "multipleOf": "a multiple of",
    "minLength": "characters, at least",
    "maxLength": "characters, at most",
    "minItems": "entries, at least",
    "maxItems": "entries, at most",
    "pattern": "matching",
    "format": "format",
    "default": "by default",
}

BETWEEN = {"oneOf": Markup(" or "), "anyOf": Markup(" or "), "allOf": Markup(" and ")}

SHORT = 60
"""Maximum characters of JSON on a single line."""

Node = Mapping[str, Any]

FIRST = "tutto"

QUESTION = {"card": "bonus-300", "roll": [2, 3, 4, 5, 6, 6]}
"""Example position, whose question begins the list."""

ORDER_OF_USE = (
    "adjudications",
    "transitions",
    "audits",
    "odds",
    "comparisons",
    "adjudications/batch",
    "odds/batch",
    "reviews",
)
"""Paths below a game in the order of the list. All other paths keep the order of the contract."""

SCHEMATHESIS = Path(__file__).with_name("schemathesis.toml")

blueprint = Blueprint("reference", __name__)


@page_operation(blueprint, "GET", "/schemathesis.toml")
def show_schemathesis(request: Request) -> Answer:
    """Serves a configuration of schemathesis, with facts that the contract lacks."""
    return file_answer(request, make_once(SCHEMATHESIS.read_bytes), "application/toml")


@page_operation(blueprint, "GET", "/docs", heavy=True)
def list_operations(request: Request) -> Answer:
    info, families = contract()["info"], []
    _, answer = speech.adjudication(catalogue()[FIRST], QUESTION, "en")
    for tag in sorted(contract()["tags"], key=lambda tag: tag["name"].lower() != FIRST):
        own = {
            name: operation
            for name, operation in operations().items()
            if operation["tags"] == [tag["name"]]
        }
        families.append((tag["name"], render(tag["description"]), _by_path(own)))
    return reader_of(request).page(
        "reference.html",
        port=request.services.settings.port,
        info=info,
        # The first line repeats the question.
        answer=answer[1:],
        description=render(info["description"]),
        families=families,
    )


@page_operation(blueprint, "GET", "/docs/<operation_id>", heavy=True)
def show_operation(request: Request) -> Answer:
    name = request.parameters["operation_id"]
    operation = operations().get(name)
    if operation is None:
        return missing(request)
    body = operation.get("requestBody")
    answers = {status: _body(answer) for status, answer in operation["responses"].items()}
    reader = reader_of(request)
    parameters = [_parameter(resolve(parameter)) for parameter in operation.get("parameters", ())]
    for parameter in parameters:
        if parameter["name"] == "Accept-Language":
            parameter["example"] = reader.lang
    return reader.page(
        "operation.html",
        port=request.services.settings.port,
        name=name,
        found=operation,
        description=render(operation["description"]),
        parameters=parameters,
        body=body and _body(body),
        answers=answers,
        accepted=sorted({kind for answer in answers.values() for kind in answer["content"]}),
    )


@page_operation(blueprint, "GET", "/docs/schemas/<name>")
def show_schema(request: Request) -> Answer:
    name = request.parameters["name"]
    if name not in contract()["components"]["schemas"]:
        return missing(request)
    shape = shape_of(contract()["components"]["schemas"][name])
    return reader_of(request).page("schema.html", name=name, shape=shape)


def _by_path(operations_by_name: Mapping[str, Node]) -> dict[str, Node]:
    paths = dict.fromkeys(entry["path"] for entry in operations_by_name.values())
    return {
        name: entry
        for path in sorted(paths, key=_place_in_use)
        for name, entry in operations_by_name.items()
        if entry["path"] == path
    }


def _place_in_use(path: str) -> int:
    below = path.split("/", 3)[-1]
    return ORDER_OF_USE.index(below) if below in ORDER_OF_USE else len(ORDER_OF_USE)


def resolve(node: Node) -> Node:
    """Resolves a reference. Fields beside the reference take precedence."""
    while "$ref" in node:
        *_, kind, name = node["$ref"].split("/")
        beside = {key: value for key, value in node.items() if key != "$ref"}
        node = {**contract()["components"][kind][name], **beside}
    return node


def _parameter(parameter: Node) -> dict[str, Any]:
    schema = parameter["schema"]
    example = parameter.get("example", "")
    return {
        **parameter,
        "required": parameter.get("required", False),
        "type": type_of(schema),
        "description": render(parameter["description"]),
        "example": str(example).lower() if isinstance(example, bool) else example,
    }


def _body(node: Node) -> dict[str, Any]:
    part = resolve(node)
    content = {
        kind: {
            "shape": shape_of(media["schema"]) if "schema" in media else None,
            "examples": [
                (example.get("summary", name), _text(example["value"]))
                for name, member in media.get("examples", {}).items()
                if "value" in (example := resolve(member))
            ],
        }
        for kind, media in part.get("content", {}).items()
    }
    return {"description": render(part["description"]), "content": content}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else indent(value)


def indent(value: Any, width: int = SHORT, margin: str = "") -> str:
    line = json.dumps(value, ensure_ascii=False)
    if len(margin + line) <= width or not isinstance(value, dict | list):
        return line
    inner = f"{margin}  "
    if isinstance(value, list):
        parts, ends = [indent(item, width, inner) for item in value], "[]"
    else:
        named = ((json.dumps(name), indent(item, width, inner)) for name, item in value.items())
        parts, ends = [f"{name}: {item}" for name, item in named], "{}"
    return f"{ends[0]}\n{inner}" + f",\n{inner}".join(parts) + f"\n{margin}{ends[1]}"


def shape_of(schema: Node) -> dict[str, Any]:
    target = resolve(schema)
    return {
        "type": type_of(schema),
        "description": render(target.get("description", "")),
        "fields": list(_fields(target)),
        "choices": [
            type_of(alternative)
            for key in ("oneOf", "anyOf")
            for alternative in target.get(key, ())
        ],
    }


def _fields(schema: Node) -> Iterator[dict[str, Any]]:
    for part in schema.get("allOf", ()):
        yield from _fields(resolve(part))
    for name, field in schema.get("properties", {}).items():
        yield {
            "name": name,
            "required": name in schema.get("required", ()),
            "type": type_of(field),
            "description": render(resolve(field).get("description", "")),
        }


def type_of(schema: Node) -> Markup:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return Markup('<a href="/docs/schemas/{}">{}</a>').format(name, name)
    return Markup(", ").join([_kind(schema), *_bounds(schema)])


def _kind(schema: Node) -> Markup:
    for key, between in BETWEEN.items():
        if key in schema:
            return between.join(map(type_of, schema[key]))
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if values:
        return Markup(" or ").join(
            Markup("<code>{}</code>").format(_text(value)) for value in values
        )
    kinds = schema.get("type", "anything")
    words = " or ".join(kinds) if isinstance(kinds, list) else kinds
    if "items" in schema:
        return Markup("{} of {}").format(words, type_of(schema["items"]))
    if isinstance(schema.get("additionalProperties"), Mapping):
        return Markup("{} of {}").format(words, type_of(schema["additionalProperties"]))
    return escape(words)


def _bounds(schema: Node) -> Iterator[Markup]:
    for key, words in BOUNDS.items():
        if key in schema:
            yield Markup("{} <code>{}</code>").format(words, _text(schema[key]))
