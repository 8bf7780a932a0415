"""Texts follow ``Accept-Language``. Verdicts hold no text and ignore the header."""

from typing import Any

import pytest

from dice_referee.api.i18n import LANGUAGES, rulebook, service_words
from dice_referee.api.problems import STATUSES
from dice_referee.games import catalogue
from tests.application import (
    ADJUDICATIONS,
    BATCH,
    GAMES,
    IMPOSSIBLE,
    NDJSON,
    ROLL,
    TRANSITIONS,
    get,
    post,
    problem,
)

WISHES = {
    "": "en",
    "de": "de",
    "DE": "de",
    "de-CH": "de",
    "de_CH": "de",
    "de-Latn-CH-1996": "de",
    "fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5": "fr",
    "de-CH, fr;q=0.1": "de",
    "en-GB, de;q=0.9": "en",
    "it-CH;q=0.9, de;q=0.8": "it",
    "fr;q=0.1": "fr",
    "fr;q=0.1, de;q=0.2": "de",
    "es, it;q=0.2": "it",
    "es": "en",
    "es, *": "en",
    "*": "en",
    "*;q=0.5, fr;q=0.1": "en",
    "de;q=0": "en",
    "de;q=0, fr;q=0.5": "fr",
    "de;q=.1, fr;q=.9": "fr",
    "de;q=.9, fr;q=1.": "fr",
    "de;q=0., fr;q=.001": "fr",
    "de;q=., fr;q=.5": "fr",
    "fr;q=x": "en",
    "den": "en",
    "x-de": "en",
    "de;q=x": None,
    ";;;,,,": "en",
    "-": "en",
    "ä": "en",
}


@pytest.mark.parametrize(("wish", "language"), WISHES.items())
def test_problem_is_in_the_preferred_language(wish: str, language: str | None) -> None:
    response = get("/nowhere", Accept_Language=wish)
    content_language = language or response.headers["Content-Language"]
    title = problem(response, "not-found", 404, content_language)["title"]
    assert title == service_words()["problems"]["not-found"]["title"][content_language]


@pytest.mark.parametrize("wish", [wish for wish, language in WISHES.items() if language])
def test_catalogue_negotiates_languages_like_problems(wish: str) -> None:
    assert get("/v1/tutto", Accept_Language=wish).headers["Content-Language"] == WISHES[wish]


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_and_findings_are_in_the_language_of_the_problem(language: str) -> None:
    errors = problem(
        post(ADJUDICATIONS, {"x": 1}, Accept_Language=language), "invalid-request", 400, language
    )["errors"]
    texts = service_words()["errors"]
    assert [error["detail"] for error in errors] == [
        texts[error["code"]][language] for error in errors
    ]
    response = post(ADJUDICATIONS, IMPOSSIBLE, Accept_Language=language)
    finding = problem(response, "impossible-position", 422, language)["findings"][0]
    translations = [
        post(ADJUDICATIONS, IMPOSSIBLE, Accept_Language=tag).get_json()["findings"][0]["detail"]
        for tag in LANGUAGES
        if tag != language
    ]
    assert finding["detail"] not in translations


