"""A game on the wire: what is the same in all of them, from the modules that are a game's own.

A game's ``wire.py`` extends ``Referee`` and says what documents mean; the protocols here say what
the game's other modules hold.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import orjson

from service.rules.chance import Chance
from service.rules.errors import Unanswerable
from service.rules.game import (
    Adjudication,
    Adjudications,
    Document,
    Game,
    OptionValue,
    Piece,
    Played,
)
from service.rules.verdict import Finding
from service.wire import steps
from service.wire.shapes import Shapes
from service.wire.steps import Rules, named


class Turns(Protocol):
    """A game's ``events.py``: single turns."""

    def legal_events(self, turn: Any, /) -> Sequence[str]: ...
    def objections(self, position: Any, event: Any, at: str, /) -> Sequence[Finding]: ...
    def play(self, position: Any, event: Any, /) -> Any: ...


class Games(Protocol):
    """A game's ``game.py``: whole games."""

    def new_table(self, rules: Any, players: int, /) -> Any: ...
    def table_objections(self, table: Any, event: Any, at: str, /) -> Sequence[Finding]: ...
    def advance(self, table: Any, event: Any, /) -> tuple[Any, Any]: ...


class Tables(Protocol):
    """A game's ``table.py``: tables that are kept, and what chance brings to them."""

    def saved(self, table: Any, /) -> dict[str, Any]: ...
    def loaded(self, rules: Any, players: int, saved: Any, /) -> Any:
        """The table that was saved; ValueError if no game can stand like this.

        Types and spelling need no care: the table that this gives is saved again and compared.
        """
        ...

    def dealt(self, table: Any, event: Any, hidden: Any, chance: Chance, /) -> tuple[Any, Any]:
        """What chance adds to the fields of the event, and what is hidden now."""
        ...


class Answers(Protocol):
    """A game's ``answers.py``: what JSON tells of turns and tables."""

    def adjudication(self, position: Any, /) -> Adjudication: ...
    def turn_document(self, turn: Any, /) -> Any: ...
    def outcome_document(self, turn: Any, /) -> dict[str, Any] | None:
        """How the turn ended; None while it goes on."""
        ...

    def effect_document(self, effect: Any, /) -> dict[str, Any]: ...
    def sheet_document(self, turn: Any, /) -> dict[str, Any]:
        """What a transition shows of the sheet or the coins."""
        ...

    def table_document(self, table: Any, /) -> dict[str, Any]:
        """What an audit shows of them, its ``HISTORY`` included."""
        ...


HISTORY = frozenset({"sheet", "rounds"})
"""What an audit tells of the course of a game; it grows with the game, so it is not kept."""


class Reading(NamedTuple):
    """What a game's documents mean. The first two raise Unanswerable with every reason."""

    rules_of: Callable[[Document], Any]
    """The rules by which a position, or a game of these players, is judged."""
    position_of: Callable[[Document], Any]
    event_of: Callable[[Document], Any]
    """The event; what chance is to bring may be missing."""


class Modules(NamedTuple):
    """What a game consists of."""

    turns: Turns
    games: Games
    tables: Tables
    answers: Answers


