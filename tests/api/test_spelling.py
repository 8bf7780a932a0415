"""Refusals suggest the intended id wherever an id is misspelt or has another name."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient

from dice_referee.api.i18n import LANGUAGES, service_words
from dice_referee.api.spelling import LONGEST, nearest
from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.sessions.fairness import SCHEME
from dice_referee.validation.fields import Dice
from tests.application import NDJSON, begin, get, post, problem, refused

POSITIONS = ("adjudications", "transitions", "comparisons", "odds")
LOGS = ("audits", "reviews")
PLAYERS: dict[str, Any] = {"players": ["Ann", "Ben"]}
ZEROS = "0" * 64
PROOF = {"scheme": SCHEME, "commitment": ZEROS, "seeds": [None], "draws": 0, "seed": ZEROS}


class Slip(NamedTuple):
    """A request with a misspelt id, its place, and the intended id. A GET has no document."""

    path: str
    document: dict[str, Any] | None
    pointer: str | None
    """None for a misspelt path, whose suggestion ends the detail of the problem."""
    meant: str


def misspelt(name: str) -> str:
    """Returns the name with a letter in its middle doubled."""
    middle = len(name) // 2
    return name[:middle] + name[middle - 1 :]


def of_game(game: AnyGame) -> Iterator[Slip]:
    """Yields misspelt games, rulesets, options and values, everywhere a request may have them."""
    bodies: list[tuple[str, dict[str, Any]]] = [
        *((f"/v1/{game.name}/{resource}", {}) for resource in POSITIONS),
        *((f"/v1/{game.name}/{resource}", {**PLAYERS, "log": []}) for resource in LOGS),
        ("/v1/sessions", {"game": game.name, **PLAYERS}),
    ]
    for path, body in bodies:
        for name in game.rulesets:
            yield Slip(path, {**body, "ruleset": misspelt(name)}, "/ruleset", name)
        for option in game.options:
            wrong = misspelt(option.name)
            document = {**body, "options": {wrong: 1}}
            yield Slip(path, document, f"/options/{wrong}", option.name)
            for value in option.values:
                if len(str(value)) > 2 and isinstance(value, str):
                    document = {**body, "options": {option.name: misspelt(value)}}
                    yield Slip(path, document, f"/options/{option.name}", str(value))
    for path in (f"/v1/{game.name}/{resource}" for resource in ("adjudications", "odds")):
        for name in game.rulesets:
            yield Slip(f"{path}?ruleset={misspelt(name)}", None, "/ruleset", name)
        for option in game.options:
            wrong = misspelt(option.name)
            yield Slip(f"{path}?{wrong}=1", None, f"/{wrong}", option.name)
    path = f"/v1/{game.name}/comparisons"
    for name in game.rulesets:
        house = [{"name": "Ours", "ruleset": misspelt(name)}]
        yield Slip(path, {"house": house}, "/house/0/ruleset", name)
        yield Slip(f"/v1/{game.name}/rulesets/{misspelt(name)}", None, None, name)
        claim = {"game": game.name, "fairness": PROOF, "record": {"ruleset": misspelt(name)}}
        yield Slip("/v1/fairness/verify", claim, "/record/ruleset", name)
    for kind in game.schemas.reported_event.kinds:
        event = {"type": misspelt(kind)}
        yield Slip(f"/v1/{game.name}/transitions", {"event": event}, "/event/type", kind)
        log = {**PLAYERS, "log": [event]}
        yield Slip(f"/v1/{game.name}/audits", log, "/log/0/type", kind)
    wrong = misspelt(game.name)
    for end in ("", "/rules", "/cases"):
        yield Slip(f"/v1/{wrong}{end}", None, None, f"/v1/{game.name}{end}")
    claim = {"game": wrong, "fairness": PROOF, "record": {}}
    yield Slip("/v1/fairness/verify", claim, "/game", game.name)
    yield Slip("/v1/sessions", {"game": wrong, **PLAYERS}, "/game", game.name)


def in_materials() -> Iterator[Slip]:
    """Yields misspelt cards, categories and faces, colloquial names, and verbs of other games."""
    tutto, yatzee = catalogue()["tutto"], catalogue()["yatzee"]
    for card in (piece.id for piece in tutto.deck):
        wrong = misspelt(card)
        event = {"type": "draw", "card": wrong}
        yield Slip("/v1/tutto/transitions", {"event": event}, "/event/card", card)
        yield Slip("/v1/tutto/audits", {**PLAYERS, "log": [event]}, "/log/0/card", card)
        yield Slip("/v1/tutto/odds", {"pile": {wrong: 1}}, f"/pile/{wrong}", card)
        yield Slip("/v1/tutto/adjudications", {"card": wrong}, "/card", card)
    for category in (piece.id for piece in yatzee.categories):
        wrong = misspelt(category)
        event = {"type": "write", "category": wrong}
        yield Slip("/v1/yatzee/transitions", {"event": event}, "/event/category", category)
        sheet = {"scorecard": {wrong: 0}}
        yield Slip("/v1/yatzee/adjudications", sheet, f"/scorecard/{wrong}", category)
    yield Slip("/v1/pot/adjudications", {"roll": [1, "p", 2]}, "/roll/1", "P")
    for query, meant in {
        "tutto/adjudications?card=x2": "double",
        "tutto/adjudications?card=Kleeblatt": "clover",
        "tutto/adjudications?card=trefle": "clover",
        "tutto/adjudications?card=300": "bonus-300",
        "tutto/adjudications?ruleset=abacus": "abacus-2013",
        "tutto/adjudications?ruleset=lotte": "volle-lotte",
        "pot/adjudications?ruleset=2020": "pot-2020",
    }.items():
        pointer = "/" + query.partition("?")[2].partition("=")[0]
        yield Slip(f"/v1/{query}", None, pointer, meant)
    for game, name, meant in (
        ("tutto", "throw", "roll"),
        ("tutto", "set aside", "keep"),
        ("pot", "throw", "roll"),
        ("yatzee", "throw", "roll"),
        ("yatzee", "score", "write"),
        ("yatzee", "cross_out", "strike"),
    ):
        document = {"event": {"type": name}}
        yield Slip(f"/v1/{game}/transitions", document, "/event/type", meant)


SLIPS = [
    *(slip for game in catalogue().values() for slip in of_game(game)),
    *in_materials(),
]


def hint(near: str, language: str = "en") -> str:
    text: str = service_words()["hints"]["near"][language]
    return text.format(near=near)


def details(document: dict[str, Any]) -> dict[str, str]:
    """Returns the details of a problem's errors by their pointers."""
    return {error["pointer"]: error["detail"] for error in document["errors"]}


