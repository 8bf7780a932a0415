"""What the service asks of a game, and what is the same in all of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from threading import Lock
from tomllib import loads
from types import ModuleType
from typing import Any

import orjson

from service.rules.chance import Chance
from service.rules.errors import Unanswerable
from service.rules.game import Adjudication, Document, Piece, Played
from service.rules.ruleset import Ruleset
from service.rules.verdict import Finding, rules_of
from service.validation.fields import Choice, ListOf, Text
from service.validation.schema import Fields, Nested, Raw, closed
from service.validation.shapes import Shapes, one_of_events, option_field

HISTORY = frozenset({"sheet", "rounds"})
"""What an audit shows of the course of a game; it grows with the game, so it is not saved."""

MOST_COMPARED = 5
"""House rules that a comparison may bring along."""

OVER = "over"
"""The phase of a turn that has ended."""

DAMAGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, Unanswerable)
"""What reading a damaged table raises."""


class Game(ABC):
    """A game of the catalogue. Stateless: every answer is a function of the document alone.

    The documents that the verbs take are of the shapes named here. The verbs raise
    ``Unanswerable`` for positions and options that cannot be. Answers hold ids and numbers; the
    ``Finding`` objects in them are put into words when they are sent.

    A table has ``turn`` (the running one, or the last), ``over``, ``player``, ``winners``,
    ``losers`` (where the rules name them) and ``rules``; a turn has ``rules`` and, while it runs,
    ``phase``. An event has ``objections(position, at)``, every reason why it is illegal in a
    position (``at`` points at it), and ``play(position)``, its ``Step`` where it is legal.
    """

    name: str
    rulesets: Mapping[str, Any]
    """The published rulesets by their ids; the first is the default."""
    dice: tuple[tuple[int | str, ...], ...]
    """The faces of every die in the box."""
    deck: tuple[Piece, ...] = ()
    categories: tuple[Piece, ...] = ()
    combos: tuple[Piece, ...] = ()
    decision_phase: str
    """The phase in which dice lie on the table and leave a choice."""
    ranking_field: tuple[str, str] = ("scores", "points")
    """What the document of a table calls that by which players are ranked, and what it is."""
    not_saved: tuple[str, ...] = ("ruleset", "options")
    """Fields of a turn that stand elsewhere: the rules in the setup of the session."""
    event_fields: Mapping[str, Callable[[Any], Any]]
    """What makes the value of a field of an event from JSON."""

    # What each game does in its own way; the first raises Unanswerable with every reason. --------

    @abstractmethod
    def position_of(self, document: Document) -> Any:
        """The position of a document."""

    @abstractmethod
    def question_of(self, document: Document) -> Any:
        """The position of a document, in any phase, with what else it asks of its odds."""

    @abstractmethod
    def dealt(self, table: Any, event: Any, hidden: Any, chance: Chance) -> tuple[Any, Any]:
        """The fields of the event that chance brings, and what is hidden now."""

    @abstractmethod
    def table_of(self, document: Document) -> Any:
        """The table of a saved document; how its turn ended stands in ``outcome``."""

    @abstractmethod
    def from_schema_1(self, saved: dict[str, Any]) -> dict[str, Any]:
        """A table that a release up to 0.4.0 saved, nulls left out, as this release saves it."""

    def saved_beside_turn(self, table: Any) -> dict[str, Any]:
        """What the rest of the game depends on besides the turn."""
        return {}

    @abstractmethod
    def precompute(self) -> None:
        """Builds the tables, so that workers share them when the parent does it before the fork."""

    def __init__(
        self,
        shapes: Shapes,
        events: ModuleType,
        tables: ModuleType,
        answers: ModuleType,
        odds: ModuleType,
        bots: ModuleType,
        speech: ModuleType,
    ) -> None:
        """Takes the game's own ``SHAPES`` and modules.

        ``events`` has ``EVENTS``, the class of each type of event, with the fields of a document,
        ``legal_events(position)``, the types that are legal while a turn goes on, and
        ``end_of(turn, at)``, what speaks against every event once it does not. ``tables`` has
        ``new_table(rules, players)``, and ``after(table, step)``: the table after what a legal
        event has led to. ``answers`` has what is written as JSON: ``adjudication(position)``,
        ``turn_document(turn)`` (a position to post back, defaults left out, or how it ended),
        ``outcome_document(turn)`` (None while it goes on), ``effect_document(effect)``,
        ``sheet_document(turn)`` (what a transition shows of the sheet or the coins) and
        ``table_document(table)`` (what an audit shows of them, ``HISTORY`` included),
        ``event_document(event)`` and ``odds(question)``. ``odds`` says what positions and choices
        are worth, see ``review.py``; ``bots`` has ``LEVELS`` and ``advise(question, level)``;
        ``speech`` makes the sentences of text answers, see ``speech.py``.
        """
        self.events, self.tables, self.answers = events, tables, answers
        self.odds, self.bots, self.speech, self._building = odds, bots, speech, Lock()
        self.default: Ruleset = next(iter(self.rulesets.values()))
        self.options = self.default.known_options
        self._shapes = shapes
        self.chance_events, self.players = frozenset(shapes.chance), shapes.players
        name = self.name.title()
        options = closed(f"{name}Options", {one.name: option_field(one) for one in self.options})
        rules: Fields = {"ruleset": Choice(*self.rulesets), "options": Nested(options)}
        beginning = {**rules, "players": ListOf(Text(1, 40), *self.players, required=True)}
        beginning |= shapes.beginning
        reported = {
            kind: {**own, **shapes.chance.get(kind, {})} for kind, own in shapes.events.items()
        }
        later = {**shapes.position(False), **shapes.later}
        self.reported_event = one_of_events(name, reported)
        """An event with its dice or card, as people report it."""
        self.requested_event = one_of_events(name, shapes.events)
        """An event to which the service brings the dice or the card: it has no field for them."""
        self.position = closed(f"{name}Position", {**rules, **shapes.position(True)})
        self.batch = closed(f"{name}Batch", {"positions": ListOf(Raw(), required=True)})
        """A batch; how many positions there may be is a setting."""
        event = {"event": self.reported_event}
        self.transition = closed(f"{name}Transition", {**rules, **later, **event})
        named = {"name": Text(1, 40, required=True)}
        house = Nested(closed(f"{name}HouseRules", {**named, **rules}))
        compared = {"house": ListOf(house, maximum=MOST_COMPARED)}
        self.compared_roll = closed(
            f"{name}ComparedRoll", {**rules, **shapes.position(True), **compared}
        )
        """A position whose adjudications are compared, and house rules to compare."""
        self.compared_event = closed(
            f"{name}ComparedEvent", {**rules, **later, **event, **compared}
        )
        """The same for a transition."""
        log = {"log": ListOf(self.reported_event, required=True)}
        self.log = closed(f"{name}GameLog", {**beginning, **log})
        self.question = closed(f"{name}OddsPosition", {**rules, **later, **shapes.odds})
        self.setup = closed(f"{name}Beginning", beginning)
        """What a game begins with: ruleset, options, the names of the players and more."""
        self.own_beginning = tuple(shapes.beginning)
        self.saved_turn = closed(f"{name}Saved", {**later, **shapes.beside})

    # The catalogue --------------------------------------------------------------------------------

    @cached_property
    def words(self) -> dict[str, Any]:
        """The game's texts, as ``words.toml`` holds them."""
        package = type(self).__module__.rpartition(".")[0]
        return loads(files(package).joinpath("words.toml").read_text("utf-8"))

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of the table's words; rules and findings may be in fewer."""
        terms = self.words["vocabulary"].values()
        return tuple(dict.fromkeys(tag for term in terms for tag in term))

    # What documents stand for ---------------------------------------------------------------------

    def rules_of(self, document: Document) -> Any:
        """The rules by which a position, or a game of these players, is judged.

        Raises ContradictoryOptions with every reason why there are none.
        """
        published = self.rulesets[document["ruleset"]] if "ruleset" in document else self.default
        return published.house(document["options"]) if "options" in document else published

    def event_of(self, document: Document) -> Any:
        """The event of a document; what chance is to bring may be missing."""
        read = self.event_fields
        fields = {name: read[name](value) for name, value in document.items() if name in read}
        return self.events.EVENTS[document["type"]](**fields)

    def without_chance(self, event: Document) -> Any:
        """The event of a document as it is chosen: its dice have not fallen, its card not drawn."""
        brought = self._shapes.chance.get(event["type"], {})
        return self.event_of({name: value for name, value in event.items() if name not in brought})

    # The verbs ------------------------------------------------------------------------------------

    def adjudicate(self, document: Document) -> Adjudication:
        """What the roll of this position allows."""
        (status,), body = self.adjudicate_all([document])
        return Adjudication(status, body)

    def adjudicate_all(self, documents: Sequence[Document]) -> tuple[list[str], bytes]:
        """The same for each of many: every status, and the answers with commas between them."""
        answers = [self.answers.adjudication(self.position_of(one)) for one in documents]
        return [one["status"] for one in answers], b",".join(map(orjson.dumps, answers))

    def step(self, document: Document) -> dict[str, Any]:
        """What the ``event`` of this transition leads to, or every finding against it."""
        position, event = self.position_of(document), self.event_of(document["event"])
        findings = self._objections(position, event, "/event")
        step = None if findings else event.play(position)
        turn, effects = (position, ()) if step is None else (step.turn, step.effects)
        return {
            **named(position.rules),
            "legal": step is not None,
            "turn": None if step is None else self.answers.turn_document(turn),
            "findings": findings,
            "legal_events": self._legal_events(turn),
            "effects": [self.answers.effect_document(each) for each in effects],
            **self.answers.sheet_document(turn),
            "rules": sorted(rules_of(findings) if step is None else step.rules),
        }

    def first_question(self, document: Document) -> Any:
        """What is asked of the odds when the game of these players begins."""
        return self.odds.asked(self.new_table(document).turn, self.odds.at_start())

    def weigh(self, question: Any) -> dict[str, Any]:
        """What the position is worth, and each of its choices. Makes the tables that it needs."""
        self.prepare_odds(question)
        answer: dict[str, Any] = self.answers.odds(question)
        return answer

    def prepare_odds(self, question: Any) -> None:
        """Makes the tables that this question needs, if they are not there: up to 0.3 s."""
        if not self.odds.is_ready(question):
            with self._building:
                self.odds.prepare(question)

    def prepare_published_odds(self) -> None:
        """Makes the tables of the published rulesets."""
        players = [""] * self.players[0]
        for ruleset in self.rulesets:
            self.prepare_odds(self.first_question({"ruleset": ruleset, "players": players}))

    def audit(self, document: Document) -> dict[str, Any]:
        """How the game of this log stands, up to its first illegal event."""
        table, cites = self.new_table(document), frozenset[str]()
        first_illegal = None
        for index, reported in enumerate(document["log"]):
            findings = self.objections(table, reported, f"/log/{index}")
            if findings:
                # What stands behind the first illegal event is not looked at.
                first_illegal = {"index": index, "findings": findings}
                cites |= rules_of(findings)
                break
            step = self.event_of(reported).play(table.turn)
            table, cites = self.tables.after(table, step), cites | step.rules
        return {
            **self.named(document),
            "legal": first_illegal is None,
            "first_illegal": first_illegal,
            **self.answers.table_document(table),
            "over": table.over,
            "winners": table.winners,
            "losers": table.losers,
            "player": self.player_of(table),
            "turn": None if table.over else self.answers.turn_document(table.turn),
            "rules": sorted(cites | table.rules),
        }

    # Tables ---------------------------------------------------------------------------------------

    def normalized_setup(self, document: Document) -> dict[str, Any]:
        """The fields of this beginning, the defaults of those that every game has filled in."""
        options = document.get("options", {})
        own = {name: _whole(document[name]) for name in self.own_beginning if name in document}
        return {
            "ruleset": document.get("ruleset", self.default.id),
            "options": {name: _whole(value) for name, value in options.items()},
            "players": list(document["players"]),
            **own,
        }

    def named(self, document: Document) -> dict[str, Any]:
        """What every answer begins with: the ruleset, its hash, the options that differ from it."""
        return named(self.rules_of(document))

    def new_table(self, document: Document) -> Any:
        """A game that is about to begin. Raises Unanswerable for options that cannot be."""
        return self.tables.new_table(self.rules_of(document), len(document["players"]))

    def save_table(self, table: Any) -> dict[str, Any]:
        """All that the rest of the game depends on, as JSON that does not grow with the game."""
        turn = self.answers.turn_document(table.turn)
        kept = {name: value for name, value in turn.items() if name not in self.not_saved}
        return kept | self.saved_beside_turn(table)

    def load_table(self, document: Document, saved: Any) -> Any:
        """The table that was saved. Raises ValueError for what ``save_table`` does not write."""
        try:
            # Tables of the first schema do not say their phase.
            if "phase" not in saved:
                saved = {name: value for name, value in saved.items() if value not in (None, [])}
                saved = self.from_schema_1(saved)
            if saved.get("phase") != OVER and self.saved_turn.errors(saved):
                raise ValueError("no turn")
            rules = {name: document[name] for name in ("ruleset", "options")}
            table = self.table_of({**saved, **rules})
            shown = self.answers.table_document(table)
            if len(shown[self.ranking_field[0]]) != len(document["players"]):
                raise ValueError("other players")
            # Numbers that no JSON of ours can hold are refused here, not when they are shown.
            orjson.dumps([shown, list(table.winners)])
        except DAMAGE as error:
            raise ValueError("no table of this game") from error
        return table

    def player_of(self, table: Any) -> int | None:
        """Whose turn it is; None when the game is over."""
        player: int | None = None if table.over else table.player
        return player

    def objections(self, table: Any, event: Document, at: str) -> Sequence[Finding]:
        """Every reason why the event is illegal at this table; ``at`` points at the event.

        Of one that lacks its dice or its card, only what does not depend on them is judged.
        """
        return self._objections(table.turn, self.event_of(event), at)

    def _objections(self, turn: Any, event: Any, at: str) -> Sequence[Finding]:
        end = self.events.end_of(turn, at)
        return tuple(event.objections(turn, at)) if end is None else (end,)

    def _legal_events(self, turn: Any) -> Sequence[str]:
        ended = self.events.end_of(turn, "") is not None
        legal: Sequence[str] = () if ended else self.events.legal_events(turn)
        return legal

    def deal(
        self, table: Any, event: Document, hidden: Any, chance: Chance
    ) -> tuple[dict[str, Any], Any]:
        """The event with its dice or card, and what is hidden now.

        The event is one of ``chance_events``, and nothing speaks against it. What is hidden is
        JSON: None at first, then what came with the event dealt before. Raises ValueError if it
        cannot have.
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
            self.answers.outcome_document(step.turn),
            # What the table knows now that it did not: the rules by which the game is over.
            step.rules | after.rules - table.rules,
        )

    def standing(self, table: Any) -> dict[str, Any]:
        """How the game stands, for everybody to see.

        ``player`` and ``turn`` (None when the game is over), ``legal_events``, ``adjudication``
        (of the dice on the table while they leave a choice, else None), ``over``, ``winners``,
        ``losers``, ``standings`` (every player with a place and points or coins, best first) and
        ``table`` (the sheet or the coins).
        """
        turn, shown = table.turn, self.answers.table_document(table)
        chooses = not table.over and turn.phase == self.decision_phase
        return {
            "player": self.player_of(table),
            "turn": None if table.over else self.answers.turn_document(turn),
            "legal_events": self._legal_events(turn),
            "adjudication": self.answers.adjudication(turn) if chooses else None,
            "winners": list(table.winners),
            "losers": list(table.losers),
            "standings": self._standings(shown, table.winners),
            "table": {name: value for name, value in shown.items() if name not in HISTORY},
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


def named(rules: Ruleset) -> dict[str, Any]:
    """What every answer begins with: the rules that it was given under."""
    return {"ruleset": rules.id, "ruleset_hash": rules.hash, "options": rules.house_rules}


def _whole(value: Any) -> Any:
    """An option with whole floats as the integers that they are to JSON Schema."""
    if isinstance(value, list):
        return [_whole(one) for one in value]
    return int(value) if isinstance(value, float) else value
