"""POT as the service asks for it."""

from dice_referee.games.game import Dealt, Game
from dice_referee.games.pot import documents, line, scoring, speech
from dice_referee.games.pot.events import EVENTS, Event, Throw, end_of, legal_events
from dice_referee.games.pot.position import Over, Phase, Position, Reason, Turn
from dice_referee.games.pot.possible import impossibilities
from dice_referee.games.pot.rulesets import RULESETS, Ruleset, contradictions
from dice_referee.games.pot.scoring import Face, as_dice
from dice_referee.games.pot.table import Table, after, new_table
from dice_referee.games.pot.values import bots
from dice_referee.games.pot.values import odds as values
from dice_referee.rulebook.chance import Chance
from dice_referee.rulebook.errors import ContradictoryOptions, ImpossiblePosition
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import Document, Hidden, Json, Piece


class Pot(Game[Position, Turn, Event, Table, values.Question]):
    """The game as the service asks for it."""

    name = "pot"
    rulesets, shapes, events = RULESETS, documents.SHAPES, EVENTS
    sentences, line = speech, line
    dice = scoring.SET
    combos = tuple(Piece(combo.id, combo.rule) for combo in scoring.COMBOS)
    decision_phase = Phase.CHOOSE
    ranking_field = ("coins", "coins")
    history = ("sheet", "rounds")

    def rules_of(self, document: Document) -> Ruleset:
        """Returns the rules of a document. Raises ContradictoryOptions by number of players."""
        rules: Ruleset = super().rules_of(document)
        players = document["coins"] if "coins" in document else document["players"]
        if findings := tuple(contradictions(rules, len(players))):
            raise ContradictoryOptions(findings)
        return rules

    def new_table(self, document: Document) -> Table:
        """Returns a game about to begin. Raises Unanswerable for an impossible beginning."""
        rules, count = self.rules_of(document), len(document["players"])
        starter = document.get("starter", 0)
        if starter >= count:
            finding = Finding("player-out-of-range", "P1.3", "/starter", {"count": count})
            raise ImpossiblePosition((finding,))
        return new_table(rules, count, starter)

    effect_document = staticmethod(documents.effect_document)
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
    review_rules = values.RULES

    def position_of(self, document: Document) -> Position:
        """Returns the position of a document. Raises Unanswerable with every reason."""
        rules = self.rules_of(document)
        position, claimed = documents.described(rules, document, as_dice), document.get("phase")
        if any(impossibilities(position, claimed)):
            # Once more with the dice in the order of the request, for the pointers.
            position = documents.described(rules, document, tuple)
            raise ImpossiblePosition(tuple(impossibilities(position, claimed)))
        return position

    def question_at(
        self, position: Position, public: Hidden = None, aim: str | None = None
    ) -> values.Question:
        return values.Question(position)

    def table_of(self, document: Document) -> Table:
        """Returns the game that was saved."""
        rules = self.rules_of(document)
        if document["phase"] != Phase.OVER:
            return Table(documents.described(rules, document, as_dice))
        ended, coins = document["outcome"], documents.coins_of(document)
        return Table(Over(rules, coins, Reason(ended["reason"]), ended["winner"]))

    def dealt(self, table: Table, event: Event, hidden: Hidden, chance: Chance) -> Dealt:
        """Deals the dice of a throw, and records the face of each die of ``SET`` (P1.1).

        Dice that are held stay the same dice: of two that show the same number, the first.
        """
        assert isinstance(event, Throw), "only a throw waits for dice"
        position = table.turn
        assert isinstance(position, Position), "nothing is thrown when the game is over"
        faces: list[Face] = []
        free = list(range(scoring.THREE))
        if position.lying:
            if as_dice(hidden) != position.lying:
                raise ValueError("other dice")
            faces = list(hidden)
            for face in event.held or position.held or ():
                free.remove(next(die for die in free if faces[die] == face))
        fallen = chance.dice(len(free), len(scoring.SET[0]))
        thrown = {die: scoring.SET[die][one - 1] for die, one in zip(free, fallen, strict=True)}
        now = [thrown.get(die) or faces[die] for die in range(scoring.THREE)]
        return {"dice": list(thrown.values())}, now

    def saved_beside_turn(self, table: Table) -> Json:
        """Returns the possible arrangements of the dice, where they are known (P1.1)."""
        followed = () if isinstance(table.turn, Over) else table.turn.followed
        return {"followed": followed} if followed else {}


GAME = Pot()