class Referee(Game):
    """A game of the catalogue, but for ``adjudicate`` and ``warm``.

    ``adjudicate`` is asked most: each game goes its shortest way.
    """

    published: Mapping[str, Rules]
    """The rulesets by their ids."""
    deck: tuple[Piece, ...] = ()
    categories: tuple[Piece, ...] = ()
    combos: tuple[Piece, ...] = ()
    choosing: str
    """The phase in which dice lie on the table and leave a choice."""
    counted: tuple[str, str] = ("scores", "points")
    """What the document of a table calls that by which players are ranked, and what it is."""

    def __init__(self, shapes: Shapes, reading: Reading, modules: Modules) -> None:
        self.players = shapes.players
        self.position, self.batch = shapes.position, shapes.batch
        self.transition, self.log = shapes.transition, shapes.log
        self.beginning, self.told, self.asked = shapes.beginning, shapes.told, shapes.asked
        self.chance_events = shapes.chance_events
        self.query, self.option_readers = shapes.query, shapes.option_readers
        self.component = f"{shapes.name}Position"
        self._rules_of, self._position_of, self._event_of = reading
        self._turns, self._games, self._tables, self._answers = modules

    # The catalogue and the verbs ------------------------------------------------------------------

    @property
    def rulesets(self) -> Mapping[str, Mapping[str, OptionValue]]:
        return {id_: rules.options for id_, rules in self.published.items()}

    def ruleset_hash(self, ruleset: str) -> str:
        return self.published[ruleset].hash

    def adjudicate_all(self, documents: Sequence[Document]) -> Adjudications:
        # One step for all and then the next: code that stays in use is faster.
        positions = [self._position_of(document) for document in documents]
        judged = [self._answers.adjudication(position) for position in positions]
        return Adjudications(
            [each.status for each in judged], ",".join([each.text for each in judged])
        )

    def step(self, document: Document) -> dict[str, Any]:
        turns, answers = self._turns, self._answers
        position, event = self._position_of(document), self._event_of(document["event"])
        findings = turns.objections(position, event, "/event")
        if findings:
            legal, sheet = turns.legal_events(position), answers.sheet_document(position)
            return steps.refused(named(position.rules), findings, legal, sheet)
        step = turns.play(position, event)
        return steps.taken(
            named(position.rules),
            answers.turn_document(step.turn),
            turns.legal_events(step.turn),
            map(answers.effect_document, step.effects),
            answers.sheet_document(step.turn),
            step.rules,
        )

    def audit(self, document: Document) -> dict[str, Any]:
        log = map(self._event_of, document["log"])
        table = self.new_table(document)
        walked = steps.walk(table, log, self._games.table_objections, self._games.advance)
        table = walked.table
        return {
            **self.named(document),
            "legal": walked.first_illegal is None,
            "first_illegal": walked.first_illegal,
            **self._answers.table_document(table),
            "over": table.over,
            "winners": table.winners,
            "player": self.player_of(table),
            "turn": None if table.over else self._answers.turn_document(table.turn),
            "rules": sorted(walked.rules | table.rules),
        }

    # Tables that are kept -------------------------------------------------------------------------

    def as_beginning(self, document: Document) -> dict[str, Any]:
        options = document.get("options", {})
        return {
            "ruleset": document.get("ruleset", self.default_ruleset),
            "options": {name: _plain(value) for name, value in options.items()},
            "players": list(document["players"]),
        }

    def named(self, document: Document) -> dict[str, Any]:
        return named(self._rules_of(document))

    def new_table(self, document: Document) -> Any:
        return self._games.new_table(self._rules_of(document), len(document["players"]))

    def save_table(self, table: Any) -> dict[str, Any]:
        return self._tables.saved(table)

    def load_table(self, document: Document, saved: Any) -> Any:
        try:
            rules, players = self._rules_of(document), len(document["players"])
            table = self._tables.loaded(rules, players, saved)
            again = _bytes(self._tables.saved(table)) == _bytes(saved)
        except _DAMAGE as error:
            raise ValueError("no table of this game") from error
        if not again:
            raise ValueError("no table as it is saved")
        return table

    def player_of(self, table: Any) -> int | None:
        player: int | None = None if table.over else table.player
        return player

    def objections(self, table: Any, event: Document, at: str) -> Sequence[Finding]:
        return self._games.table_objections(table, self._event_of(event), at)

    def deal(
        self, table: Any, event: Document, hidden: Any, chance: Chance
    ) -> tuple[dict[str, Any], Any]:
        brought, hidden = self._tables.dealt(table, self._event_of(event), hidden, chance)
        return {**event, **brought}, hidden

    def advance(self, table: Any, event: Document) -> Played:
        after, step = self._games.advance(table, self._event_of(event))
        return Played(
            after,
            [self._answers.effect_document(effect) for effect in step.effects],
            self._answers.outcome_document(step.turn),
            # What the table knows now that it did not: the rules by which the game is over.
            step.rules | after.rules - table.rules,
        )

    def standing(self, table: Any) -> dict[str, Any]:
        turn, answers = table.turn, self._answers
        adjudication = None
        if not table.over and turn.phase == self.choosing:
            adjudication = orjson.Fragment(answers.adjudication(turn).text)
        shown = answers.table_document(table)
        return {
            "player": self.player_of(table),
            "turn": None if table.over else answers.turn_document(turn),
            "legal_events": [] if table.over else list(self._turns.legal_events(turn)),
            "adjudication": adjudication,
            "over": table.over,
            "winners": list(table.winners),
            "standings": self._standings(shown, table.winners),
            "table": {name: value for name, value in shown.items() if name not in HISTORY},
        }

    def _standings(self, shown: Mapping[str, Any], winners: Sequence[int]) -> list[dict[str, Any]]:
        """Every player with his place; who has won comes first, whatever he has."""
        name, unit = self.counted
        counts: Sequence[int] = shown[name]
        merits = [(player in winners, count) for player, count in enumerate(counts)]
        # Equals share a place, and as many places after it are left out.
        places = [1 + sum(other > merit for other in merits) for merit in merits]
        return [
            {"player": player, "place": places[player], unit: counts[player]}
            for player in sorted(range(len(counts)), key=places.__getitem__)
        ]


_DAMAGE = (LookupError, TypeError, ValueError, AttributeError, OverflowError, Unanswerable)
"""What reading a table that was not saved by this game can raise."""


def _bytes(document: Any) -> bytes:
    """The document as JSON: there ``1``, ``1.0`` and ``true`` are not equal."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


def _plain(value: Any) -> Any:
    """An option with whole floats as the integers that they are to JSON Schema."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return int(value) if isinstance(value, float) else value
