"""Tutto as a game of the service's catalogue."""

from collections.abc import Sequence

from dice_referee.games.game import Dealt, SolvedAim
from dice_referee.games.tutto import documents, fast_json, line, possible, speech
from dice_referee.games.tutto.cards import DECK, PILE
from dice_referee.games.tutto.documents import TuttoDocuments
from dice_referee.games.tutto.events import Draw
from dice_referee.games.tutto.position import SIX, Over, Phase, Position, Reason
from dice_referee.games.tutto.rulesets import RULESETS, Ruleset
from dice_referee.games.tutto.state import GameState
from dice_referee.games.tutto.values import bots
from dice_referee.games.tutto.values import odds as values
from dice_referee.games.tutto.values.aims import aim_of
from dice_referee.games.tutto.values.duels import PLAYERS_OF_A_DUEL, has_win_chances, unknown_duel
from dice_referee.games.tutto.values.piles import impossible_pile, pile_after, pile_of
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.chance import Chance
from dice_referee.rulebook.dice import FACES
from dice_referee.rulebook.errors import ImpossiblePosition, NoOdds
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import AnyEvent, Document, Hidden, Json, Piece


class Tutto(TuttoDocuments):
    name = "tutto"
    rulesets, sentences, line = RULESETS, speech, line
    starter_rule = "T6.1"
    dice = (FACES,) * SIX
    deck = tuple(Piece(card.id, card.rule, card.copies) for card in DECK)
    decision_phase = Phase.KEEP
    not_saved = (*TuttoDocuments.not_saved, "last_round", "turn_points")

    impossibilities = staticmethod(possible.impossibilities)
    value_tables = values.VALUE_TABLES
    levels_without_tables = frozenset(bots.STOPS_AT)
    review_rules, aim_rules = values.RULES, values.AIM_RULES
    advise, bot_question = staticmethod(bots.advise), staticmethod(bots.question_of)
    public_of, public_after = staticmethod(pile_of), staticmethod(pile_after)

    def begin(self, rules: Ruleset, players: int, starter: int) -> GameState:
        return GameState.new(rules, players, starter)

    def question_at(
        self, position: Position, public: Hidden = None, aim: str | None = None
    ) -> values.Question:
        question = values.Question(position, pile=public, win=aim == documents.Aim.WIN)
        if question.win and (unknown := tuple(unknown_duel(position, "/players"))):
            raise NoOdds(unknown)
        return question

    def span(self, question: values.Question) -> int:
        return question.table_key.steady_from or 0

    def solved_aims(self, rules: Ruleset) -> Sequence[SolvedAim]:
        aim = SolvedAim(documents.Aim.WIN, PLAYERS_OF_A_DUEL)
        return (aim,) if has_win_chances(rules) else ()

    def is_ready(self, rules: Ruleset, level: Level, /) -> bool:
        # Tables of a duel differ with the scores.
        built = level is Level.BEST and aim_of(rules, None) in self.value_tables
        return built or level in self.levels_without_tables

    def question_of(self, document: Document) -> values.Question:
        """Returns the question of a document.

        Raises ImpossiblePosition or NoOdds with every reason.
        """
        pile = None
        if "pile" in document:
            pile = tuple(document["pile"].get(card.id, 0) for card in DECK)
        try:
            position = self.position_of(document)
        except ImpossiblePosition as error:
            findings = (*error.findings, *impossible_pile(pile))
            raise ImpossiblePosition(findings) from None
        reach = document.get("reach")
        aim = document.get("aim", documents.aim_of(reach, False))
        question = values.Question(position, reach, pile, aim == documents.Aim.WIN)
        impossible = question.impossibilities()
        unknown = tuple(unknown_duel(position, "/scores")) if question.win else ()
        if (aim == documents.Aim.REACH) == (reach is None):
            unknown += (Finding("reach-mismatch", "O6", "/reach", {"aim": aim}),)
        if impossible or unknown:
            raise (ImpossiblePosition if impossible else NoOdds)((*impossible, *unknown))
        return question

    def state_of(self, document: Document) -> GameState:
        rules, last = self.rules_of(document), document["triggered"]
        if document["phase"] != Phase.OVER:
            return GameState(self.read_position({**document, "last_round": last}))
        outcome, scores = document["outcome"], tuple(document["scores"])
        reason, points = Reason(outcome["reason"]), outcome["points"]
        wins, player = outcome["wins_game"], document["player"]
        starter = document.get("starter", 0)
        over = Over(rules, reason, points, wins, scores, player, last=last, starter=starter)
        # A saved turn that is over is the last one of its game.
        return GameState(over).after_turn(over)

    def chance_fields(
        self, position: Position, event: AnyEvent, hidden: Hidden, chance: Chance
    ) -> Dealt:
        """Returns the card of a draw or the dice of a roll, and the remaining pile.

        A pile lists places in ``PILE``, top card first. It is None before the first draw. An empty
        pile is shuffled anew (T4.3).
        """
        if isinstance(event, Draw):
            top, *rest = hidden or chance.shuffle(len(PILE))
            return {"card": PILE[top].id}, rest
        return {"dice": list(chance.dice(position.dice_to_roll))}, hidden

    def saved_beside_turn(self, state: GameState) -> Json:
        """Returns ``triggered``: true if a score reached the target in an earlier turn (T6.3)."""
        return {"triggered": state.turn.last}

    def adjudicate_all(self, documents: Sequence[Document]) -> tuple[list[str], bytes]:
        # All positions first, then all verdicts: that runs faster than each document in turn.
        return fast_json.adjudications([self.position_of(document) for document in documents])


GAME = Tutto()
