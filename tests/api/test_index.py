"""The index at `/v1`: every listed game, operation and address exists."""

from typing import Any

from dice_referee.api.contract import contract
from tests.application import TEXT, get, problem
from tests.tools.examples import operations


def index() -> dict[str, Any]:
    document: dict[str, Any] = get("/v1").get_json()
    return document


def test_index_lists_the_games_of_the_catalogue() -> None:
    assert index()["games"] == get("/v1").get_json()["games"]
    german = get("/v1", Accept_Language="de")
    assert german.headers["Content-Language"] == "de"
    games = get("/v1", Accept_Language="de").get_json()["games"]
    assert german.get_json() == {**index(), "games": games}


def test_index_lists_every_operation_of_the_contract() -> None:
    assert index()["title"] == contract()["info"]["title"]
    assert index()["operations"] == [
        {
            "operation": described["operationId"],
            "method": method.upper(),
            "path": path,
            "summary": described["summary"],
        }
        for path, method, described in operations()
    ]


def test_every_address_of_the_index_exists() -> None:
    entries = index()["addresses"]
    addresses = [entry["address"] for entry in entries]
    assert len(set(addresses)) == len(addresses) > 5
    for address in ("/v1", "/openapi.json?for=clients", "/llms.txt", "/docs"):
        assert address in addresses
    for entry in entries:
        assert get(entry["address"], Accept="*/*").status_code == 200, entry
        assert entry["description"].endswith(".")


def test_text_of_the_index_lists_all_its_entries() -> None:
    answer = get("/v1", Accept=TEXT, Accept_Language="de")
    assert (answer.status_code, answer.headers["Content-Language"]) == (200, "de")
    text, document = answer.get_data(as_text=True), index()
    assert get("/v1", Accept=TEXT, Accept_Language="de").get_data(as_text=True) in text
    lines = text.splitlines()
    for operation in document["operations"]:
        assert f"{operation['method']} {operation['path']}: {operation['summary']}" in lines
    for entry in document["addresses"]:
        assert f"{entry['address']}: {entry['description']}" in lines


def test_index_with_a_trailing_slash_suggests_the_index() -> None:
    assert "“/v1”" in problem(get("/v1/"), "not-found", 404)["detail"]
