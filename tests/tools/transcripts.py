"""Whole recorded games: each game of the catalogue has some, with their audits.

After an intended change, ``python -m tests.tools.transcripts`` updates the answers.
"""

import json
import sys
from pathlib import Path
from typing import Any

from dice_referee.app import create_app

FILES = sorted((Path(__file__).resolve().parents[1] / "games").glob("*/transcripts/*.json"))
CLIENT = create_app().test_client()


def audit_of(game: str, request: object) -> dict[str, Any]:
    """Returns the service's current audit of this game."""
    answer: dict[str, Any] = json.loads(CLIENT.post(f"/v1/{game}/audits", json=request).data)
    return answer


def write_transcripts() -> None:
    """Updates every answer. Exits at a game that is illegal or unfinished."""
    for path in FILES:
        transcripts = json.loads(path.read_text("utf-8"))
        answer = audit_of(path.parts[-3], transcripts["request"])
        if not answer.get("over"):
            sys.exit(f"{path.name}: {json.dumps(answer.get('first_illegal', answer))}")
        if transcripts.get("answer") != answer:
            path.write_text(json.dumps({**transcripts, "answer": answer}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    write_transcripts()
