"""The service in plain text: a tour for terminals, and a description for language models."""

from flask import Blueprint

from dice_referee.api.answers import TEXT_UTF8
from dice_referee.api.catalogue import summary_document
from dice_referee.api.contract import contract
from dice_referee.api.headers import CACHEABLE
from dice_referee.api.hosts import origin_of
from dice_referee.api.index import ADDRESSES
from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import make_once
from dice_referee.games import catalogue
from dice_referee.web.guides import ORDER, guide
from dice_referee.web.html import ALWAYS_ASK, page_operation, reader_of

blueprint = Blueprint("tour", __name__)


def show_tour(request: Request) -> Answer:
    reader = reader_of(request)
    text = reader.text("tour.txt", origin=origin_of(request))
    return Answer(text.encode(), media_type=TEXT_UTF8, cache=ALWAYS_ASK, language=reader.lang)


@page_operation(blueprint, "GET", "/llms.txt")
def show_description(request: Request) -> Answer:
    """Describes the service for language models, in the format of llmstxt.org."""
    text = reader_of(request).text(
        "llms.txt",
        origin=origin_of(request),
        info=contract()["info"],
        games=[summary_document(game, "en") for game in catalogue().values()],
        addresses=ADDRESSES,
        guides=[(name, make_once(guide, name).title) for name in ORDER],
    )
    return Answer(text.encode(), media_type=TEXT_UTF8, cache=CACHEABLE, language="en")
