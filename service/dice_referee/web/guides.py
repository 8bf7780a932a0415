"""The guides as pages: the Markdown files beside this module, rendered on first use."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

from flask import Blueprint
from markdown_it.token import Token
from markupsafe import Markup

from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import make_once
from dice_referee.web.assets import fill_marks, version
from dice_referee.web.html import markdown, page_operation, reader_of, render_tokens
from dice_referee.web.problems import missing

FOLDER = Path(__file__).with_name("guides")
ORDER = (
    *("first-verdict", "whole-turn", "whole-game", "game-in-a-line", "yatzee-and-pot", "rulesets"),
    *("odds", "odds-tables", "perfect-play"),
    *("sessions", "fairness", "front-end", "client", "library", "agents"),
    *("contract-testing", "compatibility"),
    *("operation", "settings"),
    *("developing", "adding-a-ruleset", "adding-a-game", "adding-an-operation"),
)
"""Guides in the order of the list: to ask, to build on, to run, to change."""
READERS = {
    "ask": ("die-2", "die-6", "die-6"),
    "build": ("card-bonus-300", "card-double", "card-clover"),
    "run": ("card-back", "card-back", "card-stop"),
    "change": ("die-P", "die-O", "die-T"),
}
"""Kinds of readers in the order of the index, each with the drawings on its felt."""
FRONT_MATTER = re.compile(r"---\nreader: (?P<reader>\w+)\nsummary: (?P<summary>.+)\n---\n")
"""Pattern of the lines before the title of a guide."""
SERVED = {"openapi.yaml": "/openapi.yaml"}

blueprint = Blueprint("guides", __name__)


class Guide(NamedTuple):
    name: str
    title: str
    reader: str
    summary: str
    contents: tuple[tuple[str, str], ...]
    html: Markup


@page_operation(blueprint, "GET", "/guides")
def list_guides(request: Request) -> Answer:
    shelves = {aim: (picture, _shelf(request, aim)) for aim, picture in READERS.items()}
    return reader_of(request).page(
        "guides.html", port=request.services.settings.port, shelves=shelves
    )


@page_operation(blueprint, "GET", "/guides/<name>")
def show_guide(request: Request) -> Answer:
    name = request.parameters["name"]
    if name not in ORDER:
        return missing(request)
    port = request.services.settings.port
    later = ORDER[ORDER.index(name) + 1 :]
    following = make_once(guide, later[0]) if later else None
    current = make_once(guide, name)
    return reader_of(request).page(
        "guide.html",
        port=port,
        guide=current,
        following=following,
        picture=READERS[current.reader],
        shelf=_shelf(request, current.reader),
    )


def _shelf(request: Request, aim: str) -> list[Guide]:
    guides = [make_once(guide, name) for name in ORDER]
    return [each for each in guides if each.reader == aim]


def guide(name: str) -> Guide:
    source = (FOLDER / f"{name}.md").read_text("utf-8")
    front = FRONT_MATTER.match(source)
    assert front is not None  # nosec B101
    text = fill_marks(source[front.end() :])
    tokens = list(_for_a_page(name, markdown().parse(text)))
    contents = tuple(
        (str(token.attrGet("id")), title.content)
        for token, title in pairwise(tokens)
        if token.type == "heading_open" and token.tag == "h2"
    )
    # A title consists of three tokens.
    html = render_tokens(tokens[3:])
    return Guide(name, tokens[1].content, front["reader"], front["summary"], contents, html)


def _for_a_page(name: str, tokens: list[Token]) -> Iterator[Token]:
    heading = ""
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = tokens[at + 1].content
            token.attrSet("id", anchor(heading))
        elif token.type == "inline":
            token.children = list(_point_links(name, token.children or []))
        elif token.type == "table_open":
            scrolls = {"class": "scrolls", "tabindex": "0", "role": "group", "aria-label": heading}
            yield Token("scrolls_open", "div", 1, attrs={**scrolls}, block=True)
        yield token
        if token.type == "table_close":
            yield Token("scrolls_close", "div", -1, block=True)


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _point_links(name: str, tokens: list[Token]) -> Iterator[Token]:
    """Points the links of a line to served addresses. Links to unserved files become their text."""
    inside = True
    for token in tokens:
        if token.type == "image":
            source = str(token.attrGet("src"))
            token.attrSet("src", source.replace("../static/", f"/static/{version()}/"))
        if token.type == "link_open":
            place = page_of(name, str(token.attrGet("href")))
            inside = place is not None
            token.attrSet("href", place or "")
        if inside or not token.type.startswith("link_"):
            yield token


def page_of(name: str, link: str) -> str | None:
    """Returns the page of a link in this guide, or None if the file is not served."""
    if re.match("https?:", link):
        return link
    place = urljoin(f"/service/dice_referee/web/guides/{name}.md", link).removeprefix("/")
    path, hash_, fragment = place.partition("#")
    name = path.removeprefix("service/dice_referee/web/guides/").removesuffix(".md")
    if name in ORDER:
        return f"/guides/{name}{hash_}{fragment}"
    return SERVED.get(path)
