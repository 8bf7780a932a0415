"""Agents get the service's sentences from every tool, and play games by them alone."""

import json
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest

import dice_referee.agents
from dice_referee import __version__
from dice_referee.__main__ import main
from tests.agents.agent import COMMAND, Agent
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
    ("adjudicate", {"position": BONUS, "bot": "careful"}, "Bot, careful: set aside 5.\n"),
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
    ("rule", {"number": "T2.2"}, "T2.2, official. "),
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
        case "roll" if document["game"] != "tutto":
            return {"type": legal, "held": [*map(str, turn.get("held", []))]}
    return {"type": legal}


@pytest.mark.parametrize("game", ["tutto", "yatzee", "pot"])
def test_agent_plays_a_whole_game(agent: Agent, address: str, game: str) -> None:
    options = {"tutto": ["target=1000"], "yatzee": [], "pot": ["target=8"]}[game]
    moved = agent.answer("begin", game=game, players=["Ada", "Ben"], options=options)
    begun = re.match(r"session: (\S{22})\ntable: (\S+)\n\n", moved)
    assert begun
    session = begun[1]
    assert agent.document == {"session": session, "table": f"{address}/table/{session}"}
    while (state := json.loads(agent.answer("look", session=session, all=True)))[
        "status"
    ] == "running":
        assert not SECRET.search(moved)
        moved = agent.answer("move", session=session, event=choice(state))
    with urlopen(f"{address}/v1/sessions/{session}/game") as reply:
        record = json.load(reply)
    record.pop("game", None)
    audited = agent.answer("audit", game=game, **record)
    assert agent.document["legal"]
    end = re.compile("The game is over. (.*?)\\.\n")
    texts = (moved, audited, agent.answer("look", session=session))
    assert len({*map(str, map(end.findall, texts))}) == 1
    assert end.search(moved), moved
    assert "Ada" in agent.answer("review", session=session)


def test_agent_undoes_an_event(agent: Agent) -> None:
    begun = agent.answer("begin", game="pot", players=["Ada", "Ben"], dice="client")
    session = begun.split()[1]
    before = agent.answer("look", session=session)
    agent.answer("move", session=session, event={"type": "roll", "dice": ["1", "P", "4"]})
    agent.answer("undo", session=session)
    assert agent.answer("look", session=session) == before


MANY_CHOICES = {"card": "bonus-300", "roll": [1, 1, 5, 5, 5, 6]}
"""A position whose sentences omit choices."""


def test_argument_all_returns_all_choices(agent: Agent) -> None:
    assert "more.\n" in agent.answer("adjudicate", game="tutto", position=MANY_CHOICES)
    short = agent.document
    document = json.loads(agent.answer("adjudicate", game="tutto", position=MANY_CHOICES, all=True))
    assert len(document["legal_keeps"]) == 11
    omitted = {*short.pop("omitted")}
    assert short == {name: document[name] for name in document.keys() - omitted}
    assert len(json.dumps(short)) <= 4096


AIMED: list[tuple[str, dict[str, Any], str]] = [
    ("yatzee", {"roll": ["3"] * 4 + ["6"] * 2, "rolls_made": 1}, "game"),
    ("tutto", {**MANY_CHOICES, "scores": [100, 200], "player": 0}, "win"),
    (
        "pot",
        {"roll": [1, 2, 4], "rolls_made": 1, "coins": [3, 3], "pot": 1, "bank": 48, "player": 0},
        "win",
    ),
]


def test_adjudication_suggests_the_aim_of_the_whole_game(agent: Agent) -> None:
    for game, position, aim in AIMED:
        call = {"game": game, "position": position}
        less, best = (agent.answer("adjudicate", **call, **more) for more in ({}, {"aim": aim}))
        assert less.endswith(f", adjudicate with aim {aim}.\n") or f" and aim {aim}.\n" in less
        assert "adjudicate with" not in best
    for aim, words in (("category", "Full House"), ("game", "3 3 3 3")):
        text = agent.answer("adjudicate", game="yatzee", position=AIMED[0][1], aim=aim)
        assert words in text
        assert ("adjudicate with aim game.\n" in text) == (aim == "category")


