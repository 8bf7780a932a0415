"""Idempotency keys of a session, as records of a fixed size in a single value of the store.

A record has the author's seat, digests of the key and of its use, and the versions of the first and
the last entry of its change. The last ``RECORDS`` records remain, so a key holds for at least as
many changes, and of each author the last ``OF_AUTHOR``.
"""

import hashlib
from struct import Struct
from typing import NamedTuple

from dice_referee.sessions.change import Actor

RECORDS, OF_AUTHOR = 64, 4
LAYOUT = Struct(">B8s8sII")


class Key(NamedTuple):
    author: int
    """Seat of the author, from 1, or 0 for the host."""
    name: bytes
    """Digest of the author's token and the key."""
    use: bytes
    """Digest of the change."""


class Versions(NamedTuple):
    """Versions of the first and the last entry of a change."""

    first: int
    last: int


def key_of(actor: Actor, name: str, use: bytes) -> Key:
    """Returns the key of an author for a use. ``name`` names the author's token and the key."""
    author = 0 if actor.seat is None else actor.seat + 1
    return Key(author, _digest(name.encode()), _digest(use))


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()[:8]


class Record(NamedTuple):
    key: Key
    versions: Versions


def find(records: bytes, key: Key) -> Record | None:
    """Returns the record of this key, whatever its use."""
    at = records.find(key.name)
    while at >= 0:
        if at % LAYOUT.size == 1:
            author, name, use, first, last = LAYOUT.unpack_from(records, at - 1)
            return Record(Key(author, name, use), Versions(first, last))
        at = records.find(key.name, at + 1)
    return None


def add(records: bytes, key: Key, versions: Versions) -> bytes:
    """Returns the records with another record, without those that expire."""
    records += LAYOUT.pack(*key, *versions)
    authors = records[:: LAYOUT.size]
    kept = list[bytes]()
    older = len(authors) - RECORDS
    for place in range(older):
        if authors.count(authors[place], place + 1) < OF_AUTHOR:
            kept.append(records[place * LAYOUT.size : (place + 1) * LAYOUT.size])
    return b"".join((*kept, records[max(older, 0) * LAYOUT.size :]))
