"""Standard fields of an operation, derived from its facts: refusals, headers, parameters.

A part of the contract names only the differences: its own refusal under the same status, or its own
header under the same name. The header is ``null`` if the answer lacks it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from flask import Flask
from werkzeug.routing import Rule

from dice_referee.api.message import EVENT_STREAM, PROBLEM, TEXT, Operation
from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.ruleset import Option, OptionValue
from dice_referee.validation.shapes import option_field
from tests.contract.declared import json_schema

Components = Mapping[str, Any]

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
HEADERS = (
    *("X-Request-ID", "Cache-Control", "ETag", "Location", "Content-Language", "Vary"),
    *("RateLimit-Policy", "RateLimit"),
)
"""Headers of an answer, in the order of the published document."""
FIELDS = (
    *(
        "operationId",
        "tags",
        "summary",
        "description",
        "deprecated",
        "security",
        "parameters",
        "requestBody",
    ),
    "responses",
)
"""Fields of an operation, in the order of the published document."""
PARAMETER = ("name", "in", "required", "description", "schema", "example")


def operations_of(app: Flask) -> dict[tuple[str, str], Operation]:
    """Returns the operations by method and by path, in the contract's form."""
    views: dict[str, Any] = app.view_functions
    return {
        (contract_path(rule), method.lower()): views[rule.endpoint]
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
    }


def contract_path(rule: Rule) -> str:
    """Returns the path of a route in the contract, which has one path for the catalogues."""
    game = (rule.defaults or {}).get("game", "")
    path = rule.rule
    if rule.endpoint.startswith(f"{game}-catalogue."):
        path = path.replace(f"/v1/{game}", "/v1/<game>")
    return path.replace("<", "{").replace(">", "}")