def test_objects_are_accepted_as_json_text(agent: Agent) -> None:
    texts, card = set[str](), {"ones": 3, "one-pair": 10}
    for scorecard in (card, json.dumps(card), ["ones=3", "one-pair=10"]):
        position: dict[str, Any] = {
            "roll": [1, 4, 4, 4, 5, 5],
            "rolls_made": 1,
            "scorecard": scorecard,
        }
        strict = {**position, "roll": [*"144455"], "rolls_made": "1", "card": None, "options": []}
        for sent in (position, json.dumps(position), strict):
            texts.add(agent.answer("adjudicate", game="yatzee", position=sent))
    assert len(texts) == 1
    log = [{"type": "roll", "dice": ["5", "4", "P"]}, '{"type": "accept"}']
    for text in (log, json.dumps(log)):
        audited = agent.answer("audit", game="pot", players=["Ada", "Ben"], log=text)
        assert "not legal" not in audited
    options = {"target": 3000, "ending": "at-once"}
    for value in (options, json.dumps(options), ["target=3000", "ending = at-once"]):
        agent.answer("begin", game="tutto", players='["A", "B"]', options=value)


@pytest.mark.parametrize(
    "more",
    [{"event": {"type": "keep", "dice": [5]}}, {"aim": "points"}, {"reach": 500}, {"bot": "bold"}],
    ids=str,
)
def test_position_may_contain_the_event_and_the_aim(agent: Agent, more: dict[str, Any]) -> None:
    beside = agent.answer("adjudicate", game="tutto", position=BONUS, **more)
    assert agent.answer("adjudicate", game="tutto", position=BONUS | more) == beside


def test_unknown_tool_is_a_protocol_error(agent: Agent) -> None:
    from mcp import MCPError

    with pytest.raises(MCPError, match=r"Unknown tool: play\. Tools: adjudicate, audit,"):
        agent.run(agent.client.call_tool("play", {}))


def test_every_tool_answers_in_sentences(agent: Agent, tools: "list[Tool]") -> None:
    for tool, given, sentence in ANSWERS:
        text = agent.answer(tool, game="tutto", **given)
        assert sentence in text, (tool, text)
    assert {tool for tool, *_ in ANSWERS} == {tool.name for tool in tools} - SESSION_TOOLS


def test_refusals_are_errors_with_their_findings(agent: Agent) -> None:
    for tool, given, sentence in REFUSALS:
        text = agent.refusal(tool, **given)
        assert sentence in text, (tool, text)
        assert not text.startswith("{"), text
        assert "/v1" not in text, text


def test_illegal_moves_are_errors_and_change_nothing(agent: Agent) -> None:
    session = agent.answer("begin", game="tutto", players=["Ada", "Ben"]).split()[1]
    before = agent.answer("look", session=session)
    refusal = agent.refusal("move", session=session, event={"type": "roll"})
    assert refusal.startswith("Illegal move.\nT4.2: ")
    assert agent.answer("look", session=session) == before


def test_begin_reports_the_first_moves_of_bots(agent: Agent) -> None:
    bots = [{"seat": 0, "level": "best"}]
    text = agent.answer("begin", game="pot", players=["Bot", "Ada"], bots=bots)
    assert "\n\nBot rolls " in text


def test_answers_use_the_agents_language(address: str) -> None:
    call = {"game": "tutto", "number": "T5.1"}
    with Agent("--url", f"{address}/", "--language", "de") as agent:
        assert agent.answer("rule", **call).startswith("T5.1, zum Teil unsere Lesart. ")
        french = agent.answer("rule", **call, language="fr")
        assert french.startswith("T5.1, en partie notre interprétation")
        odd = agent.answer("rule", **call, language="it\r\nHost: elsewhere.example")
        assert odd.startswith("T5.1, ")
        refusal = agent.refusal("begin", game="tutto", players=["Ada"])
        assert refusal.startswith("Ungültige Anfrage.\n/players: Erlaubt ist eine Länge")


def test_tool_definitions_take_less_than_9_kb(agent: Agent, tools: "list[Tool]") -> None:
    assert agent.client.server_info is not None
    assert agent.client.server_info.version == __version__
    listed = agent.run(agent.client.list_tools())
    assert len(listed.model_dump_json(by_alias=True, exclude_none=True).encode()) < BYTES
    assert [tool.name for tool in listed.tools] == [tool.name for tool in tools]
    for name in ("begin", "move", "adjudicate", "audit", "rule"):
        assert name in (agent.client.instructions or "")


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
    # Importing them anew replaces this attribute, too.
    monkeypatch.setattr(dice_referee, "agents", dice_referee.agents)
    for name in [name for name in sys.modules if name.startswith("dice_referee.agents")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(SystemExit) as ended:
        main(["mcp"])
    assert ended.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "deploy/requirements/mcp.txt" in line
