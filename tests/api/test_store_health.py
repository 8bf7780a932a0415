"""Health of the service by the state of its store."""

import json

from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from tests.application import TUTTO, refused
from tests.unlimited import UNLIMITED


class PartialStore(RedisStore):
    """A store of which some servers are unavailable."""

    def ping(self) -> bool:
        return False


def test_readyz_is_degraded_while_some_servers_are_unavailable() -> None:
    client = create_app(UNLIMITED, PartialStore("redis://127.0.0.1:1")).test_client()
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert json.loads(answer.data) == {"status": "degraded", "sessions": "degraded"}


def test_readyz_reports_the_state_of_the_store(client: FlaskClient) -> None:
    expected = {"status": "ok", "sessions": "ok"}
    assert json.loads(client.get("/readyz").data) == expected
    away = create_app(UNLIMITED, RedisStore("redis://127.0.0.1:1", 200)).test_client()
    answer = away.get("/readyz")
    assert answer.status_code == 200
    assert json.loads(answer.data) == {"status": "degraded", "sessions": "away"}
    assert json.loads(away.get("/livez").data) == {"status": "ok"}
    answer = away.post("/v1/sessions", json=TUTTO)
    assert refused(answer, "sessions-away", 503)
    assert answer.headers["Retry-After"] == "1"
