"""Compression of log entries and states, each on its own, with a dictionary for each game.

Compressed bytes begin with the number of their dictionary, a byte, and continue with raw DEFLATE.
A file ``dictionaries/<number>-<game>.txt`` is a dictionary, which never changes: a game writes with
its latest dictionary, and reads with any. ``python -m tests.tools.dictionaries`` makes a new one.
Games without a dictionary have number 0.
"""

import zlib
from functools import cache
from pathlib import Path
from typing import Any

from dice_referee.sessions.store import CorruptSession, EarlierRelease, UnknownSchema

WINDOW_BITS = -12
"""Window of 4 KB without header or checksum. A dictionary fits in the window."""
MEMORY_LEVEL = 6
FOLDER = Path(__file__).parent / "dictionaries"
PLAIN = b"{"
"""First byte of the entries of release 0.10.0, which are not compressed."""


@cache
def dictionaries() -> dict[int, tuple[str, bytes]]:
    """Returns each dictionary with its game, by its number."""
    loaded = {0: ("", b"")}
    for path in FOLDER.glob("*.txt"):
        number, game = path.stem.split("-", 1)
        loaded[int(number)] = game, path.read_bytes()
    return loaded


@cache
def _compressor(game: str) -> tuple[bytes, Any]:
    """Returns the first byte and the initial compressor of a game."""
    number = max(
        (number for number, (name, _) in dictionaries().items() if name == game), default=0
    )
    level, method, strategy = zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, zlib.Z_DEFAULT_STRATEGY
    dictionary = dictionaries()[number][1]
    compressor = zlib.compressobj(level, method, WINDOW_BITS, MEMORY_LEVEL, strategy, dictionary)
    return bytes([number]), compressor


@cache
def _decompressor(number: int) -> Any:
    """Returns the initial decompressor of a dictionary. Raises LookupError."""
    return zlib.decompressobj(WINDOW_BITS, dictionaries()[number][1])


def compress(game: str, content: bytes) -> bytes:
    """Compresses an entry or a state with the dictionary of the game."""
    number, initial = _compressor(game)
    # A copy costs less than a new compressor, which reads the dictionary.
    compressor = initial.copy()
    return b"".join((number, compressor.compress(content), compressor.flush()))


def decompress(content: bytes, session_id: str) -> bytes:
    """Returns what was compressed.

    Raises EarlierRelease for an entry of release 0.10.0, UnknownSchema for the dictionary of a
    later release, and CorruptSession.
    """
    if content.startswith(PLAIN):
        raise EarlierRelease(session_id)
    try:
        decompressor = _decompressor(content[0]).copy()
    except LookupError as error:
        raise UnknownSchema(session_id) from error
    try:
        plain: bytes = decompressor.decompress(content[1:])
    except zlib.error as error:
        raise CorruptSession(session_id) from error
    if not decompressor.eof:
        raise CorruptSession(session_id)
    return plain
