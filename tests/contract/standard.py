"""Standard refusals and headers of an operation, derived from its facts.

A part of the contract names only what differs: a refusal of its own under the same status, or a
header of its own under the same name.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from flask import Flask

from service.api.operation import Operation

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
HEADERS = (
    *("X-Request-ID", "Cache-Control", "ETag", "Location", "Content-Language", "Vary"),
    *("RateLimit-Policy", "RateLimit"),
)
"""Headers of an answer, in the order of the published document."""


def operations_of(app: Flask) -> dict[tuple[str, str], Operation]:
    """Returns the operations by path, as the contract writes it, and method."""
    return {
        (rule.rule.replace("<", "{").replace(">", "}"), method.lower()): view
        for rule in app.url_map.iter_rules()
        if isinstance(view := app.view_functions[rule.endpoint], Operation)
        for method in rule.methods or ()
    }


def complete(document: dict[str, Any], operations: Mapping[tuple[str, str], Operation]) -> None:
    """Adds to each operation of the document the refusals and headers that it lacks."""
    for path, item in document["paths"].items():
        for method in item.keys() & METHODS:
            described, operation = item[method], operations[path, method]
            facts = _Facts(path, method, described, operation)
            responses = described["responses"]
            for status, name in facts.refusals():
                responses.setdefault(status, _reference("responses", name))
            responses = described["responses"] = dict(sorted(responses.items()))
            for status in responses.keys() & {"200", "201"}:
                _add_headers(responses, status, dict(facts.headers(status)))


def _add_headers(responses: dict[str, Any], status: str, names: Mapping[str, str]) -> None:
    answer = responses[status]
    own = answer.get("headers", {})
    headers = {name: _reference("headers", component) for name, component in names.items()} | own
    # The description stays first.
    rest = {key: value for key, value in answer.items() if key not in ("description", "headers")}
    ordered = {name: headers[name] for name in sorted(headers, key=HEADERS.index)}
    responses[status] = {"description": answer["description"], "headers": ordered, **rest}


class _Facts:
    """Facts of one operation that decide its standard refusals and headers."""

    def __init__(
        self, path: str, method: str, described: Mapping[str, Any], operation: Operation
    ) -> None:
        self._operation, self._session = operation, not operation.any_origin
        self._writes, self._of_one_session = method != "get", "{session_id}" in path
        self._probe, self._secured = operation.any_host, "security" in described
        parameters = [parameter.get("$ref", "") for parameter in described.get("parameters", ())]
        self._revalidated = any(name.endswith("/IfNoneMatch") for name in parameters)
        own = described["responses"].get("200", {}).get("headers", {}).get("Cache-Control")
        self._never_stored = own == _reference("headers", "NotStored")

    def refusals(self) -> Iterator[tuple[str, str]]:
        """Yields status and component of each refusal."""
        session, writes = self._session, self._writes
        yield from (("405", "MethodNotAllowed"), ("406", "NotAcceptable"), ("414", "QueryTooLong"))
        yield "503", "SessionsAway" if session else "Busy"
        if self._operation.rate is not None:
            yield "429", "TooManyRequests"
        if writes:
            yield "400", "SessionInvalid" if session else "InvalidBody"
            yield from (("408", "RequestTimeout"), ("413", "TooLarge"))
            yield "415", "UnsupportedMediaType"
        if self._of_one_session:
            yield "410", "SessionGone"
        if self._secured:
            yield from (("401", "Unauthorized"), ("412", "PreconditionFailed"))
        if self._revalidated:
            yield "304", "SessionNotModified"
        elif self._cached:
            yield "304", "NotModified"

    def headers(self, status: str) -> Iterator[tuple[str, str]]:
        """Yields name and component of each header of a successful answer."""
        session, localised = self._session, self._operation.rate is not None
        yield "X-Request-ID", "RequestId"
        yield "Cache-Control", "CachedForAnHour" if self._cached else "NotStored"
        if session or self._cached:
            yield "ETag", "SessionETag" if session else "ETag"
        if localised and status == "200":
            yield "Content-Language", "ContentLanguageOfTexts"
        if localised or self._cached:
            yield "Vary", "VaryOfSessions" if session else "VaryOfTexts" if localised else "Vary"
        if localised:
            yield from (("RateLimit-Policy", "RateLimitPolicy"), ("RateLimit", "RateLimit"))

    @property
    def _cached(self) -> bool:
        return not (self._writes or self._session or self._probe or self._never_stored)


def _reference(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}
