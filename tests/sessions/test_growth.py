"""The cost of an event does not grow. Costs are counted, so that load does not change them."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.sessions.feed import FeedPage
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import MOMENT_VERSIONS, LogLine
from tests.engines.servers import ENGINES, Single
from tests.unlimited import UNLIMITED, UNLIMITED_ENVIRONMENT
from tests.wire import Stream, Wire, begin, serving

CYCLE: list[dict[str, Any]] = [
    {"type": "draw", "card": "bonus-300"},
    {"type": "roll", "dice": [1, 2, 3, 3, 4, 6]},
    {"type": "keep", "dice": [1]},
    {"type": "roll", "dice": [2, 3, 4, 4, 5]},
    {"type": "bank"},
]
"""A turn that can be repeated without end."""
BEGINNING = {
    "game": "tutto",
    "players": ["Ann", "Ben"],
    "dice": "client",
    "options": {"target": 1_000_000},
}
Change = Callable[[FlaskClient, str, dict[str, str]], None]
STORED = "for i = 1, 1000 do redis.call('SET', ARGV[1] .. ':' .. i, ARGV[2], 'EX', 600) end"
FOLLOWERS = 40
PERIOD = 16
"""Number of turns after which distances from stored states repeat."""


class Cost(NamedTuple):
    """Counts of changes."""

    questions: int
    """Commands that Redis executed."""
    transferred: int
    """Bytes that Redis received and sent."""
    calls: int
    """Calls of Python functions in the service."""


@pytest.fixture
def redis() -> Iterator[Single]:
    with Single(ENGINES[0]) as server:
        yield server


def commands(redis: Single) -> int:
    """Returns the number of commands that sessions have used, without INFO itself."""
    stats: dict[str, Any] = {**redis.info("commandstats")}
    return sum(
        int(value["calls"])
        for name, value in stats.items()
        if name not in ("cmdstat_info", "cmdstat_publish", "cmdstat_ping")
    )


def transferred(redis: Single) -> int:
    """Returns the number of bytes that Redis has received and sent."""
    stats = redis.info("stats")
    return int(stats["total_net_input_bytes"]) + int(stats["total_net_output_bytes"])


def turn(client: FlaskClient, at: str, host: dict[str, str]) -> None:
    for event in CYCLE:
        assert client.post(f"{at}/events", json=event, headers=host).status_code == 200


def take_back(client: FlaskClient, at: str, host: dict[str, str]) -> None:
    for _ in CYCLE:
        assert client.post(f"{at}/undo", headers=host).status_code == 200


def calls_of(work: Callable[[], None]) -> int:
    """Counts the calls of Python functions of the package in this thread."""
    calls = 0

    def count(frame: Any, kind: str, _: Any) -> None:
        nonlocal calls
        calls += kind == "call" and "dice_referee" in frame.f_code.co_filename

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def cost_of(redis: Single, work: Callable[[], None]) -> Cost:
    questions, before = commands(redis), transferred(redis)
    calls = calls_of(work)
    after = transferred(redis)
    return Cost(commands(redis) - questions, after - before, calls)


def assert_constant(costs: list[Cost]) -> None:
    """Expects equal costs of periods."""
    assert len({(cost.questions, cost.calls) for cost in costs}) == 1, costs
    amounts = [cost.transferred for cost in costs]
    # Versions and scores gain some digits.
    assert max(amounts) - min(amounts) <= 200 * PERIOD, costs


def test_some_changes_store_states(redis: Single) -> None:
    """A period has each distance from a stored state equally often."""
    assert PERIOD * len(CYCLE) % MOMENT_VERSIONS == 0
    with playing(redis) as (client, at, host):
        costs = [cost_of(redis, lambda: turn(client, at, host)) for _ in range(2 * PERIOD)]
        assert len({cost.calls for cost in costs}) > 1
        assert len({cost.questions for cost in costs}) == 1


@contextmanager
def playing(redis: Single) -> Iterator[tuple[FlaskClient, str, dict[str, str]]]:
    """Begins a session of a period without kept events.

    The scripts, whose first use sends their source, have been used.
    """
    store = RedisStore(redis.url, 5000)
    client = create_app(UNLIMITED, store).test_client()
    document: Any = client.post("/v1/sessions", json=BEGINNING).get_json()
    at = f"/v1/sessions/{document['session']['id']}"
    host = {"Authorization": f"Bearer {document['host_token']}"}
    for action in (turn, take_back) * (PERIOD // 2):
        action(client, at, host)
    yield client, at, host
    store.close()


@pytest.mark.long
@pytest.mark.parametrize("change", [turn, take_back])
def test_change_cost_is_constant_over_time_and_sessions(redis: Single, change: Change) -> None:
    with playing(redis) as (client, at, host):

        def cost() -> Cost:
            def period() -> None:
                for _ in range(PERIOD):
                    change(client, at, host)

            return cost_of(redis, period)

        for _ in range(2 * PERIOD):
            turn(client, at, host)
        early = cost()
        for _ in range(12 * PERIOD):
            turn(client, at, host)
        late = cost()
        value = client.get(at).data
        for thousand in range(200):
            redis.ask("EVAL", STORED, 0, f"referee:{{{thousand}}}", value)
        for _ in range(2 * PERIOD):
            turn(client, at, host)
        crowded = cost()
    assert_constant([early, late, crowded])


@pytest.mark.long
def test_undo_of_a_whole_game_costs_the_same_each_time(redis: Single) -> None:
    with playing(redis) as (client, at, host):
        before: Any = client.get(at).get_json()
        for _ in range(4 * PERIOD):
            turn(client, at, host)
        costs = [cost_of(redis, lambda: take_back(client, at, host)) for _ in range(4 * PERIOD)]
        assert len({cost.questions for cost in costs}) == 1
        periods = [
            Cost(*map(sum, zip(*costs[start : start + PERIOD], strict=True)))
            for start in range(0, len(costs), PERIOD)
        ]
        assert_constant(periods)
        # Fewer than the interval of entries are read and replayed.
        amounts = [cost.transferred for cost in costs]
        assert max(amounts) - min(amounts) < len(CYCLE) * MOMENT_VERSIONS * 100
        assert client.post(f"{at}/undo", headers=host).status_code == 409
        state: Any = client.get(at).get_json()
        moved = ("version", "updated_at", "expires_at")
        assert {**state, **dict.fromkeys(moved)} == {**before, **dict.fromkeys(moved)}


def test_followers_read_no_log_for_an_event(redis: Single) -> None:
    settings: dict[str, Any] = {"REDIS_URL": redis.url, "WORKERS": 1, **UNLIMITED_ENVIRONMENT}
    with serving(**settings) as server, ExitStack() as closing:
        table = begin(server, **BEGINNING)
        questions = list[int]()
        for followers in (0, FOLLOWERS):
            streams = [
                Stream(closing.enter_context(Wire(server.port)), f"{table.at}/stream")
                for _ in range(followers)
            ]
            # The first turn ends the initial reads of the streams.
            for _ in range(2):
                before = commands(redis)
                for event in CYCLE:
                    version = str(table.change("events", event)["entry"]["version"])
                    for stream in streams:
                        while stream.event()["id"] != version:
                            pass
            questions.append(commands(redis) - before)
        alone, followed = questions
        # A regular read of the log has five commands.
        assert followed <= alone + 5


def test_followers_of_a_page_share_its_frames() -> None:
    page = FeedPage(1, (LogLine(1, b"{}"),), False, b"{}")
    for with_state in (False, True):
        assert page.frames(with_state=with_state) is page.frames(with_state=with_state)
