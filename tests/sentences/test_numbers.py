"""Numbers and names of sentences equal those of the JSON that the sentences describe.

The templates of ``words.toml`` parse the sentences. A function for each template computes the
values of the gaps from the documents alone. ``spoken.txt`` proves that each sentence exists. This
law covers what depends on the position: sums, differences, counts, orders and names.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import pytest

from dice_referee.games import catalogue
from dice_referee.games.tutto.cards import CARDS
from dice_referee.games.tutto.position import STEP
from dice_referee.sentences import speech
from dice_referee.sentences.findings import common_words
from dice_referee.voice import EVERYBODY
from tests.application import CLIENT, answered
from tests.games.test_laws import RANDOM_GAMES, every_game
from tests.games.test_words import texts
from tests.tools.spoken import told_log

ROUNDS = 30
NAMES = ["Zoe", "Yan", "Xia", "Wim", "Vera"]
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")

Document = dict[str, Any]
Values = tuple[Any, ...]
"""Values of the gaps of a sentence. None matches any text."""


@dataclass(slots=True)
class Answer:
    """An answer in sentences, with the documents that the answer describes."""

    text: str
    question: Document
    reply: Document = field(default_factory=dict)
    """Document of the same answer in JSON."""
    turn: Document = field(default_factory=dict)
    """Running turn at the end of the answer."""
    judged: Document = field(default_factory=dict)
    """Adjudication of the turn."""
    names: list[str] = field(default_factory=list)
    listener: int | None = None

    def name(self, player: int) -> str:
        if player == self.listener:
            return "you"
        return self.names[player] if self.names else f"Player {player + 1}"

    def name_list(self, players: Iterable[int]) -> str:
        return ", ".join(map(self.name, players))

    def effects(self, kind: str) -> Iterator[Values]:
        """Yields player and amount of the effects of a kind."""
        for effect in self.reply.get("effects", ()):
            if effect["type"] == kind:
                amounts = [effect[key] for key in ("coins", "points", "sum") if key in effect]
                player = effect.get("player", self.listener)
                yield (*([self.name(player)] if player != self.listener else []), *amounts)


def number(value: float, decimals: int = 1) -> str:
    return f"{abs(value):.{decimals}f}".removesuffix(".0")


def counts(answer: Answer) -> Iterator[Values]:
    table = answer.reply.get("table", answer.reply)
    points = table["coins"] if "coins" in table else table["scores"]
    order = sorted(
        range(len(points)), key=lambda at: (at not in answer.reply["winners"], -points[at])
    )
    ranked = ", ".join(
        f"{answer.name(at)} {points[at]}".replace(" -", " \N{MINUS SIGN}") for at in order
    )
    yield (ranked, *(table[name] for name in ("pot", "bank") if name in table))


def not_legal(answer: Answer) -> Iterator[Values]:
    first = answer.reply["first_illegal"]
    for finding in first["findings"]:
        named = re.sub(r"Player (\d)", lambda at: answer.name(int(at[1]) - 1), finding["detail"])
        yield first["index"] + 1, finding["rule"], named


def winner(answer: Answer) -> Iterator[Values]:
    ended = answer.turn.get("outcome") or {"winner": answer.reply["winners"][0]}
    yield (answer.name(ended["winner"]),)


def losing_decisions(answer: Answer) -> list[Document]:
    return [each for each in answer.reply["decisions"] if each["loss"] > 1e-9]


def lost_points(answer: Answer) -> Iterator[Values]:
    for row in answer.reply["players"]:
        key, times = (row["player"], row["unit"]), 100 if row["unit"] == "win-chance" else 1
        losses = [
            each["loss"]
            for each in losing_decisions(answer)
            if (each["player"], each["unit"]) == key
        ]
        amount = number(times * sum(losses))
        yield ("almost nothing" if losses and amount == "0" else amount,)


def rewards(answer: Answer) -> Iterator[Values]:
    """Yields the coins and the other players of each reward, the payees of the bank last."""
    player = answer.turn["player"]
    if "choices" in answer.reply and "event" in answer.reply["choices"][0]:
        # The values of odds begin with the same word.
        yield (None,)
    for choice in answer.judged["choices"]:
        moves, payees = list[Any](), list[str]()
        for effect in choice["effects"]:
            partners = {effect["player"], effect.get("to", player)} - {player}
            if effect["type"] == "bank-paid" and partners:
                payees += map(answer.name, partners)
            else:
                moves += [effect["coins"], *map(answer.name, partners)]
        yield (" ".join(map(str, [*moves, *(["1"] if payees else []), *payees])),)


def coins_gained(answer: Answer) -> int:
    """Returns the coins that the player gets by a roll that ends the turn."""
    player, after = answer.turn.get("player"), answer.judged.get("next")
    return int(after["coins"][player] - answer.turn["coins"][player]) if after else 0


def at_stake(answer: Answer) -> int:
    """Returns the points of a turn before the roll, by the adjudication or the turn."""
    return int((answer.judged or answer.turn).get("turn_points", 0))


def ways(answer: Answer) -> list[Document]:
    bank = answer.judged.get("bank")
    return [*answer.judged.get("legal_keeps", ()), *([bank] if bank else [])]


def costs(answer: Answer) -> Iterator[Values]:
    """Yields the players who lose equally many points, by an event or by a choice."""
    yield "Each leader", 1000
    yield from answer.effects("deducted")
    for way in ways(answer):
        losers: dict[int, list[int]] = {}
        for player in dict.fromkeys(effect["player"] for effect in way["effects"]):
            if player is not None:
                points = answer.turn["scores"][player] - way["next"]["scores"][player]
                losers.setdefault(points, []).append(player)
        for points, players in losers.items():
            yield answer.name_list(players), points


def fitting(answer: Answer) -> list[Document]:
    return [each for each in answer.judged["categories"] if each["open"] and each["satisfied"]]


def gain(answer: Answer, entry: Document) -> int:
    return int(entry["totals"]["upper_bonus"] - answer.judged["totals"]["upper_bonus"])


def total(answer: Answer) -> Values:
    card = answer.turn.get("scorecard", {})
    bonus = answer.judged["totals"]["upper_bonus"]
    return sum(card.get(face, 0) for face in UPPER), sum(card.values()) + bonus


LAWS: dict[str, dict[str, Callable[[Answer], Iterable[Values]]]] = {
    "": {
        "counts": counts,
        "event-not-legal": not_legal,
        "events-legal/many": lambda a: [(len(a.question["log"]),)],
        "to-play/other": lambda a: [(a.name(a.reply["player"] if a.names else a.turn["player"]),)],
        "won/other": winner,
        "decisions/many": lambda a: [(len(losing_decisions(a)), len(a.reply["decisions"]))],
        "luck/good": lambda a: [
            (
                a.name(row["player"]),
                number(row["luck"] * (100 if row["unit"] == "win-chance" else 1)),
            )
            for row in a.reply["players"]
        ],
        "play/some": lost_points,
        "decision": lambda a: [
            (each["index"] + 1, a.name(each["player"]), None, None, None, None)
            for each in losing_decisions(a)
        ],
    },
    "pot": {
        "tied": lambda a: [(a.name_list(a.turn["tied"]),)],
        "played": lambda a: [
            (
                ", ".join(
                    f"{a.name(p)} {n}" for p, n in zip(a.turn["tied"], a.turn["sums"], strict=False)
                ),
            )
        ],
        "odds/beats": lambda a: [(max(a.turn.get("sums") or [a.turn.get("to_beat")]),)],
        "accept/coins": rewards,
        "roll-again/free": lambda a: [(a.turn["rolls_made"] + 1, 3)],
        "roll-again/paid": lambda a: [(a.turn["rolls_made"] + 1, 3)],
        "combo-bonus": lambda a: [(coins_gained(a) - a.turn["pot"],)],
        "fine-paid/you": lambda a: [(-coins_gained(a),), *a.effects("fine-paid")],
        "handed-over/to-you": lambda a: [
            (a.name(each["player"]), each["coins"])
            for each in a.reply["effects"]
            if each["type"] == "handed-over" and each["to"] == a.listener
        ],
        "bank-paid/other": lambda a: a.effects("bank-paid"),
        "control-taken/you": lambda a: a.effects("control-taken"),
        "played-off/you": lambda a: a.effects("played-off"),
    },
    "tutto": {
        "stake/risk": lambda a: [(at_stake(a),)],
        "stake/safe": lambda a: [(at_stake(a),)],
        "costs/one": costs,
        "costs/many": costs,
        "again/two": lambda a: [() for way in ways(a) if len(way["effects"]) == 2],
        "again/many": lambda a: [(len(way["effects"]),) for way in ways(a)],
        "bank/plain": lambda a: [(a.judged["bank"]["turn_points"],)],
        "keep-roll/stake": lambda a: [(None, None, way["turn_points"]) for way in ways(a)],
        "deducted/other": costs,
    },
    "yatzee": {
        "sheet": lambda a: [total(a)],
        "fits/many": lambda a: [(len(fitting(a)), None)],
        "roll-on": lambda a: [(a.turn["rolls_made"] + 1, 3)],
        "write/upper": lambda a: [(each["points"], None, gain(a, each)) for each in fitting(a)],
        "write/bonus": lambda a: [
            (each["points"], each["points"] - each["throw_bonus"], each["throw_bonus"], None)
            for each in fitting(a)
        ],
    },
}
"""Values of the gaps of a sentence in the order of the template, by place of the template."""


@cache
def patterns(game: str) -> dict[str, re.Pattern[str]]:
    """Returns the patterns that parse the sentences, by their places."""
    words = texts({**common_words()["sentences"], **catalogue()[game].words["sentences"]})
    gap, last = r"((?:[^.:]|\.(?=\d))+?)", "(.+)$"
    compiled = {}
    for place, text in words:
        if place[1:] in {**LAWS[""], **LAWS[game]}:
            template = re.sub(r"\\\{\w+\\\}$", lambda _: last, re.escape(text["en"]))
            template = re.sub(r"\\\{\w+\\\}", lambda _: gap, template)
            start = "" if place.startswith("/play") else r"(?:^|(?<=\. )|(?<=beat: ))"
            start += "(?!You )" * place.endswith("/other")
            compiled[place[1:]] = re.compile(rf"{start}{template}(?= |$)", re.MULTILINE)
    return compiled


def agrees(text: str, value: Any) -> bool:
    """Compares a gap with a value: the whole text, or only its numbers and names."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    parts = re.findall(rf"Player \d|{'|'.join(NAMES)}|\d[\d.]*", text)
    readings = (text, text.replace(" and ", ", "), " ".join(parts))
    return value is None or str(value) in readings


