"""Answers in sentences, which the games make and this module orders.

All games share the order: events, dice on the table, verdict, points at stake, choices.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from dice_referee.games.game import AnyGame
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import OVER, AnyQuestion, Document
from dice_referee.sentences.findings import common_words, finding_document
from dice_referee.voice import (
    EVERYBODY,
    ISOLATES,
    JOINERS,
    MOST_CHOICES,
    SPACES,
    Voice,
    comma_list,
    printable,
    wrap,
)


def text(lines: Sequence[str]) -> bytes:
    """Encodes the lines of an answer in UTF-8 and ends each with a newline."""
    return "".join(f"{printable(line, ISOLATES + JOINERS + SPACES)}\n" for line in lines).encode()


def apart(paragraphs: Iterable[Sequence[str]]) -> list[str]:
    """Joins the lines of paragraphs with an empty line between them. Skips empty paragraphs."""
    lines = [line for paragraph in paragraphs if paragraph for line in ("", *paragraph)]
    return lines[1:]


def voice_for(
    game: AnyGame, language: str, names: Sequence[str] = (), listener: int | None = None
) -> Voice:
    sentences = {**common_words()["sentences"], **game.words["sentences"]}
    return Voice(language, sentences, game.words["vocabulary"], names, listener)


# Stateless answers ------------------------------------------------------------------------------


def adjudication(game: AnyGame, document: Document, language: str) -> tuple[str, list[str]]:
    """Returns a roll's status, and its verdict and choices in sentences. Raises Unanswerable."""
    position = game.position_of(document)
    answer, turn = game.adjudication(position), game.turn_document(position)
    voice = voice_for(game, language, listener=turn.get("player"))
    table = game.sentences.table(voice, turn, voice.listener, False)
    return answer["status"], [*table, *_state_verdict(game, voice, turn, answer)]


def transition(game: AnyGame, document: Document, answer: Document, language: str) -> list[str]:
    """Describes the effects of an event, or the reasons that forbid it, and the turn after it.

    ``answer`` is the result of ``verbs.step``.
    """
    turn = game.turn_document(game.position_of(document))
    player = turn.get("player")
    voice = voice_for(game, language, listener=player)
    if answer["findings"]:
        lines = reasons(game, voice, "not-legal", answer["findings"])
        return apart([lines, _situation(game, voice, turn, player, _answer_to(game, turn))])
    turn = answer["turn"]
    entry = {
        "event": document["event"],
        "player": player,
        "effects": answer["effects"],
        "outcome": turn.get("outcome"),
        "rules": answer["rules"],
    }
    lines = game.sentences.describe_event(voice, entry)
    if turn["phase"] == OVER:
        return [*lines, *game.sentences.describe_end(voice, turn)]
    fresh, after = document["event"]["type"] in game.chance_events, turn.get("player")
    named = [voice.tell("to-play", after)] if after != player else []
    situation = _situation(game, voice, turn, after, _answer_to(game, turn), fresh)
    return apart([lines, named + situation])


def audit(game: AnyGame, document: Document, answer: Document, language: str) -> list[str]:
    voice = voice_for(game, language, document["players"], EVERYBODY)
    if answer["first_illegal"] is None:
        number = len(document["log"])
        lines = [
            voice.count("events-legal", number) if number else voice.say("events-legal", "none")
        ]
    else:
        lines = illegal(game, voice, answer)
    lines.append(_counts(game, voice, answer, answer["winners"]))
    if answer["over"]:
        return lines + _end(voice, answer["winners"])
    turn, player = answer["turn"], answer["player"]
    lines.append(voice.tell("to-play", player))
    return lines + _situation(game, voice, turn, player, _answer_to(game, turn))


def _answer_to(game: AnyGame, turn: Document) -> Document | None:
    """Adjudicates a turn in progress. Returns None if the dice leave no choice."""
    position = game.position_of(turn)
    return game.adjudication(position) if position.phase == game.decision_phase else None


def odds(
    game: AnyGame,
    question: AnyQuestion,
    answer: Document,
    language: str,
    names: Sequence[str] = (),
    listener: int | None = None,
) -> list[str]:
    """Describes the value of a turn in progress and of its choices.

    ``answer`` is the result of ``Game.odds``. The listener is the player by default.
    """
    turn = game.turn_document(question.position)
    player = turn.get("player")
    voice = voice_for(game, language, names, player if listener is None else listener)
    heading, ways = game.sentences.odds(voice, turn, answer)
    table = game.sentences.table(voice, turn, player, False)
    lines = [*table, *heading, *first_of(voice, ways)]
    if bot := answer.get("bot"):
        lines.append(voice.say("bot", bot["level"], deed=voice.deed(bot["event"])))
    return lines


def illegal(game: AnyGame, voice: Voice, answer: Document) -> list[str]:
    """Returns the reasons against the first illegal event of a log, none if all are legal."""
    if (first := answer["first_illegal"]) is None:
        return []
    return reasons(game, voice, "event-not-legal", first["findings"], n=first["index"] + 1)


def reasons(
    game: AnyGame, voice: Voice, key: str, findings: Sequence[Finding], **gaps: Any
) -> list[str]:
    """Returns a sentence of this key for each finding, without repeating equal sentences."""
    worded = [finding_document(game, finding, voice.language, voice.names) for finding in findings]
    lines = [
        voice.say(key, rule=finding["rule"], detail=finding["detail"], **gaps) for finding in worded
    ]
    return list(dict.fromkeys(lines))


