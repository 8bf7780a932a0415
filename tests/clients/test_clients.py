"""Clients generated from the contract compile, and get the right verdicts from the service.

The same little program in three languages, each strictly typed by what was generated: verdicts on
a turn, and a session in which dice are thrown at the table.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.clients.running import BIN, CONTRACT, HERE, NODE_MODULES, jar, run
from tests.doors.serving import serving

TOLD = """\
tutto 1050 banked
roll roll
keep bank,keep
not-a-scoring-die T2.2 /event/dice/3
over 500
tutto
wrong-number-of-dice
running 0 draw
2 scoring 6 keep
403 /problems/forbidden
undone 2
draw,roll,undone
abandoned
410 /problems/gone
"""
"""What every program says."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(var_dir=tmp_path_factory.mktemp("var")) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="module")
def javac() -> str:
    if not shutil.which("javac"):
        run(HERE / "install.sh", cwd=HERE)
    return "javac"


def test_a_typescript_client(address: str, tmp_path: Path) -> None:
    home = shutil.copytree(HERE / "typescript", tmp_path / "typescript")
    (home / "node_modules").symlink_to(NODE_MODULES)
    tools = NODE_MODULES / ".bin"
    run(tools / "openapi-typescript", CONTRACT, "--output", "contract.d.ts", cwd=home)
    run(tools / "tsc", cwd=home)
    assert run("node", "verdict.js", address, cwd=home).stdout == TOLD


def test_a_java_client(address: str, javac: str, tmp_path: Path) -> None:
    run(
        *("java", "-jar", jar(), "generate", "--input-spec", CONTRACT, "--output", "client"),
        *("--generator-name", "java", "--library", "native"),
        # Absent is the default and null is refused, so a list that was not set has to stay away.
        *("--additional-properties", "openApiNullable=false,containerDefaultToNull=true"),
        cwd=tmp_path,
    )
    generated = tmp_path / "client" / "src" / "main" / "java"
    sources = [*generated.rglob("*.java"), *(HERE / "java").glob("*.java")]
    run(
        *(javac, "--release", "17", "-encoding", "UTF-8", "-d", "classes", "-cp", jar()),
        *sources,
        cwd=tmp_path,
    )
    assert run("java", "-cp", f"classes:{jar()}", "Verdict", address, cwd=tmp_path).stdout == TOLD

    # A schema within a schema would get a name that nobody has chosen, like ListGames200Response.
    models = {path.stem for path in generated.rglob("model/*.java")}
    named = yaml.safe_load(CONTRACT.read_bytes())["components"]["schemas"]
    assert models - named.keys() == {"AbstractOpenApiSchema"}


def test_a_python_client(address: str, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("post_hooks: []", "utf-8")
    generation = run(
        *(BIN / "openapi-python-client", "generate", "--path", CONTRACT, "--meta", "none"),
        *("--config", "config.yaml", "--output-path", "dice_referee_client"),
        cwd=tmp_path,
    )
    # It speaks JSON only, and says where there is something else.
    complaints = re.findall(r"^(?:WARNING|ERROR) (.+)", generation.stderr, re.MULTILINE)
    passed_over = {re.sub(r"^parsing (.+) within \w+\.$", r"\1", said) for said in complaints}
    assert passed_over == {"GET /openapi.yaml"} | {
        f"POST {path}"
        for path in yaml.safe_load(CONTRACT.read_bytes())["paths"]
        if path.endswith("/batch")
    }
    shutil.copy(HERE / "python_verdict.py", tmp_path)
    run(
        *(BIN / "mypy", "--config-file=", "--strict", "dice_referee_client", "python_verdict.py"),
        # It declares a variable twice where two lists of a class have items of one union.
        "--disable-error-code=no-redef",
        cwd=tmp_path,
    )
    assert run(BIN / "python", "python_verdict.py", address, cwd=tmp_path).stdout == TOLD
