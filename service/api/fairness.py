"""Whether a game's dice were those of its seed: recomputed from what was revealed at its end."""

from typing import Any

from flask import Flask, Response

from service.api.answering import with_findings
from service.api.problems import Refused, invalid, unanswerable
from service.api.reading import about, accept, json_document, settings
from service.games import catalogue
from service.http.message import JSON
from service.rules.errors import Unanswerable
from service.rules.game import Game
from service.rules.verdict import Flaw
from service.sessions.fairness import SCHEME, verify
from service.wire.fields import Ascii, Choice, Hex, Many, OrNull, Part, Whole, closed

PROOF = closed(
    "FairnessProof",
    {
        "scheme": Choice(SCHEME, required=True),
        "commitment": Hex(64, required=True),
        "seeds": Many(OrNull(Ascii(1, 64)), 1, 10, required=True),
        "draws": Whole(0, 1_000_000_000, required=True),
        "seed": Hex(64, required=True),
    },
)
CLAIM = closed(
    "FairnessClaim",
    {
        "game": Choice(*catalogue(), required=True),
        "fairness": Part(PROOF, required=True),
    },
)


def add_fairness(app: Flask) -> None:
    """The resource that recomputes games."""
    app.add_url_rule("/v1/fairness/verify", "fairness.verify", check, methods=["POST"])


def check() -> Response:
    """Each throw and shuffle of a finished game, as the revealed seed gives it."""
    accept(JSON)
    game, record, proof = _claim(json_document())
    try:
        found = verify(
            game, record, proof["commitment"], bytes.fromhex(proof["seed"]), proof["seeds"]
        )
    except Unanswerable as error:
        raise unanswerable(game.name, error) from None
    illegal, mismatch = found.illegal, found.mismatch
    complete = len(found.chances) == proof["draws"]
    document = {
        "fair": found.commitment_holds and complete and illegal is None and mismatch is None,
        "commitment_holds": found.commitment_holds,
        "complete": complete,
        "first_mismatch": mismatch and {"index": mismatch.place, "expected": mismatch.expected},
        "first_illegal": illegal and {"index": illegal[0], "findings": list(illegal[1])},
        "chances": [{"index": index, "event": event} for index, event in found.chances],
    }
    return with_findings(game.name, document)


def _claim(document: Any) -> tuple[Game, Any, Any]:
    """The game, its record and the proof of its dice."""
    if not isinstance(document, dict):
        raise invalid([Flaw("wrong-type", "", {"expected": "object"})])
    own = {name: value for name, value in document.items() if name != "record"}
    flaws = CLAIM.flaws(own)
    if "record" not in document:
        flaws.append(Flaw("missing-field", "/record"))
    if flaws:
        raise invalid(flaws)
    game, record = catalogue()[own["game"]], document["record"]
    log, limit = record.get("log") if isinstance(record, dict) else None, settings().log_limit
    if isinstance(log, list) and len(log) > limit:
        raise Refused("too-large", "log-too-long", {"limit": limit})
    flaws = game.log.flaws(record, "/record")
    if not flaws and len(record["players"]) != len(own["fairness"]["seeds"]):
        params = {"minimum": len(record["players"]), "maximum": len(record["players"])}
        flaws = [Flaw("wrong-length", "/fairness/seeds", params)]
    if flaws:
        raise invalid(flaws)
    return game, about(game, record), own["fairness"]
