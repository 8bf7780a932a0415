"""``deploy/env.example``, written by ``python -m tests.tools.environment``."""

import ast
import inspect
from dataclasses import fields
from itertools import pairwise

from dice_referee import settings
from dice_referee.settings import CONSTANTS, Settings
from tests.programs import ROOT
from tests.trees import tree_of

FILE = ROOT / "deploy/env.example"
HEAD = """\
# Every setting of the service, with its default; a file for systemd needs those that differ.
# Written from service/dice_referee/settings.py by: python -m tests.tools.environment
"""


def meanings() -> dict[str, str]:
    """Returns the docstring of each field of ``settings.py``."""
    tree = tree_of(inspect.getsource(settings))
    (definition,) = [node for node in tree.body if getattr(node, "name", "") == "Settings"]
    assert isinstance(definition, ast.ClassDef)
    docstrings: dict[str, str] = {}
    for field, text in pairwise(definition.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert isinstance(text, ast.Expr), f"{field.target.id}: nobody says what it is"
            docstrings[field.target.id] = ast.literal_eval(text.value)
    return docstrings


def example() -> str:
    """Returns the text of the file."""
    docstrings, lines = meanings(), [HEAD]
    for field in fields(Settings):
        if field.name.upper() in CONSTANTS:
            continue
        default = int(field.default) if isinstance(field.default, bool) else field.default
        meaning = " ".join(docstrings[field.name].replace("``", "").split())
        lines.append(f"# {meaning}\n#{field.name.upper()}={default}\n")
    return "\n".join(lines)


if __name__ == "__main__":
    FILE.write_text(example(), "utf-8")
