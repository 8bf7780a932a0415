"""Rules and dashboard for Prometheus and Grafana: valid, tested, and about real metrics."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import quick_yaml
from tests.e2e.deploy.unit import BACKUP, NODE_EXPORTER, unit_commands
from tests.engines.servers import wait_until
from tests.programs import program
from tests.server.serving import ADJUDICATIONS, ROLL
from tests.server.test_streams import new_table
from tests.telemetry.scraping import watched

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
PROMETHEUS = DEPLOY / "prometheus"
RUNBOOK = "".join((DEPLOY / name).read_text("utf-8") for name in ("README.md", "metrics.md"))
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text("utf-8"))
RULES: dict[str, Any] = quick_yaml.load((PROMETHEUS / "rules.yaml").read_text("utf-8"))
ALERTS = {
    rule["alert"]: rule for group in RULES["groups"] for rule in group["rules"] if "alert" in rule
}
RECORDS = {
    rule["record"] for group in RULES["groups"] for rule in group["rules"] if "record" in rule
}
TESTS = ("rules_test.yaml", "rules_test_long.yaml")
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
EXPRESSIONS = [target["expr"] for panel in PANELS for target in panel["targets"]]
NAME = re.compile(r"\breferee_[a-z_]+")
SUFFIX = re.compile(r"_(bucket|count|sum)$")


def promtool(*arguments: str | Path, given: bytes = b"") -> tuple[int, str]:
    told = subprocess.run(
        [program("promtool"), *map(str, arguments)],
        input=given,
        capture_output=True,
        check=False,
        timeout=300,
    )
    return told.returncode, (told.stdout + told.stderr).decode()


def section(title: str) -> str:
    """Returns the part of the runbook under a heading."""
    return re.split(r"\n#+ ", re.split(rf"\n#+ {title}\n", RUNBOOK)[1])[0]


def rows(title: str) -> dict[str, list[str]]:
    """The table of a section: each row by the name in its first cell."""
    lines = [line for line in section(title).splitlines() if line.startswith("| `")]
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    names = [first.strip("`") for first, *_ in found]
    assert len(set(names)) == len(names) > 0
    return dict(zip(names, (rest for _, *rest in found), strict=True))


@pytest.fixture(scope="module")
def page(redis_url: str) -> Iterator[bytes]:
    """Returns the metrics of a real server after everything has happened once."""
    limits = {"RATE_STATELESS": 20, "RATE_LOOPBACK": 1}
    with watched(REDIS_URL=redis_url, WORKERS=1, **limits) as inside:
        new_table(inside.server)
        statuses = [inside.server.ask("POST", ADJUDICATIONS, ROLL).status for _ in range(25)]
        assert {200, 429} == set(statuses)
        wait_until("all is told", lambda: b"referee_sessions " in inside.page())
        inside.reaches(statuses.count(429), "referee_rate_limited_total", policy="stateless")
        yield inside.page()


def exported(page: bytes) -> dict[str, str]:
    """Every metric with its kind."""
    return dict(re.findall(r"^# TYPE (\S+) (\S+)$", page.decode(), re.MULTILINE))


def test_prometheus_takes_its_configuration_and_its_rules() -> None:
    code, told = promtool("check", "config", PROMETHEUS / "prometheus.yml")
    assert code == 0, told
    assert "1 rule files found" in told
    code, told = promtool("check", "rules", "--lint=all", "--lint-fatal", PROMETHEUS / "rules.yaml")
    assert code == 0, told


@pytest.mark.long
@pytest.mark.parametrize("name", TESTS)
def test_every_alert_does_what_its_tests_say(name: str) -> None:
    code, told = promtool("test", "rules", PROMETHEUS / name)
    assert code == 0, told


def test_every_alert_is_seen_to_fire_and_to_be_silent() -> None:
    seen: dict[str, set[bool]] = {name: set() for name in ALERTS}
    for name in TESTS:
        for group in quick_yaml.load((PROMETHEUS / name).read_text("utf-8"))["tests"]:
            for test in group["alert_rule_test"]:
                seen[test["alertname"]].add(bool(test["exp_alerts"]))
    assert seen == {name: {True, False} for name in ALERTS}


def test_every_promise_is_seen_to_be_broken() -> None:
    text = "".join((PROMETHEUS / name).read_text("utf-8") for name in TESTS)
    promises = {
        rule["labels"]["slo"]
        for group in RULES["groups"]
        for rule in group["rules"]
        if "record" in rule
    }
    assert promises == {"availability", "stateless", "sessions"}
    for promise in promises:
        assert f"slo: {promise}" in text


def test_the_runbook_says_of_every_alert_what_to_do() -> None:
    told = rows("Alerts")
    assert set(told) == set(ALERTS)
    for name, alert in ALERTS.items():
        severity, *rest = told[name]
        assert severity == alert["labels"]["severity"]
        assert all(rest)
        annotations = alert["annotations"]
        assert set(annotations) == {"summary", "description", "runbook_url"}
        assert annotations["runbook_url"] == "deploy/README.md#alerts"


def test_the_metrics_are_valid(page: bytes) -> None:
    code, told = promtool("check", "metrics", given=page)
    assert (code, told) == (0, "")


def test_the_runbook_explains_every_metric_and_no_other(page: bytes) -> None:
    told = rows("Metrics")
    assert {name: cells[0] for name, cells in told.items()} == exported(page)


@pytest.fixture
def backup_page(tmp_path: Path) -> bytes:
    """Runs the command of the unit, and reads what a machine tells of its copies."""
    ((*shell, line),) = unit_commands(BACKUP.read_text("utf-8"), "ExecStartPost", {})
    subprocess.run([*shell, line.replace(NODE_EXPORTER, str(tmp_path))], check=True)
    (written,) = tmp_path.iterdir()
    assert written.suffix == ".prom", "node_exporter reads no other files"
    assert written.stat().st_mode & 0o777 == 0o644
    return written.read_bytes()


def test_the_metric_of_the_last_copy_is_valid(backup_page: bytes) -> None:
    assert exported(backup_page) == {"referee_backup_timestamp_seconds": "gauge"}
    (moment,) = re.findall(rb"^referee_backup_timestamp_seconds (\d+)$", backup_page, re.MULTILINE)
    assert abs(int(moment) - time.time()) < 600
    code, told = promtool("check", "metrics", given=backup_page)
    assert (code, told) == (0, "")


def test_rules_and_dashboard_ask_for_metrics_that_there_are(
    page: bytes, backup_page: bytes
) -> None:
    there = {*exported(page), *exported(backup_page)}
    asked = NAME.findall((PROMETHEUS / "rules.yaml").read_text("utf-8")) + [
        name for expression in EXPRESSIONS for name in NAME.findall(expression)
    ]
    assert asked
    assert {SUFFIX.sub("", name) for name in asked} <= there
    assert there - {SUFFIX.sub("", name) for name in asked} == set(), "nothing is told for nobody"


def test_labels_in_queries_exist(page: bytes) -> None:
    told: dict[str, set[str]] = {}
    for name, labels in re.findall(r"^(referee_\w+)\{(.*)\}", page.decode(), re.MULTILINE):
        told.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    given = {"job", "instance"}
    texts = [*EXPRESSIONS, (PROMETHEUS / "rules.yaml").read_text("utf-8")]
    selectors = [found for text in texts for found in re.findall(r"(referee_\w+)\{([^}]*)\}", text)]
    assert len(selectors) > 20
    for name, matchers in selectors:
        asked = set(re.findall(r"(\w+)(?:=~|!~|!=|=)\"", matchers))
        assert asked <= told.get(name, set()) | given, (name, matchers)


def test_limits_of_time_in_rules_are_those_of_buckets(page: bytes) -> None:
    text = (PROMETHEUS / "rules.yaml").read_text("utf-8")
    for limit in set(re.findall(r'le="([\d.]+)"', text)):
        assert f'referee_request_seconds_bucket{{le="{limit}"' in page.decode()


def test_grafana_can_import_the_dashboard() -> None:
    assert DASHBOARD["id"] is None, "the importer gives it one"
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)
    variables = {variable["name"]: variable["type"] for variable in DASHBOARD["templating"]["list"]}
    assert variables == {"datasource": "datasource", "job": "query"}
    source = {"type": "prometheus", "uid": "${datasource}"}
    for panel in PANELS:
        assert panel["datasource"] == source
        assert panel["title"]
        assert panel["description"]
        assert all(target["datasource"] == source for target in panel["targets"])
    places = [panel["gridPos"] for panel in DASHBOARD["panels"]]
    assert all(0 <= place["x"] <= place["x"] + place["w"] <= 24 for place in places)
    for one, other in combinations(places, 2):
        beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        below = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert beside or below, (one, other)


def test_every_panel_asks_in_a_way_that_prometheus_understands(tmp_path: Path) -> None:
    filled = [
        expression.replace("$__rate_interval", "1m").replace("$job", "referee")
        for expression in EXPRESSIONS
    ]
    assert not any("$" in expression for expression in filled)
    rules = [{"record": f"asked:{number}", "expr": one} for number, one in enumerate(filled)]
    place = tmp_path / "asked.yaml"
    place.write_text(yaml.safe_dump({"groups": [{"name": "asked", "rules": rules}]}), "utf-8")
    code, told = promtool("check", "rules", place)
    assert code == 0, told
    records = {name for expression in filled for name in re.findall(r"referee:[\w:]+", expression)}
    assert records <= RECORDS
