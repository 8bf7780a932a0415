"""Answers as a person would say them: lines of text made from the documents that are JSON else.

The module ``speech`` of a game makes its sentences; the order of an answer is that of all games:
what happened, what lies on the table, what it is, what is at stake, what can be done. A game has
``happened(voice, entry)`` (of an entry of a log), ``table(voice, turn, player, fresh)`` (what lies
there; ``fresh`` if the last thing was told already), ``verdict(voice, turn, answer)``,
``choices(voice, turn, answer)`` (every choice, best first; ``answer`` is the adjudication, None
where dice leave no choice), ``ended(voice, turn)`` (what the end of a turn decides) and
``counts(voice, shown, winners)`` (what everybody has, best first).
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from tomllib import loads
from typing import Any

from service.games.base import OVER, Game
from service.rules.game import Document
from service.rules.voice import EVERYBODY, Voice, flowed, listed, printable

MOST_CHOICES = 5
"""Choices that are told; of the others only the number."""


@cache
def common_words() -> dict[str, Any]:
    """The sentences of all games, as ``words.toml`` holds them."""
    return loads(files(__package__).joinpath("words.toml").read_text("utf-8"))


def text(lines: Sequence[str]) -> bytes:
    """The lines of an answer as they are sent: UTF-8, each with its end."""
    return "".join(f"{printable(line)}\n" for line in lines).encode()


def voice_for(
    game: Game, language: str, names: Sequence[str] = (), listener: int | None = None
) -> Voice:
    """Who says the sentences of this game."""
    sentences = {**common_words()["sentences"], **game.words["sentences"]}
    return Voice(language, sentences, game.words["vocabulary"], names, listener)


# Stateless answers ------------------------------------------------------------------------------


def adjudication(game: Game, document: Document, language: str) -> tuple[str, list[str]]:
    """The status of a roll, and what it allows. Raises Unanswerable."""
    position = game.position_of(document)
    answer, turn = game.answers.adjudication(position), game.answers.turn_document(position)
    voice = voice_for(game, language, listener=turn.get("player"))
    told = [*game.speech.table(voice, turn, voice.listener, False)]
    return answer["status"], told + _judged(game, voice, turn, answer)


def transition(
    game: Game, document: Document, answer: Document, findings: Sequence[Document], language: str
) -> list[str]:
    """What the event of this transition did, or why it is illegal, and how the turn stands then.

    ``answer`` is that of ``Game.step``, ``findings`` are its findings in words.
    """
    turn = game.answers.turn_document(game.position_of(document))
    player = turn.get("player")
    voice = voice_for(game, language, listener=player)
    if findings:
        reasons = [voice.say("not-legal", **_reason(one)) for one in findings]
        return reasons + _standing(game, voice, turn, player)
    turn = answer["turn"]
    entry = {
        "event": document["event"],
        "player": player,
        "effects": answer["effects"],
        "outcome": turn.get("outcome"),
    }
    told: list[str] = game.speech.happened(voice, entry)
    if turn["phase"] == OVER:
        return [*told, *game.speech.ended(voice, turn)]
    fresh = document["event"]["type"] in game.chance_events
    return told + _standing(game, voice, turn, turn.get("player"), fresh)


def audit(
    game: Game, document: Document, answer: Document, findings: Sequence[Document], language: str
) -> list[str]:
    """How the game of a log stands; ``findings`` are those of its first illegal event, in words."""
    voice = voice_for(game, language, document["players"], EVERYBODY)
    if answer["first_illegal"] is None:
        number = len(document["log"])
        told = [
            voice.count("events-legal", number) if number else voice.say("events-legal", "none")
        ]
    else:
        n = answer["first_illegal"]["index"] + 1
        told = [voice.say("event-not-legal", n=n, **_reason(one)) for one in findings]
    told.append(game.speech.counts(voice, answer, answer["winners"]))
    if answer["over"]:
        return told + _end(voice, answer["winners"])
    return told + _standing(game, voice, answer["turn"], answer["player"], turns=True)


def _reason(finding: Document) -> dict[str, str]:
    return {"rule": finding["rule"], "detail": finding["detail"]}


# What the ends of answers have in common --------------------------------------------------------


def _standing(
    game: Game,
    voice: Voice,
    turn: Document,
    player: int | None,
    fresh: bool = False,
    turns: bool = False,
) -> list[str]:
    """How a running turn stands; ``turns``: players take turns, so that it is said whose it is."""
    position = game.position_of(turn)
    answer = None
    if position.phase == game.decision_phase:
        answer = game.answers.adjudication(position)
    told = [voice.tell("to-play", player)] if turns or player != voice.listener else []
    told += game.speech.table(voice, turn, player, fresh)
    if voice.listener in (player, EVERYBODY):
        return told + _judged(game, voice, turn, answer)
    # What others can do is for them to hear.
    told += game.speech.verdict(voice, turn, answer)
    return told


def _judged(game: Game, voice: Voice, turn: Document, answer: Document | None) -> list[str]:
    """The verdict, what is at stake, and the choices."""
    told: list[str] = game.speech.verdict(voice, turn, answer)
    choices: list[str] = game.speech.choices(voice, turn, answer)
    if answer is None or not choices:
        return told + choices
    told.append(voice.say("choices", "all" if voice.listener == EVERYBODY else "you"))
    told += choices[:MOST_CHOICES]
    left = len(choices) - MOST_CHOICES
    return [*told, voice.count("more", left)] if left > 0 else told


def _end(voice: Voice, winners: Sequence[int]) -> list[str]:
    """Who has won."""
    if len(winners) == 1:
        return flowed([voice.say("game-over"), voice.tell("won", winners[0])])
    names = listed(map(voice.name, winners))
    return flowed([voice.say("game-over"), voice.say("shared", names=names)])
