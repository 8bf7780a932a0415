"""The guides as pages: every guide is listed, and every link resolves."""

import re
from html import unescape

import pytest

from dice_referee.app import create_app
from dice_referee.settings import Settings
from dice_referee.web.assets import fill_marks
from dice_referee.web.guides import FOLDER, ORDER, guide, page_of
from tests.application import get


def test_every_guide_is_listed() -> None:
    assert sorted(ORDER) == sorted(path.stem for path in FOLDER.glob("*.md"))
    page = get("/guides").get_data(as_text=True)
    listed = re.findall(r'<dt><a href="/guides/([\w-]+)"', page)
    assert listed == [*ORDER]


def test_index_groups_guides_by_reader_with_summaries() -> None:
    page = unescape(get("/guides").get_data(as_text=True))
    assert re.findall(r'<h2 id="(\w+)"', page) == ["ask", "build", "run", "change"]
    summaries = [guide(name).summary for name in ORDER]
    assert len(set(summaries)) == len(ORDER)
    for summary in summaries:
        assert f"<dd>{summary}</dd>" in page
        assert summary.endswith(".")
        assert "`" not in summary


@pytest.mark.parametrize("name", ORDER)
def test_guide_links_to_the_next_and_lists_its_chapters(name: str) -> None:
    page = get(f"/guides/{name}").get_data(as_text=True)
    at = ORDER.index(name) + 1
    assert re.findall(r'rel="next" href="/guides/([\w-]+)"', page) == [*ORDER[at : at + 1]]
    chapters = re.findall(r'<h2 id="([^"]+)"', page)
    listed = re.findall(r'<li><a href="#([^"]+)">', page.partition("</nav>\n<h2")[0])
    if len(chapters) > 3:
        assert [chapter for chapter in listed if chapter in chapters][: len(chapters)] == chapters


@pytest.mark.parametrize("name", ORDER)
def test_guide_is_rendered_whole_and_its_links_resolve(name: str) -> None:
    answer = get(f"/guides/{name}")
    assert answer.status_code == 200
    page, source = answer.get_data(as_text=True), (FOLDER / f"{name}.md").read_text("utf-8")
    source = source.partition("\n---\n")[2]
    assert f"<h1>{source.splitlines()[0].removeprefix('# ')}</h1>" in page
    assert page.count("<table>") == page.count('<div class="scrolls"')
    assert page.count("<h2") == len(re.findall("^## ", source, re.MULTILINE))
    assert page.count('<div class="code">') == len(re.findall("^```", source, re.MULTILINE)) / 2
    check_links(page, f"/guides/{name}")


def test_commands_are_shown_apart_from_their_output() -> None:
    page = get("/guides/first-verdict").get_data(as_text=True)
    source = (FOLDER / "first-verdict.md").read_text("utf-8")
    commands = re.findall(r"^\$ (.*)$", source, re.MULTILINE)
    typed = re.findall(r'<pre class="typed"><code>(.*?)\n</code>', page, re.DOTALL)
    assert [unescape(text) for text in typed] == commands
    assert re.search(r"<details><summary>\d\d lines come back</summary><pre><code>{\n", page)


def test_highlighting_keeps_the_code() -> None:
    for name in ORDER:
        page = get(f"/guides/{name}").get_data(as_text=True)
        source = re.sub(
            "localhost:\\d+", "", fill_marks((FOLDER / f"{name}.md").read_text("utf-8"))
        )
        for block in re.findall("<pre><code>(.*?)</code>", page, re.DOTALL):
            plain = unescape(re.sub('</?span( class="[a-z]+")?>', "", block))
            assert re.sub("localhost:\\d+", "", plain) in source, name


def test_pictures_of_a_guide_are_served() -> None:
    page = get("/guides/perfect-play").get_data(as_text=True)
    (path,) = re.findall('<img src="([^"]+)"', page)
    answer = get(path)
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")


def test_commands_use_the_port_of_the_service() -> None:
    client = create_app(Settings(port=9000)).test_client()
    for path in (*(f"/guides/{name}" for name in ORDER), "/guides", "/docs", "/docs/createSession"):
        page, usual = client.get(path).get_data(as_text=True), get(path).get_data(as_text=True)
        assert page == usual.replace("localhost:8000", "localhost:9000"), path
    assert "curl -s 'http://localhost:9000/v1/" in client.get("/guides/first-verdict").text
    # The Host header does not affect the address.
    named = client.get("/docs", headers={"Host": "localhost:7123"}).text.partition("<body")[2]
    assert "localhost:9000/v1/" in named
    assert "7123" not in named


def test_links_of_the_index_resolve() -> None:
    check_links(get("/guides").get_data(as_text=True), "/guides")


def check_links(page: str, address: str) -> None:
    """Expects every link to a page of the service to resolve."""
    for path, anchor in re.findall(r'href="(/[^"#]*|(?=#))(?:#([^"]+))?"', page):
        there = get(path or address)
        assert there.status_code == 200, path
        if anchor and path != "/":
            assert f'id="{anchor}"' in there.get_data(as_text=True), (path, anchor)


def test_links_to_unserved_files_are_removed() -> None:
    assert page_of("client", "sessions.md#watch") == "/guides/sessions#watch"
    assert page_of("client", "../../../../openapi.yaml") == "/openapi.yaml"
    assert page_of("compatibility", "#before-10") == "/guides/compatibility#before-10"
    assert page_of("client", "https://example.com/") == "https://example.com/"
    assert page_of("client", "../../../../tests/contract") is None


def test_client_guide_states_the_contract_sizes() -> None:
    text = (FOLDER / "client.md").read_text("utf-8").partition("\n## ")[0]
    rows = re.findall(r"^\| `(/openapi[^`]+)` \| (\d+) kB \| (\d+) kB \|", text, re.MULTILINE)
    assert rows[0][0] == "/openapi.json?for=clients"
    assert len(rows) == 3
    for address, most, most_packed in rows:
        size = len(get(address).get_data()) / 1000
        packed = len(get(address, Accept_Encoding="gzip").get_data()) / 1000
        assert size <= int(most), (address, size)
        assert packed <= int(most_packed), (address, packed)
        # Much larger figures would be useless.
        assert size > int(most) * 0.6
        assert packed > int(most_packed) * 0.6
