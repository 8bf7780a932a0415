"""The contract as it is served: compressed, with examples or without."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import yaml
from openapi_spec_validator import validate

from service.api import contract
from tests.api.asking import get, problem


@pytest.mark.parametrize(
    "path", ["/openapi.yaml", "/openapi.json", "/openapi.json?examples=false", "/schemathesis.toml"]
)
def test_it_is_compressed_for_who_takes_that(path: str) -> None:
    plain, small = get(path), get(path, Accept_Encoding="gzip")
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.get_data()) == plain.get_data()
    assert plain.headers["ETag"] != small.headers["ETag"]
    assert {plain.headers["Vary"], small.headers["Vary"]} == {"Accept-Encoding"}
    tag = {"If_None_Match": small.headers["ETag"]}
    assert get(path, Accept_Encoding="gzip", **tag).status_code == 304


def test_examples_are_left_out_on_request() -> None:
    whole: dict[str, Any] = get("/openapi.json").get_json()
    short: dict[str, Any] = get("/openapi.json?examples=false").get_json()
    assert get("/openapi.json?examples=true").get_json() == whole
    validate(short)
    assert short["paths"].keys() == whole["paths"].keys()
    assert short["components"]["schemas"].keys() == whole["components"]["schemas"].keys()
    assert '"examples"' not in json.dumps(short["paths"]).replace('"name": "examples"', "")
    assert len(json.dumps(short)) < 0.75 * len(json.dumps(whole))


def test_another_wish_is_refused_and_other_parameters_are_ignored() -> None:
    found = problem(get("/openapi.json?examples=few"), "invalid-request", 400)
    assert found["errors"][0]["pointer"] == "/examples"
    assert get("/openapi.json?v=1").get_json() == get("/openapi.json").get_json()


def test_however_many_ask_first_it_is_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
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
