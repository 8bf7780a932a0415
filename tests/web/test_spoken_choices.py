"""The text mode accepts the choices that the service speaks, in every language."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest

from dice_referee.api.i18n import LANGUAGES
from dice_referee.games import catalogue
from dice_referee.rulebook.game import Document
from dice_referee.sentences.speech import voice_for
from tests.application import get
from tests.tools.spoken import stored_text
from tests.web.test_linewords import in_node
from tests.web.test_modules import texts_in

PARSER = """
const pages = "%s/web/static";
const { TEXTS } = await import(`${pages}/shared/words.js`);
const { parse } = await import(`${pages}/text/commands.js`);
const { texts, typed } = JSON.parse(await new Response(process.stdin).text());
Object.assign(TEXTS, texts);
console.log(JSON.stringify(typed.map(([line, table]) => parse(line, table))));
"""
DICE = re.compile(r"Set aside ((?:[1-6] )*[1-6])\b")
CATEGORY = re.compile(r"(?:Score \d+ in|Cross out) (.*?)(?:, and \d.*)?\.")
NEXT = r" (?:\(Tutto\) )?(?:and|und|et|e) "
NAMES = ("Ada", "Cleo", "Éa O’Brien", "Bank")
"""Names with an elision before them, an apostrophe inside, and a word of the sentences."""


@cache
def texts() -> dict[str, Any]:
    """Returns the texts of a table's page by language."""
    scripts = [get(f"/static/x/table/live.{language}.js") for language in LANGUAGES]
    parts = [texts_in(script.get_data(as_text=True)) for script in scripts]
    return {language: text for part in parts for language, text in part.items()}


def table_of(game: str, language: str, **fields: Any) -> dict[str, Any]:
    """Returns what the parser needs of a table with the service's dice."""
    pieces = get(f"/v1/{game}", **{"Accept-Language": language}).get_json()
    table = {kind: pieces.get(kind) or [] for kind in ("deck", "categories")}
    table |= {"game": game, "language": language, "dice": "service", "legal_events": ["roll"]}
    return {**table, "players": [""] * 4, "choices": [], **fields}


