"""Yatzee as a game of the service's catalogue."""

from collections.abc import Sequence

from dice_referee.games.game import Dealt, SolvedAim
from dice_referee.games.yatzee import line, possible, speech
from dice_referee.games.yatzee.categories import CATEGORIES, Category
from dice_referee.games.yatzee.documents import YatzeeDocuments
from dice_referee.games.yatzee.events import Roll
from dice_referee.games.yatzee.position import Over, Phase, Position, Reason
from dice_referee.games.yatzee.rulesets import RULESETS, Ruleset
from dice_referee.games.yatzee.scoring import SIX
from dice_referee.games.yatzee.state import GameState
from dice_referee.games.yatzee.values import bots
from dice_referee.games.yatzee.values import odds as values
from dice_referee.games.yatzee.values.sheet import Aim, has_values
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.chance import Chance
from dice_referee.rulebook.dice import FACES
from dice_referee.rulebook.errors import NoOdds
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import AnyEvent, Document, Hidden, Json, Piece


class Yatzee(YatzeeDocuments):
    name = "yatzee"
    rulesets, sentences, line = RULESETS, speech, line
    starter_rule = "Y4.2"
    dice = (FACES,) * SIX
    categories = tuple(Piece(category.value, category.rule) for category in CATEGORIES)
    decision_phase = Phase.CHOOSE
    not_saved = ("ruleset", "options", "scorecard")

    value_tables = values.VALUE_TABLES
    review_rules, aim_rules = values.RULES, values.AIM_RULES
    impossibilities = staticmethod(possible.impossibilities)
    advise, bot_question = staticmethod(bots.advise), staticmethod(bots.question_of)

    def begin(self, rules: Ruleset, players: int, starter: int) -> GameState:
        return GameState.new(rules, players, starter)

    def solved_aims(self, rules: Ruleset) -> Sequence[SolvedAim]:
        return (SolvedAim(Aim.GAME, None),) if has_values(rules) else ()

    def is_ready(self, rules: Ruleset, level: Level, /) -> bool:
        return values.scoring_rules(rules) in self.value_tables

    def question_at(
        self, position: Position, public: Hidden = None, aim: str | None = None
    ) -> values.Question:
        question = values.Question(position, Aim(aim or Aim.CATEGORY))
        if question.aim is Aim.GAME and not has_values(position.rules):
            raise NoOdds((Finding("no-table", "O15", "/options"),))
        return question

    def state_of(self, document: Document) -> GameState:
        scorecards, player = tuple(map(tuple, document["cards"])), document["player"]
        rules, scorecard = self.rules_of(document), scorecards[player]
        if document["phase"] != Phase.OVER:
            position = self.read_position(document)._replace(scorecard=scorecard)
            return GameState(position, scorecards, player)
        ended = document["outcome"]
        reason, category = Reason(ended["reason"]), Category(ended["category"])
        return GameState(
            Over(rules, reason, category, ended["points"], scorecard), scorecards, player
        )

    def chance_fields(
        self, position: Position, event: AnyEvent, hidden: Hidden, chance: Chance
    ) -> Dealt:
        """Deals the dice of a roll. Six equal dice keep no hidden state."""
        assert isinstance(event, Roll), "only a roll waits for dice"
        return {"dice": list(chance.dice(SIX - len(event.held)))}, hidden

    def saved_beside_turn(self, state: GameState) -> Json:
        return {"cards": state.scorecards, "player": state.player}


GAME = Yatzee()
