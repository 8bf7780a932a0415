"""The lines of the soak about damaged sessions and repeated sieges."""

from pathlib import Path

import pytest

from tests.e2e.faults.clients import GAMES, Client, Play, Table
from tests.engines.servers import ENGINES, Single
from tests.load import soak
from tests.load.hostile import AT_ONCE
from tests.load.soak import SIEGES, Soak
from tests.server.serving import serving

GUIDE = Path(soak.__file__).resolve().parents[2] / "deploy/soak.md"


def tables(clients: list[Client]) -> list[Table]:
    return [table for client in clients for table in client.tables if table.accepted]


def test_a_lost_write_is_told_with_its_session(capsys: pytest.CaptureFixture[str]) -> None:
    with Single(ENGINES[0]) as redis, serving(REDIS_URL=redis.url, WORKERS=1) as service:
        play = Play(service, GAMES)
        try:
            play.begin()
            play.plays_on()
        finally:
            play.end()
        lost, *others = tables(play.clients)
        whole, damaged = Soak(), Soak()
        whole.check(service, others)
        assert whole.wrong == []
        assert "each is what its client was told, legal and fair" in capsys.readouterr().out
        # The client was told of an event that is not in the log.
        id, count = lost.state["id"], len(lost.accepted) + 1
        lost.accepted.append({**lost.accepted[-1], "version": count})
        damaged.check(service, [lost])
        cause = f"its log has {count - 1} entries, and {count} were acknowledged"
        assert damaged.wrong == [f"session {id} is not what was told: {cause}"]
        last = capsys.readouterr().out.splitlines()[-1]
        assert last.endswith(f"1 of them are not what was told: {id}")
        assert "legal and fair" not in last


@pytest.mark.parametrize("held_in", [1, 2, None])
def test_a_repeated_siege_is_told(capsys: pytest.CaptureFixture[str], held_in: int | None) -> None:
    attempts = 0

    def holds() -> bool:
        nonlocal attempts
        attempts += 1
        return attempts == held_in

    run = Soak()
    run.attempt("deployed", "p99 below 50 ms", holds)
    out = capsys.readouterr().out
    told = [line for line in out.splitlines() if "over its bar (p99 below 50 ms)" in line]
    assert len(told) == (held_in or SIEGES + 1) - 1
    assert attempts == (held_in or SIEGES)
    conclusions = {
        1: "all is well",
        2: "all is well; repeated: deployed",
        None: "wrong: 1; repeated: deployed",
    }
    assert run.conclusion() == conclusions[held_in]


def test_the_guide_names_the_bars() -> None:
    text = " ".join(GUIDE.read_text("utf-8").split())
    bars = (
        f"below {AT_ONCE:.0f} ms or twice",
        f"below {soak.MOST_WAIT_MS:.0f} ms",
        f"{soak.MOST_GROWTH_MB:.0f} MB",
    )
    assert [bar for bar in bars if bar not in text] == []
