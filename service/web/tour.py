"""The service in plain text: a tour for terminals, and a description for language models."""

import re

from flask import Blueprint

from service.api.answers import TEXT_UTF8
from service.api.catalogue import summary_document
from service.api.contract import contract
from service.api.headers import CACHEABLE
from service.api.hosts import is_known
from service.api.index import ADDRESSES
from service.api.message import Answer, Request
from service.api.services import Services
from service.web.guides import ORDER, guide
from service.web.html import ALWAYS_ASK, page_operation, reader_of

HOST = re.compile(r"[\w.:\[\]-]{1,255}", re.ASCII)
"""A ``Host`` that is no danger in a command."""

blueprint = Blueprint("tour", __name__)


def show_tour(request: Request, services: Services) -> Answer:
    """Shows commands that work as they stand, at the address that was asked."""
    reader = reader_of(request)
    text = reader.text("tour.txt", origin=origin_of(request, services))
    return Answer(text.encode(), media_type=TEXT_UTF8, cache=ALWAYS_ASK, language=reader.lang)


@page_operation(blueprint, "GET", "/llms.txt")
def show_description(request: Request, services: Services) -> Answer:
    """Describes the service for language models, as llmstxt.org has it."""
    text = reader_of(request).text(
        "llms.txt",
        origin=origin_of(request, services),
        info=contract()["info"],
        games=[summary_document(game, "en") for game in services.games.values()],
        addresses=ADDRESSES,
        guides=[(name, guide(name).title) for name in ORDER],
    )
    return Answer(text.encode(), media_type=TEXT_UTF8, cache=CACHEABLE, language="en")


def origin_of(request: Request, services: Services) -> str:
    """Returns the origin that was asked; at another name than this machine's the public one."""
    host = request.header(b"host") or ""
    if not HOST.fullmatch(host):
        host = f"localhost:{services.settings.port}"
    public = services.settings.public_url
    return public if public and not is_known(host, frozenset()) else f"http://{host}"
