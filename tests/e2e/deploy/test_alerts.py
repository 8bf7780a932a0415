"""Rules and dashboard for Prometheus and Grafana: valid, tested, based on real metrics."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from dice_referee.sessions.redis.scripts import PARTS
from tests import quick_yaml
from tests.application import ADJUDICATIONS, ROLL_JSON
from tests.engines.servers import wait_until
from tests.engines.unit import BACKUP, NODE_EXPORTER, unit_commands
from tests.programs import ROOT, SOURCES, program
from tests.telemetry.scraping import watched
from tests.wire import begin

DEPLOY = ROOT / "deploy"
PROMETHEUS = DEPLOY / "prometheus"
RUNBOOK = "".join((DEPLOY / name).read_text("utf-8") for name in ("README.md", "metrics.md"))
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text("utf-8"))
RULES_TEXT = (PROMETHEUS / "rules.yaml").read_text("utf-8")
RULES: dict[str, Any] = quick_yaml.load(RULES_TEXT)
ALERTS = {
    rule["alert"]: rule for group in RULES["groups"] for rule in group["rules"] if "alert" in rule
}
RECORDS = {
    rule["record"] for group in RULES["groups"] for rule in group["rules"] if "record" in rule
}
TESTS = ROOT / "tests/e2e/deploy/rules_test.yaml"
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
EXPRESSIONS = [target["expr"] for panel in PANELS for target in panel["targets"]]
NAME = re.compile(r"\breferee_[a-z_]+")
SUFFIX = re.compile(r"_(bucket|count|sum)$")


def promtool(*arguments: str | Path, stdin: bytes = b"") -> tuple[int, str]:
    result = subprocess.run(
        [program("promtool"), *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=300,
    )
    return result.returncode, (result.stdout + result.stderr).decode()


def section(title: str) -> str:
    """Returns the part of the runbook under a heading."""
    return re.split(r"\n#+ ", re.split(rf"\n#+ {title}\n", RUNBOOK)[1])[0]


def rows(title: str) -> dict[str, list[str]]:
    """Returns the table of a section: the cells of each row by the name in its first cell."""
    lines = [line for line in section(title).splitlines() if line.startswith("| `")]
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    names = [first.strip("`") for first, *_ in table]
    assert len(set(names)) == len(names) > 0
    return dict(zip(names, (rest for _, *rest in table), strict=True))


@pytest.fixture(scope="module")
def page(redis_url: str) -> Iterator[bytes]:
    """Returns the metrics of a real server after everything has happened once."""
    limits = {"RATE_STATELESS": 20, "RATE_LOOPBACK": 1}
    with watched(REDIS_URL=redis_url, WORKERS=1, **limits) as inside:
        begin(inside.server)
        statuses = [inside.server.ask("POST", ADJUDICATIONS, ROLL_JSON).status for _ in range(25)]
        assert {200, 429} == set(statuses)
        wait_until(
            "the metrics of streams are exported", lambda: b"referee_streams " in inside.page()
        )
        inside.reaches(statuses.count(429), "referee_rate_limited_total", policy="stateless")
        yield inside.page()


def exported(page: bytes) -> dict[str, str]:
    """Returns the type of every metric by its name."""
    return dict(re.findall(r"^# TYPE (\S+) (\S+)$", page.decode(), re.MULTILINE))


def test_prometheus_accepts_its_configuration_and_rules() -> None:
    code, output = promtool("check", "config", PROMETHEUS / "prometheus.yml")
    assert code == 0, output
    assert "1 rule files found" in output
    code, output = promtool(
        "check", "rules", "--lint=all", "--lint-fatal", PROMETHEUS / "rules.yaml"
    )
    assert code == 0, output


@pytest.mark.long
def test_every_alert_passes_its_tests() -> None:
    code, output = promtool("test", "rules", TESTS)
    assert code == 0, output


def test_every_alert_has_tests_of_firing_and_silence() -> None:
    seen: dict[str, set[bool]] = {name: set() for name in ALERTS}
    for group in quick_yaml.load(TESTS.read_text("utf-8"))["tests"]:
        for test in group["alert_rule_test"]:
            seen[test["alertname"]].add(bool(test["exp_alerts"]))
    assert seen == {name: {True, False} for name in ALERTS}


def test_runbook_says_what_to_do_on_every_alert() -> None:
    table = rows("Alerts")
    assert set(table) == set(ALERTS)
    for name, alert in ALERTS.items():
        severity, *rest = table[name]
        assert severity.split(", ") == re.findall("page|ticket", alert["labels"]["severity"])
        assert all(rest)
        assert set(alert["annotations"]) == {"summary", "description"}


def test_metrics_are_valid(page: bytes) -> None:
    code, output = promtool("check", "metrics", stdin=page)
    assert (code, output) == (0, "")


def test_runbook_explains_every_metric_and_no_other(page: bytes) -> None:
    table = rows("Metrics")
    assert {name: cells[0] for name, cells in table.items()} == exported(page)


def test_runbook_lists_every_command_of_the_redis_metric() -> None:
    _, meaning = rows("Metrics")["referee_redis_command_duration_seconds"]
    listed = meaning.partition("(")[2].partition(")")[0]
    plain = {"ping", "config"}
    assert {*re.findall(r"`(\w+)`", listed)} == {*PARTS, *plain}


def test_runbook_lists_every_kind_of_change_to_a_session() -> None:
    _, meaning = rows("Metrics")["referee_session_changes_total"]
    listed = re.findall(r"`(\w+)`", meaning.partition("`kind`")[2].partition("Excludes")[0])
    code = "".join(path.read_text("utf-8") for path in (SOURCES / "dice_referee/api").glob("*.py"))
    counted = r'count_change\([\w.]+, "(\w+)"\)|\bKind\("(\w+)"'
    assert {*listed} == {kind for pair in re.findall(counted, code) for kind in pair if kind}


@pytest.fixture
def backup_page(tmp_path: Path) -> bytes:
    """Runs the unit's command and returns the metrics that it writes."""
    ((*shell, line),) = unit_commands(BACKUP.read_text("utf-8"), "ExecStartPost", {})
    subprocess.run([*shell, line.replace(NODE_EXPORTER, str(tmp_path))], check=True)
    (written,) = tmp_path.iterdir()
    assert written.suffix == ".prom", "node_exporter reads no other files"
    assert written.stat().st_mode & 0o777 == 0o644
    return written.read_bytes()


