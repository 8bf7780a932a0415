"""Pages ask at once for exactly the modules that their scripts import."""

import re

import pytest

from service.web.assets import ELEMENT, STATIC
from tests.api.asking import get

PAGES = (
    "/",
    "/table",
    "/table/none",
    "/embedding",
    "/rules/tutto",
    "/rules/tutto/T5.2",
    "/play/pot",
    "/docs/makeMove",
    "/guides",
)
FROM = re.compile(r"""^import\b[^;]*\bfrom\s*["']\./([^"']+)["']""", re.MULTILINE)
SCRIPT = re.compile(r'<script type="module" src="/static/[^/]+/([^"]+)"')
LINK = re.compile(r'<link rel="modulepreload" href="/static/[^/]+/([^"]+)" />')


def imported(name: str, seen: set[str]) -> None:
    """Add all that a module imports, directly or not."""
    for path in FROM.findall((STATIC / name).read_text("utf-8")):
        if path not in seen:
            seen.add(path)
            imported(path, seen)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_for_exactly_what_its_modules_import(path: str) -> None:
    text = get(path, Accept="text/html").get_data(as_text=True)
    scripts, asked = SCRIPT.findall(text), LINK.findall(text)
    due: set[str] = set()
    for name in scripts:
        if name != ELEMENT:
            imported(name, due)
    assert scripts
    assert len(asked) == len(set(asked))
    assert set(asked) == due - {*scripts}
    assert text.index("modulepreload") < text.index("<script")
