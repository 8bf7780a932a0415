"""The pages and their files over HTTP, through Flask alone."""

import gzip
import hashlib
import html
import json
import posixpath
import re
import struct
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path, PurePath

import pytest

from dice_referee.api.i18n import LANGUAGES, rulebook
from dice_referee.app import create_app
from dice_referee.games import catalogue
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.settings import Settings
from dice_referee.web.assets import STATIC, TYPES, files, version
from dice_referee.web.html import CARD
from dice_referee.web.pages import ELEMENT_ADDRESS, FAVICON, PAGES
from dice_referee.web.phrases import phrases
from dice_referee.web.words import TEMPLATES, rooms, site, words
from tests.application import ALWAYS, CLIENT, get, problem

FILES = sorted(name for name in files() if not name.endswith(".html"))
SERVED = [
    *PAGES,
    "/embedding",
    ELEMENT_ADDRESS,
    FAVICON,
    *(f"/static/{version()}/{name}" for name in FILES),
]
POLICY = "Content-Security-Policy"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
"""``Accept`` of browsers. `/` has other answers for other clients."""
VENDOR = STATIC / "vendor" / "uqr"


def test_static_file_has_type_strong_etag_and_headers() -> None:
    for path in SERVED:
        answer = get(path, Accept=BROWSER)
        assert answer.status_code == 200, path
        assert answer.headers["Content-Type"] in TYPES.values(), path
        tag = answer.headers["ETag"]
        assert re.fullmatch(r'"[0-9a-f]{32}"', tag), path
        assert int(answer.headers["Content-Length"]) == len(answer.get_data()), path
        for name, value in ALWAYS.items():
            if name != POLICY or path not in (*PAGES, "/embedding"):
                assert answer.headers.getlist(name) == [value], (path, name)
        repeat = get(path, If_None_Match=tag, Accept=BROWSER)
        assert (repeat.status_code, repeat.get_data()) == (304, b""), path
        assert repeat.headers["ETag"] == tag, path
        assert repeat.headers["Cache-Control"] == answer.headers["Cache-Control"], path
        assert "Content-Type" not in repeat.headers, path
        head = CLIENT.head(path, headers={"Accept": BROWSER})
        assert (head.status_code, head.get_data()) == (200, b""), path
        assert head.headers["Content-Length"] == answer.headers["Content-Length"], path


def test_compressed_file_has_the_same_content_and_another_etag() -> None:
    for path in SERVED:
        plain = get(path, Accept=BROWSER)
        packed = get(path, Accept=BROWSER, Accept_Encoding="br, gzip")
        assert packed.headers["Content-Encoding"] == "gzip", path
        assert gzip.decompress(packed.get_data()) == plain.get_data(), path
        assert packed.headers["ETag"] != plain.headers["ETag"], path
        assert "Accept-Encoding" in plain.vary, path
        refused = get(path, Accept=BROWSER, Accept_Encoding="gzip;q=0, br")
        assert "Content-Encoding" not in refused.headers, path
        tag = packed.headers["ETag"]
        held = get(path, Accept=BROWSER, Accept_Encoding="gzip", If_None_Match=tag)
        assert held.status_code == 304, path


def test_file_is_immutable_only_under_its_own_version() -> None:
    own, stale = (
        get(f"/static/{version()}/shared/dice.js"),
        get("/static/0123456789ab/shared/dice.js"),
    )
    assert "immutable" in own.headers["Cache-Control"]
    assert stale.headers["Cache-Control"] == "no-cache"
    assert own.get_data() == stale.get_data()


@pytest.mark.parametrize("path", [*PAGES, "/embedding"])
def test_page_policy_allows_no_inline_exceptions(path: str) -> None:
    answer = get(path, Accept=BROWSER)
    (policy,) = answer.headers.getlist(POLICY)
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    for word in ("unsafe", "*", "http"):
        assert word not in policy
    assert answer.headers["Cache-Control"] == "no-cache"
    text = answer.get_data(as_text=True)
    assert '<meta charset="utf-8" />' in text
    assert not re.search(r"<style|\bstyle=|\bon\w+=|<script(?![^>]* src=)", text)
    for address in re.findall(r'(?:src|href)="([^"]+)"', text):
        assert get(address).status_code == 200, address


