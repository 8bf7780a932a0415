"""Model that computes the page of capacity."""

from dataclasses import replace

import pytest

from tests.bench.capacity import BEGIN, CORES, END, PAGE, Cost, Costs, filled, page_tables, row

COSTS = Costs(
    post=Cost("post", 50, 150),
    hit=Cost("hit", 20, 0),
    position=Cost("position", 1, 24),
    event=Cost("event", 100, 900, 200),
    session_bytes=15_000,
)


def test_row_leaves_half_of_the_cores_free() -> None:
    # A verdict costs 0.55 x 200 + 0.45 x 20 = 119 us, a position 25 us, an event each 5 s 1,000 us.
    # Streams: 8 workers of 500, half of them free, two a session.
    assert row(1, COSTS) == "| 1 | 34,000 | 160,000 | 1,000 | 20,000 | 1 | 4 GB |"


def test_row_grows_with_machines() -> None:
    assert row(10, COSTS) == "| 10 | 340,000 | 1,600,000 | 10,000 | 200,000 | 3 | 43 GB |"


@pytest.mark.parametrize(("micros", "servers"), [(200, 3), (2_000, 8), (20_000, 80)])
def test_row_has_the_redis_servers_for_time_and_memory(micros: int, servers: int) -> None:
    dearer = replace(COSTS, event=replace(COSTS.event, redis=micros))
    assert row(10, dearer).split(" | ")[5] == str(servers)


def test_tables_name_every_cost() -> None:
    text = page_tables(COSTS, "a machine")
    assert f"Assumed: {CORES} such cores" in text
    assert "| event | 100.0 | 900.0 | 200.0 |" in text
    assert "15.0 KB" in text


def test_page_has_a_place_for_the_tables() -> None:
    page = PAGE.read_text("utf-8")
    computed = page[page.index(BEGIN) + len(BEGIN) : page.index(END)].strip()
    assert computed.count("| Machines |") == 1
    assert filled(page, computed) == page
