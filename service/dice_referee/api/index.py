"""The index: games, operations and entry addresses."""

from typing import Any

from flask import Blueprint

from dice_referee.api.answers import cacheable
from dice_referee.api.catalogue import games_in_sentences, summary_document
from dice_referee.api.contract import contract, operations
from dice_referee.api.message import Answer, Request
from dice_referee.api.negotiation import language
from dice_referee.api.operation import SPOKEN, operation
from dice_referee.games import catalogue
from dice_referee.sentences import report

ADDRESSES = {
    "/v1": "This index: games with their rulesets, operations and addresses.",
    "/openapi.json?for=clients": "The contract, for generators of clients.",
    "/openapi.json": "The whole contract, with examples.",
    "/schemathesis.toml": "A configuration of schemathesis, with facts that the contract lacks.",
    "/docs": "The contract as pages, with forms to try each operation.",
    "/guides": "The guides: from a first verdict to a client, a front end and a server.",
    "/rules": "The numbered rules of each game as pages.",
    "/table": "Games at one table, in a browser.",
    "/llms.txt": "A description of the service for language models.",
}

blueprint = Blueprint("index", __name__)


@operation(blueprint, "GET", "/v1", offers=SPOKEN)
def show_index(request: Request) -> Answer:
    lang = language(request)
    document: dict[str, Any] = {
        "title": contract()["info"]["title"],
        "games": [summary_document(game, lang) for game in catalogue().values()],
        "operations": [
            {"operation": name, **{key: entry[key] for key in ("method", "path", "summary")}}
            for name, entry in operations().items()
        ],
        "addresses": [
            {"address": address, "description": text} for address, text in ADDRESSES.items()
        ],
    }
    return cacheable(
        request, document, lang, lambda: report.index(games_in_sentences(lang), document)
    )