ILLEGAL = {"card": "bonus-200", "event": {"type": "bank"}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_findings_of_illegal_moves_are_in_the_preferred_language(language: str) -> None:
    response = post(TRANSITIONS, ILLEGAL, Accept_Language=language)
    assert response.status_code == 200
    assert response.headers["Content-Language"] == language
    assert "Accept-Language" in response.vary
    game = {"players": ["Ada", "Bob"], "log": [{"type": "bank"}]}
    audit = post(GAMES, game, Accept_Language=language)
    assert audit.headers["Content-Language"] == language
    assert "Accept-Language" in audit.vary


ALONE = {
    "en": "without setting dice aside first",
    "de": "ohne vorher etwas herauszulegen",
    "fr": "sans d’abord mettre de dés de côté",
    "it": "senza prima mettere da parte dadi",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("dice", [[1], [1, 2, 3, 4, 5, 6]])
def test_bank_after_a_keep_gets_advice(dice: list[int], language: str) -> None:
    """T2.5: a bank answers the roll itself, but some clients send a keep before the bank."""
    card = "straight" if len(dice) == 6 else "bonus-200"
    log = [
        {"type": "draw", "card": card},
        {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]},
        {"type": "keep", "dice": dice},
        {"type": "bank"},
    ]
    answer = post(GAMES, {"players": ["Ada", "Bob"], "log": log}, Accept_Language=language)
    illegal = answer.get_json()["first_illegal"]
    finding = illegal["findings"][0]
    assert (illegal["index"], finding["pointer"]) == (3, "/log/3")
    assert (finding["code"], finding["rule"]) == ("bank-not-due", "T2.5")
    assert ALONE[language] in finding["detail"]


POT = {"coins": [5, 3, 2, 4], "pot": 3, "bank": 38, "player": 0}
SIX, ROLLED = [1, 1, 2, 3, 4, 5], [2, 2, 3]
MISSING: list[tuple[str, dict[str, Any], str, list[str]]] = [
    (
        "tutto",
        {"card": "bonus-200", "roll": SIX, "event": {"type": "keep", "dice": [6, 6]}},
        "en",
        ["There is no 6 in this roll."] * 2,
    ),
    (
        "tutto",
        {"card": "bonus-200", "roll": SIX, "event": {"type": "keep", "dice": [1, 1, 1, 5, 5]}},
        "en",
        ["There are not three 1s in this roll.", "There are not two 5s in this roll."],
    ),
    (
        "tutto",
        {"card": "bonus-200", "roll": SIX, "event": {"type": "keep", "dice": [6]}},
        "de",
        ["In diesem Wurf ist keine 6."],
    ),
    (
        "tutto",
        {"card": "bonus-200", "roll": SIX, "event": {"type": "keep", "dice": [5, 5]}},
        "fr",
        ["Il n’y a pas deux 5 dans ce lancer."],
    ),
    (
        "yatzee",
        {
            "roll": SIX,
            "rolls_made": 1,
            "event": {"type": "roll", "held": [6, 1, 1, 1], "dice": [1, 2]},
        },
        "it",
        ["Sul tavolo non c’è nessun 6.", "Sul tavolo non ci sono tre 1."],
    ),
    (
        "pot",
        {
            **POT,
            "roll": ROLLED,
            "rolls_made": 1,
            "event": {"type": "roll", "held": [3, 3], "dice": [1]},
        },
        "de",
        ["Auf dem Tisch liegen keine zwei Würfel mit 3."],
    ),
]


@pytest.mark.parametrize(("game", "document", "language", "reasons"), MISSING)
def test_missing_dice_are_counted_in_words(
    game: str, document: dict[str, Any], language: str, reasons: list[str]
) -> None:
    answer = post(f"/v1/{game}/transitions", document, Accept_Language=language).get_json()
    findings = [finding for finding in answer["findings"] if finding["code"].startswith("not-")]
    assert [finding["detail"] for finding in findings] == reasons


def test_languages_differ_only_in_details_of_findings() -> None:
    def bare(language: str) -> Any:
        document = post(TRANSITIONS, ILLEGAL, Accept_Language=language).get_json()
        details = [finding.pop("detail") for finding in document["findings"]]
        assert all(details)
        return document

    assert all(bare(language) == bare("en") for language in LANGUAGES)


@pytest.mark.parametrize(
    ("path", "document"),
    [
        (ADJUDICATIONS, ROLL),
        (BATCH, {"positions": [ROLL, ROLL]}),
        (TRANSITIONS, {"event": {"type": "draw", "card": "stop"}}),
        (GAMES, {"players": ["Ada", "Bob"], "log": []}),
    ],
)
def test_verdicts_ignore_the_language(path: str, document: Any) -> None:
    answers = [post(path, document, Accept_Language=language) for language in LANGUAGES]
    assert len({answer.get_data() for answer in answers}) == 1
    for answer in answers:
        assert "Content-Language" not in answer.headers
        assert "Accept-Language" not in answer.headers.get("Vary", "")


WRONG = {
    "tutto": {"players": ["Ada", "Ben"], "log": [{"type": "bank"}]},
    "yatzee": {"players": ["Ada", "Ben"], "log": [{"type": "strike", "category": "ones"}]},
    "pot": {"players": ["Ada", "Ben"], "log": [{"type": "accept"}]},
}
"""Games whose first event is illegal."""


@pytest.mark.parametrize("wish", [*LANGUAGES, "da"])
@pytest.mark.parametrize("game", catalogue())
def test_missing_language_falls_back_to_labelled_english(game: str, wish: str) -> None:
    content_language = wish if wish in rulebook(game).languages else "en"
    answer, english = (
        post(f"/v1/{game}/audits", WRONG[game], Accept_Language=tag) for tag in (wish, "en")
    )
    assert answer.get_json()["first_illegal"]["findings"]
    assert answer.headers["Content-Language"] == content_language
    assert (answer.get_data() == english.get_data()) == (content_language == "en")


def test_batch_with_a_problem_has_a_content_language() -> None:
    response = post(BATCH, {"positions": [ROLL, IMPOSSIBLE]}, Accept_Language="it")
    assert response.headers["Content-Language"] == "it"
    assert "Accept-Language" in response.vary
    problems = service_words()["problems"]
    title = response.get_json()["answers"][1]["title"]
    assert title == problems["impossible-position"]["title"]["it"]


def test_streamed_batch_has_a_content_language() -> None:
    response = post(BATCH, b"{\n", NDJSON, Accept_Language="fr")
    assert response.headers["Content-Language"] == "fr"
    assert "Accept-Language" in response.vary


def test_every_text_of_the_service_has_every_language() -> None:
    def texts(words: Any) -> list[dict[str, str]]:
        if all(isinstance(value, str) for value in words.values()):
            return [words]
        return [text for value in words.values() for text in texts(value)]

    assert all(set(text) == set(LANGUAGES) for text in texts(service_words()))
    assert set(service_words()["problems"]) == set(STATUSES)
