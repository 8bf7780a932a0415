"""The catalogue, the rules, problem pages and health of the service."""

import re
import tomllib
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import dice_referee.games
from dice_referee.api.i18n import LANGUAGES, service_words
from dice_referee.api.problems import STATUSES
from dice_referee.games import catalogue
from tests.application import ADJUDICATIONS, JSON, TEXT, get, post
from tests.programs import PACKAGE

BOOKS = {
    game: tomllib.loads((PACKAGE / "games" / game / "rules.toml").read_text("utf-8"))
    for game in catalogue()
}
WORDS = {
    game: tomllib.loads((PACKAGE / "games" / game / "words.toml").read_text("utf-8"))
    for game in catalogue()
}
RULESETS = [(game, name) for game in catalogue() for name in catalogue()[game].rulesets]

every_language = pytest.mark.parametrize("language", LANGUAGES)
every_game = pytest.mark.parametrize("game", list(catalogue()))


def rules_in(game: str, language: str) -> str:
    """Returns the language of a game's rules for a client that prefers this language."""
    return language if language in BOOKS[game]["rules"][0]["text"] else "en"


def words_in(game: str, language: str) -> str:
    """Returns the language of a game's words, which may have more languages than the rules."""
    return language if language in catalogue()[game].languages else "en"


def text_in(text: dict[str, str], language: str) -> str:
    return text.get(language, text["en"])


def page(path: str, language: str = "en", content_language: str | None = None) -> Any:
    response = get(path, Accept_Language=language)
    assert response.status_code == 200, response.get_data(as_text=True)
    assert response.headers["Content-Type"] == JSON
    assert response.headers["Content-Language"] == (content_language or language)
    assert "Accept-Language" in response.vary
    return response.get_json()


@every_language
@every_game
def test_every_rule_is_served_in_every_language(game: str, language: str) -> None:
    content_language = rules_in(game, language)
    known = {option.name for option in catalogue()[game].options}
    for rule in BOOKS[game]["rules"]:
        served = page(f"/v1/{game}/rules/{rule['number']}", language, content_language)
        titles = {
            source: BOOKS[game]["sources"][source]["title"][content_language]
            for source in rule["sources"]
        }
        assert [*served.items()] == [
            ("number", rule["number"]),
            ("status", rule["status"]),
            ("text", rule["text"][content_language]),
            ("reasoning", rule["reasoning"][content_language]),
            ("reading", rule["reading"][content_language] if "reading" in rule else None),
            ("sources", [{"id": source, "title": title} for source, title in titles.items()]),
            ("options", served["options"]),
        ]
        assert served["status"] in ("official", "reading", "mixed", "convention"), rule["number"]
        assert served["sources"] or served["status"] in ("reading", "convention"), rule["number"]
        assert set(served["options"]) <= known, rule["number"]


@every_language
@every_game
def test_list_of_rules_has_the_single_rules_in_book_order(game: str, language: str) -> None:
    content_language = rules_in(game, language)
    served = page(f"/v1/{game}/rules", language, content_language)
    numbers = [rule["number"] for rule in BOOKS[game]["rules"]]
    assert served == {
        "game": game,
        "rules": [
            page(f"/v1/{game}/rules/{number}", language, content_language) for number in numbers
        ],
    }


@every_language
@every_game
def test_sentences_of_rules_have_at_most_35_words(game: str, language: str) -> None:
    for rule in BOOKS[game]["rules"]:
        for field in ("text", "reasoning"):
            for sentence in re.split(r"(?<=[.!?])\s+", text_in(rule[field], language)):
                words = [word for word in sentence.split() if re.search(r"\w", word)]
                assert len(words) <= 35, (rule["number"], sentence)


@every_game
def test_rules_avoid_words_that_readers_stumble_over(game: str) -> None:
    odd = re.compile(r"\b(is|are|be) told\b|\bbears\b|\bequally many\b|\btaken by the word\b")
    for rule in BOOKS[game]["rules"]:
        texts = [rule[field]["en"] for field in ("text", "reasoning", "reading") if field in rule]
        assert not [text for text in texts if odd.search(text)], rule["number"]


@every_language
def test_catalogue_lists_the_games(language: str) -> None:
    listed = page("/v1", language)
    assert list(listed) == ["title", "games", "operations", "addresses"]
    assert [game["game"] for game in listed["games"]] == list(catalogue())
    for game in listed["games"]:
        keys = "game title description default_ruleset rulesets languages players"
        assert list(game) == keys.split()
        assert game["title"] == text_in(WORDS[game["game"]]["title"], language)
        assert game["description"] == text_in(WORDS[game["game"]]["description"], language)


