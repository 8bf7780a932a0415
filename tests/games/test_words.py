"""The words of every game: complete, in every language, and only what the code can say."""

import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from service.api.words import book
from service.games import catalogue

GAMES = Path(__file__).resolve().parents[2] / "service" / "games"


def texts(tree: Any, at: str = "") -> list[tuple[str, dict[str, str]]]:
    """Every text of a tree of words, with its place."""
    if isinstance(tree, dict):
        if "en" in tree:
            return [(at, tree)]
        return [found for key, nested in tree.items() for found in texts(nested, f"{at}/{key}")]
    return []


def gaps(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("game", catalogue())
class TestTheWordsOf:
    def test_are_there_in_full_in_english_and_in_the_languages_of_the_rules(
        self, game: str
    ) -> None:
        full = set(book(game).rules[next(iter(book(game).rules))]["text"])
        assert full <= set(catalogue()[game].languages)
        rules = [text for rule in book(game).rules.values() for text in texts(rule)]
        for place, text in [*rules, *texts(book(game).words)]:
            assert full <= set(text) <= set(catalogue()[game].languages), place
            assert all(sentence.strip() for sentence in text.values()), place

    def test_have_the_same_gaps_in_every_language(self, game: str) -> None:
        for place, text in texts(book(game).words):
            assert len({frozenset(gaps(sentence)) for sentence in text.values()}) == 1, place

    def test_name_every_option_ruleset_and_piece(self, game: str) -> None:
        found, words = catalogue()[game], book(game).words
        assert set(words["rulesets"]) == set(found.rulesets)
        assert set(words["options"]) == {option.name for option in found.options}
        for option in found.options:
            told = set(words["options"][option.name]["values"])
            assert told == {str(value).lower() for value in option.values} or told == {"any"}
            assert option.rule in book(game).rules
        for piece in (*found.deck, *found.categories, *found.combos):
            assert piece.id in words["vocabulary"]
            assert piece.rule in book(game).rules

    def test_say_of_each_rule_where_it_comes_from(self, game: str) -> None:
        for number, rule in book(game).rules.items():
            assert rule["status"] in ("official", "reading"), number
            assert set(rule["sources"]) <= set(book(game).sources), number
            assert rule["sources"] or rule["status"] == "reading", f"{number}: who says so?"
            assert set(rule["options"]) <= {option.name for option in catalogue()[game].options}

    def test_have_every_code_and_rule_that_the_code_of_the_game_can_cite(self, game: str) -> None:
        source = "".join(path.read_text("utf-8") for path in (GAMES / game).glob("*.py"))
        findings = set(re.findall(r'Finding\(\s*"([a-z-]+)"', source))
        assert findings, "a game refuses something"
        assert findings <= set(book(game).words["findings"])
        letter = next(iter(book(game).rules))[0]
        cited = set(re.findall(rf'"({letter}\d\.\d[a-z]?)"', source))
        assert cited <= set(book(game).rules)
