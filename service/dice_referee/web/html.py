"""The pages that the service writes itself: templates, words, and the language of their reader."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from html import escape
from typing import Any
from urllib.parse import parse_qsl, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from dice_referee.api.answers import file_answer
from dice_referee.api.hosts import origin_of
from dice_referee.api.i18n import LANGUAGES
from dice_referee.api.message import HTML, Answer, Request
from dice_referee.api.negotiation import language
from dice_referee.api.operation import make_once, operation
from dice_referee.voice import Text, in_language
from dice_referee.web.assets import version
from dice_referee.web.code import code_block, fence
from dice_referee.web.drawings import drawing, drawings, with_drawings
from dice_referee.web.words import site, words

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""No inline script or style, no content from other origins, and no text that becomes markup."""

COMPRESS = partial(gzip.compress, compresslevel=6, mtime=0)
"""Compresses a page. The result is not cached, because pages vary by reader and host."""

page_operation = partial(operation, offers=())

WRITTEN_FOR = "localhost:8000"
"""Address of the service in guides and in the contract, with the default port."""
ALWAYS_ASK = "no-cache"
PARENTS = ("base.html", "drawn.html", "shape.html")
CARD = "shared/card.png"
CARD_TAGS = (
    '<meta property="og:image" content="{}" />\n    '
    '<meta name="twitter:card" content="summary_large_image" />\n    '
)


@dataclass(frozen=True, slots=True)
class Reader:
    request: Request
    lang: str
    query: Mapping[str, str]
    words: Mapping[str, Text]
    origin: str = ""
    """Origin of the picture for links. An empty origin leaves the picture out."""

    def say(self, key: str, **values: object) -> str:
        return in_language(self.words[key], self.lang).format(**values)

    def link(self, path: str) -> str:
        return f"{path}?lang={self.lang}" if self.query.get("lang") == self.lang else path

    def translation(self, tag: str) -> str:
        return f"?{urlencode({**self.query, 'lang': tag})}"

    def text(self, template: str, **content: Any) -> str:
        return make_once(_template, template).render(say=self.say, **content)

    def page(
        self,
        template: str,
        status: int = 200,
        caching: str = ALWAYS_ASK,
        port: int | None = None,
        **content: Any,
    ) -> Answer:
        """Renders a page template. ``port`` replaces the port in the commands shown."""
        known = make_once(site)
        family = "/" + self.request.path.lstrip("/").partition("/")[0]
        text = make_once(_template, template).render(
            reader=self,
            say=self.say,
            version=version(),
            navigation=known["navigation"],
            here=known["parents"].get(family, family),
            names=known["languages"],
            **content,
        )
        if port is not None:
            text = text.replace(WRITTEN_FOR, f"localhost:{port}")
        text = with_card(with_drawings(text), self.origin)
        html, lang = f"{HTML}; charset=utf-8", self.lang
        return file_answer(
            self.request, text.encode(), html, caching, PAGE_POLICY, lang, status, COMPRESS
        )


def reader_of(request: Request, *, pictured: bool = True) -> Reader:
    """Returns the reader of a page, by ``?lang=``, else by ``Accept-Language``."""
    origin = origin_of(request) if pictured else ""
    query = dict(parse_qsl(request.query.decode("latin-1")))
    wanted = query.get("lang")
    lang = wanted if wanted in LANGUAGES else language(request)
    make_once(drawings)
    return Reader(request, lang, query, make_once(words), origin)


def with_card(page: str, origin: str) -> str:
    """Adds the picture that messengers show beside a link to the page."""
    address = escape(f"{origin}/static/{version()}/{CARD}")
    tags = CARD_TAGS.format(address) if origin else ""
    return page.replace("<link rel", f"{tags}<link rel", 1)


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("dice_referee.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["drawing"] = drawing
    environment.filters["code"] = _code
    return environment


def _code(text: Markup, language: str) -> Markup:
    """Renders the code of a template, whose values need no escapes."""
    return Markup(code_block(str(text), language))  # nosec B704


def _template(name: str) -> Template:
    for parent in PARENTS:
        _templates().get_template(parent)
    return _templates().get_template(name)


@cache
def markdown() -> MarkdownIt:
    """Returns a CommonMark parser with tables, which escapes markup."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("fence", fence)
    return parser


@cache
def render(text: str) -> Markup:
    return Markup(markdown().render(text))  # nosec B704


def render_tokens(tokens: list[Token]) -> Markup:
    return Markup(markdown().renderer.render(tokens, markdown().options, {}))  # nosec B704
