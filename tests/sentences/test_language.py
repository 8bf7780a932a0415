"""Laws of typography, number format and grammar, over all texts and live answers."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from dice_referee.api.i18n import LANGUAGES
from dice_referee.games import catalogue
from dice_referee.rulebook.findings import Finding
from dice_referee.sentences.findings import finding_document
from dice_referee.sentences.speech import voice_for
from dice_referee.voice import fill, format_number, player_name
from tests.application import CLIENT
from tests.sentences.live import NAMES, Text, answers, documents, prose, scripts, written_texts

GLOSSARY = tomllib.loads(Path(__file__).with_name("glossary.toml").read_text("utf-8"))
FRENCH_SPACES = "\u00a0\u202f"
SPELLING = json.loads(Path(__file__).with_name("spelling.json").read_text("utf-8"))
"""Numbers and names as sentences and pages spell them.

``tests/web/spelling.test.mjs`` reads the same cases. A number in place of a name stands
for a player without a name.
"""

every_language = pytest.mark.parametrize("language", LANGUAGES)


def all_texts(language: str, game: str = "") -> list[tuple[str, str]]:
    """Returns all texts and live answers, or those of a game."""
    live = [answer for answer in answers(language) if not game or f"/v1/{game}/" in answer.place]
    return [*written_texts(language, game), *live]


def matches(pattern: str, language: str) -> list[str]:
    """Returns the matches of the pattern in prose, with their places."""
    return [
        f"{match[0]!r} in {match.string[max(match.start() - 30, 0) :][:90]!r} ({place[:60]})"
        for place, text in all_texts(language)
        if (match := re.search(pattern, prose(text)))
    ]


@pytest.mark.long
@every_language
def test_live_answers_number_some_three_hundred(language: str) -> None:
    assert len(answers(language)) >= 300


@every_language
def test_texts_have_one_kind_of_apostrophe_and_quote(language: str) -> None:
    assert not matches("['\"&]", language)
    foreign = {"en": "[„«»]", "de": "[«»]|“[^”]*”", "fr": "[„“”]", "it": "[„“”]"}
    assert not matches(foreign[language], language)


def test_french_punctuation_has_its_spaces() -> None:
    assert not matches(rf"(?<![{FRENCH_SPACES}?!])[;!?»]|(?<![{FRENCH_SPACES}\d]):(?!\w)", "fr")
    assert not matches(rf"(?<![{FRENCH_SPACES}])%|«(?![{FRENCH_SPACES}])", "fr")


def test_scripts_join_texts_without_english_punctuation() -> None:
    joined = re.compile(r"""\}(?:: |; )(?:\$\{|`)|join\("(?:: |; )"\)|"(?:: |; )",""")
    assert not [
        f"{path.name}: {line}"
        for path in scripts()
        # These show commands and documents.
        if path.name not in ("steps.js", "tryout.js", "words.js")
        for line in path.read_text("utf-8").splitlines()
        if joined.search(line)
    ]


@every_language
def test_numbers_have_a_single_format(language: str) -> None:
    # Numbers from five digits on have a thousands separator. A minus is not a hyphen.
    thousands = {
        "en": r"[. \u00a0\u202f]",
        "de": r"[, \u00a0\u202f]",
        "fr": r"[., \u00a0]",
        "it": r"[, \u00a0\u202f]",
    }
    four = {"en": ",", "de": r"\.", "fr": "\u202f", "it": r"\."}
    assert not matches(rf"(?<![\d.,]){chr(92)}b\d{{1,3}}{thousands[language]}000\b", language)
    exception = "service/expected/digit-lists"
    assert [
        match
        for match in matches(
            rf"(?<![\d.,{four[language]}])\b\d{four[language]}\d{{3}}\b(?!{four[language]}\d)",
            language,
        )
        if exception not in match
    ] == []
    # Dice are written together. Fractions have as many digits as they need.
    assert not matches(r"(?:^|[\s(])-\d|(?<![\d.,])(?![1-6]+\b)\d{5}", language)


@pytest.mark.parametrize("row", SPELLING["numbers"], ids=str)
def test_numbers_are_spelt_as_on_pages(row: list[Any]) -> None:
    value, decimals, *spelt = row
    assert [format_number(value, language, decimals) for language in LANGUAGES] == spelt


@pytest.mark.parametrize("row", SPELLING["percents"], ids=str)
def test_chances_are_spelt_as_on_pages(row: list[Any]) -> None:
    chance, *spelt = row
    voices = [voice_for(catalogue()["pot"], language) for language in LANGUAGES]
    assert [voice.percent(chance) for voice in voices] == spelt


@pytest.mark.parametrize(("names", "spelt"), SPELLING["names"], ids=str)
def test_names_are_spelt_as_on_pages(names: list[str], spelt: list[str]) -> None:
    nobody = {"en": ""}
    assert [player_name(names, player, "en", nobody) for player in range(len(names))] == spelt


@every_language
def test_counts_of_one_and_two_agree_in_number(language: str) -> None:
    plurals = {
        "en": r"\b1 (points|coins|players|pips|moves|choices|dice)\b",
        "de": r"\b1 (Punkte|Münzen|Augen|Möglichkeiten)\b",
        "fr": r"\b[01] (points|pièces|joueurs|dés)\b",
        "it": r"\b1 (punti|monete|giocatori|dadi)\b",
    }
    pairs = {
        "en": r"\b[Aa]ll 2\b|\b2 times\b|\bare 1\b",
        "de": r"\b[Aa]lle 2\b|\b2-mal\b|\bsind .{0,20}\b1\.",
        "fr": r"\b[Ll]es 2 \w|\b2 fois\b",
        "it": r"\b[Tt]utt[ie] e 2\b|\b[Tt]utti i 2\b|\b2 volte\b",
    }
    assert not matches(rf"(?<![.,]){plurals[language]}|{pairs[language]}", language)


@pytest.mark.parametrize(("language", "template", "name", "sentence"), SPELLING["sentences"])
def test_words_contract_before_names(
    language: str, template: str, name: str | int, sentence: str
) -> None:
    voice = voice_for(catalogue()["pot"], language)
    gap = name if isinstance(name, str) else voice.name(name - 1)
    assert fill(template, language, {"name": gap}) == sentence


def test_live_sentences_contract_words_before_names() -> None:
    vowel = "[AEIOUÀÉ]"
    assert not matches(
        rf"\b[QqDd]u?e (?=({'|'.join(NAMES)})\b)(?={vowel})|\b[àÀ] Joueur \d|\bde Joueur \d", "fr"
    )
    assert not matches(rf"\ba (?=({'|'.join(NAMES)})\b)(?=[AÀ])|\bd?a Giocatore \d", "it")


@every_language
def test_players_are_named_or_counted_from_one(language: str) -> None:
    assert not matches(r"counted from 0\)|ab 0 gezählt\)|à partir de 0\)|contando da 0\)", language)
    game = catalogue()["pot"]
    finding = Finding("player-named-twice", "P4.3", "", {"player": 1})
    assert "Ben" in finding_document(game, finding, language, ("Ada", "Ben"))["detail"]
    detail = finding_document(game, finding, language)["detail"]
    assert voice_for(game, language).name(1).lower() in detail.lower()


@every_language
def test_ids_appear_only_in_code_marks(language: str) -> None:
    ids = {
        word
        for game in catalogue().values()
        for word in (
            *game.words["vocabulary"],
            *(str(value) for option in game.options for value in option.values),
        )
        if "-" in word
    }
    assert not matches(rf"\b({'|'.join(map(re.escape, sorted(ids)))})\b(?!-)", language)


@every_language
def test_option_values_have_titles_in_every_language(language: str) -> None:
    for game in catalogue().values():
        for option in game.options:
            texts = game.words["options"][option.name].get("titles", {})
            assert set(texts) == {str(value).lower() for value in option.values}
            titles = {text[language] for text in texts.values()}
            assert len(titles) == len(texts)


@every_language
def test_answers_never_repeat_a_finding(language: str) -> None:
    for place, text in answers(language):
        findings = [
            line for line in text.splitlines() if re.search(r"\([TYP]\d\.\d\w?\)\.? ", line)
        ]
        assert len(set(findings)) == len(findings), place


@every_language
def test_equal_findings_are_merged(language: str) -> None:
    position = {"card": "bonus-300", "roll": [1, 2, 2, 3, 4, 6]}
    document = {**position, "event": {"type": "keep", "dice": [2, 2]}}
    headers = {"Accept": "text/plain", "Accept-Language": language}
    answer = CLIENT.post("/v1/tutto/transitions", json=document, headers=headers)
    lines = [line for line in answer.get_data(as_text=True).splitlines() if "(T2.2)" in line]
    assert len(lines) == 1


SCOPES = [(scope, language) for scope, languages in GLOSSARY.items() for language in languages]


@pytest.mark.parametrize(("scope", "language"), SCOPES)
def test_texts_use_no_synonyms_of_the_glossary(scope: str, language: str) -> None:
    entries = all_texts(language, "" if scope == "service" else scope)
    if language == "en":
        entries += [Text(place, prose(text)) for place, text in documents()]
    corpus = "\n".join(text for _, text in entries).casefold()
    for word, synonyms in GLOSSARY[scope][language].items():
        assert word.casefold() in corpus, word
        wrong = [f"{place}: {text}" for place, text in entries if re.search(synonyms, text)]
        assert not wrong, (word, wrong[:5])