def adjudication(game: str, turn: Document) -> Document:
    decides = turn["phase"] == catalogue()[game].decision_phase
    return answered(game, "adjudications", turn) if decides else {}


def ask(game: str, resource: str, question: Document, **documents: Any) -> Iterator[Answer]:
    """Asks for JSON and for sentences. A question without an answer yields nothing."""
    path = f"/v1/{game}/{resource}"
    reply = CLIENT.post(path, json=question)
    if reply.status_code == 200:
        text = CLIENT.post(path, json=question, headers={"Accept": "text/plain"})
        document = reply.get_json()
        before = {name: question[name] for name in question if name != "event"}
        turn = document.get("turn") or before
        judged = adjudication(game, turn) if "phase" in turn else {}
        lines = text.get_data(as_text=True)
        yield Answer(lines, question, document, turn, judged, **documents)


def positions(game: str, rng: Random) -> Iterator[Document]:
    """Yields random positions, and positions that chance rarely brings."""
    for number in range(ROUNDS):
        yield RANDOM_GAMES[game].random_position(rng)
        if game == "tutto":
            house = {"options": {"deduction": "on-bank", "leaders": "sheet"}}
            position = RANDOM_GAMES[game].random_position(rng, house, scored=number % 2 == 0)
            if number % 4 == 0:
                # Two leaders lose points at once.
                position |= {"scores": [1000] * 3, "player": 0}
            pending = 1 + number % 3
            carried = 1000 * pending + position.get("carried", 0)
            yield {**position, "pending_deductions": pending, "carried": carried}
        elif game == "yatzee":
            position = RANDOM_GAMES[game].random_position(rng)
            house = position.get("options", {}) | {"upper_threshold": rng.randint(1, 20)}
            yield {**position, "options": house}
        elif game == "pot":
            # At least three players are tied, and some of them have rolled.
            count = rng.randint(3, 5)
            tied = sorted(rng.sample(range(count), rng.randint(3, count)))
            coins = [8 if player in tied else 3 for player in range(count)]
            sums = [rng.randint(3, 15) for _ in tied[rng.randint(1, len(tied)) :]]
            phase = {"phase": "sudden-death", "player": tied[len(sums)], "tied": tied, "sums": sums}
            shares = {"coins": coins, "pot": 0, "bank": 55 - sum(coins)}
            yield {**phase, **shares, "options": {"target": 8}}


