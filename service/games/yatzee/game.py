"""Yatzee as the service asks for it."""

from typing import Any

from service.games.base import Game
from service.games.yatzee import documents, events, table
from service.games.yatzee.categories import CATEGORIES, Category
from service.games.yatzee.documents import SHAPES, described
from service.games.yatzee.events import Event, Throw
from service.games.yatzee.position import Phase, Position, impossibilities
from service.games.yatzee.rulesets import RULESETS
from service.games.yatzee.scoring import SIX
from service.games.yatzee.table import Table
from service.games.yatzee.turn import Over, Reason
from service.games.yatzee.values import bots, odds
from service.rules.chance import Chance
from service.rules.dice import FACES
from service.rules.errors import ImpossiblePosition
from service.rules.game import Document, Piece


class Yatzee(Game):
    """The game as the service asks for it."""

    name = "yatzee"
    rulesets = RULESETS
    dice = (FACES,) * SIX
    categories = tuple(Piece(category.value, category.rule) for category in CATEGORIES)
    decision_phase = Phase.CHOOSE
    not_saved = ("ruleset", "options", "scorecard")
    event_fields = {  # noqa: RUF012
        "category": Category,
        "dice": tuple,
        "held": tuple,
    }

    def position_of(self, document: Document) -> Position:
        """The position of a document. Raises ImpossiblePosition with every reason."""
        card = document.get("scorecard", {})
        points = tuple([card.get(category) for category in CATEGORIES])
        position = described(self.rules_of(document), document, points)
        if findings := tuple(impossibilities(position, document.get("phase"))):
            raise ImpossiblePosition(findings)
        return position

    def table_of(self, document: Document) -> Table:
        """The table that was saved."""
        cards, player = tuple(map(tuple, document["cards"])), document["player"]
        if document["phase"] != Phase.OVER:
            return Table(described(self.rules_of(document), document, cards[player]), cards, player)
        ended, rules = document["outcome"], self.rules_of(document)
        reason, category = Reason(ended["reason"]), Category(ended["category"])
        over = Over(rules, reason, category, ended["points"], cards[player])
        return Table(over, cards, player)

    def dealt(self, table: Table, event: Event, hidden: Any, chance: Chance) -> tuple[Any, Any]:
        """The dice of a throw; nothing is hidden, for six equal dice have no history."""
        assert isinstance(event, Throw), "only a throw waits for dice"
        return {"dice": list(chance.dice(SIX - len(event.held)))}, hidden

    def saved_beside_turn(self, table: Table) -> dict[str, Any]:
        """The score card of every player, in the order of its categories, and whose turn it is."""
        return {"cards": table.cards, "player": table.player}


GAME = Yatzee(SHAPES, events, table, documents, odds, bots)
