"""A megabyte of the worst adds at most 30 MB to a worker, whatever it contains."""

import json
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import json, os, resource
from tests.application import CLIENT

MB = 1 << 20
TEXT, JSON, NDJSON = "text/plain", "application/json", "application/x-ndjson"
GAMES, BATCH = "/v1/tutto/audits", "/v1/tutto/adjudications/batch"


def filled(first, part, last=""):
    return (first + part * ((MB - len(first) - len(last)) // len(part)) + last).encode()


JUNK = ',{"a":1,"b":2,"c":3,"d":4}' + " " * 80
KEYS = ",".join(f'"{number:05x}":1' for number in range(104_000))
SHAPES = [
    *((GAMES, TEXT, filled("tutto: ", part, ": bank")) for part in (",", '"', '""x', "a, ")),
    *((GAMES, TEXT, filled("tutto: A, B: ", part)) for part in ("x ", "1", '""x', "keep ", ":")),
    *((GAMES, TEXT, filled("tutto ", part, ": A, B: bank")) for part in ("x ", "a=b ")),
    (GAMES, TEXT, filled('tutto: "', '\\\\"')),
    ("/v1/pot/audits", TEXT, filled("pot: A, B: accept", " 1")),
    (f"{GAMES}/review", JSON, filled('{"line":"tutto: A, B: ', "x ", '"}')),
    (GAMES, JSON, ("{" + KEYS + "}").encode()),
    (GAMES, JSON, ("{" + KEYS[:-100_000] + ',"00001":1}').encode()),
    (GAMES, JSON, filled('{"log":[1', ",1.0", "]}")),
    (GAMES, JSON, filled('{"players":["A","B"],"log":[{}', JUNK, "]}")),
    (GAMES, JSON, filled('{"players":["A"', ',""', "]}")),
    (BATCH, JSON, filled('{"positions":[{}', JUNK, "]}")),
    (BATCH, NDJSON, filled("1", " " * 107 + "\\n1")),
    ("/v1/fairness/verify", JSON, filled('{"game":"tutto","record":{"log":[1', ",1", "]}}")),
    ("/v1/sessions", JSON, filled('{"game":"tutto","players":["A"', ',"B"', "]}")),
]


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


for path, kind, _ in SHAPES:
    CLIENT.post(path, data=b"{}", content_type=kind)
for path, kind, body in SHAPES:
    if not os.fork():
        before = peak()
        answer = CLIENT.post(path, data=body, content_type=kind, buffered=False)
        sum(map(len, answer.response))
        more = (peak() - before) // 1024
        print(json.dumps([path, body[:40].decode(), answer.status_code, more]), flush=True)
        os._exit(0)
    os.wait()
"""
MOST = 30
"""Maximum megabytes that a request adds."""


def test_megabyte_of_the_worst_adds_at_most_thirty() -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", PROGRAM]
    environment = {"PYTHONPATH": f"{root}:{root / 'service'}"}
    run = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("[")]
    assert len(lines) == 23, run.stderr
    assert [line for line in lines if line[-1] > MOST] == []
