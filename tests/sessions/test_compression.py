"""Compression of log entries: exact, small, and readable for ever."""

from hashlib import sha256
from random import Random

import orjson
import pytest

from dice_referee.games import catalogue
from dice_referee.sessions.compression import (
    compress,
    compress_entry,
    decompress,
    decompress_entry,
    dictionaries,
)
from dice_referee.sessions.session import moment
from dice_referee.sessions.store import CorruptSession, EarlierRelease, UnknownSchema
from tests.sessions.seated import played, sit_down

PINNED = {
    "1 pot": "eb0978daa4ffc0b9ae059f27ccdb30d624df1af9d3253bc58c1b3b14caabdd99",
    "2 tutto": "9d8a05577e9897698665f3a840e172300fcafd71fda82547b9891a8070603fc6",
    "3 yatzee": "03f1636fbd0ce5aba9c8cfd33296d6b2b26246c0911e17a5ba646ce0d19edbc8",
}
"""SHA-256 of each dictionary. Stored sessions need a dictionary as it is: add, never change."""


def test_dictionaries_never_change() -> None:
    digests = {
        f"{number} {game}": sha256(content).hexdigest()
        for number, (game, content) in dictionaries().items()
        if number
    }
    assert digests == PINNED


@pytest.mark.parametrize("game", sorted(catalogue()))
def test_entries_and_states_are_read_as_written(game: str) -> None:
    sitting = played(sit_down(game, ("Ann", "Ben", "Cleo")), Random(1))
    entries = [orjson.dumps(entry) for entry in sitting.log]
    stored = [compress_entry(game, entry) for entry in entries]
    read = [decompress_entry(line, version, "id") for version, line in enumerate(stored, 1)]
    assert read == entries
    assert sum(map(len, stored)) < 0.25 * sum(map(len, entries))
    state = moment(sitting.session, 0)
    assert decompress(compress(game, state), "id") == state


def test_game_without_a_dictionary_is_compressed_too() -> None:
    entry = b'{"version":1,"at":"2026-11-28T12:00:00.001Z","event":{"type":"new"}}'
    stored = compress_entry("skat", entry)
    assert stored[6] == 0
    assert decompress_entry(stored, 1, "id") == entry


def test_damaged_entries_are_refused() -> None:
    stored = compress("tutto", b'{"type":"draw"}')
    for damaged in (stored[:-1], stored[:1] + b"\xff" * 9, stored[:1]):
        with pytest.raises(CorruptSession):
            decompress(damaged, "id")
    with pytest.raises(UnknownSchema):
        decompress(b"\xfa" + stored[1:], "id")
    with pytest.raises(EarlierRelease):
        decompress_entry(b'{"version":1}', 1, "id")
