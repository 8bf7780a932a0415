"""Contract for generators: clients compile with default settings and work.

Each program requests a verdict, a session and two problems without a cast.
"""

import re
import shutil
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.e2e.clients.building import HERE
from tests.programs import BIN, NODE_MODULES, run

PROGRAMS = HERE / "for_clients"
CAST = re.compile(r"\bas [\w\[<]|\bany\b|@ts-|\bcast\(|type: ignore|!\.|\(\([A-Z]\w+\)")
"""Casts and other type escapes, in both languages."""
STRICT = (
    *("--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"),
    *("--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"),
)
BEGUN = {"ts": "1 roll\n1", "py": "0 draw\n0"}
"""Expected lines about the session."""


def downloaded(address: str, home: Path) -> Path:
    """Downloads the contract for a generator and returns its path."""
    path = home / "contract.json"
    with urlopen(f"{address}/openapi.json?for=clients") as answer:
        path.write_bytes(answer.read())
    return path


def check(output: str, language: str) -> None:
    """Expects a verdict, an impossible position, a batch, a session and a refusal."""
    verdict, impossible, batch, rest = output.split("\n", 3)
    assert verdict == "tutto 1050"
    assert re.fullmatch(r"\w.+ T\d\S*", impossible), impossible
    assert batch == "1"
    begun, refused = rest.strip().rsplit("\n", 1)
    assert begun == BEGUN[language]
    assert re.fullmatch(r"401 \w.+", refused), refused


def test_programs_contain_no_cast() -> None:
    programs = [path for path in PROGRAMS.iterdir() if path.is_file()]
    assert len(programs) == len(BEGUN)
    for path in programs:
        assert not CAST.search(path.read_text("utf-8")), path.name


@pytest.mark.long
def test_typescript_compiles_with_default_settings(address: str, tmp_path: Path) -> None:
    contract = downloaded(address, tmp_path)
    shutil.copy(HERE / "typescript" / "package.json", tmp_path)
    shutil.copy(PROGRAMS / "first.ts", tmp_path)
    (tmp_path / "node_modules").symlink_to(NODE_MODULES)
    tools = NODE_MODULES / ".bin"
    run(tools / "openapi-typescript", contract, "--output", "contract.d.ts", cwd=tmp_path)
    run(tools / "tsc", *STRICT, "first.ts", cwd=tmp_path)
    check(run("node", "first.js", address, cwd=tmp_path).stdout, "ts")


@pytest.mark.long
def test_python_compiles_with_default_settings(address: str, tmp_path: Path) -> None:
    contract = downloaded(address, tmp_path)
    (tmp_path / "config.yaml").write_text("post_hooks: []", "utf-8")
    shutil.copy(PROGRAMS / "first.py", tmp_path)
    generation = run(
        *(BIN / "openapi-python-client", "generate", "--path", contract, "--meta", "none"),
        *("--config", "config.yaml", "--output-path", "dice_referee_client"),
        cwd=tmp_path,
    )
    assert not re.findall("WARNING|ERROR", generation.stdout + generation.stderr)
    # The generator's code for event streams parses the text as an object.
    strict = ("--config-file=", "--strict", r"--exclude=follow_session\.py$")
    run(BIN / "mypy", *strict, "dice_referee_client", "first.py", cwd=tmp_path)
    check(run(BIN / "python", "first.py", address, cwd=tmp_path).stdout, "py")
