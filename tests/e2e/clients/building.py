"""Clients generated from the served contract and compiled, as users build them."""

import re
import shlex
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from tests.programs import BIN, NODE_MODULES, PACKAGE, program, run

HERE = Path(__file__).parent

SHORT_LIVED = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
"""Options for a short-lived Java virtual machine."""


class Built(NamedTuple):
    """Three programs with strict types from a generated client. Each program takes an address."""

    home: Path
    verdict: tuple[str | Path, ...]
    """Plays a turn, and a session with dice of the client."""
    game: tuple[str | Path, ...]
    """Plays whole games."""
    sessions: tuple[str | Path, ...]
    """Plays a session of each game without a cast."""
    types: frozenset[str]
    """Names of the types generated for the schemas of the contract."""

    def told(self, program: tuple[str | Path, ...], address: str) -> str:
        """Runs a program against the service and returns its output."""
        return run(*program, address, cwd=self.home).stdout


def rows() -> dict[str, str]:
    """Returns the settings of each generator in the guide."""
    guide = (PACKAGE / "web" / "guides" / "client.md").read_text("utf-8")
    table = guide.partition("| generator | settings |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| \[?([^\]|]+?)(?:\]\([^)]+\))?( for \w+)? \| (.+) \|$", table, re.M)
    return {f"{name}{language}": settings.strip("`") for name, language, settings in rows}


def jar() -> Path:
    """Returns the jar of openapi-generator, which includes the libraries of its Java clients."""
    return Path(str(files("openapi_generator_cli") / "openapi-generator.jar"))


def generate(language: str, home: Path, contract: Path) -> Path:
    """Generates a client by openapi-generator with the guide's settings and returns its folder."""
    run(
        *(program("java"), *SHORT_LIVED, "-jar", jar(), "generate"),
        *("--input-spec", contract, "--output", "client", "--generator-name", language.lower()),
        *shlex.split(rows()[f"openapi-generator for {language}"]),
        *("--global-property", "models,apis,supportingFiles,modelDocs=false,apiDocs=false"),
        *("--global-property", "modelTests=false,apiTests=false"),
        cwd=home,
    )
    return home / "client"


def typescript(home: Path, contract: Path) -> Built:
    """Builds a client by openapi-typescript and openapi-fetch, checked by tsc."""
    shutil.copytree(HERE / "typescript", home, dirs_exist_ok=True)
    (home / "node_modules").symlink_to(NODE_MODULES)
    tools = NODE_MODULES / ".bin"
    run(tools / "openapi-typescript", contract, "--output", "contract.d.ts", cwd=home)
    run(tools / "tsc", cwd=home)
    match = re.search(
        r"^    schemas: \{\n(.*?)^    \};", (home / "contract.d.ts").read_text(), re.S | re.M
    )
    assert match
    types = re.findall(r"^        (\w+):", match[1], re.MULTILINE)
    verdict, game, sessions = (("node", f"{name}.js") for name in ("verdict", "game", "sessions"))
    return Built(home, verdict, game, sessions, frozenset(types))


def hey_api(home: Path, contract: Path, _: str) -> tuple[str | Path, ...]:
    """Builds a client of the sessions by @hey-api/openapi-ts, checked by tsc."""
    _typescript_of("heyapi", home)
    tools = NODE_MODULES / ".bin"
    run(tools / "openapi-ts", "--input", contract, cwd=home)
    run(tools / "tsc", cwd=home)
    return "node", "sessions.js"


def orval(home: Path, contract: Path, address: str) -> tuple[str | Path, ...]:
    """Builds a client of the sessions by orval, checked by tsc."""
    _typescript_of("orval", home)
    settings = rows()["orval"].replace("http://localhost:8000", address)
    (home / "orval.config.mjs").write_text(
        f"""export default {{ referee: {{
            input: {str(contract)!r}, output: {{ target: "client.ts", {settings} }}
        }} }};"""
    )
    tools = NODE_MODULES / ".bin"
    run(tools / "orval", cwd=home)
    run(tools / "tsc", cwd=home)
    return "node", "sessions.js"


