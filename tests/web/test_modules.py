"""Pages ask at once for exactly the modules that their scripts import, joined where one does."""

import posixpath
import re
from pathlib import PurePath

import pytest

from dice_referee.web.assets import ELEMENT, STATIC
from tests.application import get

SEVERAL = ("/rules/tutto", "/rules/tutto/T5.2", "/play/pot", "/docs/makeMove")
FROM = re.compile(r"""^import\b[^;]*\bfrom\s*["']([^"']+)["']""", re.MULTILINE)
SCRIPT = re.compile(r'<script type="module" src="/static/[^/]+/([^"]+)"')
LINK = re.compile(r'<link rel="modulepreload" href="/static/[^/]+/([^"]+)" />')


def imported(name: str, seen: set[str]) -> None:
    """Adds all that a module imports, directly or not."""
    for place in FROM.findall((STATIC / name).read_text("utf-8")):
        path = posixpath.normpath(f"{PurePath(name).parent}/{place}")
        if path not in seen:
            seen.add(path)
            imported(path, seen)


def own_scripts(text: str) -> list[str]:
    return [name for name in SCRIPT.findall(text) if name != ELEMENT]


@pytest.mark.parametrize("path", ["/", "/table", "/table/none", "/embedding", "/guides"])
def test_a_page_of_one_script_asks_for_one_file(path: str) -> None:
    text = get(path, Accept="text/html").get_data(as_text=True)
    [name] = own_scripts(text)
    assert not LINK.findall(text)
    entry = name.removesuffix(".joined.js") + ".js"
    due: set[str] = set()
    imported(entry, due)
    address = text.partition('<script type="module" src="')[2].partition('"')[0]
    answer = get(address if name in address else f"/static/x/{name}")
    joined = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert not re.search(r"^(import|export)\b", joined, re.MULTILINE)
    for module in sorted(due - {entry}):
        variable = re.sub(r"\W", "_", module)
        assert joined.count(f"const {variable} = ") == 1, module


@pytest.mark.parametrize(
    "name", ["none.joined.js", "shared/page.css.joined.js", "vendor/x.joined.js"]
)
def test_a_module_that_is_not_there_is_not_joined(name: str) -> None:
    assert get(f"/static/x/{name}").status_code == 404


def test_a_module_itself_stays_as_it_is() -> None:
    assert get("/static/x/shared/page.js").data == (STATIC / "shared/page.js").read_bytes()


@pytest.mark.parametrize("path", SEVERAL)
def test_a_page_asks_for_exactly_what_its_modules_import(path: str) -> None:
    text = get(path, Accept="text/html").get_data(as_text=True)
    scripts, links = SCRIPT.findall(text), LINK.findall(text)
    assert len(own_scripts(text)) > 1
    due: set[str] = set()
    for name in scripts:
        if name != ELEMENT:
            imported(name, due)
    assert scripts
    assert len(links) == len(set(links))
    assert set(links) == due - {*scripts}
    assert text.index("modulepreload") < text.index("<script")
