"""Slow work runs outside the event loop and the session threads, at the start and later."""

import json
import subprocess
import sys
from collections import OrderedDict

import pytest
from flask import Flask

from dice_referee.api.contract import operations
from dice_referee.api.message import Body, Request
from dice_referee.api.pipeline import QUICK_COMMAS, Place, begin, handle, place_of
from dice_referee.api.routing import Router
from dice_referee.api.services import Services
from dice_referee.api.session_access import QUICK_ENTRIES
from dice_referee.app import create_app
from dice_referee.games import catalogue
from dice_referee.games.tutto.game import Tutto
from dice_referee.sessions.redis.store import RedisStore
from tests.application import accepted
from tests.application import begin as begin_session
from tests.programs import SOURCES
from tests.unlimited import UNLIMITED

PROGRAM = """
import gzip
import sys

from dice_referee.api import contract
from dice_referee.api.message import Request
from dice_referee.api.operation import NotMade
from dice_referee.api.pipeline import Place, begin, handle, place_of
from dice_referee.api.routing import Router
from dice_referee.app import configured_app
from dice_referee.games import catalogue
from dice_referee.settings import Settings
from dice_referee.web import joining
from dice_referee.web.assets import files, version
from dice_referee.web.guides import ORDER

app = configured_app(Settings(rate_stateless=0))
services, router = app.extensions["dice-referee"].services, Router(app)
paths = [f"/static/{version()}/{name}" for name in files() if not name.endswith(".html")]
entries = ("playground/playground", "table/live", "reading/reading")
paths += [f"/static/{version()}/{name}.en.js" for name in entries]
paths += [rule.rule for rule in app.url_map.iter_rules() if "<" not in rule.rule]
paths += ["/openapi.json?for=clients", "/openapi.json?examples=false"]
paths += [f"/v1/{game}/cases" for game in catalogue()]
paths += [f"/guides/{name}" for name in ORDER]
paths += [f"/{page}/{game}" for page in ("rules", "play") for game in catalogue()]
paths += ["/docs/createSession", "/docs/schemas/Session", "/rules/tutto/T4.2", "/problems/busy"]
making, work = True, []


def watched(function):
    def watch(*arguments, **options):
        if not making and options.get("compresslevel") != 6:
            work.append(function.__name__)
        return function(*arguments, **options)
    return watch


def opening(event, details):
    if event == "open" and not making and not str(details[0]).endswith(".py"):
        work.append(details[0])


gzip.compress = watched(gzip.compress)
contract.for_clients = watched(contract.for_clients)
contract.without_examples = watched(contract.without_examples)
sys.addaudithook(opening)
made = answered = 0
for path, accept in ((path, kind) for path in paths for kind in (b"text/html", b"*/*")):
    path, _, query = path.partition("?")
    match = router.find("GET", path)
    headers = {b"accept": accept, b"accept-encoding": b"gzip"}
    request = Request("GET", path, query.encode(), headers, "", *match, services)
    begin(request)
    answer = None
    while answer is None:
        making = place_of(request) is Place.HEAVY
        try:
            answer = handle(request)
        except NotMade as lack:
            making = True
            lack.make()
            made += 1
    answered += answer.status == 200
print(made > 200, answered > 250, work)
"""
APP = create_app(UNLIMITED)
SLOW, QUICK = [Place.THREAD, Place.HEAVY], [Place.THREAD]


def places(
    method: str,
    target: str,
    body: bytes = b"",
    accept: bytes = b"*/*",
    app: Flask = APP,
    token: str = "",
) -> tuple[list[Place], int]:
    """Returns the places that handle a request one after the other, and the status."""
    services: Services = app.extensions["dice-referee"].services
    path, _, query = target.partition("?")
    headers = {b"content-type": b"application/json", b"accept": accept}
    headers[b"authorization"] = f"Bearer {token}".encode()
    match = Router(app).find(method, path)
    request = Request(method, path, query.encode(), headers, "", *match, services)
    begin(request)
    request.body = Body(body, len(body))
    visited, answer = list[Place](), None
    while answer is None:
        visited.append(place_of(request))
        answer = handle(request)
    return visited, answer.status


def test_files_and_pages_are_made_outside_loop_and_threads() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=SOURCES, capture_output=True, text=True
    )
    assert run.stdout == "True True []\n", run


