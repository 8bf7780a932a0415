"""The examples of openapi.yaml: what each asks, and what it promises.

``python -m tests.contract.examples`` writes the promises anew, after a change that means to.
"""

import json
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.api.contract import PATH, contract
from tests.contract.serving import serving_examples

SPEC = contract()
METHODS = {"get", "post", "put", "patch", "delete"}
WIDTH = 100


class Example(NamedTuple):
    """An example of an answer, with the request that it answers."""

    name: str
    method: str
    address: str
    headers: dict[str, str]
    body: str | None
    status: int
    kind: str
    value: Any

    def answer(self, client: FlaskClient) -> TestResponse:
        return client.open(self.address, method=self.method, headers=self.headers, data=self.body)


def followed(value: dict[str, Any]) -> dict[str, Any]:
    """The object itself, or the component that it refers to."""
    while "$ref" in value:
        *_, kind, name = value["$ref"].split("/")
        value = SPEC["components"][kind][name]
    return value


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in SPEC["paths"].items():
        for method in item:
            if method in METHODS:
                yield path, method, item[method]


def examples() -> list[Example]:
    """Every example once, but for those that say why they are not sent.

    In the order in which they stand there: those of sessions are a story.
    """
    found: dict[str, Example] = {}
    for path, method, operation in operations():
        for status, response in operation["responses"].items():
            for kind, media in followed(response).get("content", {}).items():
                for name, reference in media.get("examples", {}).items():
                    place = reference["$ref"].rpartition("/")[2]
                    example = followed(reference)
                    if "x-unsent" in example:
                        assert example["x-unsent"], f"{place}: unsent without a reason"
                        continue
                    asked = _asked(path, method, operation, status, name, example)
                    found[place] = Example(place, *asked, int(status), kind, example["value"])
    return [found[name] for name in SPEC["components"]["examples"] if name in found]


def _asked(
    path: str,
    method: str,
    operation: dict[str, Any],
    status: str,
    name: str,
    example: dict[str, Any],
) -> tuple[str, str, dict[str, str], str | None]:
    """Method, address, headers and body; see the comment at the top of openapi.yaml."""
    told, headers, body = example.get("x-request", {}), dict[str, str](), None
    address, query = path, None
    if told or {"x-query", "x-path"} & set(example):
        method = told.get("method", method if status in ("200", "201") else "get")
        address = told.get("path") or example.get("x-path", path)
        query = told.get("query") or example.get("x-query")
        headers, body = dict(told.get("headers", {})), told.get("body")
    sent = operation.get("requestBody", {}).get("content", {})
    kinds = [kind for kind, media in sent.items() if name in media["examples"]]
    if kinds:
        assert body is None, f"{name}: a body of its own, and a request example"
        headers["Content-Type"] = kinds[0]
        body = followed(sent[kinds[0]]["examples"][name])["value"]
    if body is not None:
        headers.setdefault("Content-Type", "application/json")
        body = body if isinstance(body, str) else json.dumps(body)
    headers = {header: value for header, value in headers.items() if value}
    return method.upper(), address + (f"?{query}" if query else ""), headers, body


def content(answer: TestResponse) -> Any:
    """What an example holds of an answer: a document, or text that is none."""
    text = answer.get_data(as_text=True)
    is_document = answer.mimetype in ("application/json", "application/problem+json")
    return json.loads(text) if is_document else text


# Writing ----------------------------------------------------------------------------------------


def _scalar(value: Any) -> str:
    if not isinstance(value, str):
        return json.dumps(value)
    try:
        plain = bool(value) and yaml.safe_load(f"[{value}, a: {value}]") == [value, {"a": value}]
    except yaml.YAMLError:
        plain = False
    if plain and value[0] not in "'\"" and not value.replace("e", "").replace(".", "").isdigit():
        return value
    return json.dumps(value) if "\n" in value else "'" + value.replace("'", "''") + "'"


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        pairs = ", ".join(f"{_scalar(key)}: {_flow(nested)}" for key, nested in value.items())
        return f"{{{pairs}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return _scalar(value)


def _folded(text: str, indent: int) -> str:
    pad = " " * indent
    if "\n" in text:
        lines = "".join(f"\n{pad}{line}" if line else "\n" for line in text.rstrip().split("\n"))
        if text.endswith("\n\n"):
            return "|+" + lines + text[len(text.rstrip()) + 1 :]
        return ("|" if text.endswith("\n") else "|-") + lines
    wrapped = textwrap.wrap(text, WIDTH - indent, break_long_words=False, break_on_hyphens=False)
    if " ".join(wrapped) != text:
        return json.dumps(text, ensure_ascii=False)
    return ">-" + "".join(f"\n{pad}{line}" for line in wrapped)


def _block(value: Any, indent: int, column: int) -> str:
    """The value behind a key that ends in this column; nested lines are indented so far."""
    one, pad = _flow(value), " " * indent
    fits = column + 1 + len(one) <= WIDTH
    if isinstance(value, str):
        return " " + (one if fits and "\n" not in value else _folded(value, indent))
    if fits or not isinstance(value, dict | list) or not value:
        return " " + one
    if isinstance(value, dict):
        return "".join(
            f"\n{pad}{_scalar(key)}:{_block(nested, indent + 2, indent + len(_scalar(key)) + 1)}"
            for key, nested in value.items()
        )
    lines = ""
    for item in value:
        nested = isinstance(item, dict) and indent + 2 + len(_flow(item)) > WIDTH
        text = _block(item, indent + 2, 10**6 if nested else indent + 1)
        lines += f"\n{pad}- {text.lstrip()}" if nested else f"\n{pad}-{text}"
    return lines


def _child(node: Any, name: str) -> tuple[Any, Any]:
    return next((key, value) for key, value in node.value if key.value == name)


def rewrite(answers: dict[str, Any]) -> None:
    """Put these answers where the examples have theirs, and touch nothing else."""
    source = PATH.read_text("utf-8")
    root = yaml.compose(source, Loader=yaml.SafeLoader)
    _, components = _child(root, "components")
    for key, node in reversed(_child(components, "examples")[1].value):
        if key.value in answers:
            name, value = _child(node, "value")
            start, column = name.end_mark.index + 1, name.start_mark.column
            old = source[start : value.end_mark.index]
            end = start + len(old.rstrip())
            new = _block(answers[key.value], column + 2, column + 6)
            rest = source[end:]
            if old.lstrip().startswith("|+"):
                # Its empty lines are its own.
                rest = "\n" + rest.lstrip("\n")
            source = source[:start] + new + rest
    found = yaml.safe_load(source)["components"]["examples"]
    wrong = [name for name, value in answers.items() if found[name]["value"] != value]
    assert not wrong, wrong
    PATH.write_text(source, "utf-8")


if __name__ == "__main__":
    asked = examples()
    with serving_examples() as app:
        client = app.test_client()
        replies = {example.name: example.answer(client) for example in asked}
    for example in asked:
        assert replies[example.name].status_code == example.status, (
            example.name,
            replies[example.name].get_data(as_text=True),
        )
    answers = {name: content(reply) for name, reply in replies.items()}
    stale = {e.name: answers[e.name] for e in asked if answers[e.name] != e.value}
    rewrite(stale)
    print(f"{len(asked)} examples asked, {len(stale)} written anew:", *stale)
