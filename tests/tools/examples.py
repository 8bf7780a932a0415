"""The examples of the contract: each has a request and an answer.

Each request is sent to the service, and the answer compared. The request is one of

- the request example of the same name, if the operation takes a body,
- otherwise the operation's, with ``x-query`` as query string or ``x-path`` as path,
- ``x-request``: ``method``, ``path`` (by default those of the operation), ``query``, ``headers``,
  ``body`` (a mapping is sent as JSON, a text unchanged).

A request for text has an ``Accept`` header.

``x-unsent`` states why an example is not sent. Its answer is written by hand. ``make generate``
writes all other answers.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.api.contract import contract
from dice_referee.api.message import EVENT_STREAM, TEXT

Contract = dict[str, Any]

METHODS = {"get", "post", "put", "patch", "delete"}


class Example(NamedTuple):
    """An example of an answer and its request."""

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


def followed(value: dict[str, Any], document: Contract | None = None) -> dict[str, Any]:
    """Returns the object itself, or the component of the contract to which it refers."""
    while "$ref" in value:
        *_, kind, name = value["$ref"].split("/")
        value = (document or contract())["components"][kind][name]
    return value


def operations(document: Contract | None = None) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yields path, method and operation of every operation in the contract."""
    for path, item in (document or contract())["paths"].items():
        for method in item:
            if method in METHODS:
                yield path, method, item[method]


def examples(document: Contract | None = None) -> list[Example]:
    """Returns every example that is sent, in the order of the components. Together they tell a
    story."""
    document = document or contract()
    by_component: dict[str, Example] = {}
    for path, method, operation in operations(document):
        for status, response in operation["responses"].items():
            for kind, media in followed(response, document).get("content", {}).items():
                for name, reference in media.get("examples", {}).items():
                    component = reference["$ref"].rpartition("/")[2]
                    example = followed(reference, document)
                    if "x-unsent" in example:
                        assert example["x-unsent"], f"{component}: unsent without a reason"
                        continue
                    body = _request_example(operation, name, document)
                    request = _request(path, method, status, example, body)
                    if kind == TEXT:
                        request[2].setdefault("Accept", kind)
                    value = example.get("value")
                    by_component[component] = Example(component, *request, int(status), kind, value)
    return [
        by_component[name] for name in document["components"]["examples"] if name in by_component
    ]


def _request_example(operation: Any, name: str, document: Contract) -> tuple[str, Any] | None:
    """Returns media type and body of the request example of this name."""
    for kind, media in operation.get("requestBody", {}).get("content", {}).items():
        if name in media["examples"]:
            return kind, followed(media["examples"][name], document)["value"]
    return None


def _request(
    path: str, method: str, status: str, example: dict[str, Any], sent: tuple[str, Any] | None
) -> tuple[str, str, dict[str, str], str | None]:
    """Returns method, address, headers and body."""
    own = example.get("x-request", {})
    if own or {"x-query", "x-path"} & set(example):
        method = own.get("method", method if status in ("200", "201") else "get")
    address = own.get("path") or example.get("x-path", path)
    query = own.get("query") or example.get("x-query")
    headers, body = dict(own.get("headers", {})), own.get("body")
    if sent:
        assert body is None, f"{path}: a body of its own, and a request example"
        headers["Content-Type"], body = sent
    if body is not None:
        headers.setdefault("Content-Type", "application/json")
        body = body if isinstance(body, str) else json.dumps(body)
    headers = {header: value for header, value in headers.items() if value}
    return method.upper(), address + (f"?{query}" if query else ""), headers, body


def content(answer: TestResponse) -> Any:
    """Returns the content that an example has for an answer: a document, or text.

    For a stream with the schema of its entries, returns the first entry.
    """
    text = answer.get_data(as_text=True)
    if answer.mimetype == EVENT_STREAM and answer.request.path.endswith("/stream"):
        return json.loads(text.partition("\ndata: ")[2].partition("\n")[0])
    is_document = answer.mimetype in ("application/json", "application/problem+json")
    return json.loads(text) if is_document else text
