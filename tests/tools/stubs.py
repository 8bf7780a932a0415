"""Writes the types of the library's documents for type checkers, derived from the contract.

``python -m tests.tools.stubs`` (``make generate``) writes ``documents.pyi``, with a TypedDict for
each object, and ``__init__.pyi``, with a signature of each function for each game.
"""

import re
import subprocess
from typing import Any

import dice_referee
from dice_referee.api.contract import contract
from dice_referee.games import catalogue
from tests.programs import BIN, PACKAGE

DOCUMENTS, FACADE = PACKAGE / "documents.pyi", PACKAGE / "__init__.pyi"
NOTICE = "# Written by `make generate`, from the contract."
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
DICTIONARY = "dict[str, Any]"
VERBS = {
    "adjudicate": "adjudications",
    "transition": "transitions",
    "audit": "audits",
    "odds": "odds",
    "review": "reviews",
}
"""Paths behind the name of a game, by the functions of the library."""
POSITION_FUNCTIONS = ("adjudicate", "odds")
"""Functions that also accept an answered turn as a position."""
VALUE_FUNCTIONS = ("odds", "review")
"""Functions that compute values, with a limited span."""
LOG_FUNCTIONS = ("audit", "review")
"""Functions that accept a line instead of a document."""
FACADE_TEXT = """{notice}
from typing import Any, Literal, overload

from dice_referee.documents import {documents}
from dice_referee.library import ImpossiblePosition, InvalidRequest

__all__ = {public!r}
__version__: str

{functions}
def rules(game: str, *, language: str = "en") -> RuleList: ...
"""
DOCUMENTS_TEXT = """{notice}
from typing import Literal, NotRequired, TypeAlias, TypedDict

Game: TypeAlias = Literal{games}
{types}"""
Schema = dict[str, Any]


class Types:
    """The declarations of schemas, by name."""

    def __init__(self) -> None:
        self.declared: dict[str, str] = {}
        self._schemas: dict[str, Schema] = contract()["components"]["schemas"]

    def of(self, schema: Schema, name: str = "") -> str:
        """Returns the type of a schema. Declares an unnamed object under ``name``."""
        if "$ref" in schema:
            return self._named(schema["$ref"].rpartition("/")[2])
        if "properties" in schema:
            assert name not in self._schemas, f"{name} has two schemas"
            self.declared[name] = self._typed_dict(schema, name)
            return name
        return self._other(schema, name)

    def _named(self, name: str) -> str:
        """Returns the name of a schema, or a shorter type."""
        schema = self._schemas[name]
        if not {"properties", "enum", "oneOf", "anyOf"} & schema.keys():
            return self._other(schema, name)
        if name not in self.declared:
            self.declared[name] = ""  # an object may contain another of its kind
            is_object = "properties" in schema
            self.declared[name] = (
                self._typed_dict(schema, name)
                if is_object
                else f"{name}: TypeAlias = {self._other(schema, name)}"
            )
        return name

    def _typed_dict(self, schema: Schema, name: str) -> str:
        fields = {
            field: self.of(member, name + field.title().replace("_", ""))
            for field, member in schema["properties"].items()
        }
        for field in fields.keys() - {*schema.get("required", ())}:
            fields[field] = f"NotRequired[{fields[field]}]"
        if all(field.isidentifier() for field in fields):
            lines = [f"    {field}: {kind}" for field, kind in fields.items()]
            return "\n".join((f"class {name}(TypedDict):", *lines))
        pairs = (f"{field!r}: {kind}" for field, kind in fields.items())
        return f"{name} = TypedDict({name!r}, {{{', '.join(pairs)}}})"

    def _other(self, schema: Schema, name: str) -> str:
        """Returns the type of a schema that is not an object with fields."""
        match schema:
            case {"const": value}:
                return f"Literal[{value!r}]"
            case {"enum": values}:
                return f"Literal[{', '.join(map(repr, values))}]"
            case {"oneOf": choices} | {"anyOf": choices}:
                return " | ".join(self.of(choice, name) for choice in choices)
            case {"type": list(kinds)}:
                return " | ".join(self._other({**schema, "type": kind}, name) for kind in kinds)
            case {"type": "array", "items": items}:
                return f"list[{self.of(items, f'{name}Item')}]"
            case {"type": "object", "additionalProperties": dict(values)}:
                return f"dict[str, {self.of(values, f'{name}Value')}]"
        return SCALARS[schema["type"]]


def schemas(path: str, method: str) -> tuple[Schema, Schema]:
    """Returns the schemas of an operation's request and answer."""
    operation = contract()["paths"][f"/v1/{path}"][method]
    bodies = operation.get("requestBody"), operation["responses"]["200"]
    request, answer = (body and body["content"]["application/json"]["schema"] for body in bodies)
    return request, answer


def signatures(types: Types, function: str) -> str:
    """Returns a function with an overload for each game, and for a game named at run time."""
    summary = getattr(dice_referee, function).__doc__.partition("\n")[0]
    parameter, line = ("log", ("str",)) if function in LOG_FUNCTIONS else ("position", ())
    answers, lines = [], []

    def add(game: str, document: str, answer: str) -> None:
        arguments = f"game: {game}, {parameter}: {document}, *, language: str = 'en'"
        if function == "odds":
            level = types.of({"$ref": "#/components/schemas/BotLevel"})
            arguments = arguments.replace("*, ", f"*, bot: {level} | None = None, ")
        if function in VALUE_FUNCTIONS:
            arguments += ", span_limit: int | None = None"
        lines.append(f'@overload\ndef {function}({arguments}) -> {answer}:\n    """{summary}"""')

    for game in catalogue():
        asked, answered = schemas(f"{game}/{VERBS[function]}", "post")
        request, answer = types.of(asked), types.of(answered)
        accepted: tuple[str, ...] = (request, DICTIONARY)
        if function in POSITION_FUNCTIONS:
            position, _ = map(types.of, schemas(f"{game}/adjudications", "post"))
            turn = types.of({"$ref": asked["x-turn"]})
            accepted = (*dict.fromkeys((position, request)), turn, DICTIONARY)
        add(f"Literal[{game!r}]", " | ".join((*accepted, *line)), answer)
        answers.append(answer)
    add("str", " | ".join((DICTIONARY, *line)), " | ".join(answers))
    return "\n".join(lines)


def stubs() -> tuple[str, str]:
    """Returns the texts of ``documents.pyi`` and ``__init__.pyi``."""
    types = Types()
    types.of(schemas("{game}/rules", "get")[1])
    functions = "\n".join(signatures(types, function) for function in VERBS)
    declarations = "\n".join(types.declared.values())
    documents = DOCUMENTS_TEXT.format(notice=NOTICE, games=[*catalogue()], types=declarations)
    used = {*re.findall(r"\w+", functions), "RuleList"}
    names = ", ".join(sorted(used & types.declared.keys()))
    facade = FACADE_TEXT.format(
        notice=NOTICE, documents=names, public=dice_referee.__all__, functions=functions
    )
    return formatted(documents), formatted(facade)


def formatted(text: str) -> str:
    """Returns a stub as ruff formats it."""
    command = (BIN / "ruff", "format", "--stdin-filename", "stub.pyi", "-")
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=True)
    return done.stdout


if __name__ == "__main__":
    for path, text in zip((DOCUMENTS, FACADE), stubs(), strict=True):
        path.write_text(text, "utf-8")