def _typescript_of(generator: str, home: Path) -> None:
    shutil.copytree(HERE / generator, home, dirs_exist_ok=True)
    shutil.copy(HERE / "typescript" / "chosen.ts", home)
    (home / "node_modules").symlink_to(NODE_MODULES)


def datamodel(home: Path, contract: Path, _: str) -> tuple[str | Path, ...]:
    """Builds pydantic models by datamodel-code-generator, checked by mypy."""
    shutil.copy(HERE / "pydantic_sessions.py", home)
    run(
        *(BIN / "datamodel-codegen", "--input", contract, "--input-file-type", "openapi"),
        *("--output", "models.py", *shlex.split(rows()["datamodel-code-generator"])),
        cwd=home,
    )
    run(BIN / "mypy", "--config-file=", "--strict", "models.py", "pydantic_sessions.py", cwd=home)
    return BIN / "python", "pydantic_sessions.py"


def go(home: Path, contract: Path, _: str) -> tuple[str | Path, ...]:
    """Builds a Go client by openapi-generator, with the standard library alone."""
    client = generate("Go", home, contract)
    shutil.copytree(HERE / "go", client / "sessions")
    # Any import of a third party fails.
    offline: dict[str, Any] = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly"}
    for command in (("vet", "."), ("build", "-o", "play", "./sessions")):
        run(BIN / "go", *command, cwd=client, **offline)
    return (client / "play",)


def java(home: Path, contract: Path) -> Built:
    """Builds a Java client by openapi-generator, whose jar has the client's libraries."""
    javac = program("javac")
    generated = generate("Java", home, contract) / "src" / "main" / "java"
    quick = [f"-J{flag}" for flag in SHORT_LIVED]
    sources = [*generated.rglob("*.java"), *(HERE / "java").glob("*.java")]
    options = ("--release", "17", "-encoding", "UTF-8", "-d", "classes", "-cp")
    run(javac, *quick, *options, jar(), *sources, cwd=home)
    types = {path.stem for path in generated.rglob("model/*.java")} - {"AbstractOpenApiSchema"}
    start = (program("java"), *SHORT_LIVED, "-cp", f"classes:{jar()}")
    verdict, game, sessions = ((*start, name) for name in ("Verdict", "WholeGame", "Sessions"))
    return Built(home, verdict, game, sessions, frozenset(types))


def python(home: Path, contract: Path) -> Built:
    """Builds a client by openapi-python-client, checked by mypy."""
    settings = rows()["openapi-python-client"]
    (home / "config.yaml").write_text(f"post_hooks: []\n{settings}\n", "utf-8")
    generation = run(
        *(BIN / "openapi-python-client", "generate", "--path", contract, "--meta", "none"),
        *("--config", "config.yaml", "--output-path", "dice_referee_client"),
        cwd=home,
    )
    output = generation.stdout + generation.stderr
    # The guide omits the stream, which the generator would parse as an object.
    assert re.findall("WARNING|ERROR", output) == ["WARNING"], output
    assert "Unsupported content_type text/event-stream" in output, output
    programs = "python_verdict.py", "python_game.py", "python_sessions.py"
    for name in programs:
        shutil.copy(HERE / name, home)
    run(
        *(BIN / "mypy", "--config-file=", "--strict", "dice_referee_client", *programs),
        cwd=home,
    )
    listed = (home / "dice_referee_client" / "models" / "__init__.py").read_text("utf-8")
    types = re.findall(r'^ +"(\w+)",$', listed, re.MULTILINE)
    verdict, game, sessions = ((BIN / "python", name) for name in programs)
    return Built(home, verdict, game, sessions, frozenset(types))


BUILDERS: dict[str, Callable[[Path, Path], Built]] = {
    "openapi-typescript": typescript,
    "openapi-generator for Java": java,
    "openapi-python-client": python,
}
SESSIONS: dict[str, Callable[[Path, Path, str], tuple[str | Path, ...]]] = {
    "@hey-api/openapi-ts": hey_api,
    "orval": orval,
    "datamodel-code-generator": datamodel,
    "openapi-generator for Go": go,
}
"""Builders of the program that plays a session of each game, for a contract and an address."""
