"""Markdown as the guides and the contract have it, as HTML."""

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup


@cache
def markdown() -> MarkdownIt:
    """CommonMark with tables; markup in the source is shown as text."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def rendered(text: str) -> Markup:
    """The HTML of a text."""
    return Markup(markdown().render(text))  # nosec B704


def rendered_tokens(tokens: list[Token]) -> Markup:
    """The HTML of what a text was parsed into."""
    return Markup(markdown().renderer.render(tokens, markdown().options, {}))  # nosec B704