@every_language
@every_game
def test_game_has_its_rulesets_options_material_and_words(game: str, language: str) -> None:
    content_language = words_in(game, language)
    served, known = page(f"/v1/{game}", language, content_language), catalogue()[game]
    assert served["default_ruleset"] == known.default.id
    assert [ruleset["ruleset"] for ruleset in served["rulesets"]] == list(known.rulesets)
    assert [option["option"] for option in served["options"]] == [o.name for o in known.options]
    for option, entry in zip(known.options, served["options"], strict=True):
        keys = ["option", "title", "rule", "values", "minimum", "maximum", "length", "text"]
        assert list(entry) == keys
        assert [value["value"] for value in entry["values"]] == list(option.values)
        assert all(value["title"] and value["text"] for value in entry["values"])
        assert (entry["minimum"], entry["maximum"]) == (option.minimum, option.maximum)
        assert entry["length"] == option.length
        assert (entry["text"] is None) == bool(option.values)
        assert get(f"/v1/{game}/rules/{entry['rule']}").status_code == 200
    assert [piece["id"] for piece in served["deck"]] == [piece.id for piece in known.deck]
    for piece in served["deck"]:
        assert piece["text"] == text_in(WORDS[game]["pieces"][piece["id"]], language)
    assert {item["text"] for item in [*served["categories"], *served["combos"]]} <= {None}
    vocabulary = WORDS[game]["vocabulary"]
    assert served["vocabulary"] == [
        {"id": word, "term": text_in(vocabulary[word], language)} for word in vocabulary
    ]


@every_language
@pytest.mark.parametrize(("game", "ruleset"), RULESETS)
def test_ruleset_has_a_value_for_every_option(game: str, ruleset: str, language: str) -> None:
    content_language = words_in(game, language)
    served = page(f"/v1/{game}/rulesets/{ruleset}", language, content_language)
    keys = (
        "game ruleset title text ruleset_hash aims options dice deck categories combos vocabulary"
    )
    assert list(served) == keys.split()
    values = {option["option"]: option["value"] for option in served["options"]}
    listed = {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}
    known = catalogue()[game].rulesets[ruleset].options
    assert listed == {n: list(v) if isinstance(v, tuple) else v for n, v in known.items()}
    catalogued = page(f"/v1/{game}", language, content_language)
    assert [{k: v for k, v in o.items() if k != "value"} for o in served["options"]] == catalogued[
        "options"
    ]
    assert served["deck"] == catalogued["deck"]
    summary = next(r for r in catalogued["rulesets"] if r["ruleset"] == ruleset)
    assert {key: served[key] for key in summary} == summary


@every_game
@every_language
def test_text_of_a_game_names_every_id(game: str, language: str) -> None:
    path, fields = f"/v1/{game}", {"Accept_Language": language}
    document = get(path, **fields).get_json()
    answer = get(path, Accept=TEXT, **fields)
    assert answer.headers["Content-Language"] == language
    lines = answer.get_data(as_text=True).splitlines()
    for ruleset in document["rulesets"]:
        assert f"{ruleset['title']} ({ruleset['ruleset']}). {ruleset['text']}" in lines
    for option in document["options"]:
        name = option["option"]
        assert [line for line in lines if f"({name}, {option['rule']})" in line]
        for value in option["values"]:
            spelt = (
                str(value["value"]).lower() if value["value"] in (True, False) else value["value"]
            )
            assert f"{value['title']} ({name}={spelt}). {value['text']}" in lines
    for piece in document["deck"] + document["categories"] + document["combos"]:
        assert [line for line in lines if f"{piece['title']} ({piece['id']}, " in line]
    players = document["players"]
    assert str(players["maximum"]) in lines[1]


@every_language
def test_text_of_the_games_names_their_rulesets(language: str) -> None:
    answer = get("/v1", Accept=TEXT, Accept_Language=language)
    _, *paragraphs, _, _ = answer.get_data(as_text=True).split("\n\n")
    games = get("/v1", Accept_Language=language).get_json()["games"]
    for game, paragraph in zip(games, paragraphs, strict=True):
        assert paragraph.startswith(f"{game['title']} ({game['game']}). {game['description']}\n")
        assert paragraph.strip().endswith(f" {', '.join(game['rulesets'])}.")


@pytest.mark.parametrize(("game", "ruleset"), RULESETS)
def test_text_of_a_ruleset_lists_its_values_as_query_pairs(game: str, ruleset: str) -> None:
    path = f"/v1/{game}/rulesets/{ruleset}"
    lines = get(path, Accept=TEXT).get_data(as_text=True).splitlines()
    document = get(path).get_json()
    assert lines[0] == f"{document['title']} ({ruleset}). {document['text']}"
    pairs = [match[1] for line in lines[2:] if (match := re.search(r"\((\w+=\S+), ", line))]
    assert len(pairs) == len(lines[2:]) == len(document["options"])
    answer = get(f"/v1/{game}/odds?ruleset={ruleset}&{'&'.join(pairs)}")
    errors = answer.get_json().get("errors", [])
    assert not {error["pointer"].split("/")[1] for error in errors} & {"options", "ruleset"}


def test_text_of_a_404_suggests_the_nearest_name() -> None:
    for path, meant in (
        ("/v1/yahtzee", "/v1/yatzee"),
        ("/v1/tutto/rulesets/abacus", "abacus-2013"),
        ("/problems/not-fund", "not-found"),
    ):
        answer = get(path, Accept=TEXT)
        assert (answer.status_code, answer.mimetype) == (404, TEXT)
        assert answer.get_data(as_text=True).endswith(f"Did you mean “{meant}”?\n")


