"""Slices of the contract: for generators of clients, and without examples."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import orjson

from dice_referee.api.message import JSON, PROBLEM

Part = dict[str, Any]

SERVICE = "Service"
BY_QUERY = "ByQuery"
"""End of the ids of operations that ask by a query, for people with curl."""
NOT_IN_RE2 = re.compile(r"\(\?[=!<]|\\[1-9]")
"""Lookaround and backreferences in a pattern, which engines without backtracking lack."""
PARAMETER = "#/components/parameters/"
EVENT_SOURCE = (f"{PARAMETER}LastEventId", f"{PARAMETER}LastEventIdParameter")
"""Parameters for libraries with an `EventSource`. Generated clients have `after`."""
STATE = f"{PARAMETER}State"
NEWS = {"$ref": "#/components/schemas/SessionNews"}
"""Answers with the parameter ``STATE``. Their entries would be unions in generated clients."""
LONG = 1000
"""Size in bytes above which the shortest example is chosen."""


def without_examples(contract: Part) -> Part:
    document: Part = _rewritten(contract, _without_examples)
    return document


def for_clients(contract: Part) -> Part:
    components = {**contract["components"], "examples": {}, "links": {}}
    rewrite = partial(_for_generators, contract)
    document: Part = _rewritten({**contract, "components": components}, rewrite)
    # Generators write the description at the top of every file.
    summary, _, _ = document["info"]["description"].partition("\n\n")
    document["info"]["description"] = summary
    document["tags"] = [{"name": tag["name"]} for tag in document["tags"]]
    document["paths"] = _without_service(document["paths"])
    _adapt_operations(document)
    _name_nullable_unions(document)
    return _without_unused(document)


def _rewritten(node: Any, rewrite: Callable[[Part], Part]) -> Any:
    if isinstance(node, list):
        return [_rewritten(item, rewrite) for item in node]
    if isinstance(node, dict):
        return rewrite({name: _rewritten(value, rewrite) for name, value in node.items()})
    return node


def _without_examples(part: Part) -> Part:
    return {name: value for name, value in part.items() if name not in ("example", "examples")}


def _for_generators(contract: Part, part: Part) -> Part:
    """Returns the part in a form that all generators compile.

    It keeps a single media type (JSON if available) with a single example. It removes paragraphs
    about other media types, copies of a schema's description, patterns that RE2 does not support,
    bounds in lists and unions (pydantic would make a class of each), parameters of ``EventSource``,
    and the states of entries.
    """
    if NEWS in part.get("anyOf", ()):
        entry: Part = part["anyOf"][0]
        return entry
    content, pattern, items = part.get("content"), part.get("pattern"), part.get("items")
    examples, parameters = part.pop("examples", None), part.get("parameters")
    description = part.get("description")
    part.pop("example", None)
    if isinstance(content, dict):
        preferred = {kind: media for kind, media in content.items() if kind in (JSON, PROBLEM)}
        part["content"] = preferred or content
        part.pop("links", None)
    if isinstance(pattern, str) and NOT_IN_RE2.search(pattern):
        del part["pattern"]
    if isinstance(examples, dict) and examples:
        values = [_follow(contract, example)["value"] for example in examples.values()]
        part["example"] = min(values, key=lambda value: len(orjson.dumps(value)) // LONG)
    if isinstance(description, str):
        paragraphs = description.split("\n\n")
        part["description"] = "\n\n".join(each for each in paragraphs if each[:4] != "As `")
        if "$ref" in part and description == _follow(contract, part).get("description"):
            del part["description"]
    if isinstance(parameters, list):
        omitted = (*EVENT_SOURCE, STATE)
        part["parameters"] = [each for each in parameters if each.get("$ref") not in omitted]
    if isinstance(items, dict):
        part["items"] = _plain(contract, items)
    for union in part.keys() & {"oneOf", "anyOf"}:
        part[union] = [_plain(contract, member) for member in part[union]]
    return part


def _follow(contract: Part, part: Part) -> Part:
    *_, kind, name = part.get("$ref", "/").split("/")
    return contract["components"][kind][name] if name else part


def _plain(contract: Part, schema: Part) -> Part:
    value = _follow(contract, schema)
    if value.get("type") not in ("string", "integer", "number") or "enum" in value:
        return schema
    return {key: value[key] for key in ("type", "format") if key in value}


def _adapt_operations(document: Part) -> None:
    """Adapts every operation to generators.

    Removes examples of requests, optional tokens, and every ``304`` of an operation without
    ``If-None-Match``. Allows turns of answers as positions.
    """
    schemas = document["components"]["schemas"]
    for operation in _operations(document):
        # Generators demand a token where the contract allows a token.
        if {} in operation.get("security", ()):
            del operation["security"]
        if f"{PARAMETER}IfNoneMatch" not in _references(operation["parameters"]):
            operation["responses"].pop("304", None)
        for media in operation.get("requestBody", {}).get("content", {}).values():
            media.pop("example", None)
            match media["schema"]:
                case {"$ref": position, "x-turn": turn}:
                    either = f"{position}OrTurn"
                    media["schema"] = {"$ref": either}
                    schemas[_name(either)] = {
                        "description": "A position, or the turn of an answer that is a position.",
                        # Flat, because Go does not compile a union of unions.
                        "anyOf": [{"$ref": position}, *_members(schemas, turn)],
                    }


def _operations(document: Part) -> Iterator[Part]:
    for item in document["paths"].values():
        yield from item.values()


def _name_nullable_unions(document: Part) -> None:
    """Names each union that may be null: Java reads null only where its class has null."""
    schemas, nullable = document["components"]["schemas"], dict[str, Part]()

    def named(part: Part) -> Part:
        match part:
            case {"anyOf": [{"$ref": reference}, {"type": "null"} as null]} | {
                "oneOf": [{"$ref": reference}, {"type": "null"} as null]
            }:
                union = schemas[_name(reference)]
                if "discriminator" in union:
                    either = f"{reference}OrNull"
                    kinds = [*union["oneOf"], null]
                    # The extension keeps the union itself, whose name clients use.
                    nullable[_name(either)] = {**union, "oneOf": kinds, "x-not-null": reference}
                    return {"description": part["description"], "$ref": either}
        return part

    document["components"]["schemas"] = _rewritten(schemas, named) | nullable


def _members(schemas: Part, reference: str) -> list[Part]:
    members: list[Part] = schemas[_name(reference)].get("oneOf", [{"$ref": reference}])
    return members


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _without_service(paths: Part) -> Part:
    asked = {
        path: {
            method: operation
            for method, operation in item.items()
            if SERVICE not in operation["tags"] and not operation["operationId"].endswith(BY_QUERY)
        }
        for path, item in paths.items()
    }
    return {path: item for path, item in asked.items() if item}


def _without_unused(document: Part) -> Part:
    components, queue = document["components"], [document["paths"]]
    used: set[str] = set()
    while queue:
        new = set(_references(queue.pop())) - used
        used |= new
        for reference in new:
            *_, kind, name = reference.split("/")
            queue.append(components[kind][name])
    tags = {tag for operation in _operations(document) for tag in operation["tags"]}
    left = {
        kind: {
            name: component
            for name, component in named.items()
            # Operations name these without a reference.
            if kind == "securitySchemes" or f"#/components/{kind}/{name}" in used
        }
        for kind, named in components.items()
    }
    return {
        **document,
        "tags": [tag for tag in document["tags"] if tag["name"] in tags],
        "components": {kind: named for kind, named in left.items() if named},
    }


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, str) and node.startswith("#/components/"):
        yield node
    for nested in node.values() if isinstance(node, dict) else node if type(node) is list else ():
        yield from _references(nested)
