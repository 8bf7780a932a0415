"""Slices of the contract: for generators of clients, and without examples."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from dice_referee.api.message import JSON, PROBLEM

Part = dict[str, Any]
"""A part of the contract."""

SERVICE = "Service"
"""The tag of operations that are about the service itself."""
NOT_IN_RE2 = re.compile(r"\(\?[=!<]|\\[1-9]")
"""Lookaround and backreferences in a pattern: engines without backtracking have neither."""


def without_examples(contract: Part) -> Part:
    """Returns the contract without its examples."""
    document: Part = _rewritten(contract, _without_examples)
    return document


def for_clients(contract: Part) -> Part:
    """Returns what generators of clients read, and nothing else."""
    document = _rewritten(without_examples(contract), _for_generators)
    # Generators write the description at the top of every file.
    summary, _, _ = document["info"]["description"].partition("\n\n")
    document["info"]["description"] = summary
    document["paths"] = _without_service(document["paths"])
    return _without_unused(document)


def _rewritten(node: Any, rewrite: Callable[[Part], Part]) -> Any:
    """Returns a copy in which every object is rewritten, the inner ones first."""
    if isinstance(node, list):
        return [_rewritten(item, rewrite) for item in node]
    if isinstance(node, dict):
        return rewrite({name: _rewritten(value, rewrite) for name, value in node.items()})
    return node


def _without_examples(part: Part) -> Part:
    return {name: value for name, value in part.items() if name not in ("example", "examples")}


def _for_generators(part: Part) -> Part:
    """Returns the part with one media type, JSON where there is JSON, and a pattern of RE2 only."""
    content, pattern = part.get("content"), part.get("pattern")
    if isinstance(content, dict):
        preferred = {kind: media for kind, media in content.items() if kind in (JSON, PROBLEM)}
        part["content"] = preferred or content
    if isinstance(pattern, str) and NOT_IN_RE2.search(pattern):
        del part["pattern"]
    return part


def _without_service(paths: Part) -> Part:
    """Returns the paths without the operations that are about the service itself."""
    return {
        path: item
        for path, item in paths.items()
        if not any(SERVICE in operation["tags"] for operation in item.values())
    }


def _without_unused(document: Part) -> Part:
    """Returns the document without the components and tags that no operation leads to."""
    components, queue = document["components"], [document["paths"]]
    used: set[str] = set()
    while queue:
        new = set(_references(queue.pop())) - used
        used |= new
        for reference in new:
            *_, kind, name = reference.split("/")
            queue.append(components[kind][name])
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    tags = {tag for operation in operations for tag in operation["tags"]}
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
    """Yields the references of a part, by ``$ref`` and by discriminators."""
    if isinstance(node, str) and node.startswith("#/components/"):
        yield node
    for nested in node.values() if isinstance(node, dict) else node if type(node) is list else ():
        yield from _references(nested)
