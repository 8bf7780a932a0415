"""Manifests are consistent with each other. ``make check`` validates each document."""

import re
import subprocess
from urllib.parse import urlsplit

import pytest

from dice_referee import __version__
from dice_referee.sessions.redis.url import parse
from dice_referee.settings import Settings
from tests import quick_yaml
from tests.e2e.deploy.test_files import DEPLOY, NAMES, PINNED
from tests.tools.kustomize import Document, Key, build, containers, every, key_of, template

OVERLAYS = sorted((DEPLOY / "kubernetes/overlays").iterdir())
GRACE = 10
"""Graceful timeout of gunicorn_conf.py in seconds."""


@pytest.fixture(scope="module", params=OVERLAYS, ids=[path.name for path in OVERLAYS])
def documents(request: pytest.FixtureRequest) -> dict[Key, Document]:
    return build(request.param)


def of_kind(documents: dict[Key, Document], *kinds: str) -> dict[str, Document]:
    return {name: document for (_, kind, name), document in documents.items() if kind in kinds}


def workloads(documents: dict[Key, Document]) -> dict[str, Document]:
    return of_kind(documents, "Deployment", "StatefulSet")


def labelled(documents: dict[Key, Document], selector: dict[str, str]) -> list[Document]:
    """Returns the workloads whose pods a selector matches."""
    pairs = [(work, template(work) or {}) for work in workloads(documents).values()]
    return [work for work, pods in pairs if selector.items() <= pods["metadata"]["labels"].items()]


def ports(works: list[Document]) -> dict[str, int]:
    entries = [port for work in works for c in containers(work) for port in c.get("ports", [])]
    return {port["name"]: port["containerPort"] for port in entries}


def test_every_file_is_used() -> None:
    for home in ((DEPLOY / "kubernetes/base"), *OVERLAYS):
        layout = (home / "kustomization.yaml").read_text("utf-8")
        for path in home.iterdir():
            assert path.name == "kustomization.yaml" or path.name in layout, path
    layout = (DEPLOY / "valkey/kustomization.yaml").read_text("utf-8")
    for path in (DEPLOY / "valkey").iterdir():
        assert path.name == "kustomization.yaml" or path.name in layout, path
    text = (DEPLOY / "nginx/kustomization.yaml").read_text("utf-8")
    for path in (DEPLOY / "nginx").glob("*.conf"):
        assert path.name in text


def test_every_reference_has_its_target(documents: dict[Key, Document]) -> None:
    maps, accounts = of_kind(documents, "ConfigMap"), of_kind(documents, "ServiceAccount")
    for work in workloads(documents).values():
        for reference in every(work, "configMapRef") + every(work, "configMap"):
            data = maps[reference["name"]]["data"]
            assert {item["key"] for item in reference.get("items", [])} <= data.keys()
        claims = of_kind(documents, "PersistentVolumeClaim")
        assert {
            volume["claimName"] for volume in every(work, "persistentVolumeClaim")
        } <= claims.keys()
        assert all(reference["optional"] for reference in every(work, "secretRef"))
        assert set(every(work, "serviceAccountName")) <= accounts.keys()
        volumes = {volume["name"] for volume in template(work)["spec"].get("volumes", [])}  # type: ignore[index]
        volumes |= {
            claim["metadata"]["name"] for claim in work["spec"].get("volumeClaimTemplates", [])
        }
        for container in containers(work):
            assert {mount["name"] for mount in container.get("volumeMounts", [])} <= volumes
            for probe in every(container, "httpGet") + every(container, "tcpSocket"):
                assert probe["port"] in ports([work])
        selector = every(work["spec"].get("selector", {}), "matchLabels")
        assert all(labelled(documents, labels) == [work] for labels in selector)


def test_every_selector_matches_a_pod(documents: dict[Key, Document]) -> None:
    services = of_kind(documents, "Service")
    for service in services.values():
        works = labelled(documents, service["spec"]["selector"])
        assert len(works) == 1
        for port in service["spec"]["ports"]:
            assert port.get("targetPort", port["port"]) in {*ports(works), *ports(works).values()}
    for policy in (
        *of_kind(documents, "NetworkPolicy").values(),
        *of_kind(documents, "PodDisruptionBudget").values(),
    ):
        for labels in every(
            every(policy, "podSelector") + every(policy, "selector"), "matchLabels"
        ):
            assert labelled(documents, labels), (policy["metadata"]["name"], labels)
    for scaler in of_kind(documents, "HorizontalPodAutoscaler").values():
        target = scaler["spec"]["scaleTargetRef"]
        scaled = documents[target["apiVersion"], target["kind"], target["name"]]
        assert "replicas" not in scaled["spec"], "two objects would set the number"
    for ingress in of_kind(documents, "Ingress").values():
        for backend in every(ingress, "service"):
            names = [port["name"] for port in services[backend["name"]]["spec"]["ports"]]
            assert backend["port"]["name"] in names


def test_pods_have_minimal_privileges(documents: dict[Key, Document]) -> None:
    assert documents["v1", "Namespace", "referee"]["metadata"]["labels"] == {
        "app.kubernetes.io/part-of": "dice-referee",
        "pod-security.kubernetes.io/enforce": "restricted",
    }
    for work in workloads(documents).values():
        pods = template(work)["spec"]  # type: ignore[index]
        assert pods["automountServiceAccountToken"] is False
        assert pods["securityContext"]["runAsNonRoot"] is True
        assert pods["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        for container in containers(work):
            name, _, tag = container["image"].rpartition(":")
            ours = name.endswith("/dice-referee") and tag == __version__
            assert ours or PINNED.fullmatch(container["image"]), container["image"]
            assert container["resources"]["requests"].keys() == {"cpu", "memory"}
            assert container["resources"]["limits"]["memory"]
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }


