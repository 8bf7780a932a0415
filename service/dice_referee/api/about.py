"""Health, version, contract and problems of the service."""

import orjson
from flask import Blueprint

from dice_referee import __version__
from dice_referee.api.answers import cacheable, file_answer
from dice_referee.api.contract import (
    bare_json,
    clients_json,
    contract_json,
    contract_version,
    contract_yaml,
)
from dice_referee.api.documents import query_document
from dice_referee.api.i18n import problem_text, problem_title
from dice_referee.api.message import HTML, JSON, TEXT, Answer, Request, Rest
from dice_referee.api.negotiation import language
from dice_referee.api.operation import make_once, operation
from dice_referee.api.problems import STATUSES, unknown
from dice_referee.sessions.health import Availability
from dice_referee.validation.fields import Boolean, Enumerated
from dice_referee.validation.schema import define

YAML = "application/yaml"

CONTRACT_QUERY = define("ContractQuery", {"for": Enumerated("clients"), "examples": Boolean()})
YAML_QUERY = define("YamlQuery", {})
SLICE_PARAMETERS = ("for", "game", "examples")
"""Parameters of slices, refused by operations that serve no slice."""

blueprint = Blueprint("about", __name__)
probes = Blueprint("probes", __name__)


@operation(probes, "GET", "/livez", rate=None, any_host=True, quick=True)
def live(request: Request) -> Answer:
    return Answer(b'{"status":"ok"}')


@operation(probes, "GET", "/readyz", rate=None, any_host=True, quick=True)
def ready(request: Request) -> Answer | Rest:
    """Reports whether the service is ready, and whether sessions are available.

    Stateless answers need only the process's own tables, which exist before it can answer. If the
    store fails, wholly or in part, the service is degraded, but still ready for them.
    """
    health = request.services.store_health
    if health is None:
        return Answer(b'{"status":"ok","sessions":"off"}')
    # Probes are not limited and threads are few, so the store is queried at most twice a second.
    known = health.known()
    return _readiness(known) if known else lambda: _readiness(health.ask())


def _readiness(sessions: Availability) -> Answer:
    status = "ok" if sessions is Availability.OK else "degraded"
    return Answer(orjson.dumps({"status": status, "sessions": sessions}))


@operation(blueprint, "GET", "/version", quick=True)
def version(request: Request) -> Answer:
    # `make generate` gives both the same version.
    document = {"version": __version__, "contract": contract_version(__version__)}
    return Answer(orjson.dumps(document))


@operation(blueprint, "GET", "/openapi.yaml", offers=(YAML,))
def openapi_yaml(request: Request) -> Answer:
    query_document(request, YAML_QUERY, *SLICE_PARAMETERS)
    return file_answer(request, contract_yaml(), YAML)


@operation(blueprint, "GET", "/openapi.json")
def openapi_json(request: Request) -> Answer:
    """Serves the contract as JSON: the file unchanged, or a slice."""
    query = query_document(request, CONTRACT_QUERY, *SLICE_PARAMETERS)
    if "for" in query:
        return file_answer(request, make_once(clients_json))
    if not query.get("examples", True):
        return file_answer(request, make_once(bare_json))
    return file_answer(request, contract_json())


@operation(blueprint, "GET", "/problems/<code>", offers=(JSON, HTML, TEXT))
def show_problem(request: Request) -> Answer:
    """Explains a problem's ``type`` to people as HTML or text, to programs as JSON."""
    code = request.parameters["code"]
    if code not in STATUSES:
        raise unknown("unknown-problem", code, STATUSES)
    if request.accepted == HTML:
        page: Answer = request.services.problem_page(request, code)
        return page
    lang = language(request)
    title, text = problem_title(code, lang), problem_text(code, lang)
    document = {"code": code, "title": title, "status": STATUSES[code], "text": text}
    return cacheable(request, document, lang, lambda: [f"{title} ({STATUSES[code]}).", text])
