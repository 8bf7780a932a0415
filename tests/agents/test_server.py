"""Agents get the service's sentences from every tool, and play games by them alone."""

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
        "adjudicate",
        {"position": BONUS, "event": {"type": "keep", "dice": [5]}},
        "You set aside 5 for 50.\n",
    ),
    (
        "adjudicate",
        {"position": BONUS, "event": {"type": "roll", "dice": [1]}},
        "Not a legal move (T",
    ),
    ("adjudicate", {"position": {"card": "bonus-300"}, "aim": "points"}, "Roll 6 dice: 445; bust"),
    (
        "audit",
        {
            "players": ["Ada", "Ben"],
            "log": [{"type": "draw", "card": "stop"}, {"type": "roll", "dice": [1]}],
        },
        "Move 2 is not legal (T4.2).",
    ),
    (
        "audit",
        {
            "players": ["Ada", "Ben"],
            "aim": "points",
            "log": [{"type": "draw", "card": "bonus-300"}, {"type": "roll", "dice": ["2"] * 6}],
        },
        "Ada",
    ),
    ("rule", {"number": "T2.2"}, "T2.2, official: "),
    ("rule", {}, "T1.1: The game uses six ordinary dice."),
]
REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    ("adjudicate", {"game": "tutto", "position": BONUS | {"roll": [7]}}, "/roll/0: The value must"),
    ("adjudicate", {"game": "tutto", "position": BONUS | {"roll": [5]}}, "T1.1: Wrong number of"),
    ("adjudicate", {"game": "tuto", "position": BONUS}, "game is 'tuto', but may be tutto, yatzee"),
    ("adjudicate", {"game": "tutto", **BONUS}, "The argument position is missing."),
    ("adjudicate", {"game": "tutto", "position": "bonus-300"}, "position is not of type object."),
    ("adjudicate", {"game": "tutto", "position": BONUS, "all": 1}, "all is not of type boolean."),
    ("audit", {"game": "pot", "players": [], "log": [], "rulset": ""}, "no argument rulset: game,"),
    ("rule", {"game": "tutto", "number": "T99"}, "This game has no rule “T99”"),
    ("rule", {"game": "tutto", "number": "../../../livez"}, "This game has no rule"),
    ("begin", {"game": "tutto", "players": ["Ada"]}, "/players: The length must be from 2 to 10."),
    ("begin", {"game": "pot", "players": ["A", "B"], "options": {"target": 999}}, "P5.1: Nobody"),
    ("look", {"session": "nowhere"}, "No session nowhere, or no longer: begin starts one."),
    ("review", {"session": "nowhere"}, "No session nowhere, or no longer: begin starts one."),
    ("undo", {"session": "nowhere"}, "has begun no session nowhere"),
    ("move", {"session": "nowhere", "event": {}}, "has begun no session nowhere"),
]
SESSION_TOOLS = {"begin", "look", "move", "review", "undo"}
BYTES = 9000
SECRET = re.compile(r"[\w-]{40}")
"""Pattern of secrets: a token has 43 such characters, a session's id 22."""


def choice(document: dict[str, Any]) -> dict[str, Any]:
    """Returns the last legal event of a running session, in the form of a strict caller."""
    turn, verdict = document["turn"], document["adjudication"] or {}
    legal = document["legal_events"][-1]
    match legal:
        case "keep":
            return {"type": "keep", "dice": [*map(str, verdict["legal_keeps"][0]["dice"])]}
        case "write" | "strike":
            open_ = [each for each in verdict["categories"] if each["open"]]
            fit = [each for each in open_ if each["satisfied"] == (legal == "write")]
            return {"type": legal, "category": fit[0]["category"], "card": None, "dice": None}
        case "accept":
            return {"type": legal, "players": verdict["choices"][0]["players"]}
        case "throw":
            return {"type": legal, "held": [*map(str, turn.get("held", []))]}
    return {"type": legal}


@pytest.mark.parametrize("game", ["tutto", "yatzee", "pot"])
def test_agent_plays_a_whole_game(address: str, game: str) -> None:
    async def play(agent: Agent) -> tuple[str, str, str, str]:
        options = {"tutto": ["target=1000"], "yatzee": [], "pot": ["target=8"]}[game]
        text = await agent.answer("begin", game=game, players=["Ada", "Ben"], options=options)
        begun = re.match(r"session: (\S{22})\ntable: (\S+)\n\n", text)
        assert begun
        session = begun[1]
        assert agent.document == {"session": session, "table": f"{address}/table/{session}"}
        while (state := json.loads(await agent.answer("look", session=session, all=True)))[
            "status"
        ] == "running":
            assert not SECRET.search(text)
            text = await agent.answer("move", session=session, event=choice(state))
        with urlopen(f"{address}/v1/sessions/{session}/game") as reply:
            record = json.load(reply)
        record.pop("game", None)
        audited = await agent.answer("audit", game=game, **record)
        assert agent.document["legal"]
        looked = await agent.answer("look", session=session)
        return text, looked, audited, await agent.answer("review", session=session)

    moved, looked, audited, reviewed = converse(play, "--url", address)
    end = re.compile("The game is over. (.*?)\\.\n")
    for text in (moved, looked, audited):
        assert end.search(text), text
    assert end.findall(moved) == end.findall(looked) == end.findall(audited)
    assert "Ada" in reviewed


def test_agent_undoes_an_event(address: str) -> None:
    async def ask(agent: Agent) -> tuple[str, str]:
        players = {"game": "pot", "players": ["Ada", "Ben"], "dice": "client"}
        session = (await agent.answer("begin", **players)).split()[1]
        before = await agent.answer("look", session=session)
        await agent.answer(
            "move", session=session, event={"type": "throw", "dice": ["1", "P", "4"]}
        )
        await agent.answer("undo", session=session)
        return before, await agent.answer("look", session=session)

    before, after = converse(ask, "--url", address)
    assert before == after


