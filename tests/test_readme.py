"""Every command of the README is run, and what it shows is what comes out.

``python -m tests.test_readme`` writes the outputs anew, after a change that means to.
"""

import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.app import create_app

README = Path(__file__).resolve().parents[1] / "README.md"
SHOWN = re.compile(r"```console\n\$ (?P<command>.*)\n(?P<output>(?:.*\n)*?)```\n")
CLIENT = create_app().test_client()


def run(command: str) -> str:
    """What a curl command of the README prints."""
    program, *words = shlex.split(command)
    assert program == "curl"
    headers, data, address = {}, None, ""
    while words:
        match words.pop(0):
            case "-s":
                pass
            case "-H":
                name, _, value = words.pop(0).partition(": ")
                headers[name] = value
            case "-d":
                data = words.pop(0)
            case other:
                address = other
    parts = urlsplit(address)
    assert parts.netloc == "localhost:8000"
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    method = "GET" if data is None else "POST"
    answer = CLIENT.open(target, method=method, headers=headers, data=data)
    return answer.get_data(as_text=True) + "\n"


COMMANDS = [match.groupdict() for match in SHOWN.finditer(README.read_text("utf-8"))]


@pytest.mark.parametrize("shown", COMMANDS, ids=lambda shown: shown["command"][:60])
def test_the_readme_shows_what_comes_out(shown: dict[str, str]) -> None:
    assert run(shown["command"]) == shown["output"]


def test_the_readme_shows_a_first_answer_a_whole_turn_a_rule_and_a_game() -> None:
    asked = " ".join(shown["command"] for shown in COMMANDS)
    for part in ("adjudications", "draw", "roll", "keep", "bank", "rules/T", "v1/tutto/games"):
        assert part in asked


if __name__ == "__main__":
    text = SHOWN.sub(
        lambda found: f"```console\n$ {found['command']}\n{run(found['command'])}```\n",
        README.read_text("utf-8"),
    )
    README.write_text(text, "utf-8")
