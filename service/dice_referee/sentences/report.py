"""Reports in sentences: batches, comparisons, reviews and rules."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from dice_referee.games.cases import Case
from dice_referee.games.game import AnyGame
from dice_referee.games.line import option_text
from dice_referee.rulebook.game import Document
from dice_referee.rulebook.odds import WIN_CHANCE
from dice_referee.rulebook.ruleset import OptionValue
from dice_referee.sentences import speech
from dice_referee.sentences.speech import voice_for
from dice_referee.voice import EVERYBODY, Voice, cite, comma_list, format_number, in_language

GIVEN_AWAY = 1e-9
"""Smallest loss of a decision that is reported. Smaller losses are rounding errors."""


def numbered(game: AnyGame, number: int, sentences: Sequence[str], language: str) -> list[str]:
    lines = ["", voice_for(game, language).say("position", n=number), *sentences]
    return lines if number > 1 else lines[1:]


def comparison(game: AnyGame, document: Document, answer: Document, language: str) -> list[str]:
    """Describes the answer of each group of rules, and the options that make it differ.

    ``answer`` is the result of ``compare``.
    """
    voice, groups = voice_for(game, language), answer["groups"]
    question = {name: value for name, value in document.items() if name != "house"}
    paragraphs = []
    for group in groups:
        titles = [_title(voice, game, rules) for rules in group["rulesets"]]
        kind = "one" if len(titles) == 1 else "many" if len(groups) > 1 else "all"
        lines = [voice.say("rules-say", kind, rules=voice.all_of(titles))]
        lines += _causes(voice, game, group["differences"])
        first = group["rulesets"][0]
        request = {**question, "ruleset": first["ruleset"], "options": first["options"]}
        paragraphs.append(lines + _verdict(game, voice, request, group))
    return speech.apart(paragraphs)


def _title(voice: Voice, game: AnyGame, rules: Mapping[str, Any]) -> str:
    if rules["name"] is not None:
        return str(rules["name"])
    title = in_language(game.words["rulesets"][rules["ruleset"]]["title"], voice.language)
    return voice.say("with-house-rules", ruleset=title) if rules["options"] else title


def _verdict(game: AnyGame, voice: Voice, request: Document, group: Document) -> list[str]:
    if group["transition"] is not None:
        lines = speech.transition(game, request, group["transition"], voice.language)
        # Empty lines separate groups of rules here.
        return list(filter(None, lines))
    if group["adjudication"] is not None:
        return speech.adjudication(game, request, voice.language)[1]
    return speech.reasons(game, voice, "impossible", group["findings"])


def _causes(voice: Voice, game: AnyGame, causes: Sequence[Mapping[str, Any]]) -> list[str]:
    if all(cause["alone"] for cause in causes):
        return [_cause(voice, game, cause, "because") for cause in causes]
    lines = [_cause(voice, game, cause, "part-of-cause") for cause in causes]
    return [voice.say("together"), *lines]


def _cause(voice: Voice, game: AnyGame, cause: Mapping[str, Any], sentence: str) -> str:
    words = game.words["options"][cause["option"]]
    title, rule = in_language(words["title"], voice.language), cause["rule"]
    if cause["option"] in _free(game):
        value, share = (
            option_title(game, cause["option"], cause[name], voice.language)
            for name in ("value", "instead_of")
        )
        return voice.say(sentence, "number", option=title, rule=rule, value=value, other=share)
    meant = in_language(words["values"][str(cause["value"]).lower()], voice.language)
    return voice.say(sentence, "text", option=title, rule=rule, text=meant)


def _free(game: AnyGame) -> set[str]:
    return {option.name for option in game.options if not option.values}


def option_title(game: AnyGame, option: str, value: OptionValue, language: str) -> str:
    titles = game.words["options"][option].get("titles")
    if titles is not None:
        return in_language(titles[str(value).lower()], language)
    numbers = value if isinstance(value, tuple | list) else (value,)
    return comma_list(format_number(int(number), language) for number in numbers)


def review(game: AnyGame, document: Document, answer: Document, language: str) -> list[str]:
    """Describes each player's luck and losses, and the costliest decisions.

    It lists decisions by unit, because points and probabilities do not compare. ``answer`` is the
    result of ``review.review``.
    """
    voice = voice_for(game, language, document["players"], EVERYBODY)
    lines = speech.illegal(game, voice, answer)
    lines += _luck_and_play(voice, answer["players"])
    lost = [decision for decision in answer["decisions"] if decision["loss"] > GIVEN_AWAY]
    if not lost:
        return [*lines, voice.say("decisions", "none")]
    total = len(answer["decisions"])
    if total == 1:
        lines.append(voice.say("decisions", "only"))
    elif len(lost) == total:
        lines.append(voice.say("decisions", "both" if total == 2 else "all", total=total))
    else:
        lines.append(voice.count("decisions", len(lost), total=total))
    units = sorted({decision["unit"] for decision in lost})
    for unit in units:
        if len(units) > 1:
            lines.append(voice.say("losses", unit))
        costliest = sorted(
            (decision for decision in lost if decision["unit"] == unit),
            key=lambda decision: -decision["loss"],
        )
        worst = [_decision(voice, decision) for decision in costliest]
        lines += speech.first_of(voice, worst, "more-decisions")
    return lines


def _luck_and_play(voice: Voice, players: Iterable[Mapping[str, Any]]) -> list[str]:
    lines = []
    for player, units in groupby(players, itemgetter("player")):
        sums = [_sums(unit) for unit in units]
        eventful = [each for each in sums if any(round(sum_, 1) for sum_ in each[1:])] or sums[:1]
        fates = [(unit, _fate(voice, player, unit, *amounts)) for unit, *amounts in eventful]
        if len(fates) > 1:
            lines += [voice.say("fate", unit, text=text) for unit, text in fates]
        else:
            lines += [text for _, text in fates]
    return lines


def _sums(player: Mapping[str, Any]) -> tuple[str, float, float]:
    """Returns a unit with a player's luck and loss. Win probabilities are in percentage points."""
    times = 100 if player["unit"] == WIN_CHANCE else 1
    return player["unit"], round(times * player["luck"], 1), -times * player["play"]


