"""Clients generated from the served contract and compiled, as users build them."""

import re
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from tests.programs import BIN, NODE_MODULES, PACKAGE, program, run

HERE = Path(__file__).parent

SHORT_LIVED = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
"""Options for a Java virtual machine that runs for seconds only."""


class Built(NamedTuple):
    """Three programs with strict types from a generated client; each takes an address."""

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


def guided(language: str) -> str:
    """Returns the guide's settings of openapi-generator for this language."""
    guide = (PACKAGE / "web" / "guides" / "client.md").read_text("utf-8")
    named = re.search(rf"^\| {language} \| `([^`]+)` \| our tests \|$", guide, re.MULTILINE)
    assert named, f"{language} is not in the guide"
    return named[1]


def jar() -> Path:
    """Returns the jar of openapi-generator, which includes the libraries of its Java clients."""
    return Path(str(files("openapi_generator_cli") / "openapi-generator.jar"))


def generate(language: str, properties: str, home: Path, contract: Path) -> Path:
    """Generates a client by openapi-generator and returns its folder."""
    run(
        *(
            program("java"),
            *SHORT_LIVED,
            "-jar",
            jar(),
            "generate",
            "--input-spec",
            contract,
            "--output",
            "client",
        ),
        *("--generator-name", language, "--additional-properties", properties),
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


def hey_api(home: Path, contract: Path) -> Path:
    """Builds a client of the sessions by @hey-api/openapi-ts, checked by tsc."""
    shutil.copytree(HERE / "heyapi", home, dirs_exist_ok=True)
    shutil.copy(HERE / "typescript" / "chosen.ts", home)
    (home / "node_modules").symlink_to(NODE_MODULES)
    tools = NODE_MODULES / ".bin"
    run(tools / "openapi-ts", "--input", contract, cwd=home)
    run(tools / "tsc", cwd=home)
    return home


def java(home: Path, contract: Path) -> Built:
    """Builds a Java client by openapi-generator, whose jar has the client's libraries."""
    javac = program("javac")
    generated = generate("java", guided("Java"), home, contract) / "src" / "main" / "java"
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
    (home / "config.yaml").write_text("post_hooks: []", "utf-8")
    generation = run(
        *(BIN / "openapi-python-client", "generate", "--path", contract, "--meta", "none"),
        *("--config", "config.yaml", "--output-path", "dice_referee_client"),
        cwd=home,
    )
    assert not re.findall("WARNING|ERROR", generation.stdout + generation.stderr)
    programs = "python_verdict.py", "python_game.py", "python_sessions.py"
    for name in programs:
        shutil.copy(HERE / name, home)
    run(
        *(BIN / "mypy", "--config-file=", "--strict", "dice_referee_client", *programs),
        # The generator declares a variable twice if two lists of a class have the same item union,
        # and its code for event streams parses the text as an object.
        *("--disable-error-code=no-redef", r"--exclude=follow_session\.py$"),
        cwd=home,
    )
    listed = (home / "dice_referee_client" / "models" / "__init__.py").read_text("utf-8")
    types = re.findall(r'^ +"(\w+)",$', listed, re.MULTILINE)
    verdict, game, sessions = ((BIN / "python", name) for name in programs)
    return Built(home, verdict, game, sessions, frozenset(types))


BUILDERS: dict[str, Callable[[Path, Path], Built]] = {
    "typescript": typescript,
    "java": java,
    "python": python,
}
