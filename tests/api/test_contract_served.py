"""The contract over HTTP: built once, compressed, whole, and in slices."""

import asyncio
import gzip
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator
from runpy import run_module
from typing import Any

import jsonschema_rs
import pytest

from dice_referee.api import contract
from dice_referee.games import catalogue
from dice_referee.server.asgi import AsgiApplication
from dice_referee.telemetry.logs import LINES_OF_LOG
from tests.application import Question, Reply, ask_wsgi, get, problem, through_asgi
from tests.unlimited import NO_RATES

PROBE_TAG = "Service"
FORMS = (
    "/openapi.yaml",
    "/openapi.json",
    "/openapi.json?examples=false",
    "/openapi.json?for=clients",
)
VERSION = Question("GET", "/version")
GZIP = ("Accept-Encoding", "gzip")
MOST_BYTES = 530_000
"""Maximum bytes of the contract for generators."""
BACKTRACKING = {"ASSERT", "ASSERT_NOT", "GROUPREF", "GROUPREF_EXISTS"}
"""Names in Python's parser of constructs that RE2 lacks."""


def validate(document: dict[str, Any]) -> None:
    """Expects a valid contract. Imports the validator at the first use."""
    import openapi_spec_validator

    openapi_spec_validator.validate(document)


@pytest.fixture(params=["dice_referee.asgi", "dice_referee.wsgi"])
def started(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Starts an application as its server does."""
    for name, value in NO_RATES.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setattr(LINES_OF_LOG, "format", LINES_OF_LOG.format)
    monkeypatch.setattr("dice_referee.api.operation.MADE", {})
    return run_module(request.param)["app"]


def served_contract(query: str = "") -> dict[str, Any]:
    """Returns the contract that the service answers to a query string."""
    document: dict[str, Any] = get(f"/openapi.json?{query}").get_json()
    return document


def parts(node: Any) -> Iterator[dict[str, Any]]:
    """Yields every object of a document."""
    if isinstance(node, dict):
        yield node
    for nested in (
        node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    ):
        yield from parts(nested)


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns the operations of a contract by their ids."""
    return {
        operation["operationId"]: operation
        for item in document["paths"].values()
        for operation in item.values()
    }


def backtracks(pattern: str) -> bool:
    """Tells if RE2 cannot run a pattern because of a lookaround or a backreference."""
    tree = re._parser.parse(pattern)
    return any(name in repr(tree) for name in BACKTRACKING)


def patterns(document: dict[str, Any]) -> set[str]:
    return {part["pattern"] for part in parts(document) if isinstance(part.get("pattern"), str)}


def patterns_of_parameters() -> set[str]:
    return patterns(served_contract()["components"]["parameters"])


def kinds(document: Any) -> list[dict[str, Any]]:
    """Returns the media types of each body, with their descriptions."""
    return [part["content"] for part in parts(document) if isinstance(part.get("content"), dict)]


def responses(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns every response of a contract, by its place."""
    named = document["components"]["responses"].items()
    own = {
        f"{name} {status}": response
        for name, operation in operations(document).items()
        for status, response in operation["responses"].items()
        if "$ref" not in response
    }
    return {**own, **dict(named)}


def members(union: dict[str, Any], document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the members of a union, without references."""
    for member in union.get("oneOf", union.get("anyOf", ())):
        name = member.get("$ref", "").removeprefix("#/components/schemas/")
        yield document["components"]["schemas"][name] if name else member


def references_in(node: Any) -> set[str]:
    """Returns the references of a part, by ``$ref`` and by discriminators."""
    return set(re.findall(r'"(#/components/[^"]+)"', json.dumps(node)))


def test_concurrent_requests_build_each_contract_form_once(
    started: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = [form.partition("?") for form in FORMS]
    flood = [
        Question("GET", path, query, fields)
        for path, _, query in targets
        for fields in ((), (GZIP,))
        for _ in range(9)
    ]
    questions = [VERSION, *flood, Question("GET", "/v1")]
    makers: Counter[str] = Counter()
    threads = set()

    def watch(module: Any, name: str) -> None:
        maker = getattr(module, name)

        def make(*arguments: Any, **options: Any) -> Any:
            makers[name] += 1
            threads.add(threading.current_thread())
            return maker(*arguments, **options)

        monkeypatch.setattr(module, name, make)

    watch(contract, "for_clients")
    watch(contract, "without_examples")
    watch(gzip, "compress")

    async def at_once() -> list[Reply]:
        return await asyncio.gather(*(through_asgi(question, started) for question in questions))

    if isinstance(started, AsgiApplication):
        replies = asyncio.run(at_once())
        assert {thread.name for thread in threads} == {"maker_0"}
    else:
        replies = [ask_wsgi(question, started) for question in questions]
    for question, reply in zip(questions, replies, strict=True):
        assert reply.status == 200, question
    assert makers == {"for_clients": 1, "without_examples": 1, "compress": len(FORMS)}


@pytest.mark.parametrize("path", [*FORMS, "/schemathesis.toml"])
def test_contract_is_compressed_for_clients_that_accept_gzip(path: str) -> None:
    plain, small = get(path), get(path, Accept_Encoding="gzip")
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.get_data()) == plain.get_data()
    assert plain.headers["ETag"] != small.headers["ETag"]
    assert {plain.headers["Vary"], small.headers["Vary"]} == {"Accept-Encoding"}
    tag = {"If_None_Match": small.headers["ETag"]}
    assert get(path, Accept_Encoding="gzip", **tag).status_code == 304


def test_examples_false_omits_the_examples() -> None:
    document, excerpt = served_contract(), served_contract("examples=false")
    assert served_contract("examples=true") == document
    validate(excerpt)
    assert excerpt["paths"].keys() == document["paths"].keys()
    assert excerpt["components"]["schemas"].keys() == document["components"]["schemas"].keys()
    assert not any({"example", "examples"} & part.keys() for part in parts(excerpt))
    assert len(json.dumps(excerpt)) < 0.75 * len(json.dumps(document))
    assert served_contract("examples=true&for=clients") == served_contract("for=clients")


def test_slice_is_a_valid_contract_without_unused_parts() -> None:
    document = served_contract("for=clients")
    validate(document)
    used, before = references_in(document["paths"]), set[str]()
    while used != before:
        before = used
        used = before | {
            reference
            for place in before
            for _, _, kind, name in [place.split("/")]
            for reference in references_in(document["components"][kind][name])
        }
    defined = {
        f"#/components/{kind}/{name}"
        for kind, components in document["components"].items()
        for name in components
    }
    assert defined - used == {"#/components/securitySchemes/sessionToken"}
    tags = {tag for operation in operations(document).values() for tag in operation["tags"]}
    assert {tag["name"] for tag in document["tags"]} == tags
    links = document["components"].get("links", {}).values()
    assert {link["operationId"] for link in links} <= operations(document).keys()


def test_each_contract_form_has_a_different_etag() -> None:
    tags = [get(path).headers["ETag"] for path in FORMS]
    assert len(set(tags)) == len(FORMS)
    for path, tag in zip(FORMS, tags, strict=True):
        assert get(path, If_None_Match=tag).status_code == 304


def test_clients_get_one_media_type_for_each_body() -> None:
    document, excerpt = served_contract(), served_contract("for=clients")
    assert max(map(len, kinds(document))) > 1
    for name, operation in operations(excerpt).items():
        for old, new in zip(kinds(operations(document)[name]), kinds(operation), strict=True):
            [media_type] = new
            assert media_type in old
            assert media_type == "application/json" or "application/json" not in old
    for name, response in excerpt["components"]["responses"].items():
        assert list(response.get("content", ())) in ([], ["application/problem+json"]), name


def test_clients_get_all_operations_but_probes_and_queries() -> None:
    all_operations, client_operations = (
        operations(served_contract()),
        operations(served_contract("for=clients")),
    )
    missing = all_operations.keys() - client_operations.keys()
    assert missing == {
        name
        for name, operation in all_operations.items()
        if operation["tags"] == [PROBE_TAG] or name.endswith("ByQuery")
    }
    assert len(missing) == 6 + 9


def test_clients_get_only_patterns_without_backtracking() -> None:
    all_patterns, client_patterns = (
        patterns(served_contract()),
        patterns(served_contract("for=clients")),
    )
    assert not any(map(backtracks, client_patterns))
    # The full contract keeps these patterns, which make generated requests valid.
    [resumed] = patterns(served_contract()["components"]["parameters"]["LastEventId"])
    unreadable = set(filter(backtracks, all_patterns))
    by_query = {
        pattern
        for name, operation in operations(served_contract()).items()
        if name.endswith("ByQuery")
        for pattern in patterns(operation)
    }
    lost = all_patterns - client_patterns
    assert unreadable | {resumed} <= lost
    assert lost <= unreadable | {resumed} | by_query | patterns_of_parameters()
    assert unreadable


def test_clients_get_one_valid_example_per_response() -> None:
    excerpt = served_contract("for=clients")
    schemas = {"components": {"schemas": excerpt["components"]["schemas"]}}
    mediums = [
        (place, kind, media)
        for place, response in responses(excerpt).items()
        for kind, media in response.get("content", {}).items()
    ]
    for place, kind, media in mediums:
        if "json" in kind:
            validator = jsonschema_rs.validator_for({**media["schema"], **schemas})
            assert validator.is_valid(media["example"]), place
    examples = [media["example"] for _, _, media in mediums]
    assert len(examples) == json.dumps(excerpt).count('"example": ') > 80
    assert '"examples": ' not in json.dumps(excerpt)
    assert served_contract()["info"]["description"].startswith(
        excerpt["info"]["description"] + "\n\n"
    )
    assert len(get("/openapi.json?for=clients").data) < MOST_BYTES


def test_client_descriptions_omit_other_media_types() -> None:
    document, excerpt = json.dumps(served_contract()), json.dumps(served_contract("for=clients"))
    assert "As `text/plain`" in document
    assert "As `" not in excerpt


def test_clients_get_no_nested_unions() -> None:
    excerpt = served_contract("for=clients")
    unions = [part for part in parts(excerpt) if {"oneOf", "anyOf"} & part.keys()]
    assert len(unions) > 30
    for union in unions:
        kinds = [member for member in members(union, excerpt) if member.get("type") != "null"]
        # A nullable union is a single union.
        for member in kinds if len(kinds) > 1 else ():
            assert not {"oneOf", "anyOf", "allOf"} & member.keys(), union


def test_clients_get_list_items_without_constraints() -> None:
    excerpt = served_contract("for=clients")
    for part in parts(excerpt):
        [item] = members({"oneOf": [part["items"]]}, excerpt) if "items" in part else [{}]
        if item.get("type") in ("string", "integer", "number") and "enum" not in item:
            assert item.keys() <= {"type", "format"}, part


def test_client_contract_omits_last_event_id() -> None:
    excerpt = json.dumps(served_contract("for=clients")["components"]["parameters"])
    assert "lasteventid" not in excerpt.lower().replace("-", "")


def test_clients_get_304_only_for_operations_with_if_none_match() -> None:
    conditional = {
        name: "304" in operation["responses"]
        for name, operation in operations(served_contract("for=clients")).items()
        if {"$ref": "#/components/parameters/IfNoneMatch"} in operation["parameters"]
        or "304" in operation["responses"]
    }
    assert conditional == dict.fromkeys(("getSession", "getSessionOdds", "getSessionGame"), True)


@pytest.mark.parametrize("game", catalogue())
def test_client_bodies_accept_turns_as_positions(game: str) -> None:
    excerpt = served_contract("for=clients")
    title = game.title()
    phases = excerpt["components"]["schemas"][f"{title}RunningTurn"]["oneOf"]
    judged = f"{title}{catalogue()[game].decision_phase.title()}Turn"
    for verb, position, turns in (
        ("adjudicate", "Position", [{"$ref": f"#/components/schemas/{judged}"}]),
        ("odds", "OddsPosition", phases),
    ):
        body = operations(excerpt)[f"{verb}{title}"]["requestBody"]["content"]["application/json"]
        [union] = members({"oneOf": [body["schema"]]}, excerpt)
        assert union["anyOf"] == [{"$ref": f"#/components/schemas/{title}{position}"}, *turns]


@pytest.mark.parametrize(
    ("query", "field", "near"),
    [
        ("examples=few", "examples", None),
        ("for=client", "for", "clients"),
        ("for=", "for", None),
        ("for=clients&for=clients", "for", None),
        # Until 0.9.0 the service had slices of a single game.
        ("game=tutto", "game", None),
        ("for=clients&game=tutto", "game", None),
    ],
)
def test_unknown_slice_is_refused(query: str, field: str, near: str | None) -> None:
    [error] = problem(get(f"/openapi.json?{query}"), "invalid-request", 400)["errors"]
    assert error["pointer"] == f"/{field}"
    assert near is None or f"Did you mean “{near}”?" in error["detail"], error


@pytest.mark.parametrize("query", ["for=clients", "game=tutto", "examples=false", "for="])
def test_yaml_has_no_slices(query: str) -> None:
    [error] = problem(get(f"/openapi.yaml?{query}"), "invalid-request", 400)["errors"]
    assert error["code"] == "unknown-field"
    assert error["pointer"] == f"/{query.partition('=')[0]}"


def test_unknown_parameters_are_ignored() -> None:
    assert get("/openapi.json?v=1").get_data() == get("/openapi.json").get_data()
    assert get("/openapi.yaml?v=1").get_data() == contract.contract_yaml()
