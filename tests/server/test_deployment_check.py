"""``serve --check`` finds settings with which sessions or clients would suffer."""

import json
from pathlib import Path
from typing import Any

import pytest

from dice_referee.server.deployment_check import redis_state
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.settings import Settings
from tests.engines.servers import ENGINES, FIRST_SOONER, Node, Single, free_port
from tests.server.test_gunicorn_conf import started
from tests.wire import serving


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"HOST": "unix:referee"}, "HOST must have an absolute path after unix:, not 'referee'"),
        (
            {"METRICS_BIND": "unix:m"},
            "METRICS_BIND must have an absolute path after unix:, not 'm'",
        ),
        ({"HOST": "nowhere.invalid"}, "HOST has no address: nowhere.invalid"),
        (
            {"REDIS_URL": "redis://:secret@nowhere.invalid"},
            "REDIS_URL names a host without an address: nowhere.invalid",
        ),
        ({"VAR_DIR": "/proc/x/y"}, "VAR_DIR cannot be written, sessions would be off: /proc/x/y"),
        ({"RATE_EVENT": "9"}, "RATE_EVENT is not a setting; RATE_EVENTS is"),
    ],
)
def test_check_refuses_what_a_start_accepts(settings: dict[str, str], line: str) -> None:
    ended = started("serve", "--check", **settings)
    assert (ended.returncode, ended.stderr) == (2, f"{line}\n")
    assert "PORT=8000\n" in ended.stdout


def test_check_refuses_a_machine_without_a_redis(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("dice_referee.server.deployment_check.candidates", list)
    from dice_referee.server.deployment_check import faults

    assert [*faults(Settings(var_dir=str(tmp_path)))] == [
        "no redis-server or valkey-server, and no REDIS_URL: sessions would be off"
    ]


@pytest.mark.parametrize("engine", FIRST_SOONER)
def test_check_describes_a_complete_redis(engine: Any) -> None:
    with Single(engine) as server:
        server.ask("CONFIG", "SET", "maxmemory", "64mb")
        ended = started("serve", "--check", REDIS_URL=server.url)
        assert (ended.returncode, ended.stderr) == (0, "")
        line = ended.stdout.splitlines()[-1]
        where, _, state = line.partition(": ")
        assert where == f"# Redis at 127.0.0.1:{server.port}"
        version, *rest = state.split(", ")
        assert version.startswith("{}.{}.".format(*engine.version))
        assert rest == ["maxmemory 64 MB", "noeviction", "all rights"]
        assert all(0 < server.ask("TTL", key) <= 60 for key in server.ask("KEYS", "*"))


def test_check_passes_a_redis_that_does_not_answer() -> None:
    port = free_port()
    ended = started("serve", "--check", REDIS_URL=f"redis://u:secret@127.0.0.1:{port}")
    assert (ended.returncode, ended.stderr) == (0, "")
    line = f"# Redis at 127.0.0.1:{port}: no answer (ConnectionError)"
    assert ended.stdout.splitlines()[-1] == line


@pytest.mark.parametrize("right", ["hset", "evalsha", "info", "publish", "subscribe", "xadd"])
def test_check_reports_a_missing_right(node: Node, right: str) -> None:
    node.ask("ACL", "SETUSER", "service", "on", ">secret", "~*", "&*", "+@all", f"-{right}")
    state = redis_state(Settings(redis_url=f"redis://service:secret@127.0.0.1:{node.port}"))
    [fault] = state[1]
    assert fault.startswith(f"Redis at 127.0.0.1:{node.port} refuses: NOPERM ")


@pytest.fixture(scope="module")
def node() -> Any:
    with Node(ENGINES[0]) as node:
        yield node


def test_check_reports_a_wrong_password(node: Node) -> None:
    _, [fault] = redis_state(Settings(redis_url=f"redis://u:wrong@127.0.0.1:{node.port}"))
    assert "refuses: WRONGPASS" in fault
    assert "wrong@" not in fault


def test_check_reports_a_policy_that_deletes_sessions(node: Node) -> None:
    node.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    _, [fault] = redis_state(Settings(redis_url=node.url))
    node.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
    assert fault.endswith("maxmemory-policy allkeys-lru, which deletes sessions: set noeviction")


def test_check_reports_an_old_server(node: Node, monkeypatch: Any) -> None:
    old = {"redis_version": "6.0.16", "maxmemory_policy": "noeviction", "maxmemory": 0}
    monkeypatch.setattr(RedisStore, "server", lambda store: old)
    state, [fault] = redis_state(Settings(redis_url=node.url))
    assert fault.endswith("is 6.0.16: 6.2 or later is needed")
    assert "no maxmemory" in state


def test_service_without_a_directory_says_that_sessions_are_off() -> None:
    with serving(VAR_DIR="/proc/x", WORKERS=1) as server:
        answer = server.ask("GET", "/readyz")
        assert (answer.status, json.loads(answer.body)["sessions"]) == (200, "off")
