"""The library answers and refuses as the service does over HTTP, and loads no server."""

import doctest
import json
import pickle
import pkgutil
from collections.abc import Callable
from typing import Any

import pytest

import dice_referee
from dice_referee import library
from dice_referee.api.i18n import LANGUAGES
from dice_referee.games import catalogue
from dice_referee.rulebook.bots import Level
from tests.application import get, post
from tests.games.sample import published_cases, sample
from tests.tools.examples import followed, operations

VERBS: dict[str, Callable[..., Any]] = {
    "adjudications": dice_referee.adjudicate,
    "transitions": dice_referee.transition,
    "audits": dice_referee.audit,
    "odds": dice_referee.odds,
    "reviews": dice_referee.review,
}
"""The functions by the paths of the verbs after the name of the game."""
GAMES = [*catalogue()]
LibraryCall = tuple[str, str, Any]
"""A game, the path of a verb, and a document."""


def contract_requests() -> list[LibraryCall]:
    """Returns every example request of the contract to a verb of the library."""
    modules = []
    for path, method, operation in operations():
        game, _, verb = path.removeprefix("/v1/").partition("/")
        if method == "post" and game in GAMES and verb in VERBS:
            media = operation["requestBody"]["content"]["application/json"]
            for example in media["examples"].values():
                modules.append((game, verb, followed(example)["value"]))
    return modules


def library_answer(game: str, verb: str, document: Any, language: str = "en") -> tuple[int, Any]:
    """Returns the document of the library, and the HTTP status that corresponds to its result."""
    try:
        return 200, VERBS[verb](game, document, language=language)
    except dice_referee.InvalidRequest as refusal:
        return 400, {**refusal.problem, "errors": refusal.errors}
    except dice_referee.ImpossiblePosition as refusal:
        return 422, {**refusal.problem, "findings": refusal.findings}


def http_answer(game: str, verb: str, document: Any, language: str = "en") -> tuple[int, Any]:
    answer = post(f"/v1/{game}/{verb}", document, Accept_Language=language)
    return answer.status_code, answer.get_json()


def same(first: Any, second: Any) -> bool:
    """Compares documents as JSON text: 1 differs from 1.0, and the order of fields counts."""
    return json.dumps(first) == json.dumps(second)


def test_contract_examples_cover_every_function() -> None:
    assert {(game, verb) for game, verb, _ in contract_requests()} == {
        (game, verb) for game in GAMES for verb in VERBS
    }


@pytest.mark.parametrize(("game", "verb", "document"), contract_requests())
def test_library_answers_contract_examples_as_http(game: str, verb: str, document: Any) -> None:
    assert same(library_answer(game, verb, document), http_answer(game, verb, document))


def test_library_answers_cases_in_german_as_http() -> None:
    cases = sample(published_cases(*VERBS))
    assert {case.resource for _, case in cases} == VERBS.keys()
    for game, case in cases:
        question = (game, case.resource, case.request, "de")
        assert same(library_answer(*question), http_answer(*question)), (game, case.id)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_library_lists_rules_as_http(game: str, language: str) -> None:
    here = dice_referee.rules(game, language=language)
    there = get(f"/v1/{game}/rules", Accept_Language=language)
    assert same(here, there.get_json())
    assert len(here["rules"]) > 10