def test_metric_of_the_last_copy_is_valid(backup_page: bytes) -> None:
    assert exported(backup_page) == {"referee_backup_timestamp_seconds": "gauge"}
    (moment,) = re.findall(rb"^referee_backup_timestamp_seconds (\d+)$", backup_page, re.MULTILINE)
    assert abs(int(moment) - time.time()) < 600
    code, output = promtool("check", "metrics", stdin=backup_page)
    assert (code, output) == (0, "")


def test_rules_and_dashboard_query_existing_metrics(page: bytes, backup_page: bytes) -> None:
    existing = {*exported(page), *exported(backup_page)}
    names = NAME.findall("\n".join([RULES_TEXT, *EXPRESSIONS]))
    assert {SUFFIX.sub("", name) for name in names} <= existing
    assert existing - {SUFFIX.sub("", name) for name in names} == set(), "every metric has a reader"


def test_labels_in_queries_exist(page: bytes) -> None:
    metrics: dict[str, set[str]] = {}
    for name, labels in re.findall(r"^(referee_\w+)\{(.*)\}", page.decode(), re.MULTILINE):
        metrics.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    target_labels = {"job", "instance"}
    queries = "\n".join([*EXPRESSIONS, RULES_TEXT])
    selectors = re.findall(r"(referee_\w+)\{([^}]*)\}", queries)
    assert len(selectors) > 20
    for name, matchers in selectors:
        names = set(re.findall(r"(\w+)(?:=~|!~|!=|=)\"", matchers))
        assert names <= metrics.get(name, set()) | target_labels, (name, matchers)


def test_time_limits_in_rules_match_buckets(page: bytes) -> None:
    for limit in set(re.findall(r'le="([\d.]+)"', RULES_TEXT)):
        assert f'referee_request_duration_seconds_bucket{{le="{limit}"' in page.decode()


def test_grafana_can_import_the_dashboard() -> None:
    assert DASHBOARD["id"] is None, "the importer assigns an id"
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)
    variables = {variable["name"]: variable["type"] for variable in DASHBOARD["templating"]["list"]}
    assert variables == {"datasource": "datasource", "job": "query"}
    source = {"type": "prometheus", "uid": "${datasource}"}
    for panel in PANELS:
        assert panel["datasource"] == source
        assert panel["title"]
        assert panel["description"]
    places = [panel["gridPos"] for panel in DASHBOARD["panels"]]
    assert all(0 <= place["x"] <= place["x"] + place["w"] <= 24 for place in places)
    cells = [
        (column, line)
        for place in places
        for column in range(place["x"], place["x"] + place["w"])
        for line in range(place["y"], place["y"] + place["h"])
    ]
    assert len(set(cells)) == len(cells), "panels overlap"


def test_every_panel_has_a_valid_query(tmp_path: Path) -> None:
    filled = [
        expression.replace("$__rate_interval", "1m").replace("$job", "referee")
        for expression in EXPRESSIONS
    ]
    assert not any("$" in expression for expression in filled)
    rules = [
        {"record": f"asked:{number}", "expr": expression}
        for number, expression in enumerate(filled)
    ]
    place = tmp_path / "asked.yaml"
    place.write_text(yaml.safe_dump({"groups": [{"name": "asked", "rules": rules}]}), "utf-8")
    code, output = promtool("check", "rules", place)
    assert code == 0, output
    records = {name for expression in filled for name in re.findall(r"referee:[\w:]+", expression)}
    assert records <= RECORDS
