"""The review of a game: what each decision was worth, and what luck and play made of it (O2).

The module ``odds`` of a game says what things are worth, in its ``UNIT``s: ``value(question)``,
when the player plays well from here; ``worth(question, event)``, once this event was chosen and
before dice or card have come; ``worth_after(question, turn, known)``, of the turn that it has led
to. ``known(hidden)`` is what everybody knows of what ``Game.deal`` hides, ``known(None)`` before
any event, ``follow(known, event)`` after one, and ``question_at(position, known)`` the question
that goes with it. ``unit(question)`` says in what it is measured (points, a chance),
``leaves_a_choice(question)`` whether something can be chosen; ``RULES`` are the rules that all this
rests on.
"""

from collections import defaultdict
from typing import Any

from service.games.base import Game
from service.games.base_game import ruleset_fields
from service.rules.bots import Level
from service.rules.game import Document


def review(game: Game, document: Document) -> dict[str, Any]:
    """What each decision of this log gave away, and each player's sums, up to an illegal event.

    Per player and unit: ``luck``, what dice and cards gave beyond what was to be expected, and
    ``play``, what choices gave away (0 at best).
    """
    odds, table = game.odds, game.new_table(document)
    game.prepare_odds(game.first_question(document))
    known, decisions, first_illegal = odds.known(None), [], None
    sums: dict[tuple[int, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for index, reported in enumerate(document["log"]):
        findings = game.objections(table, reported, f"/log/{index}")
        if findings:
            first_illegal = {"index": index, "findings": findings}
            break
        chosen, event = game.event_of(game.as_chosen(reported)), game.event_of(reported)
        player = table.player
        question = odds.question_at(table.turn, known)
        unit, worth = odds.unit(question), odds.worth(question, chosen)
        step = event.play(table.turn)
        known = odds.follow(known, event)
        luck_and_play = sums[player, unit]
        luck_and_play[0] += float(odds.worth_after(question, step.turn, known) - worth)
        if odds.leaves_a_choice(question):
            best = odds.value(question)
            luck_and_play[1] += float(worth - best)
            decisions.append(
                {
                    "index": index,
                    "player": player,
                    "event": game.event_document(chosen),
                    "unit": unit,
                    "worth": float(worth),
                    "best": float(best),
                    "loss": float(best - worth),
                    "advice": game.event_document(game.bots.advise(question, Level.BEST)),
                }
            )
        table = game.tables.after(table, step)
    return {
        **ruleset_fields(game.rules_of(document)),
        "legal": first_illegal is None,
        "first_illegal": first_illegal,
        "decisions": decisions,
        "players": [
            {"player": player, "unit": unit, "luck": luck, "play": play}
            for (player, unit), (luck, play) in sorted(sums.items())
        ],
        "rules": list(odds.RULES),
    }
