"""Modules that the scripts of a page import, for preloading."""

import re
from functools import cache
from pathlib import Path

from dice_referee.web.joining import IMPORT, imported_by

SCRIPT = re.compile(r'^( *)<script type="module" src="/static/([^/"]+)/([^"]+)"></script>\n', re.M)
"""Pattern of a line that loads a module: indentation, version, and name of the file."""
JOINED = ".joined.js"
"""Suffix of a module that is served with all its imports."""
LOADING = '{}<link rel="modulepreload" href="/static/{}/{}" />\n'


@cache
def needed(folder: Path, name: str) -> tuple[str, ...]:
    """Lists all direct and indirect imports of a module once, in the order of the statements."""
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
    """Adds a preload line for each module that the scripts of a page need.

    Modules in ``joined``, and the only other script of a page, are served with all their imports.
    Several scripts keep their modules separate, because they share their state.
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
