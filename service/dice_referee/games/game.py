"""Interface of a game for the service."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

import orjson

from dice_referee.games.fields import effect_document, event_document, turn_fields
from dice_referee.games.schemas import RequestSchemas
from dice_referee.games.sentences import GameSentences
from dice_referee.games.words import LineWords
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.chance import Chance
from dice_referee.rulebook.errors import ImpossiblePosition, Unanswerable
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import (
    OVER,
    AnyEffect,
    AnyEvent,
    AnyQuestion,
    AnyState,
    AnyTurn,
    Document,
    Hidden,
    Json,
    Piece,
    Played,
)
from dice_referee.rulebook.ruleset import Ruleset
from dice_referee.rulebook.texts import toml
from dice_referee.rulebook.value_tables import ValueTableCache
from dice_referee.validation.shapes import Shapes

Rules = TypeVar("Rules", bound=Ruleset)
Position = TypeVar("Position", bound=AnyTurn)
State = TypeVar("State", bound=AnyState)
Question = TypeVar("Question", bound=AnyQuestion)

Dealt = tuple[Json, Hidden]
"""Fields that chance adds to an event, and the hidden state after the event."""


class SolvedAim(NamedTuple):
    aim: str
    players: int | None
    """Number of players, or None for any."""


DAMAGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, Unanswerable)


class Game(ABC, Generic[Rules, Position, State, Question]):
    """A game of the catalogue, without state.

    A turn is either a running ``Position`` or its end. A ``Question`` is a position with everything
    on which its odds depend. Documents have the shapes of ``schemas``. Methods that read them raise
    ``Unanswerable`` for impossible positions and options. Answers hold ids and numbers.
    """

    name: str
    rulesets: Mapping[str, Rules]
    """Published rulesets by id. The first is the default."""
    dice: tuple[tuple[int | str, ...], ...]
    deck: tuple[Piece, ...] = ()
    categories: tuple[Piece, ...] = ()
    combos: tuple[Piece, ...] = ()
    sentences: GameSentences
    line: LineWords
    starter_rule: str
    """Number of the rule by which a player begins."""
    decision_phase: str
    shapes: Shapes
    ranking_field: tuple[str, str] = ("scores", "points")
    """Field of a state's document by which players are ranked, and its unit."""
    value_tables: ValueTableCache[Any, Any]
    levels_without_tables: frozenset[Level] = frozenset()
    review_rules: Sequence[str]
    """Numbers of the rules behind a review."""
    aim_rules: Mapping[Any, Sequence[str]] = {}
    """Numbers of the rules behind a review, for each aim with rules of its own."""
    history: tuple[str, ...] = ("sheet",)
    """Fields of an audit that grow with the game and are therefore not saved."""
    not_saved: tuple[str, ...] = ("ruleset", "options")

    def __init__(self) -> None:
        self.schemas = RequestSchemas(self.name, self.rulesets, self.shapes)
        self.events, self.players = self.shapes.events, self.shapes.players
        self.chance_events = frozenset(kind for kind, event in self.events.items() if event.fallen)
        self.default = next(iter(self.rulesets.values()))
        self.options = self.default.known_options

    @cached_property
    def words(self) -> Json:
        """The game's texts from ``words.toml``."""
        return toml(type(self).__module__.rpartition(".")[0], "words.toml")

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Languages of the words. Rules and findings may have fewer languages."""
        terms = self.words["vocabulary"].values()
        return tuple(dict.fromkeys(tag for term in terms for tag in term))

    # Documents ------------------------------------------------------------------------------------

    def rules_of(self, document: Document) -> Rules:
        """Returns the rules by which a position, or a game of these players, is judged.

        Raises ContradictoryOptions with every reason why they cannot be played.
        """
        published = self.rulesets[document["ruleset"]] if "ruleset" in document else self.default
        return published.house(document["options"]) if "options" in document else published

    def position_of(self, document: Document) -> Position:
        """Returns the position of a document. Raises Unanswerable with every reason."""
        position = self.read_position(document)
        if any(self.impossibilities(position, document)):
            position = self.read_position(document, as_sent=True)
            raise ImpossiblePosition(tuple(self.impossibilities(position, document)))
        return position

    @abstractmethod
    def read_position(self, document: Document, as_sent: bool = False) -> Position:
        """Returns the position that a document describes, possible or not.

        With ``as_sent`` its dice keep the order of the request, for the pointers of findings.
        """

    @abstractmethod
    def impossibilities(self, position: Position, document: Document, /) -> Iterable[Finding]:
        """Returns every reason why the position is impossible, or contradicts its document."""

    def question_of(self, document: Document) -> Question:
        """Returns the question of a document, about a position in any phase.

        Raises Unanswerable with every reason, also if the dice have ended the turn.
        """
        position = self.position_of(document)
        end = position.end("/roll")
        if end is not None:
            raise ImpossiblePosition((end,))
        return self.question_at(position, aim=document.get("aim"))

    def event_of(self, document: Document) -> AnyEvent:
        """Returns the event of a document, possibly without its dice or its card."""
        kind = self.events[document["type"]]
        event: AnyEvent = kind.make(*kind.read(document))
        return event

    def as_chosen(self, event: Document) -> Document:
        """Returns an event as the player chooses it, without its dice or its card."""
        fallen = self.events[event["type"]].fallen
        return {name: value for name, value in event.items() if name not in fallen}

    def event_document(self, event: AnyEvent) -> Json:
        return event_document(self.events, event)

    @abstractmethod
    def adjudication(self, position: Position) -> Json:
        """Returns everything that the dice on the table allow."""

    def turn_document(self, turn: AnyTurn) -> Json:
        """Returns a position to post back, without defaults, or an ``outcome``."""
        return turn_fields(turn) | self.shapes.position.written(turn)

    def sheet_document(self, turn: AnyTurn) -> Json:
        """Returns the part of the sheet, or the coins, that a transition shows."""
        return {name: write(turn) for name, write in self.shapes.sheet.items()}

    @abstractmethod
    def state_document(self, state: State) -> Json:
        """Returns the sheet, or the coins, including the fields in ``history``."""

    def odds(self, question: Question, bot: Level | None = None) -> Json:
        """Returns the values of the position and its choices. Builds missing value tables.

        With ``bot`` the answer also has the choice of a bot of this level.
        """
        odds = question.odds()
        answer = self.odds_document(question, odds)
        if bot is not None:
            asked = self.bot_question(question, bot)
            event = self.advise(asked, bot, odds if asked == question else None)
            answer["bot"] = {"level": bot, "event": self.event_document(event)}
        return answer

    @abstractmethod
    def odds_document(self, question: Question, odds: Any) -> Json:
        """Returns the odds as JSON, without the choice of a bot."""

    def effect_document(self, effect: AnyEffect) -> Json:
        return effect_document(effect)

    # Turns ----------------------------------------------------------------------------------------

    def adjudicate_all(self, documents: Sequence[Document]) -> tuple[list[str], bytes]:
        """Returns the status of every roll, and the verdicts as JSON, separated by commas."""
        verdicts = [self.adjudication(self.position_of(document)) for document in documents]
        return [verdict["status"] for verdict in verdicts], b",".join(map(orjson.dumps, verdicts))

    def objections_in(self, turn: AnyTurn, event: AnyEvent, at: str) -> Sequence[Finding]:
        """Returns every reason why the event is illegal in this turn. ``at`` is its pointer."""
        end = turn.end(at)
        return tuple(event.objections(turn, at)) if end is None else (end,)

    # A whole game --------------------------------------------------------------------------------

    def new_state(self, document: Document) -> State:
        """Returns the state of a new game. Raises Unanswerable for an impossible setup."""
        rules, count = self.rules_of(document), len(document["players"])
        starter = document.get("starter", 0)
        if starter >= count:
            at = "/starter"
            finding = Finding("player-out-of-range", self.starter_rule, at, {"count": count})
            raise ImpossiblePosition((finding,))
        return self.begin(rules, count, starter)

    @abstractmethod
    def begin(self, rules: Rules, players: int, starter: int) -> State:
        """Returns the state of a new game, in which this player has the first turn."""

    @abstractmethod
    def chance_fields(
        self, position: Any, event: AnyEvent, hidden: Hidden, chance: Chance
    ) -> Dealt:
        """Returns the fields that chance adds to the event, and the hidden state after it."""

    @abstractmethod
    def state_of(self, document: Document) -> State:
        """Returns the state of a saved document, whose ``outcome`` holds the end of its turn."""

    def saved_beside_turn(self, state: State) -> Json:
        """Returns everything on which the rest of the game depends besides the turn."""
        return {}

    def normalized_setup(self, document: Document) -> Json:
        """Returns this setup with the defaults of every game."""
        return {"ruleset": self.default.id, "options": {}, **document}

    def save_state(self, state: State) -> Json:
        turn = self.turn_document(state.turn)
        saved = {name: value for name, value in turn.items() if name not in self.not_saved}
        return saved | self.saved_beside_turn(state)

    def load_state(self, document: Document, saved: Document, hidden: Hidden = None) -> State:
        """Returns the state of a saved document.

        Raises ValueError if the document or the hidden state is damaged.
        """
        fields = self.schemas.saved.wire_fields
        try:
            stored = {**saved, **{name: document[name] for name in ("ruleset", "options")}}
            for name, value in (*stored.items(), ("hidden", hidden)):
                # Fields of other releases are ignored.
                if name in fields and fields[name].field_errors(value):
                    raise ValueError(name)
            return self.state_of(stored)
        except DAMAGE as error:
            raise ValueError("no state of this game") from error

    def player_of(self, state: State) -> int | None:
        """Returns the player whose turn it is, or None when the game is over."""
        return None if state.turn.phase == OVER else state.player

    def objections(self, state: State, event: Document, at: str) -> Sequence[Finding]:
        return self.objections_in(state.turn, self.event_of(event), at)

    def deal(self, state: State, event: Document, hidden: Hidden, chance: Chance) -> Dealt:
        """Returns the event with its dice or card, and the hidden state after it.

        The event must be legal, and its type in ``chance_events``. The hidden state is None at
        first, then that after the previous deal. Raises ValueError if it does not belong to this
        state.
        """
        try:
            brought, hidden = self.chance_fields(state.turn, self.event_of(event), hidden, chance)
        except (LookupError, TypeError) as error:
            raise ValueError("nothing that this game hides") from error
        return {**event, **brought}, hidden

    def advance(self, state: State, event: Document) -> Played[State]:
        """Returns the state after a legal event that has its dice or its card."""
        step = self.event_of(event).play(state.turn)
        after = state.after(step)
        return Played(
            after,
            [self.effect_document(effect) for effect in step.effects],
            self.turn_document(step.turn).get("outcome"),
            # Rules that ended the game.
            step.rules | after.rules - state.rules,
        )

    # Values ---------------------------------------------------------------------------------------

    @abstractmethod
    def advise(self, question: Question, level: Level, odds: Any = None) -> AnyEvent:
        """Returns the event that a bot of this level chooses, without its dice or its card.

        ``odds`` are those of ``bot_question``, if they are computed already.
        """

    def solved_aims(self, _rules: Rules) -> Sequence[SolvedAim]:
        """Returns the aims that a ``perfect`` bot plays for under these rules."""
        return ()

    def bot_level(self, document: Document, level: Level) -> Level:
        """Returns the level at which a bot plays: ``best`` without a solved aim.

        The document is the setup of a game, or a position.
        """
        count = len(document.get("players") or document.get(self.ranking_field[0], ()))
        aims = self.solved_aims(self.rules_of(document))
        solved = any(aim.players in (None, count) for aim in aims)
        return Level.BEST if level is Level.PERFECT and not solved else level

    @abstractmethod
    def question_at(
        self, position: Position, public: Hidden = None, aim: str | None = None
    ) -> Question:
        """Returns the question of a position in a game, with the public part of the hidden state.

        Raises NoOdds if its values for this aim are unknown.
        """

    def public_of(self, hidden: Hidden) -> Hidden:
        """Returns the public part of the hidden state, which is None before any event."""

    def public_after(self, public: Hidden, event: AnyEvent, /) -> Hidden:
        """Updates the public part by an event, such as the draw of a card."""

    def bot_of(self, document: Document) -> Level | None:
        """Returns the level of the bot whose choice a question asks for, or None."""
        return self.bot_level(document, Level(document["bot"])) if "bot" in document else None

    @abstractmethod
    def bot_question(self, question: Question, level: Level) -> Question:
        """Returns the question of a bot, whatever the aim of the given question."""

    def questions(self, question: Question, bot: Level | None) -> tuple[Question, ...]:
        if bot is None or bot in self.levels_without_tables:
            return (question,)
        return question, self.bot_question(question, bot)

    @abstractmethod
    def is_ready(self, rules: Rules, level: Level, /) -> bool:
        """Tells if a bot of this level plays by these rules without building value tables."""

    def is_prepared(self, question: Question) -> bool:
        return question.table_key in self.value_tables

    def prepare(self, question: Question) -> None:
        """Builds the value tables of this question."""
        self.value_tables[question.table_key]

    def is_published(self, question: Question) -> bool:
        """Tells if its value tables are those of a published ruleset, which stay cached."""
        return question.table_key in self.value_tables.published

    def span(self, question: Question) -> int:
        """Returns the points that the value tables of this question cover.

        Their CPU time grows with the square of the points. 0 if no question takes long.
        """
        return 0


AnyGame = Game[Ruleset, AnyTurn, AnyState, AnyQuestion]
"""Game whose own types do not matter: its outputs are only passed back to it."""