def test_element_joins_all_its_modules_in_one_file() -> None:
    text, seen = get(ELEMENT_ADDRESS).get_data(as_text=True), set[str]()
    assert not re.search(r"^import |\bimport\(|\{\{", text, re.MULTILINE)
    assert re.findall(r"^export .*", text, re.MULTILINE) == [
        "export class DiceReferee extends HTMLElement {"
    ]
    wanted = ["dice-referee.js"]
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        source = (STATIC / name).read_text("utf-8")
        if name.endswith(".css"):
            assert json.dumps(of_its_own_width(without_comments(source))) in text, name
            continue
        places = re.findall(r'^import .* from "([^"]+)".*;\n', source, re.MULTILINE)
        wanted += (posixpath.normpath(f"{PurePath(name).parent}/{place}") for place in places)
        assert not any("\n" in literal for literal in re.findall("`[^`]*`", source)), name
        body = re.split(r"^import .*\n", source, flags=re.MULTILINE)[-1]
        assert plain(text).count(plain(without_comments(body))) == 1, name
    assert {
        "table/livetable.js",
        "games/tutto.js",
        "games/table.css",
        "element/element.css",
    } <= seen
    assert text.count("= (() => {\n") >= len(seen) - 4


def test_element_types_name_all_attributes_and_events() -> None:
    answer = get("/dice-referee.d.ts")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    types, source = answer.get_data(as_text=True), (STATIC / "dice-referee.js").read_text("utf-8")
    listed = re.findall(r"^const (?:PLAIN|OTHERS) = (\[.*\]);", source, re.MULTILINE)
    names = {name for names in listed for name in json.loads(names)}
    events = set(re.findall(r"^//   (\w+) +detail: ", source, re.MULTILINE))
    _, attributes, heard, properties = re.split(r"^export (?:interface|class) ", types, flags=re.M)
    written = set(re.findall(r'"(\w+)"|^  (\w+)\?:', attributes, re.MULTILINE))
    assert {quoted or name for quoted, name in written} == {*names, "lang"}
    assert set(re.findall(r"^  (\w+): CustomEvent", heard, re.MULTILINE)) == events
    assert set(re.findall(r"^  (?:[gs]et )?(\w+)[:(]", properties, re.MULTILINE)) == {
        *names,
        "addEventListener",
    }


def without_comments(source: str) -> str:
    """Returns a source without comments on their own lines."""
    return re.sub(r"^ *(//.*|/\*[\s\S]*?\*/)\n", "", source, flags=re.MULTILINE)


def plain(module: str) -> str:
    """Returns a module without its indentation, exports and data of the service."""
    return re.sub(
        r"^ *(?:export )?|(?<=(?:TEXTS|.SITE) = )\{.*\}(?=;$)", "", module, flags=re.MULTILINE
    )


def of_its_own_width(sheet: str) -> str:
    """Returns a sheet whose media queries are container queries, as in the element."""
    return sheet.replace("@media (max-width:", "@container referee (max-width:")


def test_element_integrity_is_shown_and_pinned_by_version() -> None:
    plain, versioned = get(ELEMENT_ADDRESS), get(f"/static/{version()}/dice-referee.js")
    assert plain.headers["Cache-Control"] == "public, max-age=3600"
    assert "immutable" in versioned.headers["Cache-Control"]
    assert plain.get_data() == versioned.get_data()
    digest = b64encode(hashlib.sha384(plain.get_data()).digest()).decode()
    for path in ("/embedding", "/guides/front-end"):
        text = html.unescape(re.sub("</?span[^>]*>", "", get(path).get_data(as_text=True)))
        assert set(re.findall(r'integrity="([^"]+)"', text)) == {f"sha384-{digest}"}, path
        assert f"/static/{version()}/dice-referee.js" in text, path


