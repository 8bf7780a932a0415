"""Fair dice: the service commits to a seed before the first roll and reveals it at the end.

Scheme ``hmac-sha256/1``:

- The seed is 32 random bytes. The commitment, published with the session, is its SHA-256.
- Every seat may add a text of its own. The key is HMAC-SHA-256 under the seed of these texts, in
  the order of the seats, joined by line feeds. A seat without a text counts as the empty text.
- Chance events are numbered 0, 1, 2 ... over the whole session. Number n reads the bytes
  HMAC(key, "n/0"), HMAC(key, "n/1") and so on, in sequence.
- A number below k skips bytes of at least 256 - 256 mod k, and is the next byte mod k, so that all
  faces are equally likely. A die is such a number plus 1.
- A pile of m cards is 0 ... m-1 in the order of the game's deck, shuffled from its end: for i from
  m-1 down to 1, card i is swapped with card number-below(i+1). The first card is dealt first.
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
from dice_referee.rulebook.pauses import pause

SCHEME = "hmac-sha256/1"
SEED_BYTES = 32


def new_seed() -> bytes:
    """Returns 256 random bits, from which all dice of a session are derived."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """Returns the commitment to a seed in hex, published before the first roll."""
    return hashlib.sha256(seed).hexdigest()


def dice_key(seed: bytes, seeds: Sequence[str | None]) -> bytes:
    """Derives the key of every roll of a session from the service's seed and the seats' texts."""
    return hmac.digest(seed, "\n".join(text or "" for text in seeds).encode("ascii"), "sha256")


class FairRandom:
    """Chance for a single event (``rulebook.chance.Chance``), with a stream of bytes of its own."""

    def __init__(self, key: bytes, number: int) -> None:
        self._bytes = _stream(key, number)

    def _below(self, bound: int) -> int:
        limit = 256 - 256 % bound
        while (byte := next(self._bytes)) >= limit:
            pass
        return byte % bound

    def dice(self, number: int, faces: int = 6) -> tuple[int, ...]:
        return tuple(self._below(faces) + 1 for _ in range(number))

    def shuffle(self, number: int) -> tuple[int, ...]:
        """Shuffles ``range(number)``, for at most 256 numbers."""
        order = list(range(number))
        for i in range(number - 1, 0, -1):
            j = self._below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)


def _stream(key: bytes, number: int) -> Iterator[int]:
    for block in count():
        yield from hmac.digest(key, f"{number}/{block}".encode("ascii"), "sha256")


class Verification(NamedTuple):
    commitment_holds: bool
    chances: tuple[tuple[int, Document], ...]
    mismatch: tuple[int, Document] | None
    """First event that differs from the seed: its index, and the event that the seed gives."""
    illegal: tuple[int, Sequence[Finding]] | None
    """First illegal event. Events after it are ignored."""


def verify(
    game: AnyGame, record: Document, committed: str, seed: bytes, seeds: Sequence[str | None]
) -> Verification:
    """Recomputes each roll and shuffle of a game. Raises Unanswerable for impossible options.

    ``record`` is the exported game: ruleset, options, players, log.
    """
    key, hidden = dice_key(seed, seeds), None
    chances: list[tuple[int, Document]] = []
    holds = hmac.compare_digest(commitment(seed), committed)
    state = game.new_state(record)
    for index, event in enumerate(record["log"]):
        pause()
        findings = game.objections(state, event, f"/record/log/{index}")
        if findings:
            return Verification(holds, tuple(chances), None, (index, findings))
        if event["type"] in game.chance_events:
            dealt, hidden = game.deal(
                state, game.as_chosen(event), hidden, FairRandom(key, len(chances))
            )
            chances.append((index, dealt))
            if not equal(dealt, event):
                return Verification(holds, tuple(chances), (index, dealt), None)
        state = game.advance(state, event).state
    return Verification(holds, tuple(chances), None, None)


def equal(first: Document, second: Document) -> bool:
    """Tells if two events are equal, ignoring the order of dice in a roll."""
    return _plain(first) == _plain(second)


def _plain(event: Document) -> dict[str, Any]:
    return {
        name: sorted(value, key=str) if name == "dice" else value
        for name, value in event.items()
        if value != []
    }