def complete(document: dict[str, Any], operations: Mapping[tuple[str, str], Operation]) -> None:
    """Adds the missing standard fields to each operation of the document."""
    for game in catalogue().values():
        _add_options(game, document["components"])
    tags = {tag["name"].lower(): tag["name"] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method in item.keys() & METHODS:
            described = item[method]
            # The paths of a game: /v1/<game>/...
            family = next((tags[name] for name in path.split("/") if name in tags), "")
            described.setdefault("tags", [family])
            facts = _Facts(path, method, described, operations[path, method])
            if "requestBody" in described:
                body = {"required": True} | described["requestBody"]
                described["requestBody"] = _ordered(body, ("description", "required", "content"))
            _add_refusals(described, facts)
            _add_parameters(described, facts)
            item[method] = _ordered(described, FIELDS)
    _complete_schemas(document["components"]["schemas"])
    for response in document["components"]["responses"].values():
        if PROBLEM in response.get("content", {}):
            _add_sentences(response)


def _add_refusals(described: dict[str, Any], facts: "_Facts") -> None:
    responses = described["responses"]
    for status, name in facts.refusals():
        responses.setdefault(status, _reference("responses", name))
    for status in responses.keys() & {"200", "201"}:
        answer = responses[status]
        standard = {
            name: _reference("headers", component) for name, component in facts.headers(status)
        }
        headers = standard | answer.get("headers", {})
        present = {name: header for name, header in headers.items() if header is not None}
        answer["headers"] = _ordered(present, HEADERS)
        if facts.is_told:
            _add_sentences(answer)
        responses[status] = _ordered(answer, ("description", "headers", "content", "links"))
    described["responses"] = dict(sorted(responses.items()))


def _add_parameters(described: dict[str, Any], facts: "_Facts") -> None:
    """Adds the house rules of a game to its queries, and the language to localised operations."""
    parameters = described.get("parameters", [])
    names = [parameter.get("$ref", "").rpartition("/")[2] for parameter in parameters]
    standard = [
        _reference("parameters", f"{_option_schema(game, option)}Query")
        for game in catalogue().values()
        if f"{game.name.title()}RulesetQuery" in names
        for option in game.options
    ]
    if facts.is_localised:
        standard.append(_reference("parameters", "AcceptLanguage"))
    if missing := [parameter for parameter in standard if parameter not in parameters]:
        described["parameters"] = [*parameters, *missing]


def _add_options(game: AnyGame, components: Components) -> None:
    """Adds the schema and the query parameter of each option of a game."""
    schemas, parameters = components["schemas"], components["parameters"]
    properties = schemas[f"{game.name.title()}Options"]["properties"] = {}
    for option in game.options:
        name, (title, *meanings) = _option_schema(game, option), _texts(game, option)
        reference = properties[option.name] = _reference("schemas", name)
        description = "\n".join([f"{title} ({option.rule}).", "", *meanings])
        schemas[name] = {"description": description, **json_schema(option_field(option))}
        subject = f"{title}." if option.values else meanings[0]
        parameter = {
            "name": option.name,
            "in": "query",
            "description": f"House rule ({option.rule}). {subject}",
            "schema": {**reference},
        }
        own = parameters.get(f"{name}Query", {})
        parameters[f"{name}Query"] = _ordered(parameter | own, PARAMETER)


def _texts(game: AnyGame, option: Option) -> Iterator[str]:
    """Yields the title of an option, the meaning of its values, and the published values."""
    words = game.words["options"][option.name]
    texts = words["values"]
    yield words["title"]["en"]
    if not option.values:
        yield texts["any"]["en"]
    for value in map(_spelled, option.values):
        yield f"- `{value}`: {texts[value.lower()]['en']}"
    yield ""
    rulesets: dict[str, list[str]] = {}
    for rules in game.rulesets.values():
        rulesets.setdefault(_spelled(rules.options[option.name]), []).append(f"`{rules.id}`")
    of_rulesets = (f"`{value}` in {', '.join(ids)}" for value, ids in rulesets.items())
    yield f"Published: {'; '.join(of_rulesets)}."


def _option_schema(game: AnyGame, option: Option) -> str:
    # The option `pot_bonus` of POT names the combo of this name.
    name = option.name.removeprefix(f"{game.name}_")
    return game.name.title() + name.title().replace("_", "")


def _spelled(value: OptionValue) -> str:
    """Returns the value of an option as JSON, without quotation marks."""
    return json.dumps(value).strip('"')


def _complete_schemas(schemas: dict[str, Any]) -> None:
    """Adds to a schema the fields of its base schema, and to sessions all finding codes."""
    for name, schema in schemas.items():
        if base := schemas.get(schema.pop("x-extends", "")):
            schemas[name] = (
                base | schema | {"properties": base["properties"] | schema["properties"]}
            )
    codes = [schemas[f"{game.title()}FindingCode"]["enum"] for game in catalogue()]
    schemas["SessionFindingCode"]["enum"] = sorted({*chain(*codes)})


def _add_sentences(answer: dict[str, Any]) -> None:
    own = answer["content"].get(TEXT, {})
    answer["content"][TEXT] = {"schema": _reference("schemas", "Sentences")} | own


def _ordered(described: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    return {key: described[key] for key in sorted(described, key=keys.index)}


class _Facts:
    """Facts of an operation that decide its standard refusals and headers."""

    def __init__(
        self, path: str, method: str, described: Mapping[str, Any], operation: Operation
    ) -> None:
        self._operation, self._session = operation, not operation.any_origin
        self._writes, self._of_one_session = method != "get", "{session_id}" in path
        resource = path.split("/")[2:3]
        self._game = resource[0].title() if resource and resource[0] in catalogue() else ""
        self._localised = path.split("/")[1] == "v1"
        self._probe, self._secured = operation.any_host, "security" in described
        parameters = [parameter.get("$ref", "") for parameter in described.get("parameters", ())]
        self._revalidated = any(name.endswith("/IfNoneMatch") for name in parameters)
        self._conditional = any(name.endswith("/IfMatch") for name in parameters)
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
            yield "400", "SessionInvalid" if session else f"{self._game}InvalidBody"
            yield from (("408", "RequestTimeout"), ("413", "TooLarge"))
            yield "415", "UnsupportedMediaType"
        if self._of_one_session:
            yield "410", "SessionGone"
        if self._secured:
            yield "401", "Unauthorized"
        if self._conditional:
            yield "412", "PreconditionFailed"
        if self._revalidated:
            yield "304", "SessionNotModified"
        elif self._cached:
            yield "304", "NotModified"

    def headers(self, status: str) -> Iterator[tuple[str, str]]:
        """Yields name and component of each header of a successful answer."""
        session, localised = self._session, self.is_localised
        streamed = self._operation.offers == (EVENT_STREAM,)
        yield "X-Request-ID", "RequestId"
        yield "Cache-Control", "CachedForAnHour" if self._cached else "NotStored"
        if (session and not streamed) or self._cached:
            of_form = self.is_told and not self._writes
            yield "ETag", ("SessionETag" + "OfForm" * of_form) if session else "ETag"
        if localised and status == "200" and not streamed:
            yield "Content-Language", "ContentLanguageOfTexts"
        if localised or self._cached:
            yield "Vary", "VaryOfSessions" if session else "VaryOfTexts" if localised else "Vary"
        if self._operation.rate is not None:
            yield from (("RateLimit-Policy", "RateLimitPolicy"), ("RateLimit", "RateLimit"))

    @property
    def is_localised(self) -> bool:
        """True if the answer is in the language of the reader."""
        return self._localised

    @property
    def is_told(self) -> bool:
        """True if the operation also offers its answer as sentences."""
        return TEXT in self._operation.offers

    @property
    def _cached(self) -> bool:
        return not (self._writes or self._session or self._probe or self._never_stored)


def _reference(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}
