"""JSON as people read it."""

import json
from typing import Any

SHORT = 60
"""Characters of JSON that stay on one line."""


def indented(value: Any, width: int = SHORT, margin: str = "") -> str:
    """JSON with a line for each part that does not fit into one of this width with others."""
    line = json.dumps(value, ensure_ascii=False)
    if len(margin + line) <= width or not isinstance(value, dict | list):
        return line
    inner = f"{margin}  "
    if isinstance(value, list):
        parts, ends = [indented(one, width, inner) for one in value], "[]"
    else:
        named = ((json.dumps(name), indented(one, width, inner)) for name, one in value.items())
        parts, ends = [f"{name}: {one}" for name, one in named], "{}"
    return f"{ends[0]}\n{inner}" + f",\n{inner}".join(parts) + f"\n{margin}{ends[1]}"
