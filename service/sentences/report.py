"""Reports in sentences: batches, comparisons, differences, reviews, and the rules themselves.

They are made of what ``speech`` says of one position, or of documents that are answered as JSON.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from service.games.cases import Case
from service.games.game import AnyGame
from service.rules.game import Document
from service.rules.odds import WIN_CHANCE
from service.rules.ruleset import OptionValue
from service.sentences import speech
from service.sentences.speech import voice_for
from service.sentences.voice import EVERYBODY, Voice, cited, in_language, listed, written

GIVEN_AWAY = 1e-9
"""The least loss that counts: less is rounding."""


def numbered(game: AnyGame, number: int, told: Sequence[str], language: str) -> list[str]:
    """What is said of one position of a batch, as a paragraph apart from the one before."""
    lines = ["", voice_for(game, language).say("position", n=number), *told]
    return lines if number > 1 else lines[1:]


def comparison(game: AnyGame, document: Document, answer: Document, language: str) -> list[str]:
    """What each group of rules says of a question, and which options make it differ.

    ``answer`` is that of ``compare``.
    """
    voice, groups = voice_for(game, language), answer["groups"]
    question = {name: value for name, value in document.items() if name != "house"}
    paragraphs = []
    for group in groups:
        names = listed(_title(voice, game, one) for one in group["rulesets"])
        told = [voice.say("rules-say", "some" if len(groups) > 1 else "all", rules=names)]
        told += [_cause(voice, game, one) for one in group["differences"]]
        first = group["rulesets"][0]
        asked = {**question, "ruleset": first["ruleset"], "options": first["options"]}
        paragraphs.append(told + _verdict(game, voice, asked, group))
    return speech.apart(paragraphs)


def _title(voice: Voice, game: AnyGame, rules: Mapping[str, Any]) -> str:
    """What rules are called: house rules by their name, else by the ruleset."""
    if rules["name"] is not None:
        return str(rules["name"])
    title = in_language(game.words["rulesets"][rules["ruleset"]]["title"], voice.language)
    return voice.say("with-house-rules", ruleset=title) if rules["options"] else title


def _verdict(game: AnyGame, voice: Voice, asked: Document, group: Document) -> list[str]:
    if group["transition"] is not None:
        told = speech.transition(game, asked, group["transition"], voice.language)
        # Empty lines stand between groups of rules here.
        return list(filter(None, told))
    if group["adjudication"] is not None:
        return speech.adjudication(game, asked, voice.language)[1]
    return speech.reasons(game, voice, "impossible", group["findings"])


def _cause(voice: Voice, game: AnyGame, cause: Mapping[str, Any]) -> str:
    """An option that makes rules differ, and what it says."""
    words = game.words["options"][cause["option"]]
    title, rule = in_language(words["title"], voice.language), cause["rule"]
    if cause["option"] in _free(game):
        value, other = (
            option_title(game, cause["option"], cause[name], voice.language)
            for name in ("value", "instead_of")
        )
        return voice.say("because", "number", option=title, rule=rule, value=value, other=other)
    meant = in_language(words["values"][str(cause["value"]).lower()], voice.language)
    return voice.say("because", "text", option=title, rule=rule, text=meant)


def _free(game: AnyGame) -> set[str]:
    """The options that have numbers for values, which explain themselves."""
    return {option.name for option in game.options if not option.values}


def option_title(game: AnyGame, option: str, value: OptionValue, language: str) -> str:
    """Returns the title of an option's value, or its numbers as the language writes them."""
    titles = game.words["options"][option].get("titles")
    if titles is not None:
        return in_language(titles[str(value).lower()], language)
    numbers = value if isinstance(value, tuple | list) else (value,)
    return listed(written(int(number), language) for number in numbers)


def differences(game: AnyGame, document: Document, language: str) -> list[str]:
    """What two rulesets say of every option in which they differ, with a case that shows it."""
    voice = voice_for(game, language)
    one, other = titles = [ruleset["title"] for ruleset in document["rulesets"]]
    found = document["differences"]
    if not found:
        return [voice.say("differ", "none", ruleset=one, other=other)]
    paragraphs = [[voice.say("differ", "some", ruleset=one, other=other)]]
    for each in found:
        told = [voice.say("option", option=each["title"], rule=each["rule"])]
        is_free = each["option"] in _free(game)
        for title, value in zip(titles, each["values"], strict=True):
            text = f"{value['title']}." if is_free else value["text"]
            told.append(voice.say("value", ruleset=title, text=text))
        if each["case"] is not None:
            told.append(voice.say("case", id=each["case"]["id"], title=each["case"]["title"]))
        paragraphs.append(told)
    return speech.apart(paragraphs)