@pytest.mark.parametrize(("name", "grace"), [("referee", GRACE), ("nginx", 15)])
def test_pod_has_enough_time_to_stop(documents: dict[Key, Document], name: str, grace: int) -> None:
    pods = template(documents["apps/v1", "Deployment", name])["spec"]  # type: ignore[index]
    (command,) = every(pods, "exec")
    pauses = [int(word) for word in re.findall(r"\d+", " ".join(command["command"])) if word != "1"]
    assert pauses[0] == 5
    assert pods["terminationGracePeriodSeconds"] > 5 + grace + 3


def test_settings_are_valid_and_match_open_ports(
    documents: dict[Key, Document],
) -> None:
    data = documents["v1", "ConfigMap", "settings"]["data"]
    assert data.keys() <= NAMES
    settings = Settings.read(data)
    known = ports([documents["apps/v1", "Deployment", "referee"]])
    assert known == {"http": settings.port, "metrics": int(settings.metrics_bind.split(":")[1])}
    # A pod without a Redis must report "away" instead of starting a local Redis.
    assert (urlsplit(settings.redis_url).hostname or "").endswith(".invalid")
    mounted = "StatefulSet" in {kind for _, kind, _ in documents}
    (referee,) = containers(documents["apps/v1", "Deployment", "referee"])
    env = {variable["name"]: variable for variable in referee.get("env", [])}
    assert set(env) == ({"VALKEY_PASSWORD", "REDIS_URL"} if mounted else set())
    if mounted:
        # Kubernetes expands only variables that are defined earlier.
        assert list(env) == ["VALKEY_PASSWORD", "REDIS_URL"]
        assert "//referee:$(VALKEY_PASSWORD)@valkey" in env["REDIS_URL"]["value"]
        parse(env["REDIS_URL"]["value"])
    (reading,) = every(documents["apps/v1", "Deployment", "referee"], "envFrom")
    assert list(map(list, reading)) == [["configMapRef"], ["secretRef"]], "the last variable wins"
    assert not every(documents["networking.k8s.io/v1", "NetworkPolicy", "nginx"], "metrics")


def test_metrics_are_reachable_by_monitoring_only(documents: dict[Key, Document]) -> None:
    open_to = [
        every(rule["from"], "matchLabels")
        for policy in of_kind(documents, "NetworkPolicy").values()
        for rule in policy["spec"].get("ingress", [])
        for port in rule["ports"]
        if port["port"] in ("metrics", 9464)
    ]
    assert open_to == [[{"kubernetes.io/metadata.name": "monitoring"}]]
    exposed = [port for s in of_kind(documents, "Service").values() for port in s["spec"]["ports"]]
    assert not [port for port in exposed if "metrics" in port.values() or 9464 in port.values()]
    default_policy = documents["networking.k8s.io/v1", "NetworkPolicy", "nobody"]["spec"]
    assert default_policy == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def test_prometheus_operator_finds_replicas_and_rules() -> None:
    (command,) = re.findall(
        r"^\{ printf(?:.*\n)+?(?=```)", (DEPLOY / "README.md").read_text(), re.M
    )
    assert command.count("kubectl apply -n referee -f -") == 1
    command = command.replace("kubectl apply -n referee -f -", "cat")
    made = subprocess.check_output(["sh", "-ec", command], cwd=DEPLOY.parent, text=True)
    manifests = [made, (DEPLOY / "kubernetes/monitoring.yaml").read_text("utf-8")]
    documents = {
        key_of(document): document for text in manifests for document in quick_yaml.load_all(text)
    }
    monitoring = "monitoring.coreos.com/v1"
    rule = documents[monitoring, "PrometheusRule", "referee"]["spec"]
    assert rule == quick_yaml.load((DEPLOY / "prometheus/rules.yaml").read_text("utf-8"))
    monitor = documents[monitoring, "ServiceMonitor", "referee"]["spec"]
    service = documents["v1", "Service", "referee-metrics"]
    labels = service["metadata"]["labels"]
    assert monitor["selector"]["matchLabels"].items() <= labels.items()
    (endpoint,), (port,) = monitor["endpoints"], service["spec"]["ports"]
    assert endpoint["port"] == port["name"]
    pods = build(OVERLAYS[0])["apps/v1", "Deployment", "referee"]
    assert service["spec"]["selector"].items() <= template(pods)["metadata"]["labels"].items()  # type: ignore[index]
    assert ports([pods])[port["targetPort"]] == port["port"]


def test_network_policy_lets_the_referee_reach_redis(documents: dict[Key, Document]) -> None:
    policies = of_kind(documents, "NetworkPolicy")
    nodes = of_kind(documents, "StatefulSet")
    (way,) = policies["referee-redis"]["spec"]["egress"]
    assert bool(every(way, "ipBlock")) != bool(nodes)
    # Egress rules use numbers: not every network plugin resolves port names.
    out = [rule for policy in policies.values() for rule in policy["spec"].get("egress", [])]
    assert all(isinstance(port["port"], int) for rule in out for port in rule["ports"])


def test_every_include_of_nginx_is_mounted(documents: dict[Key, Document]) -> None:
    maps = of_kind(documents, "ConfigMap")
    mounted = {*maps["nginx"]["data"], *(f"site/{name}" for name in maps["nginx-site"]["data"])}
    texts = [text for name in ("nginx", "nginx-site") for text in maps[name]["data"].values()]
    included = {name for text in texts for name in re.findall(r"^ *include (\S+);", text, re.M)}
    assert included <= mounted
    assert mounted - included == {"nginx.conf"}