def test_misspelt_id_gets_a_suggestion(client: FlaskClient) -> None:
    assert len(SLIPS) > 300
    for slip in SLIPS:
        if slip.document is None:
            answer = client.get(slip.path)
        else:
            answer = client.post(slip.path, json=slip.document)
        code, status = ("not-found", 404) if slip.pointer is None else ("invalid-request", 400)
        document = refused(answer, code, status)
        detail = document["detail"] if slip.pointer is None else details(document)[slip.pointer]
        assert detail.endswith(hint(slip.meant)), slip


@pytest.mark.parametrize("game", catalogue())
def test_misspelt_event_of_a_session_gets_a_suggestion(game: str, client: FlaskClient) -> None:
    table = begin(client, game=game)
    kind = table.state["legal_events"][0]
    refusal = refused(table.post("events", {"type": misspelt(kind)}), "invalid-request", 400)
    assert details(refusal)["/type"].endswith(hint(kind))


@pytest.mark.parametrize("language", LANGUAGES)
def test_suggestion_is_in_the_language_of_the_problem(language: str) -> None:
    answer = post("/v1/tutto/adjudications", {"card": "clovver"}, Accept_Language=language)
    hints = details(problem(answer, "invalid-request", 400, language))
    assert hints["/card"].endswith(" " + hint("clover", language))
    answer = get("/v1/tuto", Accept_Language=language)
    assert problem(answer, "not-found", 404, language)["detail"].endswith(
        hint("/v1/tutto", language)
    )


@pytest.mark.parametrize(
    "document",
    [
        {"card": "joker"},
        {"card": "bonus-250"},
        {"card": "x" * 5000},
        {"ruleset": ""},
        {"x" * 5000: 1},
    ],
)
def test_id_without_a_near_match_gets_no_suggestion(document: dict[str, Any]) -> None:
    hints = details(problem(post("/v1/tutto/adjudications", document), "invalid-request", 400))
    assert not [detail for detail in hints.values() if "Did you mean" in detail]


def test_field_of_the_document_is_never_suggested() -> None:
    answer = post("/v1/tutto/adjudications", {"score": 1, "scores": [0, 0]})
    assert "Did you mean" not in details(problem(answer, "invalid-request", 400))["/score"]


