"""Verification of fair dice: recomputes a game from the seed revealed at its end."""

from functools import cache

from flask import Blueprint

from dice_referee.api.answers import with_findings
from dice_referee.api.documents import check_number, json_document, validate
from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import operation
from dice_referee.api.problems import invalid
from dice_referee.games import catalogue, most_players
from dice_referee.games.game import AnyGame
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.findings import SchemaError
from dice_referee.rulebook.game import Document, Json
from dice_referee.sessions.fairness import SCHEME, verify
from dice_referee.validation.fields import Enumerated, Integer, ListOf, Nullable, Text
from dice_referee.validation.schema import Nested, Raw, RequestSchema, define

blueprint = Blueprint("fairness", __name__, url_prefix="/v1/fairness")


@cache
def claim() -> RequestSchema:
    """Returns the shape of a claim to verify. The game determines the shape of its record."""
    proof = {
        "scheme": Enumerated(SCHEME, required=True),
        "commitment": Text(64, 64, "hex", required=True),
        "seeds": ListOf(Nullable(Text(1, 64, "ascii")), 1, most_players(), required=True),
        "draws": Integer(0, 1_000_000_000, required=True),
        "seed": Text(64, 64, "hex", required=True),
    }
    return define(
        "FairnessClaim",
        {
            "game": Enumerated(*catalogue(), required=True),
            "fairness": Nested(define("FairnessProof", proof), required=True),
            "record": Raw(required=True),
        },
    )


@operation(blueprint, "POST", "/verify", rate=RatePolicy.BATCH, heavy=True)
def verify_dice(request: Request) -> Answer:
    settings = request.services.settings
    document = validate(claim(), json_document(request, settings.log_limit))
    game, record, proof = catalogue()[document["game"]], document["record"], document["fairness"]
    check_number(record, "log", "log-too-long", settings.log_limit)
    errors = game.schemas.log.errors(record, "/record")
    if not errors and len(record["players"]) != len(proof["seeds"]):
        params = {"minimum": len(record["players"]), "maximum": len(record["players"])}
        errors = [SchemaError("wrong-length", "/fairness/seeds", params)]
    if errors:
        raise invalid(errors)
    request.note(game, record)
    return with_findings(request, game, _verification(game, record, proof))


def _verification(game: AnyGame, record: Document, proof: Document) -> Json:
    verification = verify(
        game, record, proof["commitment"], bytes.fromhex(proof["seed"]), proof["seeds"]
    )
    illegal, mismatch = verification.illegal, verification.mismatch
    complete = len(verification.chances) == proof["draws"]
    return {
        "fair": verification.commitment_holds and complete and illegal is None and mismatch is None,
        "commitment_holds": verification.commitment_holds,
        "complete": complete,
        "first_mismatch": mismatch and {"index": mismatch[0], "expected": mismatch[1]},
        "first_illegal": illegal and {"index": illegal[0], "findings": list(illegal[1])},
        "chances": [{"index": index, "event": event} for index, event in verification.chances],
    }