MANY_CHOICES = {"card": "bonus-300", "roll": [1, 1, 5, 5, 5, 6]}
"""A position whose sentences omit choices."""


def test_argument_all_returns_all_choices(address: str) -> None:
    async def ask(agent: Agent) -> tuple[str, Any, Any]:
        cut = await agent.answer("adjudicate", game="tutto", position=MANY_CHOICES)
        short = agent.document
        document = json.loads(
            await agent.answer("adjudicate", game="tutto", position=MANY_CHOICES, all=True)
        )
        return cut, short, document

    cut, short, document = converse(ask, "--url", address)
    assert "more.\n" in cut
    assert len(document["legal_keeps"]) == 11
    assert {**short, "omitted": None} == {
        **{name: document[name] for name in document.keys() - {*short["omitted"]}},
        "omitted": None,
    }
    assert len(json.dumps(short)) <= 4096


def test_adjudication_suggests_the_aim_of_the_whole_game(address: str) -> None:
    questions: list[tuple[str, dict[str, Any], str]] = [
        ("yatzee", {"dice": ["3"] * 4 + ["6"] * 2, "throw": 1}, "game"),
        ("tutto", {**MANY_CHOICES, "scores": [100, 200], "player": 0}, "win"),
        (
            *(
                "pot",
                {
                    "dice": [1, 2, 4],
                    "throws": 1,
                    "coins": [3, 3],
                    "pot": 1,
                    "bank": 48,
                    "player": 0,
                },
            ),
            "win",
        ),
    ]

    async def ask(agent: Agent) -> list[tuple[str, str]]:
        texts = []
        for game, position, aim in questions:
            call = {"game": game, "position": position}
            less = await agent.answer("adjudicate", **call)
            texts.append((less, await agent.answer("adjudicate", **call, aim=aim)))
        call = {"game": "yatzee", "position": questions[0][1]}
        return [*texts, (await agent.answer("adjudicate", **call, aim="category"), texts[0][1])]

    answers = converse(ask, "--url", address)
    for (less, best), (_, _, aim) in zip(answers, [*questions, questions[0]], strict=True):
        assert less.endswith(f", adjudicate with aim {aim}.\n") or f" and aim {aim}.\n" in less
        assert "adjudicate with" not in best
    assert "Full House" in answers[-1][0].splitlines()[1]
    assert "3 3 3 3" in answers[-1][1]


def test_objects_are_accepted_as_json_text(address: str) -> None:
    async def ask(agent: Agent) -> list[str]:
        texts = []
        card = {"ones": 3, "one-pair": 10}
        for scorecard in (card, json.dumps(card), ["ones=3", "one-pair=10"]):
            position: dict[str, Any] = {"dice": [1, 4, 4, 4, 5, 5], "throw": 1}
            position["scorecard"] = scorecard
            for sent in (position, json.dumps(position)):
                texts.append(await agent.answer("adjudicate", game="yatzee", position=sent))
        strict = {**position, "dice": [*"144455"], "throw": "1", "card": None, "options": []}
        texts.append(await agent.answer("adjudicate", game="yatzee", position=strict))
        log = [{"type": "throw", "dice": ["5", "4", "P"]}, '{"type": "accept"}']
        players = ["Ada", "Ben"]
        for text in (log, json.dumps(log)):
            audited = await agent.answer("audit", game="pot", players=players, log=text)
            assert "not legal" not in audited
        options = {"target": 3000, "ending": "at-once"}
        for value in (options, json.dumps(options), ["target=3000", "ending = at-once"]):
            await agent.answer("begin", game="tutto", players='["A", "B"]', options=value)
        return texts

    assert len(set(converse(ask, "--url", address))) == 1


def test_position_may_contain_the_event_and_the_aim(address: str) -> None:
    async def ask(agent: Agent) -> list[tuple[str, str]]:
        call: dict[str, Any] = {"game": "tutto", "position": BONUS}
        return [
            (
                await agent.answer("adjudicate", **call, **extra),
                await agent.answer("adjudicate", game="tutto", position=BONUS | extra),
            )
            for extra in (
                {"event": {"type": "keep", "dice": [5]}},
                {"aim": "points"},
                {"reach": 500},
            )
        ]

    for beside, inside in converse(ask, "--url", address):
        assert inside == beside


def test_unknown_tool_is_a_protocol_error(address: str) -> None:
    from mcp import MCPError

    async def ask(agent: Agent) -> str:
        with pytest.raises(MCPError) as error:
            await agent.client.call_tool("play", {})
        return str(error.value)

    assert "Unknown tool: play. Tools: adjudicate, audit," in converse(ask, "--url", address)


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
        assert "/v1" not in text, text


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


def test_begin_reports_the_first_moves_of_bots(address: str) -> None:
    async def ask(agent: Agent) -> str:
        bots = [{"seat": 0, "level": "best"}]
        return await agent.answer("begin", game="pot", players=["Bot", "Ada"], bots=bots)

    assert "\n\nBot rolls " in converse(ask, "--url", address)


def test_answers_use_the_agents_language(address: str) -> None:
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


def test_tool_definitions_take_less_than_9_kb(tools: "list[Tool]") -> None:
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


def test_sigint_ends_the_server() -> None:
    command, pipe = [*COMMAND], subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        server.stdin.flush()
        assert server.stdout.readline(), "the server answers"
        server.send_signal(signal.SIGINT)
        try:
            assert server.wait(DEADLINE) == -signal.SIGINT
        finally:
            server.kill()


def test_missing_extra_prints_its_install_command(
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