def answers(game: str) -> Iterator[Answer]:
    """Yields answers of every verb about random positions, logs and sessions."""
    rng, source = Random(f"{game} 2"), RANDOM_GAMES[game]
    for position in positions(game, rng):
        turn = {"phase": catalogue()[game].decision_phase, **position}
        listener = turn.get("player")
        judged = adjudication(game, turn)
        yield from ask(game, "adjudications", turn, listener=listener)
        if "sums" in turn or not turn.get("options"):
            yield from ask(game, "odds", turn, listener=listener)
        events = source.events_at(turn, judged) if judged else ([source.next_event(rng, turn)],)
        for event in [
            event for alike in events if alike for event in (alike[-1], rng.choice(alike))
        ]:
            yield from ask(game, "transitions", {**turn, "event": event}, listener=listener)
    for _ in range(ROUNDS // 3):
        yield from games(game, rng, source.random_log(rng))


def games(game: str, rng: Random, question: Document) -> Iterator[Answer]:
    """Yields answers about a log with names: whole or cut, often with an illegal event."""
    question["players"] = names = NAMES[: len(question["players"])]
    rolled = [number for number, event in enumerate(question["log"], 1) if "dice" in event]
    log = question["log"][: rng.choice((rng.choice(rolled), None))]
    question["log"] = log
    state, entries = told_log(catalogue()[game], {**question, "events": log})
    for listener in range(EVERYBODY, len(names)):
        lines = speech.session(catalogue()[game], state, listener, "en")
        lines += speech.entries(catalogue()[game], names, entries[-1:], listener, "en")
        reply = {**state, "effects": entries[-1]["effects"] if entries else []}
        turn, judged = state["turn"] or {}, state["adjudication"] or {}
        yield Answer("\n".join(lines), question, reply, turn, judged, names, listener)
    judged = adjudication(game, state["turn"]) if state["turn"] else {}
    wrong = rng.sample(RANDOM_GAMES[game].events_at(state["turn"], judged)[1], 3) if judged else []
    for illegal in ([], *([event] for event in wrong)):
        logged = {**question, "log": log + illegal}
        yield from ask(game, "audits", logged, names=names, listener=EVERYBODY)
    yield from ask(game, "reviews", logged, names=names, listener=EVERYBODY)


@pytest.mark.long
@every_game
def test_sentences_have_the_numbers_and_names_of_documents(game: str) -> None:
    laws, seen = {**LAWS[""], **LAWS[game]}, set[str]()
    for answer in answers(game):
        assert not (answer.names and "Player" in answer.text), answer
        for place, pattern in patterns(game).items():
            for match in pattern.finditer(answer.text):
                seen.add(place)
                expected = [*laws[place](answer)]
                assert any(all(map(agrees, match.groups(), values)) for values in expected), (
                    match[0],
                    expected,
                    answer,
                )
    assert seen == set(laws)


def numbers(document: Any) -> Iterator[int]:
    """Yields every number of a document, including numbers in ids of cards."""
    if isinstance(document, dict | list):
        for value in document.values() if isinstance(document, dict) else document:
            yield from numbers(value)
    elif not isinstance(document, float):
        yield from map(int, re.findall(r"\d+", str(document)))


def test_points_in_tutto_sentences_equal_those_of_documents() -> None:
    """Takes prizes from the cards, counts of events, and the losses of a choice."""
    prizes = {card.prize for card in CARDS.values()}
    for answer in answers("tutto"):
        if "aim" in answer.reply or "decisions" in answer.reply:
            # Values are rounded.
            continue
        known = {*numbers([answer.question, answer.reply, answer.turn, answer.judged]), *prizes}
        known |= {len(answer.question.get("log", ())), *(loss[-1] for loss in costs(answer))}
        amounts = {int(text.replace(",", "")) for text in re.findall(r"\d[\d,]*", answer.text)}
        points = {number for number in amounts if number % STEP == 0}
        assert points <= known, (points - known, answer)