# Sessions ---------------------------------------------------------------------------------------


def session(game: AnyGame, state: Document, listener: int, language: str) -> list[str]:
    voice = voice_for(game, language, state["players"], listener)
    counts = _counts(game, voice, state["table"], state["winners"])
    return [counts, *_turn_lines(game, voice, state)]


def created(game: AnyGame, document: Document, language: str) -> list[str]:
    """Describes a new session, then its id, its tokens and an example of each move, a line each."""
    state = document["session"]
    voice = voice_for(game, language, state["players"], EVERYBODY)
    seats = [
        voice.say("seat-token", name=voice.name(seat), token=token)
        for seat, token in enumerate(document["seat_tokens"])
    ]
    own = [
        voice.say("session", id=state["id"]),
        voice.say("host-token", token=document["host_token"]),
    ]
    moves = [
        json.dumps({"type": kind} | fields.example(fallen=state["dice"] == "client"))
        for kind, fields in game.events.items()
    ]
    turn = session(game, state, EVERYBODY, language)
    return apart([turn, own + seats, [voice.say("kinds-of-moves"), *moves]])


def events(
    game: AnyGame, state: Document, entries: Sequence[Document], listener: int, language: str
) -> list[str]:
    voice = voice_for(game, language, state["players"], listener)
    lines = _entries(game, voice, entries)
    last = entries[-1] if entries else None
    if state["turn"] is None:
        counts = _counts(game, voice, state["table"], state["winners"])
        given_up = last is not None and last["event"]["type"] == "abandoned"
        end = [] if given_up else _turn_lines(game, voice, state)
        return apart([lines, [counts, *end]])
    fresh = last is not None and last["event"]["type"] in game.chance_events
    same = last is not None and last["player"] == state["player"]
    if listener not in (state["player"], EVERYBODY):
        # An earlier sentence named the player.
        return lines if same else apart([lines, [voice.tell("to-play", state["player"])]])
    return apart([lines, _turn_lines(game, voice, state, fresh=fresh, same=same)])


def entries(
    game: AnyGame, names: Sequence[str], log: Sequence[Document], listener: int, language: str
) -> list[str]:
    return _entries(game, voice_for(game, language, names, listener), log)


def _entries(game: AnyGame, voice: Voice, log: Sequence[Document]) -> list[str]:
    return [line for entry in log for line in _entry(game, voice, entry)]


def _entry(game: AnyGame, voice: Voice, entry: Document) -> list[str]:
    event, player = entry["event"], entry["player"]
    if event["type"] in game.events:
        return game.sentences.describe_event(voice, entry)
    if event["type"] == "abandoned":
        return [voice.say("given-up")]
    if event["type"] in ("reissued", "substituted", "hosted"):
        player = event["player"]
    kind = "returned" if event.get("level", "") is None else event["type"]
    return [voice.tell(kind, player, n=event.get("version"), seed=event.get("seed"))]


def _turn_lines(
    game: AnyGame, voice: Voice, state: Document, *, fresh: bool = False, same: bool = False
) -> list[str]:
    """Names the player to act and describes the turn, or the end of the game.

    With ``same`` the turn continues, and the player is not named again.
    """
    turn, player = state["turn"], state["player"]
    if turn is None:
        return _end(voice, state["winners"]) if state["winners"] else [voice.say("given-up")]
    lines = [] if same else [voice.tell("to-play", player)]
    return lines + _situation(game, voice, turn, player, state["adjudication"], fresh)


# Ends of answers --------------------------------------------------------------------------------


def _counts(game: AnyGame, voice: Voice, table: Document, winners: Sequence[int]) -> str:
    return voice.say("counts", ranked=voice.ranking(table[game.ranking_field[0]], winners), **table)


def _situation(
    game: AnyGame,
    voice: Voice,
    turn: Document,
    player: int | None,
    answer: Document | None,
    fresh: bool = False,
) -> list[str]:
    lines = game.sentences.table(voice, turn, player, fresh)
    if voice.listener in (player, EVERYBODY):
        return lines + _state_verdict(game, voice, turn, answer)
    # Only the player to act hears the choices.
    return [*lines, *game.sentences.verdict(voice, turn, answer)]


def _state_verdict(
    game: AnyGame, voice: Voice, turn: Document, answer: Document | None
) -> list[str]:
    lines = game.sentences.verdict(voice, turn, answer)
    choices = game.sentences.choices(voice, turn, answer)
    if answer is not None and choices:
        kinds = ("all", "only-all") if voice.listener == EVERYBODY else ("you", "only")
        lines.append(voice.say("choices", kinds[len(choices) == 1]))
    return lines + first_of(voice, choices)


def first_of(voice: Voice, sentences: list[str], more: str = "more") -> list[str]:
    left = len(sentences) - MOST_CHOICES
    return sentences if left <= 0 else [*sentences[:MOST_CHOICES], voice.count(more, left)]


def _end(voice: Voice, winners: Sequence[int]) -> list[str]:
    if len(winners) == 1:
        outcome = voice.tell("won", winners[0])
    else:
        outcome = voice.say("shared", names=comma_list(map(voice.name, winners)))
    return wrap([voice.say("game-over"), outcome])
