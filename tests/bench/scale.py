"""``make bench-scale``: what growth costs, and the runbook's table of capacity computed from it.

Run from the project's root: ``python -m tests.bench.scale [--quick] [--write]``. ``--write`` keeps
the figures in ``deploy/capacity.json`` and writes the section of ``deploy/README.md`` anew.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from shutil import which
from typing import Any

from tests.bench import following, keeping, spreading, stateless
from tests.bench.capacity_page import RUNBOOK, load, save, section, written
from tests.bench.load import AnswersFailed
from tests.bench.stateless import Plan
from tests.engines.servers import ENGINES
from tests.programs import program

FULL, QUICK = Plan(5, 3), Plan(2, 1)


def say(line: str) -> None:
    print(line, flush=True)


def facts(run: str) -> dict[str, Any]:
    """Where and when."""
    engine = ENGINES[0]
    told = subprocess.run([program("nginx"), "-v"], capture_output=True, check=True, text=True)
    names = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return {
        "run": run,
        "date": datetime.now(UTC).date().isoformat(),
        "cores": len(os.sched_getaffinity(0)),
        "processor": names[0] if names else platform.machine(),
        "python": platform.python_version(),
        "redis": f"{engine.program.name} {'.'.join(map(str, engine.version))}",
        "nginx": told.stderr.strip().rpartition(": ")[2],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="two short rounds")
    parser.add_argument("--write", action="store_true", help="into deploy/, too")
    arguments = parser.parse_args()
    if which("wrk") is None:
        print("needed and not found: wrk", file=sys.stderr)
        return 1
    plan, known = (QUICK, facts("quick")) if arguments.quick else (FULL, facts("full"))
    try:
        with tempfile.TemporaryDirectory(prefix="referee-bench-") as folder:
            costs = stateless.measure(Path(folder), plan, say, known)
        costs |= keeping.measure(plan, say, known)
        costs |= following.measure(plan, say) | spreading.measure(plan, say)
    except AnswersFailed as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        return 1
    say(f"\n{section(costs, known)}")
    if arguments.write:
        save(costs, known)
        RUNBOOK.write_text(written(RUNBOOK.read_text("utf-8"), *load()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
