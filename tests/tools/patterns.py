"""Checks that no regular expression of the service takes more than linear time.

Collects the patterns of the Python modules and of the contract, with the ways in which the modules
apply them, and passes them to ``patterns.mjs``, which adds the patterns of the scripts. Run from
the project's root: ``python -m tests.tools.patterns``.
"""

import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import orjson

SERVICE = Path("service")
CONTRACT = SERVICE / "dice_referee/openapi.json"
WHOLE = {"fullmatch": "^(?:{})$", "match": "^(?:{})"}
"""Patterns that a search needs in place of these functions."""
SEARCHES = {"search", "sub", "subn", "split", "findall", "finditer"}
USES = WHOLE.keys() | SEARCHES
FLAGS = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s"}
KNOWN = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.ASCII | re.UNICODE
"""Flags with the same meaning in a script, or without influence on the time."""
FOREIGN = re.compile(r"\(\?(?![:=!]|<[=!]|P<\w)|\\[AZ]")
"""Syntax that a script lacks or that means something else there."""


CLASS = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*\]|\\[^AZ]")
"""Classes of characters, and escapes that scripts have, too."""

POSSESSIVE = re.compile(rf"({CLASS.pattern})|([*+?}}])\+")


class Pattern(NamedTuple):
    """Regular expression in the syntax of scripts, as ``patterns.mjs`` reads it."""

    place: str
    source: str
    flags: str


class Module(NamedTuple):
    """Module of the service with its syntax tree."""

    path: Path
    tree: ast.Module

    @property
    def names(self) -> dict[str, Any]:
        """Returns the names of the module."""
        steps = self.path.relative_to(SERVICE).with_suffix("").parts
        return vars(import_module(".".join(steps).removesuffix(".__init__")))


def modules() -> list[Module]:
    """Returns all modules of the service."""
    paths = sorted(SERVICE.glob("dice_referee/**/*.py"))
    return [Module(path, ast.parse(path.read_text("utf-8"))) for path in paths]


def uses_by_name(all_modules: list[Module]) -> dict[str, set[str]]:
    """Returns the names of patterns, each with the functions by which any module applies it.

    A name that a module assigns is preceded by its path: ``service/.../hosts.py NAME``.
    """
    uses = defaultdict[str, set[str]](set)
    for module in all_modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and node.attr in USES:
                name = _last_name(node.value)
                own = isinstance(node.value, ast.Name) and name in _assigned(module).values()
                uses[f"{module.path} {name}" if own else name].add(node.attr)
    return uses


def python_patterns(module: Module, uses: dict[str, set[str]]) -> Iterator[Pattern]:
    """Yields the patterns of a module, each for every way in which it is applied.

    Refuses functions of ``re`` that the module applies in another way than ``re.name(pattern)``.
    """
    named, calls = _assigned(module), list[ast.Call]()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.module == "re":
            raise SystemExit(f"{module.path}:{node.lineno}: functions of re have no other name")
        if isinstance(node, ast.Call) and _is_of_re(node.func):
            calls.append(node)
    functions = [call.func for call in calls]
    for node in ast.walk(module.tree):
        if _is_of_re(node) and node not in functions:
            raise SystemExit(f"{module.path}: {ast.unparse(node)} is not called here")
    for call in calls:
        place, function = f"{module.path}:{call.lineno}", _last_name(call.func)
        name = named.get(id(call), "")
        if function != "compile":
            ways = {function}
            flags = [keyword for keyword in call.keywords if keyword.arg == "flags"]
            call = ast.Call(ast.parse("re.compile", mode="eval").body, call.args[:1], flags)
        else:
            # A pattern without a name of its own may be applied in any way.
            ways = uses[f"{module.path} {name}"] | uses[name] or {*USES}
        code = compile(ast.fix_missing_locations(ast.Expression(call)), place, "eval")
        pattern = eval(code, module.names)
        for way in sorted(ways):
            yield translated(place, pattern, way)


def _is_of_re(node: ast.AST) -> bool:
    """Tells if a node is a function of ``re`` with a pattern."""
    is_attribute = isinstance(node, ast.Attribute) and node.attr in {"compile", *USES}
    return is_attribute and ast.unparse(node).startswith("re.")


def translated(place: str, pattern: re.Pattern[Any], way: str) -> Pattern:
    """Returns the pattern as a script would search it. Refuses syntax that a script lacks."""
    source = pattern.pattern
    source = source.decode("latin-1") if isinstance(source, bytes) else source
    # A quantifier that is not possessive tries everything that the possessive quantifier tries.
    source = POSSESSIVE.sub(r"\1\2", source)
    if FOREIGN.search(CLASS.sub("x", source)) or pattern.flags & ~KNOWN:
        raise SystemExit(f"{place}: no translation of {source}")
    flags = "".join(letter for flag, letter in FLAGS.items() if pattern.flags & flag)
    return Pattern(place, WHOLE.get(way, "{}").format(source.replace("(?P<", "(?<")), flags)


def contract_patterns(node: Any, pointer: str = "") -> Iterator[Pattern]:
    """Yields the patterns of a node of the contract and of all nodes within."""
    members = node.items() if isinstance(node, dict) else enumerate(node)
    for name, member in members:
        if name == "pattern" and isinstance(member, str):
            yield Pattern(f"{CONTRACT}{pointer}", member, "")
        elif isinstance(member, dict | list):
            yield from contract_patterns(member, f"{pointer}/{name}")


@cache
def _assigned(module: Module) -> dict[int, str]:
    """Returns the names that a module assigns, by the ids of their values."""
    return {
        id(node.value): _last_name(target)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
    }


def _last_name(node: ast.expr) -> str:
    """Returns the name of a name or of an attribute, else an empty text."""
    return getattr(node, "id", getattr(node, "attr", ""))


def main() -> int:
    """Checks all patterns, and returns 1 if any takes more than linear time."""
    sys.path.insert(0, str(SERVICE))
    all_modules = modules()
    uses = uses_by_name(all_modules)
    patterns = [pattern for module in all_modules for pattern in python_patterns(module, uses)]
    patterns += contract_patterns(orjson.loads(CONTRACT.read_bytes()))
    command = ["node", "tests/tools/patterns.mjs"]
    return subprocess.run(command, input=json.dumps(patterns), text=True).returncode


if __name__ == "__main__":
    sys.exit(main())