@pytest.mark.parametrize("path", ["/docs", *(f"/docs/{name}" for name in operations())])
def test_contract_pages_are_made_in_the_heavy_thread(path: str) -> None:
    operation = Router(APP).find("GET", path).operation
    assert (operation.quick, operation.heavy) == (False, True)


@pytest.mark.parametrize("resource", ["adjudications", "transitions", "odds"])
@pytest.mark.parametrize("game", catalogue())
def test_long_error_lists_are_made_in_the_heavy_thread(game: str, resource: str) -> None:
    for number, place in ((QUICK_COMMAS, Place.LOOP), (QUICK_COMMAS + 1, Place.HEAVY)):
        body = json.dumps(dict.fromkeys(map(str, range(number + 1)))).encode()
        assert places("POST", f"/v1/{game}/{resource}", body) == ([place], 400)


def test_long_logs_are_read_in_the_heavy_thread(redis_url: str) -> None:
    app = create_app(UNLIMITED, RedisStore(redis_url))
    client = app.test_client()
    beginning = {"game": "tutto", "players": ["Ann", "Ben"], "dice": "client"}
    table = client.post("/v1/sessions", json=beginning).json
    assert table is not None
    at = f"/v1/sessions/{table['session']['id']}"
    host = {"Authorization": f"Bearer {table['host_token']}"}
    draw = {"type": "draw", "card": "bonus-200"}
    for number in range(1, QUICK_ENTRIES + 2):
        verb, body = ("events", draw) if number % 2 else ("undo", {})
        answer = client.post(f"{at}/{verb}", json=body, headers=host)
        assert answer.headers["ETag"] == f'"{number}"'
    text = b"text/plain"
    assert places("GET", f"{at}/game", app=app) == (SLOW, 200)
    # The first request computes value tables.
    assert [places("GET", f"{at}/odds", app=app) for _ in range(2)] == 2 * [(SLOW, 200)]
    assert places("GET", f"{at}/events", accept=text, app=app) == (SLOW, 200)
    for query in ("after=1", f"until={QUICK_ENTRIES}"):
        assert places("GET", f"{at}/events?{query}", accept=text, app=app) == (QUICK, 200)
    assert places("GET", f"{at}/events", app=app) == (QUICK, 200)
    # An undo reads only the entries since the last stored state.
    assert places("POST", f"{at}/undo", app=app, token=table["host_token"]) == (QUICK, 200)


def test_seed_after_a_long_log_is_added_in_the_heavy_thread(redis_url: str) -> None:
    app = create_app(UNLIMITED, RedisStore(redis_url))
    table = begin_session(app.test_client(), players=["Ann", "Ben"])
    for _ in range(QUICK_ENTRIES + 1):
        accepted(table.post("seats/1/token"))
    body, token = b'{"seed":"a"}', table.seats[0]
    assert places("POST", f"{table.at}/seeds", body, app=app, token=token) == (SLOW, 200)


@pytest.mark.parametrize(
    ("level", "before", "after"),
    [("careful", QUICK, QUICK), ("best", SLOW, QUICK), ("perfect", SLOW, SLOW)],
)
def test_moves_run_where_a_bot_finds_its_value_tables(
    level: str,
    before: list[Place],
    after: list[Place],
    redis_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each duel of a perfect bot has tables of its own, which depend on the scores."""
    monkeypatch.setattr(Tutto.value_tables, "_tables", OrderedDict())
    app = create_app(UNLIMITED, RedisStore(redis_url))
    bots = [{"seat": 1, "level": level}]
    table = begin_session(app.test_client(), players=["Ann", "Ben"], bots=bots)
    at, token = f"{table.at}/events", table.seats[0]
    assert places("POST", at, b'{"type":"draw"}', app=app, token=token) == (before, 200)
    accepted(table.get("/odds"))
    refused = places("POST", f"{table.at}/rematch", app=app, token=token)
    assert refused == (after, 409), "the game still runs"


def test_probe_waits_for_the_store_in_a_thread(redis_url: str) -> None:
    app = create_app(UNLIMITED, RedisStore(redis_url))
    first, second = (places("GET", "/readyz", app=app) for _ in range(2))
    assert (first, second) == (([Place.LOOP, Place.THREAD], 200), ([Place.LOOP], 200))
