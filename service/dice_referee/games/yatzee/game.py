"""Yatzee as the service asks for it."""

from dice_referee.games.game import Dealt, Game
from dice_referee.games.yatzee import documents, line, speech
from dice_referee.games.yatzee.categories import CATEGORIES, Category
from dice_referee.games.yatzee.events import EVENTS, Event, Throw, end_of, legal_events
from dice_referee.games.yatzee.position import Phase, Position, impossibilities
from dice_referee.games.yatzee.rulesets import RULESETS
from dice_referee.games.yatzee.scoring import SIX
from dice_referee.games.yatzee.table import Table, after, new_table
from dice_referee.games.yatzee.turn import Over, Reason, Turn
from dice_referee.games.yatzee.values import bots
from dice_referee.games.yatzee.values import odds as values
from dice_referee.games.yatzee.values.card import Aim, has_table
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.chance import Chance
from dice_referee.rulebook.dice import FACES
from dice_referee.rulebook.errors import ImpossiblePosition, NoOdds
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import Document, Hidden, Json, Piece


class Yatzee(Game[Position, Turn, Event, Table, values.Question]):
    """The game as the service asks for it."""

    name = "yatzee"
    rulesets, shapes, events = RULESETS, documents.SHAPES, EVENTS
    sentences, line = speech, line
    dice = (FACES,) * SIX
    categories = tuple(Piece(category.value, category.rule) for category in CATEGORIES)
    decision_phase = Phase.CHOOSE
    not_saved = ("ruleset", "options", "scorecard")
    event_words = {"category": Category}  # noqa: RUF012

    turn_document = staticmethod(documents.turn_document)
    sheet_document = staticmethod(documents.sheet_document)
    table_document = staticmethod(documents.table_document)
    adjudication = staticmethod(documents.adjudication)
    end_of, legal_events = staticmethod(end_of), staticmethod(legal_events)
    after, advise = staticmethod(after), staticmethod(bots.advise)
    odds, value = staticmethod(documents.odds_document), staticmethod(values.value)
    worth, worth_after = staticmethod(values.worth), staticmethod(values.worth_after)
    unit, leaves_a_choice = staticmethod(values.unit), staticmethod(values.leaves_a_choice)
    value_tables, table_key = values.VALUE_TABLES, staticmethod(values.table_key)
    review_rules, aim_rules = values.RULES, values.AIM_RULES

    def new_table(self, document: Document) -> Table:
        return new_table(self.rules_of(document), len(document["players"]))

    def position_of(self, document: Document) -> Position:
        """Returns the position of a document. Raises ImpossiblePosition with every reason."""
        card = document.get("scorecard", {})
        points = tuple([card.get(category) for category in CATEGORIES])
        position = documents.described(self.rules_of(document), document, points)
        if findings := tuple(impossibilities(position, document.get("phase"))):
            raise ImpossiblePosition(findings)
        return position

    def played_level(self, document: Document, level: Level) -> Level:
        if has_table(self.rules_of(document)):
            return level
        return super().played_level(document, level)

    def question_at(
        self, position: Position, public: Hidden = None, aim: str | None = None
    ) -> values.Question:
        question = values.Question(position, Aim(aim or Aim.CATEGORY))
        if question.aim is Aim.GAME and not has_table(position.rules):
            raise NoOdds((Finding("no-table", "O15", "/options"),))
        return question

    def table_of(self, document: Document) -> Table:
        """Returns the table that was saved."""
        cards, player = tuple(map(tuple, document["cards"])), document["player"]
        rules, card = self.rules_of(document), cards[player]
        if document["phase"] != Phase.OVER:
            return Table(documents.described(rules, document, card), cards, player)
        ended = document["outcome"]
        reason, category = Reason(ended["reason"]), Category(ended["category"])
        return Table(Over(rules, reason, category, ended["points"], card), cards, player)

    def dealt(self, table: Table, event: Event, hidden: Hidden, chance: Chance) -> Dealt:
        """Deals the dice of a throw; nothing is hidden, for six equal dice have no history."""
        assert isinstance(event, Throw), "only a throw waits for dice"
        return {"dice": list(chance.dice(SIX - len(event.held)))}, hidden

    def saved_beside_turn(self, table: Table) -> Json:
        """Saves the score card of every player, by category, and the player to move."""
        return {"cards": table.cards, "player": table.player}


GAME = Yatzee()
