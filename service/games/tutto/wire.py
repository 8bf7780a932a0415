"""Tutto on the wire: documents turned into positions and events, and events into answers."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from service.games.base import Game
from service.games.tutto import answers, bots, events, fast_json, game, odds
from service.games.tutto.cards import CARDS, DECK, PILE, STRAIGHT
from service.games.tutto.events import Draw, Event
from service.games.tutto.game import Table
from service.games.tutto.odds import Question
from service.games.tutto.position import SIX, Phase, Position, impossibilities
from service.games.tutto.rulesets import RULESETS, Ruleset
from service.games.tutto.scoring import NOTHING_ASIDE, Aside, aside
from service.games.tutto.shapes import SHAPES
from service.games.tutto.turn import Over, Reason
from service.rules.chance import Chance
from service.rules.dice import FACES, Dice, as_dice
from service.rules.errors import ImpossiblePosition
from service.rules.game import Document, Piece


def _described(rules: Ruleset, document: Document, dice: Callable[[Any], Dice]) -> Position:
    """The position that a document describes, possible or not."""
    card = CARDS[document["card"]] if "card" in document else None
    keeps = tuple(map(tuple, document["keeps"])) if "keeps" in document else ()
    return Position(
        rules,
        card,
        _aside(keeps, card is STRAIGHT, dice) if keeps else NOTHING_ASIDE,
        dice(document["roll"]) if "roll" in document else None,
        document.get("carried", 0),
        document.get("tuttos", 0),
        document.get("pending_deductions", 0),
        tuple(document["scores"]) if "scores" in document else None,
        document.get("player"),
    )


@lru_cache(maxsize=8192)
def _aside(keeps: tuple[Dice, ...], straight: bool, dice: Callable[[Any], Dice]) -> Aside:
    return aside(tuple(map(dice, keeps)), straight)


class Tutto(Game):
    """The game as the service asks for it."""

    name = "tutto"
    rulesets = RULESETS
    dice = (FACES,) * SIX
    deck = tuple(Piece(card.id, card.rule, card.copies) for card in DECK)
    decision_phase = Phase.KEEP
    event_fields = {"card": CARDS.__getitem__, "dice": tuple}  # noqa: RUF012

    def position_of(self, document: Document) -> Position:
        """The position of a document. Raises ImpossiblePosition with every reason."""
        rules = self.rules_of(document)
        position = _described(rules, document, as_dice)
        phase, dice_to_roll = document.get("phase"), document.get("dice_to_roll")
        if impossibilities(position, phase, dice_to_roll):
            # Once more with the dice in the order of the request, for the pointers.
            position = _described(rules, document, tuple)
            raise ImpossiblePosition(impossibilities(position, phase, dice_to_roll))
        return position

    def question_of(self, document: Document) -> Question:
        """The question of a document. Raises ImpossiblePosition with every reason."""
        pile = None
        if "pile" in document:
            pile = tuple(document["pile"].get(card.id, 0) for card in DECK)
        try:
            position = self.position_of(document)
        except ImpossiblePosition as error:
            findings = (*error.findings, *odds.impossible_pile(pile))
            raise ImpossiblePosition(findings) from None
        question = Question(position, document.get("reach"), pile)
        against = odds.impossibilities(question)
        if against:
            raise ImpossiblePosition(against)
        return question

    def table_of(self, document: Document) -> Table:
        """The table that was saved."""
        rules, triggered = self.rules_of(document), document["triggered"]
        if document["phase"] != Phase.OVER:
            return Table(_described(rules, document, as_dice), triggered=triggered)
        ended, scores = document["outcome"], tuple(document["scores"])
        reason, points = Reason(ended["reason"]), ended["points"]
        over = Over(rules, reason, points, ended["wins_game"], scores, document["player"])
        # Where this turn ends no game there is a running one, which is saved otherwise.
        return game.after_turn(Table(over, triggered=triggered), over)

    def dealt(self, table: Table, event: Event, hidden: Any, chance: Chance) -> tuple[Any, Any]:
        """The card or the dice of a draw or a roll, and the pile that is left.

        A pile is a list of places in ``PILE``, the top first; None before the first draw (T4.3).
        """
        if isinstance(event, Draw):
            top, *rest = hidden or chance.shuffle(len(PILE))
            return {"card": PILE[top].id}, rest
        assert isinstance(table.turn, Position), "nothing is rolled when the game is over"
        return {"dice": list(chance.dice(table.turn.dice_to_roll))}, hidden

    def saved_beside_turn(self, table: Table) -> dict[str, Any]:
        """Whether a score has reached the target in an earlier turn (T6.3)."""
        return {"triggered": table.triggered}

    def adjudicate_all(self, documents: Sequence[Document]) -> tuple[list[str], bytes]:
        # One step for all and then the next: code that stays in use is faster.
        return fast_json.adjudications([self.position_of(document) for document in documents])


GAME = Tutto(SHAPES, events, game, answers, odds, bots)
