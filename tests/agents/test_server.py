"""An agent gets the service's sentences from every tool, and plays a game by them alone."""

import json
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest

from dice_referee import __version__
from dice_referee.__main__ import main
from tests.agents.agent import COMMAND, Agent, converse
from tests.engines.servers import DEADLINE
from tests.programs import ROOT

if TYPE_CHECKING:
    from mcp_types import Tool

BONUS = {"card": "bonus-300", "roll": [2, 3, 4, 5, 6, 6]}
ANSWERS: list[tuple[str, dict[str, Any], str]] = [
    ("adjudicate", {"position": BONUS}, "Set aside 5 and roll 5 dice: 50 at stake.\nBank 50.\n"),
    (
        "transition",
        {"position": BONUS, "event": {"type": "keep", "dice": [5]}},
        "You set aside 5 for 50.\n",
    ),
    (
        "transition",
        {"position": BONUS, "event": {"type": "roll", "dice": [1]}},
        "Not a legal move (T",
    ),
    ("odds", {"position": {"card": "bonus-300"}}, "Roll 6 dice: 445; bust 3.09%"),
    (
        "audit",
        {
            "players": ["Ada", "Ben"],
            "log": [{"type": "draw", "card": "stop"}, {"type": "roll", "dice": [1]}],
        },
        "Move 2 is not legal (T4.2).",
    ),
    ("rule", {"number": "T2.2"}, "T2.2, official: "),
    ("rule", {}, "T1.1: The game uses six ordinary dice."),
]
REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    ("adjudicate", {"game": "tutto", "position": BONUS | {"roll": [7]}}, "/roll/0: The value must"),
    ("adjudicate", {"game": "tutto", "position": BONUS | {"roll": [5]}}, "T1.1: Wrong number of"),
    ("adjudicate", {"game": "tuto", "position": BONUS}, "/game: 'tuto' is not one of"),
    ("adjudicate", {"game": "tutto", **BONUS}, "'position' is a required property"),
    ("audit", {"game": "pot", "players": [], "log": [], "rulset": ""}, "'rulset' was unexpected"),
    ("rule", {"game": "tutto", "number": "T99"}, "This game has no rule “T99”"),
    ("rule", {"game": "tutto", "number": "../../../livez"}, "This game has no rule"),
    ("begin", {"game": "tutto", "players": ["Ada"]}, "/players: The length must be from 2 to 10."),
    ("begin", {"game": "pot", "players": ["A", "B"], "options": {"target": 999}}, "P5.1: Nobody"),
    ("look", {"session": "nowhere"}, "There is no session with this id"),
    ("move", {"session": "nowhere", "event": {}}, "has begun no session nowhere"),
    ("play", {}, "adjudicate, transition, "),
]
SESSION_TOOLS = {"begin", "look", "move"}
BYTES = 5000
SECRET = re.compile(r"[\w-]{40}")
"""Pattern of secrets: a token has 43 such characters, a session's id 22."""


def choice(text: str) -> dict[str, Any] | None:
    """Returns an event that the last sentences offer: to bank where possible; None at the end."""
    offered = text.rpartition("\n\n")[2]
    if re.search("^Bank ", offered, re.MULTILINE):
        return {"type": "bank"}
    if keep := re.search(r"^Set aside ((?:\d ?)+)", offered, re.MULTILINE):
        return {"type": "keep", "dice": [int(die) for die in keep[1].split()]}
    if event := re.search("^(Draw|Roll) ", offered, re.MULTILINE):
        return {"type": event[1].lower()}
    return None


def test_agent_plays_a_whole_game_by_the_sentences(address: str) -> None:
    async def play(agent: Agent) -> tuple[str, str, str]:
        text = await agent.answer("begin", game="tutto", players=["Ada", "Ben"])
        begun = re.match(r"session: (\S{22})\ntable: (\S+)\n\n", text)
        assert begun
        session = begun[1]
        assert begun[2] == f"{address}/table/{session}"
        while event := choice(text):
            assert not SECRET.search(text)
            looked = await agent.answer("look", session=session)
            assert choice(looked) == event
            text = await agent.answer("move", session=session, event=event)
        with urlopen(f"{address}/v1/sessions/{session}/game") as reply:
            record = json.load(reply)
        audited = await agent.answer("audit", game="tutto", **record)
        return text, await agent.answer("look", session=session), audited

    moved, looked, audited = converse(play, "--url", address)
    end = re.compile("The game is over. (Ada|Ben) wins.\n")
    for text in (moved, looked, audited):
        assert end.search(text), text
    assert end.findall(moved) == end.findall(looked) == end.findall(audited)


