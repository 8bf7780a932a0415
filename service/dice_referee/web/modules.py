"""Modules that the scripts of a page import, for preloading all at once."""

import re
from functools import cache
from pathlib import Path

from dice_referee.web.joining import IMPORT, imported_by

SCRIPT = re.compile(r'^( *)<script type="module" src="/static/([^/"]+)/([^"]+)"></script>\n', re.M)
"""A line of a page that loads a module: its indentation, the version, and the file's name."""
JOINED = ".joined.js"
"""The ending of a module that is served with all that it imports."""
LOADING = '{}<link rel="modulepreload" href="/static/{}/{}" />\n'


@cache
def needed(folder: Path, name: str) -> tuple[str, ...]:
    """Lists all that a module imports, directly or not, each once, in the order of naming."""
    modules: dict[str, None] = {}
    waiting = [name]
    while waiting:
        module = waiting.pop(0)
        text = (folder / module).read_text("utf-8")
        new = dict.fromkeys(imported_by(module, one["place"]) for one in IMPORT.finditer(text))
        waiting += (path for path in new if path not in modules)
        modules.update(new)
    return tuple(modules)


def preloading(folder: Path, page: str, joined: frozenset[str]) -> str:
    """Adds a line for each module that the scripts of a page need, before the first script.

    Files that are ``whole`` are served with all that they import, and so is the only other script
    of a page. Several scripts keep their modules apart, for they share their state.
    """
    scripts = list(SCRIPT.finditer(page, 0, page.find("</head>")))
    if not scripts:
        return page
    own = [script[3] for script in scripts]
    if len(apart := [script for script in scripts if script[3] not in joined]) == 1:
        start, end = apart[0].span(3)
        return page[:start] + apart[0][3].removesuffix(".js") + JOINED + page[end:]
    names = [name for one in own if one not in joined for name in needed(folder, one)]
    space, version = scripts[0][1], scripts[0][2]
    further = (name for name in dict.fromkeys(names) if name not in own)
    lines = [LOADING.format(space, version, name) for name in further]
    start = scripts[0].start()
    return page[:start] + "".join(lines) + page[start:]
