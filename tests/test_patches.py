"""The service patches no object of a library and shares no private name with its base classes.

ruff finds all other private names (SLF001, PLC2701).
"""

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module

from tests.programs import PACKAGE, ROOT, SOURCES
from tests.trees import tree_of

SETTINGS = {"values.ValueClass", "sys.argv"}
"""Attributes that are settings: prometheus_client's for multiprocess mode, gunicorn's arguments."""
FILES = [*PACKAGE.rglob("*.py"), *(ROOT / "deploy").glob("*.py")]
OWN = re.compile(r"(?:\b(?:self|cls)\.|\bdef |^    )(_[a-z]\w*)", re.MULTILINE)
"""A private method or attribute in the source of a class."""


def first_name(node: ast.expr) -> str:
    """Returns the name at the beginning of an expression."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def patches(source: str) -> Iterator[str]:
    """Yields the assignments to attributes of imported foreign objects."""
    tree = tree_of(source)
    foreign = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                module = node.module if isinstance(node, ast.ImportFrom) else alias.name
                if not str(module).startswith("dice_referee"):
                    foreign.add(alias.asname or alias.name.partition(".")[0])
    for node in ast.walk(tree):
        match node:
            case (
                ast.Attribute(value=patched, ctx=ast.Store() | ast.Del())
                | ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[patched, *_])
            ) if first_name(patched) in foreign:
                yield ast.unparse(node)


def test_no_object_of_a_library_is_patched() -> None:
    for path in FILES:
        assert {*patches(path.read_text("utf-8"))} <= SETTINGS, path


def private_names(cls: type) -> set[str]:
    """Returns the private names that a class declares."""
    try:
        return {*OWN.findall(inspect.getsource(cls))}
    except (OSError, TypeError):  # implemented in C
        return {name for name in vars(cls) if name.startswith("_")}


def foreign(cls: type) -> bool:
    return cls.__module__.partition(".")[0] not in ("dice_referee", "builtins", "enum", "typing")


def test_no_private_name_is_shared_with_a_foreign_base() -> None:
    for path in FILES:
        if not re.search(r"^class \w+\(", path.read_text("utf-8"), re.MULTILINE):
            continue
        module = ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
        for name, cls in inspect.getmembers(import_module(module), inspect.isclass):
            for base in filter(foreign, cls.__mro__) if cls.__module__ == module else ():
                assert not private_names(cls) & private_names(base), f"{name}, {base.__name__}"
