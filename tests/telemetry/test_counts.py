"""Counters of a process, as Prometheus scrapes them."""

from pathlib import Path
from threading import Thread, Timer

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.telemetry.metrics import (
    REGISTRY,
    AllProcesses,
    Process,
    count_change,
    count_rate_limited,
    count_request,
    count_verdict,
    observe_redis_command,
)
from tests.unlimited import UNLIMITED


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Process, "counts", True)


def counted(route: str) -> float:
    labels = {"method": "GET", "route": route, "status": "200"}
    return REGISTRY.get_sample_value("referee_requests_total", labels) or 0


def test_concurrent_counts_are_not_lost() -> None:
    def work() -> None:
        for _ in range(2000):
            count_request("GET", "/test-threads", 200, 0.001)

    before = counted("/test-threads")
    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted("/test-threads") - before == 8000


def test_nothing_is_counted_without_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Process, "counts", False)
    count_request("GET", "/test-pageless", 200, 0.001)
    count_verdict("pageless", "scoring")
    count_change("pageless", "act")
    count_rate_limited("pageless")
    observe_redis_command("pageless", 0.001, True)
    assert not any("pageless" in str(metric.samples) for metric in REGISTRY.collect())
    monkeypatch.setattr(Process, "counts", True)
    count_change("pageless", "act")
    assert any("pageless" in str(metric.samples) for metric in REGISTRY.collect())


def test_requests_are_counted_by_their_duration() -> None:
    def buckets() -> dict[str, float]:
        samples = [s for metric in REGISTRY.collect() for s in metric.samples]
        return {
            s.labels.get("le", s.name): s.value
            for s in samples
            if s.name.startswith("referee_request_duration_seconds_")
            and s.labels.get("route") == "/test"
        }

    count_request("GET", "/test", 200, 0.0)
    before = buckets()
    for seconds in (0.0004, 0.0005, 0.003, 0.003, 0.2, 100.0):
        count_request("GET", "/test", 200, seconds)
    after = buckets()
    risen = {bound: after[bound] - before[bound] for bound in after}
    assert risen["0.0005"] == 2
    assert risen["0.002"] == 2
    assert risen["0.01"] == 4
    assert risen["0.25"] == 5
    assert risen["5.0"] == 5
    assert risen["+Inf"] == risen["referee_request_duration_seconds_count"] == 6
    assert abs(risen["referee_request_duration_seconds_sum"] - 100.2069) < 1e-9


def test_page_skips_empty_and_deleted_files(tmp_path: Path) -> None:
    """A worker starts with an empty file, and removes its gauges at its end."""
    empty = tmp_path / "counter_0.db"
    empty.touch()
    registry = CollectorRegistry()
    AllProcesses(registry, str(tmp_path))  # type: ignore[no-untyped-call]
    assert generate_latest(registry) == b""
    assert list(AllProcesses.merge([str(empty), str(tmp_path / "gauge_livesum_0.db")])) == []


def test_durations_of_a_route_exclude_limited_requests() -> None:
    """Clients can cause any number of refusals by limits, whose durations would hide all others."""
    count_request("GET", "/test-answers", 200, 0.001)
    count_request("GET", "/test-answers", 404, 0.002)
    count_request("POST", "/test-answers", 200, 0.004)
    count_request("POST", "/test-answers", 429, 1000.0)
    count_request("POST", "/test-refusals", 429, 0.001)
    route = {"route": "/test-answers"}
    assert REGISTRY.get_sample_value("referee_request_duration_seconds_count", route) == 3
    assert REGISTRY.get_sample_value(
        "referee_request_duration_seconds_sum", route
    ) == pytest.approx(0.007)
    route = {"route": "/test-refusals"}
    assert REGISTRY.get_sample_value("referee_request_duration_seconds_count", route) is None
    assert counted("/test-answers") == 1


@pytest.mark.long
@pytest.mark.parametrize("ended", [False, True])
def test_poll_wait_in_a_thread_is_not_measured(redis_url: str, ended: bool) -> None:
    def seconds() -> float:
        events = {"route": "/v1/sessions/<session_id>/events"}
        return REGISTRY.get_sample_value("referee_request_duration_seconds_sum", events) or 0

    store = RedisStore(redis_url, 5000)
    client = create_app(UNLIMITED, store).test_client()
    answer = client.post("/v1/sessions", json={"game": "tutto", "players": ["Ada", "Ben"]})
    at, before = answer.headers["Location"], seconds()

    def end() -> None:
        token = {"Authorization": f"Bearer {answer.get_json()['host_token']}"}
        create_app(UNLIMITED, store).test_client().delete(at, headers=token)

    ending = Timer(2, end)
    if ended:
        ending.start()
    assert client.get(f"{at}/events?wait={30 if ended else 2}").status_code == (
        410 if ended else 200
    )
    assert 0 < seconds() - before < 1.5
    store.close()
