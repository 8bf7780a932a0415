"""Laws of typography, number format and grammar, over all texts and live answers."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from dice_referee.api.i18n import LANGUAGES
from dice_referee.games import catalogue
from dice_referee.rulebook.findings import Finding
from dice_referee.sentences.findings import finding_document
from dice_referee.sentences.speech import voice_for
from dice_referee.voice import filled, written
from tests.application import CLIENT
from tests.programs import PACKAGE
from tests.sentences.live import NAMES, Text, answers, documents, prose, scripts, written_texts

GLOSSARY = tomllib.loads(Path(__file__).with_name("glossary.toml").read_text("utf-8"))
FRENCH_SPACES = "\u00a0\u202f"
NUMBERS = (0, 7, -7, 999, 2500, -1000, 9999.5, 10000, 1234567, 0.05, -0.04, 16.66, -759.44)

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
    # Numbers from five digits on have a thousands separator. A minus is no hyphen.
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


def test_pages_and_sentences_format_numbers_alike() -> None:
    program = """
const { written } = await import(process.argv[1]);
const [languages, numbers] = JSON.parse(process.argv[2]);
const rows = languages.map((language) => numbers.map((number) => written(language, number)));
console.log(JSON.stringify(rows));
"""
    module = (PACKAGE / "web" / "static" / "shared" / "words.js").as_uri()
    process = subprocess.run(
        ["node", "--input-type=module", "-e", program, module, json.dumps([LANGUAGES, NUMBERS])],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert json.loads(process.stdout) == [
        [written(n, language) for n in NUMBERS] for language in LANGUAGES
    ]


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


@pytest.mark.parametrize(
    ("language", "template", "name", "sentence"),
    [
        ("it", "Tocca a {name}.", "Ada", "Tocca ad Ada."),
        ("it", "Tocca a {name}.", "Emma", "Tocca a Emma."),
        ("it", "Tocca a {name}.", "il giocatore 2", "Tocca al giocatore 2."),
        ("it", "1 moneta da {name}", "il giocatore 3", "1 moneta dal giocatore 3"),
        ("fr", "Ce que {name} peut faire", "Ada", "Ce qu’Ada peut faire"),
        ("fr", "Ce que {name} peut faire", "Ben", "Ce que Ben peut faire"),
        ("fr", "1 pièce de {name}", "Émile", "1 pièce d’Émile"),
        ("fr", "1 pièce de {name}", "le joueur 3", "1 pièce du joueur 3"),
        ("fr", "À {name} de jouer.", "le joueur 2", "Au joueur 2 de jouer."),
        ("de", "{name} ist am Zug.", "Ada", "Ada ist am Zug."),
    ],
)
def test_words_contract_before_names(
    language: str, template: str, name: str, sentence: str
) -> None:
    assert filled(template, language, {"name": name}) == sentence
    program = """
const [, folder, language, template, name] = process.argv;
const { TEXTS, sayer } = await import(`${folder}/words.js`);
TEXTS[language] = { one: template };
console.log(sayer(language)("one", { name }));
"""
    folder = (PACKAGE / "web" / "static" / "shared").as_uri()
    # On pages a name without an article begins its own line.
    titled = name.replace("le j", "J").replace("il g", "G")
    arguments = folder, language, template, titled
    process = subprocess.run(
        ["node", "--input-type=module", "-e", program, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert process.stdout == f"{sentence}\n"


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
