"""The contract over HTTP: compressed, whole, and in slices."""

import gzip
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product
from typing import Any

import pytest
import yaml
from dice_referee.api import contract
from dice_referee.games import catalogue
from jsonschema_rs import Registry, Validator, validator_for

from tests.application import get, problem

PROBE_TAG = "Service"
CLIENTS = ("", "for=clients")
GAMES = ("", *(f"game={game}" for game in catalogue()))
SLICES = ["&".join(filter(None, pair)) for pair in product(CLIENTS, GAMES)][1:]
BACKTRACKING = {"ASSERT", "ASSERT_NOT", "GROUPREF", "GROUPREF_EXISTS"}
"""Names in Python's parser of constructs that RE2 lacks."""


def validate(document: dict[str, Any]) -> None:
    """Expects a valid contract; the validator is imported when a test needs it."""
    import openapi_spec_validator

    openapi_spec_validator.validate(document)


def served(query: str = "") -> dict[str, Any]:
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
    """Tells if RE2 cannot run a pattern: it has a lookaround or a backreference."""
    tree = re._parser.parse(pattern)
    return any(name in repr(tree) for name in BACKTRACKING)


def patterns(document: dict[str, Any]) -> set[str]:
    return {part["pattern"] for part in parts(document) if isinstance(part.get("pattern"), str)}


def kinds(document: Any) -> list[dict[str, Any]]:
    """Returns the media types of each body, with their descriptions."""
    return [part["content"] for part in parts(document) if isinstance(part.get("content"), dict)]


def referred(node: Any) -> set[str]:
    """Returns the references of a part, by ``$ref`` and by discriminators."""
    return set(re.findall(r'"(#/components/[^"]+)"', json.dumps(node)))


@pytest.mark.parametrize(
    "path",
    [
        *("/openapi.yaml", "/openapi.json", "/openapi.json?examples=false", "/schemathesis.toml"),
        *("/openapi.json?for=clients", "/openapi.yaml?for=clients&game=pot"),
    ],
)
def test_contract_is_compressed_for_clients_that_accept_gzip(path: str) -> None:
    plain, small = get(path), get(path, Accept_Encoding="gzip")
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.get_data()) == plain.get_data()
    assert plain.headers["ETag"] != small.headers["ETag"]
    assert {plain.headers["Vary"], small.headers["Vary"]} == {"Accept-Encoding"}
    tag = {"If_None_Match": small.headers["ETag"]}
    assert get(path, Accept_Encoding="gzip", **tag).status_code == 304


def test_examples_are_left_out_on_request() -> None:
    document, excerpt = served(), served("examples=false")
    assert served("examples=true") == document
    validate(excerpt)
    assert excerpt["paths"].keys() == document["paths"].keys()
    assert excerpt["components"]["schemas"].keys() == document["components"]["schemas"].keys()
    assert not any({"example", "examples"} & part.keys() for part in parts(excerpt))
    assert len(json.dumps(excerpt)) < 0.75 * len(json.dumps(document))
    assert served("examples=false&game=pot") != served("game=pot")
    assert served("examples=true&for=clients") == served("for=clients")