def parsed(typed: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Returns the events of lines at tables, and the questions without the pieces to choose."""
    results = in_node(PARSER, texts=texts(), typed=list(typed))
    return [{key: result[key] for key in result if key != "pieces"} for result in results]


def spoken_choices(game: str) -> Iterator[dict[str, list[str]]]:
    """Yields the choices of each paragraph by language. Choices have the same order in each."""
    for paragraph in stored_text(game):
        choices = {}
        for language in LANGUAGES:
            says = voice_for(catalogue()[game], language).sentences
            heads = {text[language] for text in says["choices"].values()}
            counts = [text[language].replace("{n}", "#") for text in says["more"].values()]
            lines, listed = [], False
            for line in paragraph.sentences[language].splitlines():
                listed = line in heads or (listed and bool(line))
                if listed and line not in heads and re.sub(r"\d+", "#", line) not in counts:
                    lines.append(line)
            choices[language] = lines
        if choices["en"]:
            yield choices


def answer_to(line: str, categories: dict[str, str]) -> dict[str, Any]:
    """Returns the event of an English choice, or the question about what the line lacks."""
    plain = re.sub(r" \(.*?\)", "", line)
    if match := DICE.match(line):
        return {"event": {"type": "keep", "dice": [int(die) for die in match[1].split()]}}
    if line.startswith("Roll any dice again"):
        return {"needs": "which_dice"}
    if line.startswith("Cross out any"):
        return {"needs": "which_category"}
    if match := CATEGORY.fullmatch(plain):
        kind = "write" if line.startswith("Score") else "strike"
        return {"event": {"type": kind, "category": categories[match[1]]}}
    if line.startswith("Accept"):
        players = [int(seat) - 1 for seat in re.findall(r"Player (\d)", line)]
        return {"event": {"type": "accept", **({"players": players} if players else {})}}
    return {"event": {"type": line.split()[0].lower()}}


def table_with(choices: dict[str, list[str]], game: str, language: str) -> dict[str, Any]:
    """Returns a table at these choices, with the rewards among them."""
    offers = [line for line in choices["en"] if line.startswith("Accept")]
    events = [answer_to(offer, {})["event"] for offer in offers]
    rewards = [
        {"players": event.get("players", []), "effects": offer}
        for event, offer in zip(events, offers, strict=True)
    ]
    legal = ["draw"] if "Draw a card." in choices["en"] else ["roll"]
    return table_of(game, language, choices=rewards, legal_events=legal)


def beginning(line: str, english: str) -> str:
    """Returns a choice up to its colon, its rule or the next roll, and without added points."""
    ends = [r"\s?:", r"\.$", r" \([A-Z]", *([NEXT] if english.startswith("Set") else [])]
    return re.split("|".join(ends), re.sub(r" \(\d.*?\)", "", line))[0]


def answer_to_beginning(line: str, offers: int, answer: dict[str, Any]) -> dict[str, Any]:
    """Returns the answer to the beginning of a choice, which names no players."""
    several = line.startswith("Accept") and offers > 1
    return {"needs": "which_player"} if several else answer


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", catalogue())
def test_spoken_choice_is_a_command(game: str, language: str) -> None:
    """A choice is typed in full, in capitals, and in its first words."""
    pieces = table_of(game, "en")["categories"]
    categories = {piece["title"]: piece["id"] for piece in pieces}
    due = []
    typed = []
    for choices in spoken_choices(game):
        table = table_with(choices, game, language)
        for english, line in zip(choices["en"], choices[language], strict=True):
            answer = answer_to(english, categories)
            offers = len(table["choices"])
            due += [answer, answer, answer_to_beginning(english, offers, answer)]
            lines = [line, line.replace("’", "'").upper(), beginning(line, english)]
            typed += [(each, table) for each in lines]
    assert len(due) > 24
    for (line, _), answer, result in zip(typed, due, parsed(typed), strict=True):
        assert result == answer, line


def reward_line(turn: Document, answer: Document, choice: Document, language: str) -> str:
    """Returns the sentence of a single reward among players with names."""
    game = catalogue()["pot"]
    voice = voice_for(game, language, NAMES, turn["player"])
    alone = {**answer, "next_roll": None, "choices": [choice]}
    [line] = game.sentences.choices(voice, turn, alone)
    return line


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_reward_with_names_is_a_command(language: str) -> None:
    game = catalogue()["pot"]
    seen = 0
    for roll in ([2, 2, 2], [3, 3, 3], [4, 4, 4], [5, 5, 5], [1, 2, 3], [3, 4, 5], [2, 3, 4]):
        document = {"coins": [3, 4, 2, 5], "pot": 1, "bank": 40, "player": 0, "roll": roll}
        position = game.position_of({**document, "rolls_made": 3})
        turn, answer = game.turn_document(position), game.adjudication(position)
        rewards = {
            reward_line(turn, answer, choice, language): choice for choice in answer["choices"]
        }
        table = table_of("pot", language, players=NAMES, choices=answer["choices"])
        events = [result.get("event") for result in parsed([(line, table) for line in rewards])]
        for (line, choice), event in zip(rewards.items(), events, strict=True):
            assert event is not None, line
            assert event.get("players", []) == list(choice["players"]), line
        seen += len(rewards)
    assert seen > 15


@pytest.mark.parametrize(
    ("language", "game", "line", "event"),
    [
        ("en", "tutto", "aside 1 5", {"type": "keep", "dice": [1, 5]}),
        ("en", "yatzee", "score two pairs", {"type": "write", "category": "two-pairs"}),
        ("en", "yatzee", "cross royal straight", {"type": "strike", "category": "royal"}),
        ("de", "tutto", "herauslegen 1 5", {"type": "keep", "dice": [1, 5]}),
        ("de", "yatzee", "liegen lassen 5 5", {"type": "roll", "held": [5, 5]}),
        ("de", "yatzee", "Haus anschreiben", {"type": "write", "category": "house"}),
        ("fr", "tutto", "mettre 1 5", {"type": "keep", "dice": [1, 5]}),
        ("fr", "tutto", "s'arreter", {"type": "bank"}),
        ("it", "tutto", "metti 1 5", {"type": "keep", "dice": [1, 5]}),
        ("it", "tutto", "fermarsi", {"type": "bank"}),
    ],
)
def test_spoken_verb_is_a_command(
    language: str, game: str, line: str, event: dict[str, Any]
) -> None:
    assert parsed([(line, table_of(game, language))]) == [{"event": event}]


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("score", {"ask": "score", "about": ""}),
        ("s", {"ask": "score", "about": ""}),
        ("score 37", {"needs": "which_category"}),
        ("roll any dice again", {"needs": "which_dice"}),
        ("hold five", {"needs": "which_dice"}),
        ("in", {"unknown": "in"}),
    ],
)
def test_line_without_pieces_is_a_question(line: str, result: dict[str, Any]) -> None:
    assert parsed([(line, table_of("yatzee", "en"))]) == [result]


@pytest.mark.parametrize(
    ("line", "players"),
    [
        ("accept 2 coins from Cleo", [1]),
        ("accept 1 coin from Cleo and 1 coin from Ada", [1, 0]),
        ("accept 2 3", [1, 2]),
        ("accept ada, cl", [0, 1]),
        ("accept player 2", [1]),
        ("accept 2 coins from Dan", None),
    ],
)
def test_reward_takes_from_the_named_players(line: str, players: list[int] | None) -> None:
    table = table_of("pot", "en", players=NAMES)
    [result] = parsed([(line, table)])
    event = {"event": {"type": "accept", "players": players}}
    assert result == ({"needs": "which_player"} if players is None else event)


def test_bare_accept_takes_one_reward_or_asks() -> None:
    rewards = [{"players": [1], "effects": [1]}, {"players": [2], "effects": [2]}]
    single = table_of("pot", "en", players=NAMES, choices=rewards[:1])
    several = table_of("pot", "en", players=NAMES, choices=rewards)
    assert parsed([("accept", single), ("accept", several)]) == [
        {"event": {"type": "accept", "players": [1]}},
        {"needs": "which_player"},
    ]