def review(game: AnyGame, document: Document, answer: Document, language: str) -> list[str]:
    """What luck and play made of each player's game, and what gave most away.

    Lists the decisions by unit, since points and chances are not compared. ``answer`` is that of
    ``review.review``.
    """
    voice = voice_for(game, language, document["players"], EVERYBODY)
    told = speech.illegal(game, voice, answer)
    told += _luck_and_play(voice, answer["players"])
    lost = [one for one in answer["decisions"] if one["loss"] > GIVEN_AWAY]
    if not lost:
        return [*told, voice.say("decisions", "none")]
    total = len(answer["decisions"])
    if total == 1:
        told.append(voice.say("decisions", "only"))
    elif len(lost) == total:
        told.append(voice.say("decisions", "both" if total == 2 else "all", total=total))
    else:
        told.append(voice.count("decisions", len(lost), total=total))
    units = sorted({decision["unit"] for decision in lost})
    for unit in units:
        if len(units) > 1:
            told.append(voice.say("losses", unit))
        costliest = sorted(
            (decision for decision in lost if decision["unit"] == unit),
            key=lambda decision: -decision["loss"],
        )
        worst = [_decision(voice, decision) for decision in costliest]
        told += speech.first_of(voice, worst, "more-decisions")
    return told


def _luck_and_play(voice: Voice, players: Iterable[Mapping[str, Any]]) -> list[str]:
    """Returns a line for each player, without the units in which nothing happened."""
    lines = []
    for player, units in groupby(players, itemgetter("player")):
        sums = [_sums(unit) for unit in units]
        eventful = [each for each in sums if any(each[1:])]
        lines.append(" ".join(_fate(voice, player, *each) for each in eventful or sums[:1]))
    return lines


def _sums(player: Mapping[str, Any]) -> tuple[str, float, float]:
    """Returns a unit with a player's luck and loss; chances to win are in percentage points."""
    times = 100 if player["unit"] == WIN_CHANCE else 1
    luck, play = (round(times * player[name], 1) for name in ("luck", "play"))
    return player["unit"], luck, -play


def _fate(voice: Voice, player: int, unit: str, luck: float, lost: float) -> str:
    """Returns a sentence about one player's luck in a unit, and what the choices gave away."""
    kind = "even" if not luck else "good" if luck > 0 else "bad"
    amounts = [voice.count(f"in-{unit}", abs(sum_)) for sum_ in (luck, lost)]
    had = voice.say("luck", kind, name=voice.name(player), amount=amounts[0])
    return f"{had} {voice.say('play', 'some' if lost > 0 else 'none', amount=amounts[1])}"


def _decision(voice: Voice, decision: Mapping[str, Any]) -> str:
    def worth(value: float) -> str:
        chance = decision["unit"] in ("chance", WIN_CHANCE)
        return voice.percent(value) if chance else voice.number(value)

    return voice.say(
        "decision",
        n=decision["index"] + 1,
        name=voice.name(decision["player"]),
        deed=voice.deed(decision["event"]),
        worth=worth(decision["worth"]),
        advice=voice.deed(decision["advice"]),
        best=worth(decision["best"]),
    )


def rule(game: AnyGame, document: Document, language: str) -> list[str]:
    """One rule with its standing, why it is so, where it comes from, and its house rules."""
    voice, number, text = voice_for(game, language), document["number"], document["text"]
    told = [voice.say("rule", document["status"], number=number, text=text)]
    if document["reading"] is not None:
        told.append(voice.say("our-reading", text=document["reading"]))
    told.append(voice.say("why", text=document["reasoning"]))
    told += [voice.say("source", id=one["id"], title=one["title"]) for one in document["sources"]]
    if document["options"]:
        options = [game.words["options"][one]["title"] for one in document["options"]]
        names = listed(in_language(one, language) for one in options)
        told.append(voice.say("house-rules", names=names))
    return told


def rules(documents: Iterable[Document]) -> list[str]:
    """Every rule in a line."""
    return [f"{one['number']}: {one['text']}" for one in documents]


def cases(some: Iterable[Case]) -> list[str]:
    """Every case in a paragraph, in English: its name, the rules that it is about, its comment."""
    return speech.apart(
        [f"{one.id}: {one.title} ({cited(one.rules)}).", *([one.comment] if one.comment else [])]
        for one in some
    )