DIE = {"card": "bonus-300", "roll": [7, 1, 1, 1, 1, 1]}
REFUSED: dict[str, LibraryCall] = {
    "a die of 7": ("tutto", "adjudications", DIE),
    "names that are near": ("tutto", "adjudications", {"card": "bonus-301", "rol": [1]}),
    "no field": ("tutto", "adjudications", {}),
    "no object": ("tutto", "adjudications", []),
    "more than are listed": ("tutto", "audits", {"players": ["A", "B"], "log": [{}] * 80}),
    "an event of no type": ("tutto", "transitions", {"event": {"type": "bnak"}}),
    "no whole number": ("yatzee", "adjudications", {"roll": [1] * 6, "rolls_made": 1.5}),
    "a whole number": ("yatzee", "adjudications", {"roll": [1.0] * 6, "rolls_made": 9}),
    "no number": ("yatzee", "odds", {"roll": [float("nan")] * 6, "rolls_made": 1}),
    "too large a number": ("yatzee", "odds", {"roll": [10**30] * 6, "rolls_made": 1}),
    "half a character": ("pot", "audits", {"players": ["Ada", "\ud800"], "log": []}),
    "too deep": ("pot", "reviews", {"players": [[[[[[[[[[[[[[[["Ada"]]]]]]]]]]]]]]]]}),
    "an impossible roll": ("tutto", "odds", {"card": "bonus-300", "roll": [1, 2, 3]}),
    "options that contradict each other": (
        *("pot", "audits"),
        {"options": {"total_coins": 15, "first_stake": 4}, "players": [*"ABCD"], "log": []},
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", REFUSED)
def test_library_refuses_as_http(name: str, language: str) -> None:
    status, problem = library_answer(*REFUSED[name], language)
    assert status in (400, 422)
    assert same((status, problem), http_answer(*REFUSED[name], language))


def test_exceptions_name_place_and_cause() -> None:
    with pytest.raises(dice_referee.InvalidRequest) as invalid:
        dice_referee.adjudicate("tutto", {"card": "bonus-300", "roll": [7]})
    assert str(invalid.value) == "Invalid request.\n/roll/0: The value must be from 1 to 6."
    with pytest.raises(dice_referee.ImpossiblePosition) as impossible:
        dice_referee.adjudicate("tutto", {"card": "bonus-300", "roll": [1]}, language="fr")
    [finding] = impossible.value.findings
    assert str(impossible.value).splitlines()[1] == f"{finding['rule']}\u00a0: {finding['detail']}"
    for error in (invalid.value, impossible.value):
        assert isinstance(error, ValueError)
        copy_ = pickle.loads(pickle.dumps(error))
        assert (str(copy_), copy_.problem) == (str(error), error.problem)


@pytest.mark.parametrize("ask", [*VERBS.values(), lambda game, _: dice_referee.rules(game)])
def test_unknown_game_is_refused_with_a_suggestion(ask: Callable[..., Any]) -> None:
    with pytest.raises(dice_referee.InvalidRequest) as refusal:
        ask("tuto", {})
    http_answer = get("/v1/tuto").get_json()
    assert {**refusal.value.problem, "detail": ""} == {**http_answer, "detail": ""}
    sentence = "There is no game “tuto”; the games are tutto, pot, yatzee. Did you mean “tutto”?"
    assert str(refusal.value) == f"Not found.\n{sentence}"


@pytest.mark.parametrize("ask", [*VERBS.values(), lambda game, _: dice_referee.rules(game)])
@pytest.mark.parametrize("game", [None, 7, ["tutto"], b"tutto"])
def test_game_of_another_type_is_a_type_error(ask: Callable[..., Any], game: Any) -> None:
    with pytest.raises(TypeError, match=r"^The game is a str, not \w+: tutto, pot, yatzee\.$"):
        ask(game, {})


def test_module_lists_its_public_names() -> None:
    assert dir(dice_referee) == sorted([*dice_referee.__all__, "__version__"])


def test_recursive_document_is_too_deep() -> None:
    document: dict[str, Any] = {}
    document["options"] = document
    with pytest.raises(dice_referee.InvalidRequest, match="16 levels"):
        dice_referee.odds("tutto", document)


def test_document_outside_json_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="set"):
        dice_referee.odds("tutto", {"roll": {1, 2}})


@pytest.mark.parametrize("level", [*Level, "wild", 7])
def test_bot_of_odds_is_answered_as_http(level: Any) -> None:
    roll = {"card": "bonus-300", "roll": [2, 3, 4, 5, 6, 6]}
    question: dict[str, Any] = {**roll, "scores": [0, 0], "player": 1}
    expected = http_answer("tutto", "odds", {**question, "bot": level})
    assert same(library_answer("tutto", "odds", {**question, "bot": level}), expected)
    if level in [*Level]:
        assert same((200, dice_referee.odds("tutto", question, bot=level)), expected)
    else:
        with pytest.raises(dice_referee.InvalidRequest) as refusal:
            dice_referee.odds("tutto", question, bot=level)
        assert [error["pointer"] for error in refusal.value.errors] == ["/bot"]


def test_bot_counts_for_the_limit_of_the_span() -> None:
    question = {"scores": [3650, -1850], "player": 1}
    assert dice_referee.odds("tutto", question, bot="best", span_limit=100)["bot"]
    with pytest.raises(dice_referee.InvalidRequest):
        dice_referee.odds("tutto", question, bot="perfect", span_limit=100)


def test_bot_without_a_position_is_no_object() -> None:
    with pytest.raises(dice_referee.InvalidRequest) as refusal:
        dice_referee.odds("tutto", "tutto: Ada, Ben: stop", bot="best")  # type: ignore[call-overload]
    assert [error["code"] for error in refusal.value.errors] == ["wrong-type"]


@pytest.mark.parametrize("verb", ["adjudications", "transitions", "odds"])
def test_text_in_place_of_a_position_is_no_object(verb: str) -> None:
    question = ("tutto", verb, "tutto: Ada, Ben: stop")
    status, problem = library_answer(*question)
    assert [(error["pointer"], error["code"]) for error in problem["errors"]] == [
        ("", "wrong-type")
    ]
    assert same((status, problem), http_answer(*question))


def test_unknown_language_is_answered_in_english() -> None:
    assert dice_referee.rules("pot", language="tlh") == dice_referee.rules("pot")


def test_changed_answer_leaves_later_answers_alone() -> None:
    first = dice_referee.rules("tutto")
    first["rules"][0]["options"].append("mine")
    first["rules"][0]["sources"].clear()
    assert same(dice_referee.rules("tutto"), get("/v1/tutto/rules").get_json())


def test_public_names_have_examples_that_pass() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = [test for each in (dice_referee, library) for test in finder.find(each)]
    names = {test.name.rpartition(".")[2] for test in examples if test.examples}
    assert names == {*dice_referee.__all__, "dice_referee"}
    runner = doctest.DocTestRunner()
    for test in examples:
        runner.run(test)
    assert runner.failures == 0


def test_public_names_are_verbs_and_refusals() -> None:
    verbs = {verb.__name__ for verb in VERBS.values()}
    assert {*dice_referee.__all__} == {*verbs, "rules", "InvalidRequest", "ImpossiblePosition"}


def test_public_names_differ_from_modules() -> None:
    # An import of the module would replace the function of its name.
    modules = {module.name for module in pkgutil.iter_modules(dice_referee.__path__)}
    assert not modules & {*dice_referee.__all__}


def test_span_limit_refuses_expensive_odds_and_reviews() -> None:
    question = {"aim": "win", "scores": [4000, 0], "player": 1}
    log = {"players": ["Ada", "Ben"], "log": [{"type": "draw", "card": "stop"}], "aim": "win"}
    questions: list[tuple[Callable[..., Any], Any]] = [
        (dice_referee.odds, question),
        (dice_referee.review, log),
    ]
    for ask, document in questions:
        with pytest.raises(dice_referee.InvalidRequest) as refusal:
            ask("tutto", document, span_limit=5950)
        assert refusal.value.problem["status"] == 413
        assert ask("tutto", document, span_limit=6000) == ask("tutto", document)
