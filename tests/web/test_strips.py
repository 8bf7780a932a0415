"""Drawings in the pages of the service, and the strips that draw cases."""

import re
from html import unescape

import pytest

from dice_referee.games import catalogue
from dice_referee.games.cases import Case, case_table
from dice_referee.web.drawings import FILE, drawings
from dice_referee.web.strips import clearest_dice, strip
from tests.application import get, post
from tests.tools.drawings import drawn_by_modules

CASES = [(game, case) for game in catalogue() for case in case_table(game).cases]


def test_drawings_are_up_to_date() -> None:
    assert FILE.read_text("utf-8") == drawn_by_modules(), "run `make generate`"


def test_page_contains_each_used_drawing_once() -> None:
    for path in ("/rules", "/rules/tutto", "/rules/pot", "/rules/tutto/T2.2", "/guides", "/docs"):
        page = get(path).text
        used, drawn = (
            set(re.findall(r'<use href="#([^"]+)"', page)),
            re.findall(r'<g id="([^"]+)"', page),
        )
        assert used, path
        assert sorted(used) == drawn, path


def service_verdict(game: str, case: Case) -> str:
    """Returns the verdict of the service on a case."""
    answer = post(f"/v1/{game}/{case.resource}", case.request)
    if answer.status_code != 200:
        return "invalid" if answer.status_code == 400 else "impossible"
    legal = answer.get_json().get("legal")
    return {True: "legal", False: "illegal"}.get(
        legal, "odds" if case.resource == "odds" else "judged"
    )


@pytest.mark.parametrize("game", catalogue())
def test_strip_has_the_verdict_of_the_service(game: str) -> None:
    for case in case_table(game).cases:
        # Odds tables take a second each, and the tests of the games cover their cases.
        if case.resource not in ("odds", "reviews"):
            assert strip(case).verdict == service_verdict(game, case), case.id


@pytest.mark.parametrize("language", ["en", "de"])
def test_strip_names_its_verdict(language: str) -> None:
    page = unescape(get(f"/rules/tutto/T2.2?lang={language}").text)
    words = re.findall(r'<strong class="(\w*)">([^<]+)</strong>\n</div>', page)
    tones = [strip(case).tone for case in case_table("tutto").of_rule("T2.2").cases]
    assert [tone for tone, _ in words[1:]] == tones
    assert words[0] == ("good", {"en": "Allowed", "de": "Erlaubt"}[language])
    assert ("bad", {"en": "Refused", "de": "Abgelehnt"}[language]) in words


def test_strip_draws_the_dice_of_its_case() -> None:
    for game, case in CASES:
        laid = strip(case)
        values = [value for value, _ in laid.dice]
        event = case.request.get("event") or {}
        if case.resource == "transitions" and event.get("type") == "keep" and case.status == 200:
            assert values == case.request.get("roll", []), (game, case.id)
            taken = [value for value, lifted in laid.dice if lifted]
            assert set(taken) <= set(event["dice"]), (game, case.id)
        if case.resource == "adjudications" and case.status == 200:
            assert values == case.request.get("roll", case.request.get("dice")), (game, case.id)


@pytest.mark.parametrize("game", catalogue())
def test_game_has_chapters_and_a_picture(game: str) -> None:
    page = get(f"/rules/{game}").text
    words = catalogue()[game].words
    assert re.findall(r'<h2 id="([A-Z]\d?)">', page) == list(words["chapters"])
    assert set(words["picture"]) <= drawings().keys()
    assert page.count('<div class="tray">') == len(clearest_dice(game))


def test_rules_show_dice_of_their_own_and_lift_what_scores() -> None:
    dice = clearest_dice("tutto")
    assert dice["T1.2"] == tuple(zip((1, 1, 5, 5, 2, 3), [True] * 4 + [False] * 2, strict=True))
    assert dice["T1.3"] == tuple(zip((1, 1, 1, 2, 3, 4), [True] * 3 + [False] * 3, strict=True))
    assert len({dice[number] for number in ("T1.1", "T1.2", "T1.3", "T1.4", "T1.5")}) == 5
    # Dice of a refused event and of a bust stay down.
    assert not any(lifted for _, lifted in dice["T2.1"])
    tray = get("/rules/tutto").text.partition('id="T1.2"')[2].partition("</li>")[0]
    assert tray.count('class="taken"') == 4