@pytest.mark.parametrize("query", SLICES)
def test_a_slice_is_a_contract_without_anything_unused(query: str) -> None:
    document = served(query)
    validate(document)
    used, before = referred(document["paths"]), set[str]()
    while used != before:
        before = used
        used = before | {
            reference
            for place in before
            for _, _, kind, name in [place.split("/")]
            for reference in referred(document["components"][kind][name])
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


@pytest.mark.parametrize("query", SLICES)
def test_a_slice_is_the_same_in_yaml(query: str) -> None:
    answer = get(f"/openapi.yaml?{query}")
    assert answer.mimetype == "application/yaml"
    assert yaml.load(answer.get_data(), yaml.CSafeLoader) == served(query)


def test_each_slice_is_kept_under_a_tag_of_its_own() -> None:
    paths = [f"/openapi.{kind}?{query}" for kind in ("json", "yaml") for query in ("", *SLICES)]
    tags = [get(path).headers["ETag"] for path in paths]
    assert len(set(tags)) == len(paths)
    for path, tag in zip(paths, tags, strict=True):
        assert get(path, If_None_Match=tag).status_code == 304


def test_clients_get_one_media_type_for_each_body() -> None:
    document, excerpt = served(), served("for=clients")
    assert max(map(len, kinds(document))) > 1
    for name, operation in operations(excerpt).items():
        for old, new in zip(kinds(operations(document)[name]), kinds(operation), strict=True):
            [media_type] = new
            assert media_type in old
            assert media_type == "application/json" or "application/json" not in old
    for name, response in excerpt["components"]["responses"].items():
        assert list(response.get("content", ())) in ([], ["application/problem+json"]), name


def test_clients_get_every_operation_but_those_of_the_service() -> None:
    all_operations, client_operations = operations(served()), operations(served("for=clients"))
    missing = all_operations.keys() - client_operations.keys()
    assert missing == {
        name for name, operation in all_operations.items() if operation["tags"] == [PROBE_TAG]
    }
    assert len(missing) == 8


def test_clients_get_patterns_without_backtracking_only() -> None:
    all_patterns, client_patterns = patterns(served()), patterns(served("for=clients"))
    assert not any(map(backtracks, client_patterns))
    # The full contract keeps these patterns: they make generated requests valid.
    assert all_patterns - client_patterns == set(filter(backtracks, all_patterns)) != set()


def test_client_contract_has_no_examples_and_short_texts() -> None:
    excerpt = served("for=clients")
    assert not any({"example", "examples"} & part.keys() for part in parts(excerpt))
    assert served()["info"]["description"].startswith(excerpt["info"]["description"] + "\n\n")


@pytest.mark.parametrize("game", catalogue())
def test_a_game_s_slice_names_no_other_game(game: str) -> None:
    document, excerpt = served(), served(f"game={game}")
    other_games = [name for name in catalogue() if name != game]
    left_out = {path.split("/")[2] for path in document["paths"].keys() - excerpt["paths"].keys()}
    assert left_out == set(other_games)
    assert not [
        path
        for path in excerpt["paths"]
        if path.split("/")[2:3] in [[name] for name in other_games]
    ]
    names = {name for components in excerpt["components"].values() for name in components}
    foreign = re.compile(f"({'|'.join(map(str.title, other_games))})[A-Z]")
    assert not [name for name in names if foreign.match(name)]
    request = excerpt["components"]["schemas"]["SessionRequest"]
    own = f"#/components/schemas/{game.title()}SessionRequest"
    assert request["oneOf"] == [{"$ref": own}]
    assert request["discriminator"]["mapping"] == {game: own}
    enums = [part["enum"] for part in parts(excerpt) if isinstance(part.get("enum"), list)]
    assert [game] in enums
    assert not [values for values in enums if set(values) == set(catalogue())]


@pytest.mark.parametrize("game", catalogue())
def test_a_game_s_slice_keeps_examples_that_fit_it(game: str) -> None:
    excerpt = served(f"game={game}")
    components, fitting = excerpt["components"], 0
    registry = Registry([("urn:contract", {"components": components})])

    @cache
    def judge_of(schema: str) -> Validator:
        absolute = schema.replace('"#/', '"urn:contract#/')
        return validator_for(json.loads(absolute), registry=registry)

    for operation in operations(excerpt).values():
        for content in kinds([operation, components["responses"]]):
            for media in content.values():
                judge = judge_of(json.dumps(media.get("schema", {})))
                for example in media.get("examples", {}).values():
                    name = example.get("$ref", "").rpartition("/")[2]
                    value = (components["examples"][name] if name else example)["value"]
                    if not isinstance(value, str):
                        judge.validate(value)
                        fitting += 1
    assert fitting > 100


@pytest.mark.parametrize("path", ["/openapi.json", "/openapi.yaml"])
@pytest.mark.parametrize(
    ("query", "field", "near"),
    [
        ("examples=few", "examples", None),
        ("for=client", "for", "clients"),
        ("game=tuto", "game", "tutto"),
        ("for=clients&game=chess", "game", None),
        ("game=pot&game=tutto", "game", None),
        ("for=", "for", None),
    ],
)
def test_unknown_value_of_a_slice_parameter_is_refused(
    path: str, query: str, field: str, near: str | None
) -> None:
    [error] = problem(get(f"{path}?{query}"), "invalid-request", 400)["errors"]
    assert error["pointer"] == f"/{field}"
    assert near is None or f"Did you mean “{near}”?" in error["detail"], error


def test_other_parameters_are_ignored() -> None:
    assert get("/openapi.json?v=1").get_data() == get("/openapi.json").get_data()
    assert get("/openapi.yaml?v=1").get_data() == contract.contract_yaml()


def test_contract_is_loaded_once_by_concurrent_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, load = list[int](), yaml.load

    def counted(*arguments: Any, **options: Any) -> Any:
        loaded.append(1)
        return load(*arguments, **options)

    monkeypatch.setattr(yaml, "load", counted)
    contract._loaded.cache_clear()
    with ThreadPoolExecutor(8) as people:
        for _ in people.map(lambda _: contract.contract(), range(8)):
            pass
    assert len(loaded) == 1
