"""Scripts of pages import nothing: each is a single file with its modules and their texts."""

import json
import posixpath
import re
from pathlib import PurePath

import pytest

from dice_referee.api.i18n import LANGUAGES
from dice_referee.web.assets import ELEMENT, STATIC
from dice_referee.web.words import rooms
from tests.application import get

PAGES = (
    *("/", "/table", "/table/none", "/embedding", "/guides"),
    *("/rules/tutto", "/rules/tutto/T5.2", "/play/pot", "/docs/addEvent"),
)
FROM = re.compile(r"""^import\b[^;]*\bfrom\s*["']([^"']+)["']""", re.MULTILINE)
SCRIPT = re.compile(r'<script type="module" src="(/static/[^/]+/([^"]+))"')


def add_imports(name: str, seen: set[str]) -> None:
    """Adds all that a module imports, directly or indirectly."""
    for place in FROM.findall((STATIC / name).read_text("utf-8")):
        path = posixpath.normpath(f"{PurePath(name).parent}/{place}")
        if path not in seen:
            seen.add(path)
            add_imports(path, seen)


def texts_in(script: str) -> dict[str, dict[str, str]]:
    """Returns the texts of a joined module by language."""
    [texts] = re.findall(r"^(?:export )?const TEXTS = (\{.*\});$", script, re.MULTILINE)
    return dict(json.loads(texts))


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("lang", ["en", "it"])
def test_script_of_a_page_holds_its_modules_and_texts(path: str, lang: str) -> None:
    page = get(f"{path}?lang={lang}", Accept="text/html").get_data(as_text=True)
    assert SCRIPT.findall(page)
    for address, name in SCRIPT.findall(page):
        text = get(address).get_data(as_text=True)
        assert not re.search(r"^import\b", text, re.MULTILINE), name
        due: set[str] = set()
        add_imports(re.sub(r"\.(?:en|it)\.js$", ".js", name), due)
        for module in due:
            variable = re.sub(r"\W", "_", module)
            assert text.count(f"const {variable} = ") == 1, (name, module)
        if "shared/words.js" in due:
            languages = LANGUAGES if name == ELEMENT else (lang,)
            assert tuple(texts_in(text)) == languages, name


def test_scripts_hold_the_texts_of_their_folders() -> None:
    for name, folders in (
        ("reading/reading.de.js", {"shared"}),
        ("playground/playground.de.js", {"shared", "games", "playground"}),
        ("table/create.de.js", {"shared", "games", "table"}),
        ("shared/words.de.js", rooms().keys() - {"templates"}),
    ):
        text = get(f"/static/x/{name}").get_data(as_text=True)
        due = {key: text["de"] for room in folders for key, text in rooms()[room].items()}
        assert texts_in(text)["de"] == due, name


@pytest.mark.parametrize("name", ["none.de.js", "shared/page.css.de.js", "vendor/x.de.js"])
def test_missing_module_is_not_joined(name: str) -> None:
    assert get(f"/static/x/{name}").status_code == 404


def test_module_without_language_is_served_unchanged() -> None:
    assert get("/static/x/shared/page.js").data == (STATIC / "shared/page.js").read_bytes()