def test_embedding_page_follows_the_language_of_its_reader() -> None:
    page = get("/embedding?lang=de").text
    assert '<html lang="de">' in page
    assert re.findall(r'<dice-referee lang="(\w+)"', page) == ["de"] * 3
    assert re.findall(r'hreflang="(\w+)"', page) == ["en", "fr", "it"]
    assert page.count('<div class="code">') == 6
    code = html.unescape(re.sub("</?span[^>]*>", "", page))
    assert '<script type="module" src="http://localhost/dice-referee.js"></script>\n</code>' in code


def modules() -> list[Path]:
    return sorted(STATIC.glob("**/*.js"))


def test_modules_import_only_files_of_the_pages() -> None:
    for module in modules():
        text = module.read_text("utf-8")
        for name in re.findall(r'from "([^"]+)"|import\("([^"]+)"\)', text):
            place = "".join(name)
            assert place.startswith("."), (module.name, place)
            file = (module.parent / place).resolve()
            assert file.is_file(), (module.name, place)
            assert file.is_relative_to(STATIC), (module.name, place)


REACHED: Mapping[str, tuple[str, ...]] = {
    "shared": ("shared",),
    "games": ("shared", "games"),
    "table": ("shared", "games", "table"),
    "text": ("shared", "games", "table", "text"),
    "playground": ("shared", "games", "playground"),
    "element": ("shared", "games", "table", "element"),
    "reading": ("shared",),
    "static": ("shared", "games", "table", "element"),
}
"""Folders whose texts the scripts of each folder can use. The element file has no folder."""


def test_texts_of_pages_are_complete_in_every_language() -> None:
    for room, texts in rooms().items():
        for key, text in texts.items():
            assert tuple(text) == LANGUAGES, (room, key)
            gaps = [sorted(re.findall(r"\{\w+\}", sentence)) for sentence in text.values()]
            assert all(text.values()), key
            assert all(each == gaps[0] for each in gaps), key


def test_texts_of_scripts_have_one_key_each() -> None:
    for folders in REACHED.values():
        keys = [key for folder in folders for key in rooms().get(folder, ())]
        assert len(keys) == len(set(keys))


def test_scripts_use_exactly_their_texts() -> None:
    used = ""
    for module in modules():
        text = module.read_text("utf-8")
        used += text
        known = {key for room in REACHED[module.parent.name] for key in rooms()[room]}
        for key in re.findall(r'\bsay\("(\w+)"', text):
            assert key in known, f"{module.name} cannot say {key}"
    standings = {"official", "reading", "mixed", "convention"}  # used by the status of a rule
    script = (STATIC / "text/commands.js").read_text("utf-8")
    listed = re.search(r"const COMMANDS = \[([^]]+)\];", script)
    assert listed
    commands = json.loads(f"[{listed[1].strip().rstrip(',')}]")
    helped = {f"does_{name}" for name in [*commands, "hold"]}
    helped |= {f"command_{name}" for name in commands} | phrases().keys()
    keys = {key for room, texts in rooms().items() if room != TEMPLATES for key in texts}
    assert helped <= keys
    for key in keys - standings - helped - {*site()["navigation"].values()}:
        # The key of a variant, such as that for the reader, begins with the key of the text.
        assert any(f'"{key_}"' in used for key_ in (key, key.rpartition("_")[0])), key


def test_templates_use_exactly_their_texts() -> None:
    package = STATIC.parent
    templates = "".join(path.read_text("utf-8") for path in (package / "templates").iterdir())
    keys = set(re.findall(r'say\("(\w+)"', templates)) | {*site()["navigation"].values()}
    standings = {rule["status"] for game in catalogue() for rule in rulebook(game).rules.values()}
    assert rooms()[TEMPLATES].keys() <= keys
    assert keys | standings <= set(words())


