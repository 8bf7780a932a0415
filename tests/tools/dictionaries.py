"""Dictionaries that compress the log entries and states of sessions (``sessions/compression.py``).

A dictionary of a release never changes. After a change to the form of entries, ``python -m
tests.tools.dictionaries`` adds a dictionary for each game, under the next number, and prints its
digest for ``tests/sessions/test_compression.py``. Delete dictionaries that no release has had
first. A dictionary consists of frequent entries and states of sample games. The most frequent are
last, where zlib encodes references with the fewest bits.
"""

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import Any

import orjson

from dice_referee.games import catalogue
from dice_referee.sessions.compression import FOLDER, HEAD, WINDOW_BITS, dictionaries
from dice_referee.sessions.session import DiceSource, Status, moment
from tests.sessions.player import choose
from tests.sessions.seated import sit_down

SIZE = 2**-WINDOW_BITS - 300
"""Maximum bytes of a dictionary: zlib refers to a window less 262 bytes."""
STATES = SIZE // 4
"""Maximum bytes of states in a dictionary."""
GAMES, MOVES = 16, 150
"""Sample games, and the maximum moves of each."""
PLAYERS = ("Ann", "Ben", "Cleo", "Dan")
BOT = 1
"""Seat of the bot in some sample games."""


def samples(game: str) -> tuple[list[bytes], list[bytes]]:
    """Returns the entries of sample games, and their states after each move."""
    entries, states = list[bytes](), list[bytes]()
    for number in range(GAMES):
        players = PLAYERS[: 2 + number % 3]
        more: dict[str, Any] = {}
        if number % 4 == 0:
            more = {"dice": DiceSource.CLIENT}
        elif number % 4 == 1:
            more = {
                "bots": tuple("careful" if seat == BOT else None for seat, _ in enumerate(players))
            }
        setup = catalogue()[game].normalized_setup({"players": list(players)})
        sitting, random = sit_down(game, players, setup=setup, **more), Random(f"{game} {number}")
        for _ in range(MOVES):
            if sitting.session.status is not Status.RUNNING:
                break
            sitting = sitting.act(choose(sitting.state, random))
            states.append(moment(sitting.session, 0))
        entries += [HEAD.sub(b"", orjson.dumps(entry)) for entry in sitting.log]
    return entries, states


def frequent(samples: Sequence[bytes], size: int) -> bytes:
    """Returns a sample of each of the most frequent forms, which differ in more than numbers."""
    forms, examples = Counter[bytes](), dict[bytes, bytes]()
    for sample in samples:
        form = re.sub(rb"\d+", b"0", sample)
        forms[form] += 1
        examples[form] = sample
    chosen = b""
    for form, _ in forms.most_common():
        if len(chosen) + len(examples[form]) > size:
            break
        chosen = examples[form] + chosen
    return chosen


def dictionary(game: str) -> bytes:
    """Makes the dictionary of a game."""
    entries, states = samples(game)
    return frequent(states, STATES) + frequent(entries, SIZE - STATES)


def main() -> None:
    last = max(dictionaries())
    for number, game in enumerate(sorted(catalogue()), last + 1):
        path = FOLDER / f"{number}-{game}.txt"
        content = dictionary(game)
        path.write_bytes(content)
        print(f'    "{number} {game}": "{sha256(content).hexdigest()}",')


if __name__ == "__main__":
    main()