def test_every_tool_answers_in_sentences(address: str, tools: "list[Tool]") -> None:
    async def ask(agent: Agent) -> list[str]:
        return [await agent.answer(tool, game="tutto", **given) for tool, given, _ in ANSWERS]

    texts = converse(ask, "--url", f"{address}/")
    for text, (tool, _, sentence) in zip(texts, ANSWERS, strict=True):
        assert sentence in text, (tool, text)
    assert {tool for tool, *_ in ANSWERS} == {tool.name for tool in tools} - SESSION_TOOLS


def test_refusals_are_errors_with_their_findings(address: str) -> None:
    async def ask(agent: Agent) -> list[str]:
        return [await agent.refusal(tool, **given) for tool, given, _ in REFUSALS]

    texts = converse(ask, "--url", address)
    for text, (tool, _, sentence) in zip(texts, REFUSALS, strict=True):
        assert sentence in text, (tool, text)
        assert not text.startswith("{"), text


def test_illegal_moves_are_errors_and_change_nothing(address: str) -> None:
    async def ask(agent: Agent) -> tuple[str, str, str]:
        text = await agent.answer("begin", game="tutto", players=["Ada", "Ben"])
        session = text.split()[1]
        before = await agent.answer("look", session=session)
        refusal = await agent.refusal("move", session=session, event={"type": "roll"})
        return before, refusal, await agent.answer("look", session=session)

    before, refusal, after = converse(ask, "--url", address)
    assert refusal.startswith("Illegal move.\nT4.2: ")
    assert before == after


def test_bots_that_begin_are_told_of(address: str) -> None:
    async def ask(agent: Agent) -> str:
        bots = [{"seat": 0, "level": "best"}]
        return await agent.answer("begin", game="pot", players=["Bot", "Ada"], bots=bots)

    assert "\n\nBot rolled " in converse(ask, "--url", address)


def test_answers_come_in_the_agents_language(address: str) -> None:
    async def ask(agent: Agent) -> list[str]:
        call = ("rule", {"game": "tutto", "number": "T5.1"})
        texts = [await agent.answer(call[0], **call[1])]
        for language in ("fr", "it\r\nHost: elsewhere.example"):
            texts.append(await agent.answer(call[0], **call[1], language=language))
        begin = {"game": "tutto", "players": ["Ada"]}
        return [*texts, await agent.refusal("begin", **begin)]

    german, french, odd, refusal = converse(ask, "--url", address, "--language", "de")
    assert german.startswith("T5.1, zum Teil unsere Lesart: ")
    assert french.startswith("T5.1, en partie notre interprétation")
    assert odd.startswith("T5.1, ")
    assert refusal.startswith("Ungültige Anfrage.\n/players: Die Länge")


def test_an_agent_reads_what_there_is_in_5_kb(tools: "list[Tool]") -> None:
    async def read(agent: Agent) -> tuple[str, str, list[str]]:
        assert agent.client.server_info is not None
        listed = await agent.client.list_tools()
        definitions = listed.model_dump_json(by_alias=True, exclude_none=True)
        assert len(definitions.encode()) < BYTES
        names = [tool.name for tool in listed.tools]
        return agent.client.server_info.version, agent.client.instructions or "", names

    version, instructions, names = converse(read)
    assert version == __version__
    assert names == [tool.name for tool in tools]
    for name in ("begin", "move", "adjudicate", "audit", "rule"):
        assert name in instructions


def test_an_interrupt_ends_the_server_at_once() -> None:
    command, pipe = [*COMMAND], subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        server.stdin.flush()
        assert server.stdout.readline(), "it listens"
        server.send_signal(signal.SIGINT)
        try:
            assert server.wait(DEADLINE) == -signal.SIGINT
        finally:
            server.kill()


def test_missing_extra_is_one_line_with_its_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("dice_referee.agents")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(SystemExit) as ended:
        main(["mcp"])
    assert ended.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "deploy/requirements/mcp.txt" in line
