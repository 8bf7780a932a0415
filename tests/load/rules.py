"""Our rules for semgrep: each finds what it is made for, and none finds anything in the service.

``make semgrep``; the argument is the program. Nothing is asked of anybody: no registry, no metrics.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.server.serving import ROOT

RULES = Path(__file__).with_name("semgrep.yml")
PLANTED = {
    "no-code-from-data": "eval(text)",
    "no-shell": "import os\nos.system(text)",
    "programs-only-where-redis-is-started": "import subprocess",
    "nothing-is-fetched": "from urllib.request import urlopen",
    "no-secret-in-the-log": 'log_event("x", seat_token=text)',
    "no-request-in-the-log": "logger.info(request.path)",
    "scripts-are-constants": 'redis.eval(f"return {text}", 0)',
    "only-the-settings-name-variables": 'import os\nos.environ.get("X")',
    "secrets-are-compared-in-constant-time": "if token == session.host:\n    pass",
    "chance-is-not-guessable": "from random import choice",
    "no-weak-hash": "import hashlib\nhashlib.md5(text)",
    "certificates-are-checked": "connect(host, verify=False)",
    "no-pages-or-redirects-of-flask": "import flask\nflask.redirect(text)",
    "no-origin-is-trusted-with-credentials": 'headers["Access-Control-Allow-Credentials"] = "true"',
}
"""A fault for every rule."""


def findings(program: str, place: Path, *targets: str) -> list[dict[str, Any]]:
    """What semgrep says of these files."""
    quiet = ("--metrics=off", "--disable-version-check", "--no-git-ignore", "--quiet", "--json")
    told = subprocess.run(
        [program, "scan", *quiet, "--config", str(RULES), *targets],
        cwd=place,
        env={**os.environ, "SEMGREP_SEND_METRICS": "off", "SEMGREP_ENABLE_VERSION_CHECK": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    document = json.loads(told.stdout)
    assert not document["errors"], document["errors"]
    found: list[dict[str, Any]] = document["results"]
    return found


def rule(finding: dict[str, Any]) -> str:
    return str(finding["check_id"]).rpartition(".")[2]


def main(program: str) -> int:
    """0 if the rules are good, and kept."""
    names = {*re.findall(r"^  - id: (\S+)$", RULES.read_text("utf-8"), re.MULTILINE)}
    assert names == {*PLANTED}, names ^ {*PLANTED}
    with tempfile.TemporaryDirectory() as place:
        sessions = Path(place, "service/sessions")
        sessions.mkdir(parents=True)
        for name, fault in PLANTED.items():
            (sessions / f"{name.replace('-', '_')}.py").write_text(f"{fault}\n")
        found = findings(program, Path(place), "service")
    blind = names - {rule(one) for one in found}
    assert not blind, f"rules that find nothing: {blind}"
    kept = findings(program, ROOT, "service", "deploy")
    for one in kept:
        print(f"{one['path']}:{one['start']['line']}: {rule(one)}: {one['extra']['message']}")
    print(f"{len(names)} rules, {len(kept)} findings")
    return 1 if kept else 0


if __name__ == "__main__":
    sys.exit(main(str(Path(sys.argv[1]).absolute())))
