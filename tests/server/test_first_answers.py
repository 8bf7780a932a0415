"""Slow work leaves the event loop and the threads of sessions: at the start, or as heavy work."""

import json
import subprocess
import sys
from http import HTTPStatus

import pytest
from flask import Flask

from dice_referee.api.contract import operations
from dice_referee.api.documents import QUICK_COMMAS
from dice_referee.api.message import NO_BODY, Body, Place, Request
from dice_referee.api.operation import NotHere
from dice_referee.api.pipeline import begin, handle
from dice_referee.api.routing import Router
from dice_referee.api.services import Services
from dice_referee.api.session_access import QUICK_ENTRIES
from dice_referee.app import create_app
from dice_referee.games import catalogue
from dice_referee.sessions.redis.store import RedisStore
from tests.programs import SOURCES
from tests.unlimited import UNLIMITED

PROGRAM = """
import sys
from dice_referee.api.answers import compressed
from dice_referee.app import configured_app
from dice_referee.games import catalogue
from dice_referee.settings import Settings
from dice_referee.web.assets import files, version
from dice_referee.web.guides import ORDER

app = configured_app(Settings())
client, opened = app.test_client(), []
client.get("/livez")
made = [f"/static/{version()}/{name}" for name in files() if not name.endswith(".html")]
entries = ("playground/playground", "table/live", "reading/reading")
made += [f"/static/{version()}/{name}.joined.js" for name in entries]
made += ["/dice-referee.js", "/openapi.json", "/openapi.yaml"]
made += [f"/v1/games/{game}/cases" for game in catalogue()]
rules = [rule for rule in app.url_map.iter_rules() if "GET" in rule.methods]
others = [rule.rule for rule in rules if "<" not in rule.rule]
others += [f"/guides/{name}" for name in ORDER]
others += [f"/{page}/{game}" for page in ("rules", "play") for game in catalogue()]
others += ["/docs/createSession", "/docs/schemas/Session", "/rules/tutto/T4.2", "/problems/busy"]
misses = compressed.cache_info().misses
sys.addaudithook(lambda event, details: opened.append(details[0]) if event == "open" else None)
for path in made:
    assert client.get(path, headers={"Accept-Encoding": "gzip"}).status_code == 200, path
print(compressed.cache_info().misses - misses)
for path in others:
    client.get(path, headers={"Accept": "text/html"})
print([name for name in opened if not str(name).endswith('.py')])
"""
APP = create_app(UNLIMITED)
SLOW = {Place.LOOP: None, Place.THREAD: None, Place.HEAVY: HTTPStatus.OK}
QUICK = dict.fromkeys(Place, HTTPStatus.OK)


def places(
    method: str, target: str, body: bytes = b"", accept: bytes = b"*/*", app: Flask = APP
) -> dict[Place, HTTPStatus | None]:
    """Returns the status that each place answers, or None where the answer takes too long."""
    services: Services = app.extensions["dice-referee"].services
    statuses: dict[Place, HTTPStatus | None] = {}
    path, _, query = target.partition("?")
    match = Router(app).find(method, path)
    headers = {b"content-type": b"application/json", b"accept": accept}
    for place in Place:
        request = Request(method, path, query.encode(), headers, "", match.route, match.parameters)
        exchange = begin(match.operation, request, services)
        content = Body(body, len(body)) if body else NO_BODY
        try:
            statuses[place] = HTTPStatus(handle(exchange, services, place, content).status)
        except NotHere:
            statuses[place] = None
    return statuses


def test_files_and_pages_are_made_before_the_first_request() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=SOURCES, capture_output=True, text=True
    )
    assert run.stdout.split("\n", 1)[0] == "0", run
    assert run.stdout.endswith("\n[]\n"), run


@pytest.mark.parametrize("path", ["/docs", *(f"/docs/{name}" for name in operations())])
def test_pages_of_the_contract_are_made_in_the_heavy_thread(path: str) -> None:
    assert places("GET", path) == SLOW


@pytest.mark.parametrize("resource", ["adjudications", "transitions", "odds"])
@pytest.mark.parametrize("game", catalogue())
def test_many_mistakes_are_found_in_the_heavy_thread(game: str, resource: str) -> None:
    for number, quick in ((QUICK_COMMAS, 400), (QUICK_COMMAS + 1, None)):
        body = json.dumps(dict.fromkeys(map(str, range(number + 1)))).encode()
        statuses = places("POST", f"/v1/{game}/{resource}", body)
        assert statuses == {Place.LOOP: quick, Place.THREAD: quick, Place.HEAVY: 400}


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
    assert places("GET", f"{at}/game", app=app) == SLOW
    assert places("GET", f"{at}/events", accept=text, app=app) == SLOW
    for query in ("after=1", f"until={QUICK_ENTRIES}"):
        assert places("GET", f"{at}/events?{query}", accept=text, app=app) == QUICK
    assert places("GET", f"{at}/events", app=app) == QUICK
