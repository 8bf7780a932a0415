"""Joins a module, all its imports and its texts into a single file."""

import json
import posixpath
import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from dice_referee.web.words import TEMPLATES, rooms, script_data, script_texts, site

IMPORT = re.compile(
    r'^import (?P<names>\{ [\w, ]+ \}|\w+) from "(?P<place>\.[\w./-]+)"'
    r'(?P<sheet> with \{ type: "css" \})?;\n',
    re.MULTILINE,
)
COMMENT = re.compile(r"^ *(?:/\*(?:[^*]|\*(?!/))*(?:\*/\n?)?|//.*\n?)", re.MULTILINE)
INDENTATION = re.compile("^ +", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function\*?|class) (\w+))", re.MULTILINE)
NO_TEXTS = "TEXTS = {};"
NO_SITE = "SITE = {};"
"""Placeholder for the names of languages and pages in the module that exports them."""
PAGE_WIDTH, OWN_WIDTH = "@media (max-width:", "@container referee (max-width:"


def without_comments(path: Path) -> str:
    """Returns the text of a script or style sheet without comments on lines of their own."""
    return COMMENT.sub("", path.read_text("utf-8"))


def join_modules(folder: Path, entry: str, languages: Collection[str]) -> str:
    """Joins a module with all its direct and indirect imports before it.

    Every module becomes a function that returns its exports, and a style sheet becomes a
    ``CSSStyleSheet``. Comments and indentation are removed. Circular imports, other forms of export
    and template literals of several lines are not supported. The texts are those of the folders of
    the modules.
    """
    text, folders = _without_texts(folder, entry)
    text = text.replace(NO_SITE, f"SITE = {script_data(site())};", 1)
    return text.replace(NO_TEXTS, f"TEXTS = {script_texts(folders, languages)};", 1)


@cache
def _without_texts(folder: Path, entry: str) -> tuple[str, Collection[str]]:
    parts: dict[str, str] = {}
    last = _module(folder, entry, parts)
    folders = {posixpath.dirname(name) for name in parts} or rooms().keys() - {TEMPLATES}
    return "".join(parts.values()) + last, folders


def _module(folder: Path, name: str, parts: dict[str, str]) -> str:
    def imported(match: re.Match[str]) -> str:
        names, sheet = match.group("names", "sheet")
        module = posixpath.normpath(posixpath.join(posixpath.dirname(name), match["place"]))
        if module not in parts:
            text = _sheet(folder, module) if sheet else _function(folder, module, parts)
            parts[module] = f"const {_variable(module)} = {text};\n"
        return f"const {names.replace(' as ', ': ')} = {_variable(module)};\n"

    return IMPORT.sub(imported, INDENTATION.sub("", without_comments(folder / name)))


def _function(folder: Path, name: str, parts: dict[str, str]) -> str:
    text = _module(folder, name, parts)
    exported = ", ".join(EXPORT.findall(text))
    return f"(() => {{\n{EXPORT.sub('', text)}return {{ {exported} }};\n}})()"


def _sheet(folder: Path, name: str) -> str:
    text = without_comments(folder / name).replace(PAGE_WIDTH, OWN_WIDTH)
    return f"new CSSStyleSheet();\n{_variable(name)}.replaceSync({json.dumps(text)})"


def _variable(name: str) -> str:
    return re.sub(r"\W", "_", name)
