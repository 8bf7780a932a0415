"""Answers as a person would say them: lines of text made from documents otherwise answered as JSON.

A game has its own sentences (``game_sentences.py``); the order of an answer is that of all games:
what happened, what lies on the table, what it is, what is at stake, what can be done.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from service.games.game import AnyGame
from service.rules.findings import Finding
from service.rules.game import OVER, Document
from service.sentences.findings import common_words, finding_document
from service.sentences.game_sentences import sentences_of
from service.sentences.voice import EVERYBODY, ISOLATES, SPACES, Voice, flowed, listed, printable

MOST_CHOICES = 5
"""Choices that are told; of the others only the number."""


def text(lines: Sequence[str]) -> bytes:
    """The lines of an answer as they are sent: UTF-8, each with its end."""
    return "".join(f"{printable(line, ISOLATES + SPACES)}\n" for line in lines).encode()


def apart(paragraphs: Iterable[Sequence[str]]) -> list[str]:
    """The lines of all paragraphs that have any, with an empty one between them."""
    lines = [line for paragraph in paragraphs if paragraph for line in ("", *paragraph)]
    return lines[1:]


def voice_for(
    game: AnyGame, language: str, names: Sequence[str] = (), listener: int | None = None
) -> Voice:
    """Who says the sentences of this game."""
    sentences = {**common_words()["sentences"], **game.words["sentences"]}
    return Voice(language, sentences, game.words["vocabulary"], names, listener)


# Stateless answers ------------------------------------------------------------------------------


def adjudication(game: AnyGame, document: Document, language: str) -> tuple[str, list[str]]:
    """The status of a roll, and what it allows. Raises Unanswerable."""
    position = game.position_of(document)
    answer, turn = game.adjudication(position), game.turn_document(position)
    voice = voice_for(game, language, listener=turn.get("player"))
    table = sentences_of(game.name).table(voice, turn, voice.listener, False)
    return answer["status"], [*table, *_judged(game, voice, turn, answer)]


def transition(game: AnyGame, document: Document, answer: Document, language: str) -> list[str]:
    """What the event of this transition did, or why it is illegal, and how the turn stands then.

    ``answer`` is that of ``verbs.step``.
    """
    turn = game.turn_document(game.position_of(document))
    player = turn.get("player")
    voice = voice_for(game, language, listener=player)
    if answer["findings"]:
        told = reasons(game, voice, "not-legal", answer["findings"])
        return apart([told, _standing(game, voice, turn, player, _answer_to(game, turn))])
    turn = answer["turn"]
    entry = {
        "event": document["event"],
        "player": player,
        "effects": answer["effects"],
        "outcome": turn.get("outcome"),
        "rules": answer["rules"],
    }
    told = sentences_of(game.name).happened(voice, entry)
    if turn["phase"] == OVER:
        return [*told, *sentences_of(game.name).ended(voice, turn)]
    fresh, after = document["event"]["type"] in game.chance_events, turn.get("player")
    named = [voice.tell("to-play", after)] if after != player else []
    standing = _standing(game, voice, turn, after, _answer_to(game, turn), fresh)
    return apart([told, named + standing])


def audit(game: AnyGame, document: Document, answer: Document, language: str) -> list[str]:
    """How the game of a log stands; ``answer`` is that of ``verbs.audit``."""
    voice = voice_for(game, language, document["players"], EVERYBODY)
    if answer["first_illegal"] is None:
        number = len(document["log"])
        told = [
            voice.count("events-legal", number) if number else voice.say("events-legal", "none")
        ]
    else:
        told = illegal(game, voice, answer)
    told.append(_counts(game, voice, answer, answer["winners"]))
    if answer["over"]:
        return told + _end(voice, answer["winners"])
    turn, player = answer["turn"], answer["player"]
    told.append(voice.tell("to-play", player))
    return told + _standing(game, voice, turn, player, _answer_to(game, turn))


def _answer_to(game: AnyGame, turn: Document) -> Document | None:
    """The adjudication of a running turn; None where dice leave no choice."""
    position = game.position_of(turn)
    return game.adjudication(position) if position.phase == game.decision_phase else None


def odds(
    game: AnyGame,
    question: Any,
    answer: Document,
    language: str,
    names: Sequence[str] = (),
    listener: int | None = None,
) -> list[str]:
    """Tells the worth of a running turn and of its choices; ``answer`` is that of ``Game.odds``.

    The player listens unless somebody else does.
    """
    turn = game.turn_document(question.position)
    player = turn.get("player")
    voice = voice_for(game, language, names, player if listener is None else listener)
    heading, ways = sentences_of(game.name).odds(voice, turn, answer)
    table = sentences_of(game.name).table(voice, turn, player, False)
    return [*table, *heading, *first_of(voice, ways)]


def illegal(game: AnyGame, voice: Voice, answer: Document) -> list[str]:
    """Why the first illegal event of a log is so, if there is one."""
    if (first := answer["first_illegal"]) is None:
        return []
    return reasons(game, voice, "event-not-legal", first["findings"], n=first["index"] + 1)


def reasons(
    game: AnyGame, voice: Voice, key: str, findings: Sequence[Finding], **gaps: Any
) -> list[str]:
    """What speaks against something: a sentence of this key for each finding, equal ones once."""
    worded = [finding_document(game, one, voice.language, voice.names) for one in findings]
    told = [voice.say(key, rule=one["rule"], detail=one["detail"], **gaps) for one in worded]
    return list(dict.fromkeys(told))


# Sessions ---------------------------------------------------------------------------------------


def session(game: AnyGame, state: Document, listener: int, language: str) -> list[str]:
    """How a session stands, for the player in this seat, or for ``EVERYBODY``."""
    voice = voice_for(game, language, state["players"], listener)
    counts = _counts(game, voice, state["table"], state["winners"])
    return [counts, *_turn_lines(game, voice, state)]


def events(
    game: AnyGame, state: Document, entries: Sequence[Document], listener: int, language: str
) -> list[str]:
    """What the entries of a log say, and how the session stands after the last of them."""
    voice = voice_for(game, language, state["players"], listener)
    told = _entries(game, voice, entries)
    last = entries[-1] if entries else None
    if state["turn"] is None:
        counts = _counts(game, voice, state["table"], state["winners"])
        given_up = last is not None and last["event"]["type"] == "abandoned"
        end = [] if given_up else _turn_lines(game, voice, state)
        return apart([told, [counts, *end]])
    fresh = last is not None and last["event"]["type"] in game.chance_events
    same = last is not None and last["player"] == state["player"]
    if listener not in (state["player"], EVERYBODY):
        # Whose turn goes on was named already.
        return told if same else apart([told, [voice.tell("to-play", state["player"])]])
    return apart([told, _turn_lines(game, voice, state, fresh=fresh, same=same)])


def entries(
    game: AnyGame, names: Sequence[str], log: Sequence[Document], listener: int, language: str
) -> list[str]:
    """Tells the entries of a log, and nothing of how the session stands after them."""
    return _entries(game, voice_for(game, language, names, listener), log)


def _entries(game: AnyGame, voice: Voice, log: Sequence[Document]) -> list[str]:
    return [line for entry in log for line in _entry(game, voice, entry)]


def _entry(game: AnyGame, voice: Voice, entry: Document) -> list[str]:
    """What one entry says: an event of the game, or another change of the session."""
    event, player = entry["event"], entry["player"]
    if event["type"] in game.events:
        return sentences_of(game.name).happened(voice, entry)
    if event["type"] == "abandoned":
        return [voice.say("given-up")]
    if event["type"] == "reissued":
        player = event["player"]
    return [voice.tell(event["type"], player, n=event.get("version"), seed=event.get("seed"))]


def _turn_lines(
    game: AnyGame, voice: Voice, state: Document, *, fresh: bool = False, same: bool = False
) -> list[str]:
    """Whose turn it is and how it stands, or how the game ended; ``same``: the turn goes on."""
    turn, player = state["turn"], state["player"]
    if turn is None:
        return _end(voice, state["winners"]) if state["winners"] else [voice.say("given-up")]
    told = [] if same else [voice.tell("to-play", player)]
    return told + _standing(game, voice, turn, player, state["adjudication"], fresh)


# What the ends of answers have in common --------------------------------------------------------


def _counts(game: AnyGame, voice: Voice, shown: Document, winners: Sequence[int]) -> str:
    """What everybody has, best first: a sentence of the game with the document of its table."""
    return voice.say("counts", ranked=voice.ranked(shown[game.ranking_field[0]], winners), **shown)


def _standing(
    game: AnyGame,
    voice: Voice,
    turn: Document,
    player: int | None,
    answer: Document | None,
    fresh: bool = False,
) -> list[str]:
    """How a running turn stands, with what the listener can do."""
    told = sentences_of(game.name).table(voice, turn, player, fresh)
    if voice.listener in (player, EVERYBODY):
        return told + _judged(game, voice, turn, answer)
    # What others can do is for them to hear.
    return [*told, *sentences_of(game.name).verdict(voice, turn, answer)]


def _judged(game: AnyGame, voice: Voice, turn: Document, answer: Document | None) -> list[str]:
    """The verdict, what is at stake, and the choices."""
    told = sentences_of(game.name).verdict(voice, turn, answer)
    choices = sentences_of(game.name).choices(voice, turn, answer)
    if answer is not None and choices:
        told.append(voice.say("choices", "all" if voice.listener == EVERYBODY else "you"))
    return told + first_of(voice, choices)


def first_of(voice: Voice, some: list[str], more: str = "more") -> list[str]:
    """The first of several sentences, and how many there are besides."""
    left = len(some) - MOST_CHOICES
    return some if left <= 0 else [*some[:MOST_CHOICES], voice.count(more, left)]


def _end(voice: Voice, winners: Sequence[int]) -> list[str]:
    """Who has won."""
    if len(winners) == 1:
        told = voice.tell("won", winners[0])
    else:
        told = voice.say("shared", names=listed(map(voice.name, winners)))
    return flowed([voice.say("game-over"), told])