def test_site_names_each_language_and_only_pages_with_a_link() -> None:
    assert tuple(site()["languages"]) == LANGUAGES
    assert set(site()["parents"].values()) <= site()["navigation"].keys()


def test_vendored_files_match_their_checksums() -> None:
    lines = (VENDOR / "SHA256SUMS").read_text().splitlines()
    listed = {name: license_ for license_, name in (line.split("  ") for line in lines)}
    files = {path.name for path in VENDOR.iterdir()} - {"SHA256SUMS"}
    assert set(listed) == files == {"LICENSE.txt", "index.mjs"}
    for name, license_ in listed.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == license_, name


def test_page_has_the_public_url_only_on_loopback() -> None:
    address = "http://192.0.2.2:8000"
    unset, playing = create_app(), create_app(Settings(public_url=address, host="0.0.0.0"))
    for app, host, link in (
        (playing, "localhost:8000", True),
        (playing, "127.0.0.1", True),
        (playing, "[::1]:8000", True),
        (playing, "192.0.2.2:8000", False),
        (playing, "referee.example", False),
        (unset, "localhost", False),
    ):
        page = app.test_client().get("/table/x", headers={"Host": host}).get_data(as_text=True)
        content = address if link else ""
        assert f'<meta name="public-url" content="{content}" />' in page, host


@pytest.mark.parametrize(
    "path", [*PAGES, "/embedding", "/rules", "/rules/pot/P4.5", "/guides/odds", "/docs"]
)
def test_preview_image_has_an_absolute_address(path: str) -> None:
    public = create_app(Settings(public_url="https://dice.example", host="0.0.0.0"))
    for app, host, origin in (
        (create_app(), "localhost:8123", "http://localhost:8123"),
        (public, "192.0.2.2", "https://dice.example"),
        (create_app(), "localhost", "http://localhost"),
    ):
        page = app.test_client().get(path, headers={"Host": host, "Accept": BROWSER}).text
        (address,) = re.findall(r'<meta property="og:image" content="([^"]+)" />', page)
        assert address == f"{origin}/static/{version()}/{CARD}", host
        for tag in (' name="description"', 'property="og:description"', 'property="og:title"'):
            assert page.count(tag) == 1, tag
    refused = create_app().test_client().get(path, headers={"Host": "evil.example"})
    assert "og:image" not in refused.text
    picture = get(address.removeprefix("http://localhost"))
    assert (picture.status_code, picture.mimetype) == (200, "image/png")
    assert struct.unpack(">II", picture.data[16:24]) == (1200, 630)


def test_missing_page_has_no_preview_image() -> None:
    assert "og:image" not in get("/nothing", Accept=BROWSER).text


def test_missing_page_links_its_suggestion() -> None:
    for path, near in (("/tabel", "/table"), ("/rules/tuto/T1.1", "/rules/tutto/T1.1")):
        assert f'Did you mean “<a href="{near}">{near}</a>”?' in get(path, Accept=BROWSER).text
    german = get("/rules/tuto?lang=de", Accept=BROWSER).text
    assert 'War „<a href="/rules/tutto?lang=de">/rules/tutto</a>“ gemeint?' in german
    assert "<p>There is nothing under the path /nothing" in get("/nothing", Accept=BROWSER).text


def test_form_of_tables_knows_if_sessions_are_off() -> None:
    store = RedisStore("unix:///nowhere", 1)
    for app, sessions in ((create_app(), "off"), (create_app(store=store), "on")):
        page = app.test_client().get("/table", headers={"Host": "localhost"}).text
        assert page.count(f'<meta name="sessions" content="{sessions}" />') == 1


def test_missing_file_is_a_404_problem() -> None:
    for name in ("none.js", "playground/playground.html", "vendor/uqr/SHA256SUMS", ""):
        problem(get(f"/static/{version()}/{name}"), "not-found", 404)
