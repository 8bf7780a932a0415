"""The rules of Prometheus as the object that its operator reads.

``python -m tests.e2e.deploy.rules`` writes ``deploy/kubernetes/monitoring/rules.yaml``.
"""

from textwrap import indent

from tests.programs import ROOT

RULES = ROOT / "deploy/prometheus/rules.yaml"
FILE = ROOT / "deploy/kubernetes/monitoring/rules.yaml"
HEAD = """\
# Written from deploy/prometheus/rules.yaml by: python -m tests.e2e.deploy.rules
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: referee
spec:
"""


def prometheus_rule() -> str:
    """Returns the text of the object, with the groups of rules unchanged."""
    _, groups, rest = RULES.read_text("utf-8").partition("groups:\n")
    return HEAD + indent(groups + rest, "  ")


if __name__ == "__main__":
    FILE.write_text(prometheus_rule(), "utf-8")
