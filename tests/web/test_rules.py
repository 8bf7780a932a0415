"""The rules as pages: every rule of every game, in every language, and the search."""

import re
from functools import cache
from html import unescape
from urllib.parse import parse_qsl, quote

import pytest
from werkzeug.test import TestResponse

from dice_referee.api.i18n import LANGUAGES, rulebook
from dice_referee.games import catalogue
from dice_referee.games.cases import case_table
from dice_referee.web.rules import fold
from dice_referee.web.words import words
from tests.application import get, problem

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
RULES = [(game, number) for game in catalogue() for number in rulebook(game).rules]
PAGES = [
    "/rules",
    "/problems/gone",
    *(f"/{kind}/{game}" for kind in ("rules", "play") for game in catalogue()),
    *(f"/rules/{game}/{number}" for game, number in RULES),
]
OTHERS = [language for language in LANGUAGES if language != "en"]


def text_of(answer: TestResponse) -> str:
    """Returns the visible text of the page, its lines joined."""
    page = answer.get_data(as_text=True).partition("<main")[2]
    return " ".join(unescape(re.sub("<[^>]+>", "", page)).split())


def plain(text: str) -> str:
    return " ".join(text.replace("`", "").split())


@cache
def status_of(address: str) -> int:
    return get(address).status_code


def test_every_link_resolves() -> None:
    for path in PAGES:
        answer = get(path, Accept=BROWSER)
        assert answer.status_code == 200, path
        page = answer.get_data(as_text=True)
        for address in set(re.findall(r'(?:src|href)="(/[^"#]*)', page)):
            assert status_of(address) == 200, (path, address)
        for anchor in re.findall(r'href="#([^"]+)"', page):
            assert f'id="{anchor}"' in page, (path, anchor)


def assert_shown(game: str, number: str, language: str) -> None:
    """Expects the page of a rule to show all fields of the rule."""
    answer = get(f"/rules/{game}/{number}", Accept_Language=language)
    assert answer.headers["Content-Language"] == language
    assert {"Accept-Language", "Accept-Encoding"} <= set(answer.vary)
    page_text, rule, book = text_of(answer), rulebook(game).rules[number], rulebook(game)
    parts = [rule["text"], rule["reasoning"], words()[rule["status"]]]
    parts += [rule["reading"]] if "reading" in rule else []
    parts += [book.sources[source]["title"] for source in rule["sources"]]
    for option in rule["options"]:
        parts += book.words["options"][option]["values"].values()
    texts = [part[language] for part in parts]
    for case in case_table(game).of_rule(number).cases:
        texts += [case.title, case.comment]
    for text in texts:
        assert plain(text) in page_text, (game, number, text)


@pytest.mark.parametrize(
    "language", ["en", *(pytest.param(language, marks=pytest.mark.long) for language in OTHERS)]
)
def test_page_of_a_rule_shows_all_its_fields(language: str) -> None:
    for game, number in RULES:
        assert_shown(game, number, language)


