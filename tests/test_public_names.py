"""The service stands on public names: it uses no private one of a library, and patches none."""

import ast
import gc
import importlib
import inspect
import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.trees import tree_of, tree_of_class

ROOT = Path(__file__).resolve().parents[1]
FILES = [
    path.relative_to(ROOT)
    for path in sorted([*(ROOT / "service").rglob("*.py"), *(ROOT / "deploy").glob("*.py")])
]
DOCUMENTED = {"_replace", "_asdict", "_make", "_fields", "_exit"}
"""Names of the standard library that are public though they begin with an underscore."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in DOCUMENTED


def root(node: ast.expr) -> str:
    """Returns the name that an expression begins with."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return ""
    return node.id


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yields the names bound by imports, with what each imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.split(".")[0], alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def declared(tree: ast.AST) -> set[str]:
    """Returns the private names that a tree makes itself: methods, attributes, variables."""
    names = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Constant(value=str(name)):
                names.add(name)
    return {name for name in names if is_private(name)}


def findings(source: str) -> Iterator[str]:
    """Yields the private names that a module takes from others, and its patches of them."""
    tree = tree_of(source)
    bound = dict(imported(tree))
    foreign = {name for name, path in bound.items() if not path.startswith("service")}
    own = declared(tree)
    for path in bound.values():
        if not path.startswith("service") and any(map(is_private, path.split("."))):
            yield f"import {path}"
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if root(node) in foreign:
                yield f"{ast.unparse(node)} = ..."
            case ast.Attribute(value=of, attr=name) if is_private(name) and not (
                isinstance(of, ast.Name) and (of.id in ("self", "cls") or of.id in bound)
            ):
                if name not in own or root(of) in foreign:
                    yield ast.unparse(node)
            case ast.Attribute(value=ast.Name(id=of), attr=name) if is_private(name):
                if of in foreign:
                    yield ast.unparse(node)
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[of, *_]):
                if root(of) in foreign:
                    yield ast.unparse(node)
            case ast.Call(
                func=ast.Name(id="getattr" | "hasattr"), args=[of, ast.Constant(value=name), *_]
            ):
                if is_private(str(name)) and root(of) not in ("self", "cls"):
                    yield ast.unparse(node)


def private_of_bases(module: str) -> Iterator[str]:
    """Yields the private names that a module's classes share with bases in other packages."""
    # gunicorn's configuration prepares its process: this one's environment stays as it is.
    with patch.dict(os.environ):
        imported = importlib.import_module(module)
    gc.enable()
    for name, member in inspect.getmembers(imported, inspect.isclass):
        if member.__module__ != module:
            continue
        own = declared(tree_of_class(member))
        for base in member.__mro__:
            if base.__module__.split(".")[0] in ("service", "builtins", "typing", "enum"):
                continue
            try:
                tree = tree_of_class(base)
            except (OSError, TypeError):  # written in C
                inherited = {name for name in vars(base) if is_private(name)}
            else:
                inherited = declared(tree)
            for shared in sorted(own & inherited):
                yield f"{name}.{shared} is of {base.__qualname__}"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_private_names_of_libraries_are_unused_and_unpatched(path: Path) -> None:
    names = set(findings((ROOT / path).read_text("utf-8")))
    if path.parts[0] == "service":
        parts = [part for part in path.with_suffix("").parts if part != "__init__"]
        names |= set(private_of_bases(".".join(parts)))
    assert not names