def test_batches_and_plain_text_have_suggestions() -> None:
    answer = post("/v1/tutto/adjudications/batch", b'{"card": "clovver"}', NDJSON)
    assert hint("clover") in answer.get_data(as_text=True)
    answer = post("/v1/tutto/adjudications", {"card": "clovver"}, Accept="text/plain")
    assert hint("clover") in answer.get_data(as_text=True)


def test_refusal_has_at_most_five_suggestions() -> None:
    answer = post("/v1/tutto/adjudications", {f"card{number}": 1 for number in range(20)})
    hints = details(problem(answer, "invalid-request", 400)).values()
    assert sum("Did you mean" in detail for detail in hints) == 5


def test_word_with_one_wrong_letter_is_matched() -> None:
    names = ("clover", "bonus-200", "straight")
    for name in ("clovr", "clover1", "clower", "CLOVER", "colver", "clove-r"):
        assert nearest(name, names) == "clover"
    for name in ("", "c", "club", "x" * 3000, "clover" + " " * (LONGEST - 5)):
        assert nearest(name, names) is None
    assert nearest("clover" + " " * (LONGEST - 6), names) == "clover"


@pytest.mark.parametrize("game", catalogue())
def test_terms_of_cards_and_categories_are_matched(game: str) -> None:
    known = catalogue()[game]
    for id, texts in known.words["rulesets"].items():
        for language, title in texts["title"].items():
            assert nearest(title, known.rulesets) == id, (language, title)
    for pieces in (known.deck, known.categories):
        ids = [piece.id for piece in pieces]
        for id in ids:
            for language, term in known.words["vocabulary"][id].items():
                assert nearest(term, ids) == id, (language, term)
                assert nearest(f"  {term.upper()}", ids) == id, (language, term)


def test_ambiguous_part_of_a_name_is_not_matched() -> None:
    names = ("bonus-200", "bonus-300", "plus-minus", "straight")
    for name in ("bonus", "00", "pl", "strait-jacket"):
        assert nearest(name, names) is None
    assert nearest("plus", names) == "plus-minus"


RUNS = [
    pytest.param(game, resource, name, id=f"{game}-{resource}-{name}")
    for game in catalogue()
    for resource, schema in (
        ("adjudications", catalogue()[game].schemas.position),
        ("odds", catalogue()[game].schemas.question),
    )
    for name, field in schema.wire_fields.items()
    if isinstance(field, Dice)
]
"""Every query parameter that is a run of faces, like ``234``."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "resource", "name"), RUNS)
def test_faces_with_commas_get_the_correct_form_suggested(
    game: str, resource: str, name: str, language: str
) -> None:
    write = service_words()["hints"]["write"][language].format(write=f"{name}=234")
    for text in ("2,3,4", "2%2C3%2C4", "2,+3,+4", "2+3+4", "[2,3,4]"):
        answer = get(f"/v1/{game}/{resource}?{name}={text}", Accept_Language=language)
        errors = problem(answer, "invalid-request", 400, language)["errors"]
        (error,) = (error for error in errors if error["pointer"] == f"/{name}")
        assert error["code"] == "malformed-value"
        assert error["detail"].endswith(" " + write)


@pytest.mark.parametrize("text", ["2,3,9", "2,33", "x", "-1", "2,,x", ",", "1.5", "a,b"])
def test_no_invalid_form_of_faces_is_suggested(text: str) -> None:
    answer = get(f"/v1/tutto/adjudications?card=clover&roll={text}")
    assert "Write" not in details(problem(answer, "invalid-request", 400))["/roll"]


def test_suggested_form_of_faces_includes_letters_of_pot() -> None:
    answer = get("/v1/pot/adjudications?roll=3,P,4")
    assert details(problem(answer, "invalid-request", 400))["/roll"].endswith("Write `roll=3P4`.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_value_in_place_of_an_object_gets_the_form_suggested(
    client: FlaskClient, language: str
) -> None:
    body = {"game": "tutto", **PLAYERS, "bots": [None, "best"]}
    answer = client.post("/v1/sessions", json=body, headers={"Accept-Language": language})
    hints = details(refused(answer, "invalid-request", 400))
    form = service_words()["hints"]["form"][language]
    for index in range(2):
        assert hints[f"/bots/{index}"].endswith(form.format(form='{"seat": …, "level": …}'))
    answer = post("/v1/tutto/adjudications", [], Accept_Language=language)
    document = problem(answer, "invalid-request", 400, language)
    assert details(document)[""].endswith(form.format(form='{"card": …, "roll": …, …}'))
