"""What the service asks of a game about a whole game at a table."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from service.games.base_game import BaseGame, ruleset_fields
from service.rules.chance import Chance
from service.rules.errors import Unanswerable
from service.rules.findings import Finding, cited_rules
from service.rules.game import Document, Played

OVER = "over"
"""The phase of a turn that has ended."""

DAMAGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, Unanswerable)
"""What reading a damaged table raises."""


class Game(BaseGame, ABC):
    """A game of the catalogue: the verbs, and its tables.

    A table has ``turn`` (the running one; when the game is over, the last one), ``player``,
    ``winners``, ``losers`` (where the rules name them) and ``rules``.
    """

    ranking_field: tuple[str, str] = ("scores", "points")
    """What the document of a table calls that by which players are ranked, and what it is."""
    history: tuple[str, ...] = ("sheet",)
    """What an audit shows of the course of a game; it grows with the game, so it is not saved."""
    not_saved: tuple[str, ...] = ("ruleset", "options")
    """Fields of a turn that stand elsewhere: the rules in the setup of the session."""

    # What each game does in its own way -----------------------------------------------------------

    @abstractmethod
    def dealt(self, table: Any, event: Any, hidden: Any, chance: Chance) -> tuple[Any, Any]:
        """The fields of the event that chance brings, and what is hidden now."""

    @abstractmethod
    def table_of(self, document: Document) -> Any:
        """The table of a saved document; how its turn ended stands in ``outcome``."""

    def saved_beside_turn(self, table: Any) -> dict[str, Any]:
        """What the rest of the game depends on besides the turn."""
        return {}

    # A whole game ---------------------------------------------------------------------------------

    def audit(self, document: Document) -> dict[str, Any]:
        """How the game of this log stands, up to its first illegal event."""
        table, cites = self.new_table(document), frozenset[str]()
        first_illegal = None
        for index, reported in enumerate(document["log"]):
            findings = self.objections(table, reported, f"/log/{index}")
            if findings:
                # What stands behind the first illegal event is not looked at.
                first_illegal = {"index": index, "findings": findings}
                cites |= cited_rules(findings)
                break
            step = self.event_of(reported).play(table.turn)
            table, cites = self.tables.after(table, step), cites | step.rules
        player = self.player_of(table)
        return {
            **self.ruleset_fields_of(document),
            "legal": first_illegal is None,
            "first_illegal": first_illegal,
            **self.answers.table_document(table),
            "over": player is None,
            "winners": table.winners,
            "losers": table.losers,
            "player": player,
            "turn": None if player is None else self.answers.turn_document(table.turn),
            "rules": sorted(cites | table.rules),
        }

    def first_question(self, document: Document) -> Any:
        """What is asked of the odds when the game of these players begins."""
        return self.odds.question_at(self.new_table(document).turn, self.odds.known(None))

    # Tables ---------------------------------------------------------------------------------------

    def normalized_setup(self, document: Document) -> dict[str, Any]:
        """This beginning, with what every game has by default."""
        return {"ruleset": self.default.id, "options": {}, **document}

    def ruleset_fields_of(self, document: Document) -> dict[str, Any]:
        """What every answer begins with: the ruleset, its hash, the options that differ from it."""
        return ruleset_fields(self.rules_of(document))

    def new_table(self, document: Document) -> Any:
        """A game that is about to begin. Raises Unanswerable for options that cannot be."""
        return self.tables.new_table(self.rules_of(document), len(document["players"]))

    def save_table(self, table: Any) -> dict[str, Any]:
        """All that the rest of the game depends on, as JSON that does not grow with the game."""
        turn = self.answers.turn_document(table.turn)
        kept = {name: value for name, value in turn.items() if name not in self.not_saved}
        return kept | self.saved_beside_turn(table)

    def load_table(self, document: Document, saved: Any) -> Any:
        """Returns the table that was saved. Raises ValueError for what no table can be made of."""
        try:
            rules = {name: document[name] for name in ("ruleset", "options")}
            return self.table_of({**saved, **rules})
        except DAMAGE as error:
            raise ValueError("no table of this game") from error

    def player_of(self, table: Any) -> int | None:
        """Whose turn it is; None when the game is over."""
        player: int | None = None if table.turn.phase == OVER else table.player
        return player

    def objections(self, table: Any, event: Document, at: str) -> Sequence[Finding]:
        """Every reason why the event is illegal at this table; ``at`` points at the event.

        Of one that lacks its dice or its card, only what does not depend on them is judged.
        """
        return self._objections(table.turn, self.event_of(event), at)

    def deal(
        self, table: Any, event: Document, hidden: Any, chance: Chance
    ) -> tuple[dict[str, Any], Any]:
        """The event with its dice or card, and what is hidden now.

        The event is one of ``chance_events``, and nothing speaks against it. What is hidden is
        JSON: None at first, then what came with the event dealt before. Raises ValueError if that
        does not belong to this table.
        """
        try:
            brought, hidden = self.dealt(table, self.event_of(event), hidden, chance)
        except (LookupError, TypeError) as error:
            raise ValueError("nothing that this game hides") from error
        return {**event, **brought}, hidden

    def advance(self, table: Any, event: Document) -> Played:
        """The table after a legal event that has its dice or its card."""
        step = self.event_of(event).play(table.turn)
        after = self.tables.after(table, step)
        return Played(
            after,
            [self.answers.effect_document(effect) for effect in step.effects],
            self.answers.turn_document(step.turn).get("outcome"),
            # What the table knows now that it did not: the rules by which the game is over.
            step.rules | after.rules - table.rules,
        )

    def standing(self, table: Any) -> dict[str, Any]:
        """How the game stands, for everybody to see.

        ``player`` and ``turn`` (None when the game is over), ``legal_events``, ``adjudication``
        (of the dice on the table while they leave a choice, else None), ``winners``,
        ``losers``, ``standings`` (every player with a place and points or coins, best first) and
        ``table`` (the sheet or the coins).
        """
        turn, shown, player = table.turn, self.answers.table_document(table), self.player_of(table)
        chooses = turn.phase == self.decision_phase
        return {
            "player": player,
            "turn": None if player is None else self.answers.turn_document(turn),
            "legal_events": self._legal_events(turn),
            "adjudication": self.answers.adjudication(turn) if chooses else None,
            "winners": list(table.winners),
            "losers": list(table.losers),
            "standings": self._standings(shown, table.winners),
            "table": {name: value for name, value in shown.items() if name not in self.history},
        }

    def _standings(self, shown: Mapping[str, Any], winners: Sequence[int]) -> list[dict[str, Any]]:
        """Every player with a place; the winners come first, whatever they have."""
        counts, unit = shown[self.ranking_field[0]], self.ranking_field[1]
        merits = [(player in winners, count) for player, count in enumerate(counts)]
        # Equals share a place, and as many places after it are left out.
        places = [1 + sum(other > merit for other in merits) for merit in merits]
        return [
            {"player": player, "place": places[player], unit: counts[player]}
            for player in sorted(range(len(counts)), key=places.__getitem__)
        ]
