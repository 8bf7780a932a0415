"""Tutto as the service asks for it."""

from collections.abc import Sequence
from typing import Any

from service.games.base import Game
from service.games.tutto import documents, events, fast_json, table
from service.games.tutto.cards import CARDS, DECK, PILE
from service.games.tutto.documents import SHAPES, described
from service.games.tutto.events import Draw, Event
from service.games.tutto.position import SIX, Phase, Position, impossibilities
from service.games.tutto.rulesets import RULESETS
from service.games.tutto.table import Table
from service.games.tutto.turn import Over, Reason
from service.games.tutto.values import bots, odds
from service.games.tutto.values.odds import Question
from service.rules.chance import Chance
from service.rules.dice import FACES, as_dice
from service.rules.errors import ImpossiblePosition
from service.rules.game import Document, Piece


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
        position = described(rules, document, as_dice)
        phase, dice_to_roll = document.get("phase"), document.get("dice_to_roll")
        if impossibilities(position, phase, dice_to_roll):
            # Once more with the dice in the order of the request, for the pointers.
            position = described(rules, document, tuple)
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
            return Table(described(rules, document, as_dice), triggered=triggered)
        ended, scores = document["outcome"], tuple(document["scores"])
        reason, points = Reason(ended["reason"]), ended["points"]
        over = Over(rules, reason, points, ended["wins_game"], scores, document["player"])
        # Where this turn ends no game there is a running one, which is saved otherwise.
        return table.after_turn(Table(over, triggered=triggered), over)

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


GAME = Tutto(SHAPES, events, table, documents, odds, bots)
