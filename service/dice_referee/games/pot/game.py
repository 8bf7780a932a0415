"""POT as a game of the service's catalogue."""

from collections.abc import Sequence

from dice_referee.games.game import Dealt, SolvedAim
from dice_referee.games.pot import line, possible, scoring, speech
from dice_referee.games.pot.documents import PotDocuments
from dice_referee.games.pot.events import Roll
from dice_referee.games.pot.position import Over, Phase, Position, Reason
from dice_referee.games.pot.rulesets import RULESETS, Ruleset, contradictions
from dice_referee.games.pot.scoring import Face, as_dice
from dice_referee.games.pot.state import GameState
from dice_referee.games.pot.values import bots
from dice_referee.games.pot.values import odds as values
from dice_referee.games.pot.values.duels import PLAYERS_OF_A_DUEL, has_win_chances, unknown_duel
from dice_referee.games.pot.values.odds import Aim
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.chance import Chance
from dice_referee.rulebook.errors import ContradictoryOptions, NoOdds
from dice_referee.rulebook.game import AnyEvent, Document, Hidden, Json, Piece


class Pot(PotDocuments):
    name = "pot"
    rulesets, sentences, line = RULESETS, speech, line
    starter_rule = "P1.3"
    dice = scoring.SET
    combos = tuple(Piece(combo.id, combo.rule) for combo in scoring.COMBOS)
    decision_phase = Phase.CHOOSE
    ranking_field = ("coins", "coins")
    history = ("sheet", "rounds")
    value_tables = values.VALUE_TABLES
    review_rules, aim_rules = values.RULES, values.AIM_RULES
    impossibilities = staticmethod(possible.impossibilities)
    advise, bot_question = staticmethod(bots.advise), staticmethod(bots.question_of)

    def rules_of(self, document: Document) -> Ruleset:
        """Returns the rules of a document. Raises ContradictoryOptions if they exclude players."""
        rules: Ruleset = super().rules_of(document)
        players = document["coins"] if "coins" in document else document["players"]
        if findings := tuple(contradictions(rules, len(players))):
            raise ContradictoryOptions(findings)
        return rules

    def begin(self, rules: Ruleset, players: int, starter: int) -> GameState:
        return GameState.new(rules, players, starter)

    def question_at(
        self, position: Position, public: Hidden = None, aim: str | None = None
    ) -> values.Question:
        return self._question(position, aim, "/players")

    def question_of(self, document: Document) -> values.Question:
        """Returns the question of a document. Raises Unanswerable with every reason."""
        question = super().question_of({**document, "aim": Aim.POINTS})
        return self._question(question.position, document.get("aim"), "/coins")

    def _question(self, position: Position, aim: str | None, at: str) -> values.Question:
        question = values.Question(position, Aim(aim or Aim.POINTS))
        if question.aim is Aim.WIN and (unknown := tuple(unknown_duel(position, at))):
            raise NoOdds(unknown)
        return question

    def solved_aims(self, rules: Ruleset) -> Sequence[SolvedAim]:
        return (SolvedAim(Aim.WIN, PLAYERS_OF_A_DUEL),) if has_win_chances(rules) else ()

    def is_ready(self, rules: Ruleset, level: Level, /) -> bool:
        # The first table takes 15 ms, each other table 2 ms.
        return None in self.value_tables

    def state_of(self, document: Document) -> GameState:
        if document["phase"] != Phase.OVER:
            followed = tuple(map(tuple, document.get("followed", ())))
            return GameState(self.read_position(document)._replace(followed=followed))
        rules, coins, ended = self.rules_of(document), self.coins_of(document), document["outcome"]
        return GameState(Over(rules, coins, Reason(ended["reason"]), ended["winner"]))

    def chance_fields(
        self, position: Position, event: AnyEvent, hidden: Hidden, chance: Chance
    ) -> Dealt:
        """Deals the dice of a roll, and records the face of each die of ``SET`` (P1.1).

        If two dice show the held number, the first is held.
        """
        assert isinstance(event, Roll), "only a roll waits for dice"
        faces: list[Face] = []
        free = list(range(scoring.THREE))
        if position.lying:
            if as_dice(hidden) != position.lying:
                raise ValueError("other dice")
            faces = list(hidden)
            for face in event.held or position.held or ():
                free.remove(next(die for die in free if faces[die] == face))
        fallen = chance.dice(len(free), len(scoring.SET[0]))
        rolled = {die: scoring.SET[die][side - 1] for die, side in zip(free, fallen, strict=True)}
        now = [rolled.get(die) or faces[die] for die in range(scoring.THREE)]
        return {"dice": list(rolled.values())}, now

    def saved_beside_turn(self, state: GameState) -> Json:
        """Returns the possible arrangements of the dice, if they are known (P1.1)."""
        followed = () if isinstance(state.turn, Over) else state.turn.followed
        return {"followed": followed} if followed else {}


GAME = Pot()
