"""Laws of plurals, lists and colons over the sentences that people proofread."""

import re
from collections.abc import Iterator

import pytest

from dice_referee.api.i18n import LANGUAGES
from dice_referee.games import catalogue
from dice_referee.rulebook.findings import Finding
from dice_referee.sentences.findings import finding_document
from tests.sentences.live import prose
from tests.tools.spoken import stored_text
from tests.tools.transcripts import FILES

SINGULARS = {
    "en": {
        "points": "point",
        "coins": "coin",
        "pips": "pip",
        "players": "player",
        "moves": "move",
        "choices": "choice",
        "rolls": "roll",
        "errors": "error",
        "reasons": "reason",
        "takeovers": "takeover",
        "dice": "die",
    },
    "de": {
        "Punkte": "Punkt",
        "Münzen": "Münze",
        "Augen": "Auge",
        "Schritte": "Schritt",
        "Möglichkeiten": "Möglichkeit",
        "Würfe": "Wurf",
        "Gründe": "Grund",
        "Übernahmen": "Übernahme",
    },
    "fr": {
        "points": "point",
        "pièces": "pièce",
        "joueurs": "joueur",
        "coups": "coup",
        "dés": "dé",
        "lancers": "lancer",
        "erreurs": "erreur",
        "raisons": "raison",
    },
    "it": {
        "punti": "punto",
        "monete": "moneta",
        "giocatori": "giocatore",
        "mosse": "mossa",
        "scelte": "scelta",
        "dadi": "dado",
        "lanci": "lancio",
        "errori": "errore",
        "motivi": "motivo",
    },
}
"""Nouns that sentences count, with their singular."""


def proofread_lines(language: str, quoting: bool = True) -> Iterator[str]:
    """Yields the sentences of all games, with or without quoted rules and titles of cases.

    Example events of a new session are no sentences.
    """
    for game in catalogue():
        for paragraph in stored_text(game):
            if quoting or not paragraph.resource.startswith(("rules", "cases")):
                lines = map(prose, paragraph.sentences[language].splitlines())
                yield from (line for line in lines if not line.startswith("{"))


def matches(pattern: str, language: str, *, quoting: bool = True) -> list[str]:
    return [line for line in proofread_lines(language, quoting) if re.search(pattern, line)]


def plural_of_one(language: str) -> str:
    """Returns the pattern of a plural beside 1. French has the singular below two."""
    one = r"[01](?:,\d+)?" if language == "fr" else "1"
    return rf"(?<![\d.,])\b{one} (?:{'|'.join(SINGULARS[language])})\b"


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_is_singular(language: str) -> None:
    assert not matches(plural_of_one(language), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_single_point_is_singular_in_a_finding(language: str) -> None:
    finding = Finding("impossible-points", "Y3.2", "", {"points": 1, "category": "one-pair"})
    detail = finding_document(catalogue()["yatzee"], finding, language)["detail"]
    assert not re.search(plural_of_one(language), detail)


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_nouns_occur(language: str) -> None:
    """Without its nouns the law of plurals would hold for every text."""
    counted = rf"\b\d+ (?:{'|'.join(SINGULARS[language])})\b"
    assert len(matches(counted, language)) > 20
    single = rf"\b1 (?:{'|'.join(SINGULARS[language].values())})\b"
    assert len(matches(single, language)) > 5


def test_transcripts_have_one_thing_in_the_singular() -> None:
    patterns = [plural_of_one(language) for language in ("en", "de", "it")]
    for path in FILES:
        text = path.read_text("utf-8")
        assert not [pattern for pattern in patterns if re.search(pattern, text)], path


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_numbers_with_a_comma_end_no_item_of_a_list(language: str) -> None:
    assert not matches(r"\d,\d+(?:\s?%)?, ", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentence_has_a_single_colon(language: str) -> None:
    """The number of a rule before a finding is no part of its sentence."""
    rule = r"[TYP]\d\.\d\w?\s?: "
    twice = r"[^.:;(]*\s?: [^.:;]*[^.:;\d]\s?: "
    assert not matches(rf"(?:^(?!{rule})|[.;] |^{rule}){twice}", language, quoting=False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_name_in_parentheses_precedes_no_colon(language: str) -> None:
    assert not matches(r"\((?:19|20)\d\d\)\s?:", language)
