"""What the service asks of a game about one position, and what is the same in all of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from threading import Lock
from types import ModuleType
from typing import Any

import orjson

from service.games.requests import Requests
from service.rules.errors import ImpossiblePosition
from service.rules.findings import Finding, cited_rules
from service.rules.game import Adjudication, Document, Piece
from service.rules.ruleset import Ruleset
from service.rules.texts import toml
from service.validation.shapes import Shapes


class BaseGame(Requests, ABC):
    """The verbs of a game. Stateless: every answer is a function of the document alone.

    The documents that the verbs take are of the shapes of ``Requests``. The verbs raise
    ``Unanswerable`` for positions and options that cannot be. Answers hold ids and numbers; the
    ``Finding`` objects in them are put into words when they are sent.

    A turn has ``rules`` and, while it runs, ``phase``. An event has ``objections(position, at)``,
    every reason why it is illegal in a position (``at`` points at it), and ``play(position)``, its
    ``Step`` where it is legal.
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
    event_fields: Mapping[str, Callable[[Any], Any]]
    """What makes the value of a field of an event from JSON."""

    # What each game does in its own way -----------------------------------------------------------

    @abstractmethod
    def position_of(self, document: Document) -> Any:
        """The position of a document. Raises Unanswerable with every reason."""

    def __init__(
        self,
        shapes: Shapes,
        events: ModuleType,
        tables: ModuleType,
        answers: ModuleType,
        odds: ModuleType,
        bots: ModuleType,
    ) -> None:
        """Takes the game's own ``SHAPES`` and modules.

        ``events`` has ``EVENTS``, the class of each type of event, with the fields of a document,
        ``legal_events(position)``, the types that are legal while a turn goes on, and
        ``end_of(turn, at)``, what speaks against every event once it does not. ``tables`` has
        ``new_table(rules, players)`` (of POT with who begins), and ``after(table, step)``: the
        table after what a legal event has led to. ``answers`` has what is written as JSON:
        ``adjudication(position)``, ``turn_document(turn)`` (a position to post back, defaults left
        out; ``outcome`` says how it ended), ``effect_document(effect)``, ``sheet_document(turn)``
        (what a transition shows of the sheet or the coins) and ``table_document(table)`` (what an
        audit shows of them, ``history`` included) and ``odds(question)``. ``odds`` says what
        positions and choices are worth, see ``review.py``, by the tables that it keeps:
        ``TABLES[table_key(question)]``. ``bots`` has ``advise(question, level)``.
        """
        self.events, self.tables, self.answers = events, tables, answers
        self.odds, self.bots, self._building = odds, bots, Lock()
        super().__init__(self.name, self.rulesets, shapes)
        self._shapes = shapes
        self.chance_events, self.players = frozenset(shapes.chance), shapes.players
        self.default: Ruleset = next(iter(self.rulesets.values()))
        self.options = self.default.known_options

    # The catalogue --------------------------------------------------------------------------------

    @cached_property
    def words(self) -> dict[str, Any]:
        """The game's texts, as ``words.toml`` holds them."""
        return toml(type(self).__module__.rpartition(".")[0], "words.toml")

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

    def question_of(self, document: Document) -> Any:
        """The position of a document, in any phase, with what else it asks of its odds.

        Raises Unanswerable with every reason, also where the dice have ended the turn.
        """
        position = self.position_of(document)
        end = self.events.end_of(position, "/dice")
        if end is not None:
            raise ImpossiblePosition((end,))
        return self.odds.question_at(position, self.odds.known(None))

    def event_of(self, document: Document) -> Any:
        """The event of a document; what chance is to bring may be missing."""
        read = self.event_fields
        fields = {name: read[name](value) for name, value in document.items() if name in read}
        return self.events.EVENTS[document["type"]](**fields)

    def event_document(self, event: Any) -> dict[str, Any]:
        """An event as it is chosen: what chance brings is left out."""
        return event_document(self.events.EVENTS, event)

    def as_chosen(self, event: Document) -> Document:
        """An event as it is chosen: its dice have not fallen, its card is not drawn."""
        brought = self._shapes.chance.get(event["type"], {})
        return {name: value for name, value in event.items() if name not in brought}

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
            **ruleset_fields(position.rules),
            "legal": step is not None,
            "turn": None if step is None else self.answers.turn_document(turn),
            "findings": findings,
            "legal_events": self._legal_events(turn),
            "effects": [self.answers.effect_document(each) for each in effects],
            **self.answers.sheet_document(turn),
            "rules": sorted(cited_rules(findings) if step is None else step.rules),
        }

    def weigh(self, question: Any) -> dict[str, Any]:
        """What the position is worth, and each of its choices. Makes the tables that it needs."""
        self.prepare_odds(question)
        answer: dict[str, Any] = self.answers.odds_document(question)
        return answer

    def is_prepared(self, question: Any) -> bool:
        """Whether the tables that this question needs are there."""
        return self.odds.table_key(question) in self.odds.TABLES

    def is_published(self, question: Any) -> bool:
        """Whether they are the tables of a published ruleset: made once, and kept."""
        return self.odds.table_key(question) in self.odds.TABLES.published

    def prepare_odds(self, question: Any) -> None:
        """Makes the tables that this question needs, if they are not there: up to 0.3 s."""
        if not self.is_prepared(question):
            with self._building:
                self.odds.TABLES[self.odds.table_key(question)]

    def _objections(self, turn: Any, event: Any, at: str) -> Sequence[Finding]:
        end = self.events.end_of(turn, at)
        return tuple(event.objections(turn, at)) if end is None else (end,)

    def _legal_events(self, turn: Any) -> Sequence[str]:
        ended = self.events.end_of(turn, "") is not None
        legal: Sequence[str] = () if ended else self.events.legal_events(turn)
        return legal


def ruleset_fields(rules: Ruleset) -> dict[str, Any]:
    """What every answer begins with: the rules that it was given under."""
    return {"ruleset": rules.id, "ruleset_hash": rules.hash, "options": rules.house_rules}


def event_document(kinds: Mapping[str, type], event: Any) -> dict[str, Any]:
    """An event of one of these kinds, as it is chosen: what chance brings is None, and left out."""
    kind = next(kind for kind, one in kinds.items() if isinstance(event, one))
    fields = {name: value for name, value in event._asdict().items() if value is not None}
    return {"type": kind, **fields}


def turn_fields(turn: Any) -> dict[str, Any]:
    """What every turn begins with: its rules and its phase."""
    return {"ruleset": turn.rules.id, "options": turn.rules.house_rules, "phase": turn.phase}