def _fate(voice: Voice, player: int, unit: str, luck: float, lost: float) -> str:
    kind = "even" if not luck else "good" if luck > 0 else "bad"
    amounts = [voice.count(f"in-{unit}", abs(sum_)) for sum_ in (luck, round(lost, 1))]
    had = voice.say("luck", kind, name=voice.name(player), amount=amounts[0])
    play = "some" if round(lost, 1) else "little" if lost > GIVEN_AWAY else "none"
    return f"{had} {voice.say('play', play, amount=amounts[1])}"


def _decision(voice: Voice, decision: Mapping[str, Any]) -> str:
    def worth(value: float) -> str:
        unit = decision["unit"]
        if unit in ("chance", WIN_CHANCE):
            return voice.percent(value)
        return voice.count(f"in-{unit}", round(value, 1))

    return voice.say(
        "decision",
        n=decision["index"] + 1,
        name=voice.name(decision["player"]),
        deed=voice.deed(decision["event"]),
        worth=worth(decision["worth"]),
        advice=voice.deed(decision["advice"]),
        best=worth(decision["best"]),
    )


def index(game_lines: Sequence[str], document: Document) -> list[str]:
    """Returns the index: the games, then a line for each address and operation."""
    addresses = [
        f"{address['address']}: {address['description']}" for address in document["addresses"]
    ]
    operations = [
        f"{operation['method']} {operation['path']}: {operation['summary']}"
        for operation in document["operations"]
    ]
    return speech.apart([[document["title"]], game_lines, addresses, operations])


def summary(game: AnyGame, document: Document, language: str) -> list[str]:
    """Describes a game in three lines, the last of which names its rulesets."""
    voice = voice_for(game, language)
    return [
        _entry(document["title"], document["description"], game.name),
        voice.say("players", **document["players"]),
        voice.say("rulesets", names=comma_list(game.rulesets)),
    ]


def game(game: AnyGame, document: Document, language: str) -> list[str]:
    """Describes a game: rulesets, house rules, cards, categories and combos, each with its id."""
    voice = voice_for(game, language)
    sections = {
        "rulesets": [
            _entry(entry["title"], entry["text"], entry["ruleset"])
            for entry in document["rulesets"]
        ],
        "options": [line for option in document["options"] for line in _option(option)],
        **{name: list(map(_piece, document[name])) for name in ("deck", "categories", "combos")},
    }
    paragraphs = [[voice.say("section", name), *lines] for name, lines in sections.items() if lines]
    return speech.apart([summary(game, document, language), *paragraphs])


def ruleset(document: Document) -> list[str]:
    options = [
        _entry(
            option["title"],
            meant["text"],
            f"{option['option']}={option_text(option['value'])}",
            option["rule"],
        )
        for option in document["options"]
        for meant in option["values"] or [option]
        if meant["value"] == option["value"]
    ]
    return speech.apart(
        [[_entry(document["title"], document["text"], document["ruleset"])], options]
    )


def _option(option: Document) -> list[str]:
    name, values = option["option"], option["values"]
    return [
        _entry(option["title"], option["text"], name, option["rule"]),
        *(
            _entry(value["title"], value["text"], f"{name}={option_text(value['value'])}")
            for value in values
        ),
    ]


def _piece(piece: Document) -> str:
    copies = f"{piece['copies']} × " if piece["copies"] else ""
    return _entry(copies + piece["title"], piece["text"], piece["id"], piece["rule"])


def _entry(title: str, text: str | None, *ids: str) -> str:
    return f"{title} ({comma_list(ids)})" + (f". {text}" if text else "")


def rule(game: AnyGame, document: Document, language: str) -> list[str]:
    """Describes a rule: status, text, reasoning, sources and house rules."""
    voice, number, text = voice_for(game, language), document["number"], document["text"]
    lines = [voice.say("rule", document["status"], number=number, text=text)]
    if document["reading"] is not None:
        lines.append(voice.say("our-reading", text=document["reading"]))
    lines.append(voice.say("why", text=document["reasoning"]))
    lines += [
        voice.say("source", id=source["id"], title=source["title"])
        for source in document["sources"]
    ]
    if document["options"]:
        titles = [game.words["options"][option]["title"] for option in document["options"]]
        names = comma_list(in_language(title, language) for title in titles)
        lines.append(voice.say("house-rules", names=names))
    return lines


def rules(documents: Iterable[Document]) -> list[str]:
    return [f"{document['number']}: {document['text']}" for document in documents]


def cases(published: Iterable[Case]) -> list[str]:
    """Returns a paragraph in English for each case: id, title, rules and comment."""
    return speech.apart(
        [
            f"{case.id}: {case.title} ({cite(case.rules)}).",
            *([case.comment] if case.comment else []),
        ]
        for case in published
    )
