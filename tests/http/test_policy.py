"""Request ids, entity tags, and metrics that strangers cannot swell."""

from threading import Event, Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.http import metrics
from service.http.logs import Line
from service.http.message import cached, fresh
from service.http.metrics import OURS, count_request, hand_over, log_request
from service.http.policy import entity_tag, is_match, request_id
from tests.api.asking import ADJUDICATIONS, CLIENT, ROLL, post


@settings(max_examples=300, deadline=None, derandomize=True)
@given(asked=st.text(max_size=70) | st.from_regex(r"\A[A-Za-z0-9-]{60,68}\n?\Z"))
def test_a_request_id_is_the_one_asked_for_or_a_well_formed_new_one(asked: str) -> None:
    plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"
    well_formed = 1 <= len(asked) <= 64 and all(letter in plain for letter in asked)
    identity = request_id(asked)
    assert (identity == asked) == well_formed
    assert 1 <= len(identity) <= 64
    assert all(letter in plain for letter in identity)


def test_made_request_ids_differ() -> None:
    assert len({request_id(None) for _ in range(1000)}) == 1000


@given(body=st.binary(max_size=20), other=st.binary(max_size=20))
def test_equal_bytes_have_equal_tags_and_others_have_not(body: bytes, other: bytes) -> None:
    assert (entity_tag(body) == entity_tag(other)) == (body == other)


@pytest.mark.parametrize(
    ("held", "matches"),
    [
        (None, False),
        ("", False),
        ("*", True),
        (" * ", True),
        ('"a"', True),
        ('W/"a"', True),
        ('"b", "a"', True),
        ('"b",W/"a"', True),
        ('"b"', False),
        ("a", False),
        ('w/"a"', False),
        ('"a', False),
        ('"*"', False),
    ],
)
def test_a_condition_is_compared_weakly(held: str | None, matches: bool) -> None:
    assert is_match(held, '"a"') == matches


def test_an_answer_that_the_client_has_is_a_304_with_the_tag_and_no_type() -> None:
    full = cached(b"x", None)
    again = cached(b"x", entity_tag(b"x"))
    assert (full.status, again.status) == (200, 304)
    assert dict(full.headers)["ETag"] == dict(again.headers)["ETag"]
    assert "Content-Type" not in dict(again.headers)
    assert again.body == b""
    assert dict(fresh(b"x").headers) == {
        "Content-Type": "application/json",
        "Cache-Control": "no-store",
    }


def labels() -> set[tuple[str, str]]:
    return {
        (sample.labels.get("method", ""), sample.labels.get("route", ""))
        for metric in OURS.collect()
        if metric.name.startswith("referee_request")
        for sample in metric.samples
    }


def test_nothing_that_a_client_invents_becomes_a_label() -> None:
    post(ADJUDICATIONS, ROLL)
    for stranger in range(20):
        CLIENT.open(f"/stranger-{stranger}", method=f"STRANGE{stranger}")
        CLIENT.get(f"/v1/games/stranger-{stranger}")
    hand_over()
    known = labels()
    assert not [label for label in known if "strange" in "".join(label).lower()]
    assert ("other", "none") in known
    assert ("POST", ADJUDICATIONS) in known


def verdicts() -> float:
    return sum(
        OURS.get_sample_value("referee_verdicts_total", {"game": "tutto", "status": status}) or 0
        for status in ("niete", "scoring", "tutto")
    )


def test_every_roll_that_is_adjudicated_is_counted_once() -> None:
    hand_over()
    before = verdicts()
    post(ADJUDICATIONS, ROLL)
    post(f"{ADJUDICATIONS}/batch", {"positions": [ROLL, {"card": "x"}, ROLL]})
    hand_over()
    assert verdicts() - before == 3


def test_no_count_is_lost_while_others_count_and_hand_over() -> None:
    def counted() -> float:
        told = {"method": "GET", "route": "/test-threads", "status": "200"}
        return OURS.get_sample_value("referee_requests_total", told) or 0

    def work() -> None:
        for number in range(2000):
            count_request("GET", "/test-threads", 200, 0.001)
            if number % 50 == 0:
                hand_over()

    before = counted()
    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hand_over()
    assert counted() - before == 8000


def test_a_log_that_nobody_reads_costs_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(lines: object) -> None:
        raise BrokenPipeError

    def counted() -> float:
        told = {"method": "GET", "route": "/test-unread", "status": "200"}
        return OURS.get_sample_value("referee_requests_total", told) or 0

    before, line = counted(), ("id", "GET", "/test-unread", 200, 0.001)
    monkeypatch.setattr(metrics, "write_requests", broken)
    count_request("GET", "/test-unread", 200, 0.001)
    log_request(line)
    hand_over()
    assert counted() - before == 1


def test_a_log_that_is_read_slowly_holds_up_one_thread_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[object] = []
    writing, read = Event(), Event()

    def slow(lines: list[tuple[Line, str, str, float]]) -> None:
        writing.set()
        assert read.wait(10)
        written.extend(line for (line, *_) in lines if line[2] == "/test-slow")

    monkeypatch.setattr(metrics, "write_requests", slow)
    told: list[Line] = [(f"{number}", "GET", "/test-slow", 200, 0.001) for number in range(5)]
    log_request(told[0])
    stuck = Thread(target=hand_over)
    stuck.start()
    assert writing.wait(10)
    for line in told[1:]:
        log_request(line)
        hand_over()  # comes back at once
    read.set()
    stuck.join(10)
    hand_over()
    assert written == told


def test_requests_are_counted_by_latency_as_prometheus_would_one_by_one() -> None:
    def buckets() -> dict[str, float]:
        samples = [s for metric in OURS.collect() for s in metric.samples]
        return {
            s.labels.get("le", s.name): s.value
            for s in samples
            if s.name.startswith("referee_request_seconds_") and s.labels.get("route") == "/test"
        }

    count_request("GET", "/test", 200, 0.0)
    hand_over()
    before = buckets()
    for seconds in (0.0004, 0.0005, 0.003, 0.003, 0.2, 100.0):
        count_request("GET", "/test", 200, seconds)
    hand_over()
    after = buckets()
    risen = {bound: after[bound] - before[bound] for bound in after}
    assert risen["0.0005"] == 2
    assert risen["0.002"] == 2
    assert risen["0.01"] == 4
    assert risen["0.25"] == 5
    assert risen["5.0"] == 5
    assert risen["+Inf"] == risen["referee_request_seconds_count"] == 6
    assert abs(risen["referee_request_seconds_sum"] - 100.2069) < 1e-9