def test_ruleset_has_the_hash_of_its_verdicts() -> None:
    hashes = set()
    for game, ruleset in RULESETS:
        if game != "tutto":
            continue
        document = {"ruleset": ruleset, "card": "clover", "roll": [1, 2, 3, 4, 6, 6]}
        verdict = post(ADJUDICATIONS, document).get_json()
        served = page(f"/v1/tutto/rulesets/{ruleset}")
        assert verdict["ruleset_hash"] == served["ruleset_hash"]
        hashes.add(served["ruleset_hash"])
    assert len(hashes) == len(catalogue()["tutto"].rulesets)


@every_language
def test_every_problem_has_a_json_page(language: str) -> None:
    for code, status in STATUSES.items():
        served = page(f"/problems/{code}", language)
        words = service_words()["problems"][code]
        assert served == {
            "code": code,
            "title": words["title"][language],
            "status": status,
            "text": words["text"][language],
        }
        assert "Accept" in get(f"/problems/{code}").vary, code


@every_language
def test_every_problem_has_a_text_page(language: str) -> None:
    for code, status in STATUSES.items():
        answer = get(f"/problems/{code}", Accept=TEXT, Accept_Language=language)
        words = service_words()["problems"][code]
        title, text = answer.get_data(as_text=True).splitlines()
        assert title == f"{words['title'][language]} ({status})."
        assert text == words["text"][language]


@every_language
def test_every_problem_has_an_html_page(language: str) -> None:
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    for code, words in service_words()["problems"].items():
        response = get(f"/problems/{code}", Accept=browser, Accept_Language=language)
        assert response.status_code == 200, code
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        assert response.headers["Content-Language"] == language
        assert response.headers["Cache-Control"] == "public, max-age=3600"
        assert set(response.vary) == {"Accept", "Accept-Encoding", "Accept-Language"}
        html = response.get_data(as_text=True)
        assert f'<html lang="{language}">' in html
        assert html.count("<h1>") == html.count('<main id="main"') == 1, code
        assert f"<code>{code}</code>" in html
        assert words["title"][language] in unescape(html), code
        text = unescape(re.sub("<[^>]+>", "", html))
        assert words["text"][language].replace("`", "") in text, code
        assert response.headers["ETag"] != get(f"/problems/{code}").headers["ETag"], code


@pytest.mark.parametrize(
    ("accepted", "kind"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("text/*", "text/html; charset=utf-8"),
        ("text/html;q=0.5, application/json", JSON),
        ("application/json;q=0.5, text/html", "text/html; charset=utf-8"),
        ("application/problem+json, */*;q=0.1", JSON),
    ],
)
def test_problem_page_has_the_preferred_media_type(accepted: str, kind: str) -> None:
    assert get("/problems/busy", Accept=accepted).headers["Content-Type"] == kind


@pytest.mark.parametrize(
    ("path", "document"),
    [
        ("/livez", {"status": "ok"}),
        ("/readyz", {"status": "ok", "sessions": "off"}),
    ],
)
def test_health_is_answered_and_never_cached(path: str, document: dict[str, str]) -> None:
    response = get(path)
    assert response.get_json() == document
    assert response.headers["Cache-Control"] == "no-store"


PLAYERS = {"tutto": (2, 10), "pot": (2, 5), "yatzee": (1, 10)}


@every_game
def test_game_accepts_exactly_its_numbers_of_players(game: str) -> None:
    least, most = PLAYERS[game]
    assert page(f"/v1/{game}")["players"] == {"minimum": least, "maximum": most}

    def audit_status(number: int) -> int:
        names = [f"Player {place}" for place in range(number)]
        return post(f"/v1/{game}/audits", {"players": names, "log": []}).status_code

    statuses = {number: audit_status(number) for number in range(most + 2)}
    assert {number for number, status in statuses.items() if status == 200} == {
        *range(least, most + 1)
    }


@pytest.mark.parametrize(
    ("game", "dice"),
    [
        ("tutto", [[1, 2, 3, 4, 5, 6]] * 6),
        ("yatzee", [[1, 2, 3, 4, 5, 6]] * 6),
        ("pot", [[1, 2, 3, 4, 5, letter] for letter in "POT"]),
    ],
)
def test_catalogue_lists_every_die(game: str, dice: list[Any]) -> None:
    document = page(f"/v1/{game}")
    assert document["dice"] == dice
    ruleset = document["default_ruleset"]
    assert page(f"/v1/{game}/rulesets/{ruleset}")["dice"] == dice


@pytest.mark.parametrize("name", ["sessions", "fairness"])
def test_no_game_takes_the_name_of_another_path(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    monkeypatch.setattr(dice_referee.games, "__path__", [*dice_referee.games.__path__, tmp_path])
    with pytest.raises(ValueError, match=f"no game may be called {name}"):
        catalogue.__wrapped__()
