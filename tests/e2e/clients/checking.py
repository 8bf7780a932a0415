"""Expected output of the programs of every language."""

import re

from tests import quick_yaml
from tests.e2e.clients.building import Built
from tests.programs import CONTRACT

VERDICTS = """\
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

OWN_GAME = "without a session: 30 events, 0 won, 1600,300"
"""Line about the game with the client's dice, which are equal in every run and language."""


def check_verdicts(client: Built, address: str) -> None:
    """Expects the right output about a turn and a session of Tutto."""
    output = client.told(client.verdict, address)
    assert output == VERDICTS, output


def check_whole_games(client: Built, address: str) -> None:
    """Expects two whole games of Tutto, each with a matching audit of its log."""
    own, own_audit, session, session_audit, proof = client.told(client.game, address).splitlines()
    assert own == OWN_GAME, own
    assert re.fullmatch(r"with a session: \d+ events, [01] won, -?\d+,-?\d+", session), session
    for played, audit in ((own, own_audit), (session, session_audit)):
        _, _, ending = played.partition(" events, ")
        assert audit == f"audit: legal, over, {ending}", (played, audit)
    assert proof == "fair", proof


SESSIONS = r"""tutto: over, \d+ entries, [a-z0-9-]+, -?\d+,-?\d+
yatzee: over, 72 entries, [1-6]{6}, \d+,\d+
pot: over, \d+ entries, ([1-5]|[POT]){3}, \d+,\d+
"""
"""Lines about the sessions. In Yatzee both players fill 18 categories after a single roll each."""


def check_sessions(output: str) -> None:
    """Expects a session of each game, with an event of its log and its final scores."""
    assert re.fullmatch(SESSIONS, output), output


def check_types(client: Built) -> None:
    """Expects a name of the contract for every type, and no names like ListGames200Response."""
    named = quick_yaml.load(CONTRACT.read_bytes())["components"]["schemas"].keys()
    # Requests with turns and nullable unions have types only in the contract for generators.
    invented = (
        client.types - named - {f"{name}Or{kind}" for name in named for kind in ("Turn", "Null")}
    )
    assert not invented
    # Some languages have no named types for plain numbers and strings.
    expected = {"TuttoKeepTurn", "TuttoCard", "PotSession", "SessionActor", "Problem"}
    assert expected <= client.types, expected - client.types
