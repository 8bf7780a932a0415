"""Dice, cards and coins on the pages that the service writes, each drawn once per page."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from markupsafe import Markup

FILE = Path(__file__).with_suffix(".json")
"""Drawings of the pages' modules, generated: box, class and markup by name."""
USED = re.compile(r'<use href="#([\w-]+)"')


@cache
def drawings() -> Mapping[str, tuple[str, str, str]]:
    return {name: tuple(drawing) for name, drawing in json.loads(FILE.read_text("utf-8")).items()}


def drawing(name: str) -> Markup:
    box, kind, _ = drawings()[name]
    return Markup(
        '<svg class="{}" viewBox="{}" aria-hidden="true"><use href="#{}" /></svg>'
    ).format(kind, box, name)


def with_drawings(page: str) -> str:
    names = sorted(set(USED.findall(page)))
    shapes = (f'<g id="{name}">{drawings()[name][2]}</g>' for name in names)
    symbols = f"<div hidden><svg>{''.join(shapes)}</svg></div>\n" if names else ""
    return page.replace("</body>", f"{symbols}</body>")
