"""Slices of the contract: for generators of clients, of one game, without examples."""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import orjson

from dice_referee.api.message import JSON, PROBLEM
from dice_referee.games import catalogue

Part = dict[str, Any]
"""A part of the contract."""

SERVICE = "Service"
"""The tag of operations that are about the service itself."""
REFERENCE = re.compile(rb'"#/components/(\w+)/([^"/]+)"')
NOT_IN_RE2 = re.compile(r"\(\?[=!<]|\\[1-9]")
"""Lookaround and backreferences in a pattern: engines without backtracking have neither."""
UNIONS = ("oneOf", "anyOf")
NULL = {"type": "null"}


class ContractSlice(NamedTuple):
    """The requested part of the contract; by default all of it."""

    clients: bool = False
    """Asks for what generators of clients read, and nothing else."""
    game: str | None = None
    """The game whose operations alone are wanted, with what all games share."""
    examples: bool = True


def sliced(contract: Part, part: ContractSlice) -> Part:
    """Returns a copy of the contract cut down to the slice."""
    hooks: list[Callable[[Part], Part]] = []
    if part.clients or not part.examples:
        hooks.append(_without_examples)
    if part.clients:
        hooks.append(_for_generators)
    if part.game is not None:
        hooks.append(_GameSlice(contract, part.game))

    def cut(part: Part) -> Part:
        for hook in hooks:
            part = hook(part)
        return part

    document: Part = json.loads(orjson.dumps(contract), object_hook=cut)
    if part.clients:
        document["paths"] = _without_service(document["paths"])
        # Generators write it at the top of every file.
        document["info"]["description"] = document["info"]["description"].partition("\n\n")[0]
    return _without_unused(document) if part.clients or part.game is not None else document


def _without_examples(part: Part) -> Part:
    return {name: one for name, one in part.items() if name not in ("example", "examples")}


def _for_generators(part: Part) -> Part:
    """Returns the part with one media type, JSON where there is JSON, and a pattern of RE2 only."""
    content, pattern = part.get("content"), part.get("pattern")
    if isinstance(content, dict):
        liked = {kind: media for kind, media in content.items() if kind in (JSON, PROBLEM)}
        part["content"] = liked or content
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
    used: set[tuple[bytes, bytes]] = set()
    while queue:
        names = set(REFERENCE.findall(orjson.dumps(queue.pop()))) - used
        used |= names
        queue += [components[kind.decode()][name.decode()] for kind, name in names]
    operations = [one for item in document["paths"].values() for one in item.values()]
    tags = {tag for operation in operations for tag in operation["tags"]}
    left = {
        kind: {
            name: one
            for name, one in named.items()
            # Operations name these without a reference.
            if kind == "securitySchemes" or (kind.encode(), name.encode()) in used
        }
        for kind, named in components.items()
    }
    return {
        **document,
        "tags": [tag for tag in document["tags"] if tag["name"] in tags],
        "components": {kind: named for kind, named in left.items() if named},
    }


class _GameSlice:
    """Drops from each part of the contract what only other games have.

    What belongs to a game has its name: ``/v1/pot/odds``, ``PotTurn``.
    """

    def __init__(self, contract: Part, game: str) -> None:
        self._game, self._games = game, set(catalogue())
        other_games = sorted(self._games - {game})
        self._path = re.compile(rf"/v1/({'|'.join(other_games)})/")
        self._reference = re.compile(rf".*/({'|'.join(map(str.title, other_games))})[A-Z]\w*")
        self._names_others, self._names_own = _naming(other_games), _naming([game])
        components = contract["components"]
        self._examples = {
            f"#/components/examples/{name}": one for name, one in components["examples"].items()
        }
        self._mixed = {
            f"#/components/schemas/{name}"
            for name, schema in components["schemas"].items()
            if any(self._is_of_others(kind) for union in UNIONS for kind in schema.get(union, ()))
        }
        """References to schemas of which other games have alternatives."""

    def __call__(self, part: Part) -> Part:
        """Returns the part without alternatives, fields, paths and examples of other games."""
        if isinstance(examples := part.get("examples"), dict):
            schema = part.get("schema", {})
            mixed = isinstance(schema, dict) and schema.get("$ref") in self._mixed
            part["examples"] = {
                name: one for name, one in examples.items() if self._fits(one, mixed)
            }
        if isinstance(mapping := part.get("mapping"), dict):
            part["mapping"] = {
                name: target
                for name, target in mapping.items()
                if not self._reference.fullmatch(target)
            }
        if isinstance(fields := part.get("properties"), dict):
            own = {name: one for name, one in fields.items() if not self._is_of_others(one)}
            part["properties"] = own
            if isinstance(required := part.get("required"), list):
                part["required"] = [name for name in required if name in own]
        if isinstance(values := part.get("enum"), list) and set(values) == self._games:
            part["enum"] = [self._game]
        for union in UNIONS:
            if isinstance(kinds := part.get(union), list):
                # One that is left stays a union: its generated type has the same name and form.
                kinds = [kind for kind in kinds if not self._is_of_others(kind)]
                if any(kind != NULL for kind in kinds):
                    part[union] = kinds
        return {name: one for name, one in part.items() if not self._path.match(name)}

    def _is_of_others(self, schema: Any) -> bool:
        """Says that only another game has values of this schema."""
        if not isinstance(schema, dict):
            return False
        if "$ref" in schema:
            return self._reference.fullmatch(schema["$ref"]) is not None
        kinds = [kind for union in UNIONS for kind in schema.get(union, ())]
        kinds = [kind for kind in kinds if kind != NULL]
        return self._is_of_others(schema.get("items")) or (
            bool(kinds) and all(map(self._is_of_others, kinds))
        )

    def _fits(self, example: Part, mixed: bool) -> bool:
        """Tells if an example may belong to this game; in a mixed schema it must name the game."""
        reference = example.get("$ref", "")
        if self._reference.fullmatch(reference):
            return False
        text = orjson.dumps(self._examples.get(reference, example)).decode()
        return bool(self._names_own.search(text)) or not (mixed or self._names_others.search(text))


def _naming(games: list[str]) -> re.Pattern[str]:
    """Returns the pattern of JSON that names one of these games, or a ruleset of one."""
    names = [name for game in games for name in (game, *catalogue()[game].rulesets)]
    return re.compile(f'"(?:game|ruleset)":"(?:{"|".join(names)})"')
