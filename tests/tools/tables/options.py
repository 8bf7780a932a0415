"""Solves the sheet of Yatzee under other options, for the guide to perfect play.

python -m tests.tools.tables.options [name ...]

Each option takes two minutes, or less without the upper bonus. ``tests/games/yatzee/options.json``
stores the optimal totals.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from dice_referee.games.yatzee.rulesets import YATZEE_SIX
from tests.tools.tables.sheet_game import SheetGame, solve
from tests.tools.tables.yatzee import sheet_game

PATH = Path(__file__).resolve().parents[2] / "games" / "yatzee" / "options.json"
GAME = sheet_game(YATZEE_SIX)
GAMES: Mapping[str, SheetGame] = {
    "no bonus of the upper section": GAME._replace(threshold=0, bonus=0),
    "no roll bonuses": GAME._replace(throw_bonus=(0, 0, 0)),
    "groups may have the same face": sheet_game(YATZEE_SIX.house({"distinct_faces": False})),
}
"""The rules, by their names in the guide."""


def main(names: list[str]) -> None:
    """Computes and writes the optimal totals under these rules, or under all."""
    for name in names or GAMES:
        total = solve(GAMES[name]).empty_card
        optima = json.loads(PATH.read_text("utf-8")) if PATH.exists() else {}
        optima[name] = round(total, 3)
        ordered = {one: optima[one] for one in GAMES if one in optima}
        PATH.write_text(json.dumps(ordered, indent=2, ensure_ascii=False) + "\n", "utf-8")
        print(f"{name}: {total:.4f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
