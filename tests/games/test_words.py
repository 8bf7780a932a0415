"""The words of every game: complete in every language, and without unused words."""

import re
from string import Formatter
from typing import Any

import pytest

from dice_referee.api.i18n import LANGUAGES, rulebook, service_words
from dice_referee.games import catalogue
from dice_referee.voice import in_language
from dice_referee.web.words import rooms
from tests.programs import PACKAGE

GAMES = PACKAGE / "games"
REPLACED = {
    "de": ("Strasse", "Spielleitung", "Seed", "Kategorie"),
    "fr": ("Feuille de marque", "loyal", "loyaux", "Lance pour", "Pioche pour"),
    "it": ("ospitante", "leale", "leali", "dado simile"),
}
"""Former words that duplicated another word for the same thing, or that confused a reader."""


def texts(tree: Any, at: str = "") -> list[tuple[str, dict[str, str]]]:
    """Returns every text of a tree of words, with its place."""
    if isinstance(tree, dict):
        if "en" in tree:
            return [(at, tree)]
        return [entry for key, nested in tree.items() for entry in texts(nested, f"{at}/{key}")]
    return []


def gaps(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("game", catalogue())
class TestWords:
    def test_words_are_complete_in_the_languages_of_the_rules(self, game: str) -> None:
        full = set(rulebook(game).rules[next(iter(rulebook(game).rules))]["text"])
        assert full <= set(catalogue()[game].languages)
        rules = [text for rule in rulebook(game).rules.values() for text in texts(rule)]
        for place, text in [*rules, *texts(rulebook(game).words)]:
            assert full <= set(text) <= set(catalogue()[game].languages), place
            assert all(sentence.strip() for sentence in text.values()), place

    def test_words_have_the_same_gaps_in_every_language(self, game: str) -> None:
        for place, text in texts(rulebook(game).words):
            assert len({frozenset(gaps(sentence)) for sentence in text.values()}) == 1, place

    def test_words_name_every_option_ruleset_and_piece(self, game: str) -> None:
        definition, words = catalogue()[game], rulebook(game).words
        assert set(words["rulesets"]) == set(definition.rulesets)
        assert set(words["options"]) == {option.name for option in definition.options}
        for option in definition.options:
            values = set(words["options"][option.name]["values"])
            assert values == {str(value).lower() for value in option.values} or values == {"any"}
            titles = words["options"][option.name].get("titles", {})
            assert set(titles) == (values if option.values else set())
            # Titles distinguish the values in a list of choices.
            for language in definition.languages:
                assert len({in_language(title, language) for title in titles.values()}) == len(
                    titles
                )
            assert option.rule in rulebook(game).rules
        for piece in (*definition.deck, *definition.categories, *definition.combos):
            assert piece.id in words["vocabulary"]
            assert piece.rule in rulebook(game).rules
        assert set(words.get("pieces", {})) == {piece.id for piece in definition.deck}

    def test_rules_have_a_status_and_a_source(self, game: str) -> None:
        for number, rule in rulebook(game).rules.items():
            assert rule["status"] in ("official", "reading", "mixed", "convention")
            assert (rule["status"] == "mixed") == ("reading" in rule), f"{number}: which part?"
            # The reasoning of an official rule admits no reading.
            if rule["status"] == "official":
                assert not re.search("readings?\\b|read (as|in)", rule["reasoning"]["en"], re.I), (
                    number
                )
            assert set(rule["sources"]) <= set(rulebook(game).sources), number
            assert (rule["status"] == "convention") == number.startswith("O"), number
            origin = rule["sources"] or rule["status"] in ("reading", "convention")
            assert origin, f"{number}: who says so?"
            assert set(rule["options"]) <= {option.name for option in catalogue()[game].options}

    def test_words_have_every_code_and_rule_that_the_game_cites(self, game: str) -> None:
        source = "".join(path.read_text("utf-8") for path in (GAMES / game).glob("*.py"))
        findings = set(re.findall(r'Finding\(\s*"([a-z-]+)"', source))
        assert findings, "no finding in the code"
        assert findings <= set(rulebook(game).words["findings"])
        letter = next(iter(rulebook(game).rules))[0]
        cited = set(re.findall(rf'"({letter}\d\.\d[a-z]?)"', source))
        assert cited <= set(rulebook(game).rules)


def test_every_game_has_every_language_of_the_service() -> None:
    for game in catalogue():
        assert set(rulebook(game).languages) == set(LANGUAGES), game


@pytest.mark.parametrize("language", REPLACED)
def test_texts_and_pages_avoid_replaced_words(language: str) -> None:
    trees = [service_words(), rooms(), *(rulebook(game).words for game in catalogue())]
    trees += [rulebook(game).rules for game in catalogue()]
    sentences = [text.get(language, "") for tree in trees for _, text in texts(tree)]
    pattern = re.compile(rf"\b({'|'.join(REPLACED[language])})\b", re.IGNORECASE)
    matches = [text for text in sentences if pattern.search(re.sub(r"\{.*?\}", "", text))]
    assert not matches
