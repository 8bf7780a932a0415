"""The runbook's table of capacity follows from what was measured, by a model that holds."""

from dataclasses import replace

import pytest

from tests.bench.capacity import ASSUMED, SECOND, Assumed, Cost, Costs, Model, line_through
from tests.bench.capacity_page import RUNBOOK, load, section, written

COSTS, FACTS = load()


def with_costs(**values: float) -> Costs:
    """What was measured, some of it changed."""
    return {name: replace(cost, value=values.get(name, cost.value)) for name, cost in COSTS.items()}


def test_the_table_is_not_edited_by_hand() -> None:
    runbook = RUNBOOK.read_text("utf-8")
    assert section(COSTS, FACTS) in runbook
    assert written(runbook, COSTS, FACTS) == runbook


def test_other_costs_make_another_table() -> None:
    dearer = section(with_costs(service_post=2 * COSTS["service_post"].value), FACTS)
    assert dearer != section(COSTS, FACTS)


@pytest.mark.parametrize("name", COSTS)
def test_a_cost_lies_within_its_spread(name: str) -> None:
    cost = COSTS[name]
    assert 0 <= cost.low <= cost.value <= cost.high, cost


def test_the_median_stands_for_what_was_measured() -> None:
    assert Cost.of([3.0, 1.0, 8.0], "us", "x") == Cost(3.0, 1.0, 8.0, "us", "x")


def test_the_line_of_a_line_is_that_line() -> None:
    start, slope = line_through([(1, 12.0), (10, 30.0), (1000, 2010.0)])
    assert start == pytest.approx(10.0)
    assert slope == pytest.approx(2.0)


def test_the_line_of_least_squares_lies_between_points_that_are_on_none() -> None:
    assert line_through([(0, 1.0), (0, 3.0), (2, 5.0), (2, 7.0)]) == pytest.approx((2.0, 2.0))


def test_ten_machines_do_ten_times_as_much_and_send_as_much_each() -> None:
    one, ten = Model(COSTS).row(1), Model(COSTS).row(10)
    assert ten.verdicts == pytest.approx(10 * one.verdicts)
    assert ten.positions == pytest.approx(10 * one.positions)
    assert ten.bits == pytest.approx(one.bits, rel=0.01)


def test_a_verdict_out_of_the_cache_costs_the_service_nothing() -> None:
    cached = Model(COSTS, replace(ASSUMED, get=1.0, hit=1.0))
    assert cached.verdict() == COSTS["nginx_hit"].value


def test_half_of_the_time_stays_free() -> None:
    model = Model(COSTS)
    used = model.row(1).verdicts * model.verdict()
    assert used == pytest.approx(ASSUMED.cores * SECOND * (1 - ASSUMED.headroom))


@pytest.mark.parametrize("machines", [1, 10, 1000])
def test_sessions_stay_within_what_streams_and_time_allow(machines: int) -> None:
    row = Model(COSTS).row(machines)
    places = machines * ASSUMED.cores * ASSUMED.worker_streams * (1 - ASSUMED.headroom)
    assert row.sessions * ASSUMED.streams <= places
    assert row.sessions <= row.by_time


def test_no_master_has_more_to_do_than_its_share() -> None:
    model = Model(COSTS)
    row, session = model.row(1000), model.session()
    each = row.sessions / row.clusters
    load_of_one = each * (session.shared / row.masters + session.everywhere)
    assert row.masters >= 1
    assert load_of_one <= SECOND * (1 - ASSUMED.headroom)
    assert row.memory / row.clusters / row.masters <= ASSUMED.memory * (1 - ASSUMED.headroom)


def test_more_masters_do_not_help_against_hearsay() -> None:
    model = Model(COSTS, Assumed(memory=1e18))
    loud = SECOND / model.session().everywhere
    assert model.masters(loud) == 0
    assert model.masters(loud / 10) > 1


def test_sessions_that_are_kept_longer_need_more_memory_and_are_counted_for_longer() -> None:
    day, week = Model(COSTS), Model(COSTS, replace(ASSUMED, kept=7 * ASSUMED.kept))
    assert week.kept_bytes(1000) == pytest.approx(7 * day.kept_bytes(1000))
    assert week.session().redis > day.session().redis
    assert week.session().service == day.session().service


def test_an_event_costs_the_same_however_many_sessions_are_kept() -> None:
    few, *_, many = FACTS["kept"]
    assert many["sessions"] >= 10 * few["sessions"]
    # A hundred times as many; twice is what a busy machine makes of the same.
    assert many["service_us"] < 2 * few["service_us"]
    assert many["redis_us"] < 2 * few["redis_us"]
    assert many["p50_ms"] < 2 * few["p50_ms"]