@pytest.mark.parametrize("language", OTHERS)
def test_rule_of_each_kind_has_a_page_in_every_language(language: str) -> None:
    """Tests a rule of each kind: rules differ in their status and in the parts of their page."""
    kinds = {}
    for game, number in RULES:
        rule = rulebook(game).rules[number]
        kinds[game, rule["status"], *map(bool, (rule["sources"], rule["options"]))] = number
    for (game, *_), number in kinds.items():
        assert_shown(game, number, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", catalogue())
def test_introduction_of_a_game_has_under_200_words(game: str, language: str) -> None:
    text = text_of(get(f"/play/{game}?lang={language}"))
    steps = rulebook(game).words["how_to_play"].values()
    sentences = [plain(step["text"][language]) for step in steps]
    assert all(sentence in text for sentence in sentences)
    # A minute of reading: 200 to 250 words.
    assert len(" ".join(sentences).split()) < 200


def search_results(game: str, wanted: str, language: str = "en") -> list[str]:
    page = get(f"/rules/{game}?q={wanted}&lang={language}").get_data(as_text=True)
    return re.findall(r'<li id="([^"]+)" >', page)


def test_search_finds_the_rules_with_every_word() -> None:
    everything = list(rulebook("tutto").rules)
    assert search_results("tutto", "") == everything
    assert search_results("tutto", "t5.4") == ["T5.4"]
    both = search_results("tutto", "leader+tutto")
    assert both
    assert set(both) == set(search_results("tutto", "leader")) & set(
        search_results("tutto", "tutto")
    )
    assert set(both) < set(everything)
    assert search_results("tutto", "zzz") == []
    assert search_results("tutto", "%3Cscript%3E") == []
    assert search_results("tutto", "DES", "fr") == search_results("tutto", "d%C3%A9s", "fr") != []


def test_search_accepts_the_ascii_apostrophe() -> None:
    searched = set()
    for language in LANGUAGES:
        document = get("/v1/tutto/rules", Accept_Language=language).get_json()
        for rule in document["rules"]:
            for word in re.findall(r"\w+’\w+", rule["text"])[:1]:
                typed = quote(word.replace("’", "'"))
                assert rule["number"] in search_results("tutto", typed, language), word
                searched.add(language)
    assert {"en", "fr", "it"} <= searched


def test_search_words_are_escaped() -> None:
    page = get("/rules/tutto?q=%22%3E%3Cscript%3E%ff").get_data(as_text=True)
    assert 'value="&#34;&gt;&lt;script&gt;�"' in page
    assert f"0 of {len(rulebook('tutto').rules)} rules" in page


def test_search_ignores_accents_and_case() -> None:
    assert fold("Être À la STRASSE") == fold("etre a la straße")


def test_table_of_rulesets_lists_different_options_first() -> None:
    page = get("/rules/tutto").get_data(as_text=True)
    rows = re.findall(r"<tr( class=\"differs\")?>\s*<th scope=\"row\">.*?</tr>", page, re.DOTALL)
    rulesets = catalogue()["tutto"].rulesets.values()
    differing = [
        option.name
        for option in catalogue()["tutto"].options
        if len({str(rules.options[option.name]) for rules in rulesets}) > 1
    ]
    assert 0 < len(differing) < len(rows) == len(catalogue()["tutto"].options)
    assert [bool(marked) for marked in rows] == [at < len(differing) for at in range(len(rows))]
    assert f"{len(differing)} of {len(rows)} house rules differ" in page


def test_lang_parameter_sets_the_language_and_stays_in_links() -> None:
    page = get("/rules/tutto?lang=it", Accept_Language="de").get_data(as_text=True)
    assert '<html lang="it">' in page
    assert 'href="/rules/tutto/T1.1?lang=it"' in page
    assert '<html lang="de">' in get("/rules?lang=xx", Accept_Language="de").get_data(as_text=True)
    assert "lang=de" in get("/rules?q=1", Accept_Language="fr").get_data(as_text=True)


@pytest.mark.parametrize("query", ["", "q=clover", "q=a%26b+%22c%22&lang=fr", "lang=it&q=x&y=1"])
def test_language_links_keep_the_query(query: str) -> None:
    page = get(f"/rules/tutto?{query}").get_data(as_text=True)
    wanted = dict(parse_qsl(query))
    links = re.findall(r'<a href="\?([^"]*)" lang="(..)" hreflang', page)
    assert len(links) == len(LANGUAGES) - 1
    for address, language in links:
        assert dict(parse_qsl(unescape(address))) == {**wanted, "lang": language}


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/rules/chess",
        "/rules/tutto/T99",
        "/play/chess",
        "/guides/none",
        "/v2/",
    ],
)
def test_missing_page_is_html_or_a_problem_by_accept(
    path: str,
) -> None:
    for accepted in ("*/*", "application/json", "application/problem+json", "image/png"):
        problem(get(path, Accept=accepted), "not-found", 404)
    answer = get(path, Accept=BROWSER, Accept_Language="de")
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    html = answer.get_data(as_text=True)
    assert "Nicht gefunden" in html
    assert path in html
    for address in re.findall(r'href="(/[^"#]*)', html):
        assert get(address).status_code == 200, address


def test_unknown_problem_is_a_problem_for_browsers_too() -> None:
    problem(get("/problems/none"), "not-found", 404)
    problem(get("/problems/none", Accept=BROWSER), "not-found", 404)


def test_names_in_problem_texts_are_marked_as_code() -> None:
    page = get("/problems/impossible-position", Accept=BROWSER).get_data(as_text=True)
    assert "<code>findings</code>" in page
    assert "`" not in page
