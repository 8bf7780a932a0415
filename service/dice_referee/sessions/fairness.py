"""Fair dice: the service commits itself to a seed before the first throw and shows it at the end.

Scheme ``hmac-sha256/1``:

- The seed is 32 random bytes. The commitment, published with the session, is its SHA-256.
- Every seat may add a text of its own. The key is HMAC-SHA-256 under the seed of those texts, in
  the order of the seats, joined by line feeds; a seat that gave none counts as the empty text.
- The events that chance decides are numbered 0, 1, 2 ... over the whole session. Number n draws on
  the bytes HMAC(key, "n/0"), HMAC(key, "n/1") and so on, one after the other.
- A number below k takes bytes until one is below 256 - 256 mod k, and is that byte mod k: no face
  is likelier than another. A die is such a number plus 1.
- A pile of m cards is 0 ... m-1 in the order of the game's deck, shuffled from its end: for i from
  m-1 down to 1, card i changes places with card number-below(i+1). It is dealt from its start.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from dice_referee.games.game import AnyGame
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import Document

SCHEME = "hmac-sha256/1"
SEED_BYTES = 32


def new_seed() -> bytes:
    """Returns 256 random bits, from which the dice of a session are derived."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """Returns the commitment to a seed in hex, published before the first throw."""
    return hashlib.sha256(seed).hexdigest()


def dice_key(seed: bytes, seeds: Sequence[str | None]) -> bytes:
    """Derives the key of every throw of a session from the service's seed and the seats' texts."""
    return hmac.digest(seed, "\n".join(text or "" for text in seeds).encode("ascii"), "sha256")


class FairRandom:
    """The chance of one event (``rulebook.chance.Chance``): its own stream of bytes."""

    def __init__(self, key: bytes, number: int) -> None:
        self._bytes = _stream(key, number)

    def _below(self, bound: int) -> int:
        limit = 256 - 256 % bound
        while (byte := next(self._bytes)) >= limit:
            pass
        return byte % bound

    def dice(self, number: int, faces: int = 6) -> tuple[int, ...]:
        """Returns ``number`` dice in the order in which they fall, each 1 to ``faces``."""
        return tuple(self._below(faces) + 1 for _ in range(number))

    def shuffle(self, number: int) -> tuple[int, ...]:
        """Shuffles ``range(number)`` by chance; at most 256."""
        order = list(range(number))
        for i in range(number - 1, 0, -1):
            j = self._below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)


def _stream(key: bytes, number: int) -> Iterator[int]:
    for block in count():
        yield from hmac.digest(key, f"{number}/{block}".encode("ascii"), "sha256")


class Verification(NamedTuple):
    """Result of recomputing a game from its seed."""

    commitment_holds: bool
    """True if the seed matches the commitment."""
    chances: tuple[tuple[int, Document], ...]
    """Every event that chance decided, by its index in the log, as the seed gives it."""
    mismatch: tuple[int, Document] | None
    """The first event that is not what the seed gives, by its index, and what it gives."""
    illegal: tuple[int, Sequence[Finding]] | None
    """The first illegal event: what stands behind it is not looked at."""


def verify(
    game: AnyGame, record: Document, committed: str, seed: bytes, seeds: Sequence[str | None]
) -> Verification:
    """Recomputes each throw and shuffle of a game. Raises Unanswerable for impossible options.

    ``record`` is the game as it is exported: ruleset, options, players, log.
    """
    key, hidden = dice_key(seed, seeds), None
    chances: list[tuple[int, Document]] = []
    holds = hmac.compare_digest(commitment(seed), committed)
    table = game.new_table(record)
    for index, event in enumerate(record["log"]):
        findings = game.objections(table, event, f"/record/log/{index}")
        if findings:
            return Verification(holds, tuple(chances), None, (index, findings))
        if event["type"] in game.chance_events:
            dealt, hidden = game.deal(
                table, game.as_chosen(event), hidden, FairRandom(key, len(chances))
            )
            chances.append((index, dealt))
            if not same(dealt, event):
                return Verification(holds, tuple(chances), (index, dealt), None)
        table = game.advance(table, event).table
    return Verification(holds, tuple(chances), None, None)


def same(first: Document, second: Document) -> bool:
    """Tells if two events are equal; dice that fall together have no order."""
    return _plain(first) == _plain(second)


def _plain(event: Document) -> dict[str, Any]:
    return {
        name: sorted(value, key=str) if name == "dice" else value
        for name, value in event.items()
        if value != []
    }
