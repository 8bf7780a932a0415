"""Compression of log entries and states, each on its own, with a dictionary for each game.

Compressed bytes begin with the number of their dictionary, a byte, and continue with raw DEFLATE.
Before them an entry has its time, because digits that no dictionary knows take half of the rest.
A file ``dictionaries/<number>-<game>.txt`` is a dictionary, which never changes: a game writes with
its latest dictionary, and reads with any. ``python -m tests.tools.dictionaries`` makes a new one.
Games without a dictionary have number 0.
"""

import re
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from dice_referee.sessions.log import milliseconds, timestamp
from dice_referee.sessions.store import CorruptSession, EarlierRelease, UnknownSchema

WINDOW_BITS = -12
"""Window of 4 KB without header or checksum. A dictionary fits in the window."""
MEMORY_LEVEL = 6
FOLDER = Path(__file__).parent / "dictionaries"
HEAD = re.compile(rb'\{"version":\d+,"at":"([^"]+)"')
TIME_BYTES = 6
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
    number = max(
        (number for number, (name, _) in dictionaries().items() if name == game), default=0
    )
    level, method, strategy = zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, zlib.Z_DEFAULT_STRATEGY
    dictionary = dictionaries()[number][1]
    compressor = zlib.compressobj(level, method, WINDOW_BITS, MEMORY_LEVEL, strategy, dictionary)
    return bytes([number]), compressor


@cache
def _decompressor(number: int) -> Any:
    """Raises LookupError."""
    return zlib.decompressobj(WINDOW_BITS, dictionaries()[number][1])


def compress(game: str, content: bytes) -> bytes:
    number, initial = _compressor(game)
    # A copy costs less than a new compressor, which reads the dictionary.
    compressor = initial.copy()
    return b"".join((number, compressor.compress(content), compressor.flush()))


def decompress(content: bytes, session_id: str) -> bytes:
    """Returns the state that was compressed.

    Raises UnknownSchema for the dictionary of a later release, and CorruptSession.
    """
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


def compress_entry(game: str, entry: bytes) -> bytes:
    """Compresses an entry with the dictionary of the game, after its time in milliseconds.

    Omits the version, which the log has.
    """
    head = HEAD.match(entry)
    at, rest = (milliseconds(head[1].decode()), entry[head.end() :]) if head else (0, entry)
    return at.to_bytes(TIME_BYTES) + compress(game, rest)


def decompress_entry(content: bytes, version: int, session_id: str) -> bytes:
    """Returns the entry of this version that was compressed.

    Raises EarlierRelease for an entry of release 0.10.0, and the errors of ``decompress``.
    """
    if content.startswith(PLAIN):
        raise EarlierRelease(session_id)
    rest = decompress(content[TIME_BYTES:], session_id)
    at = int.from_bytes(content[:TIME_BYTES])
    return b'{"version":%d,"at":"%b"%b' % (version, timestamp(at).encode(), rest) if at else rest
