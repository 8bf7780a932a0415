"""Fair dice: the published derivation gives these dice, and all faces are equally likely."""

import hashlib
import hmac
import json
import re
from collections import Counter

import pytest

from dice_referee.sessions.fairness import FairRandom, commitment, dice_key
from tests.programs import ROOT

GUIDE = ROOT / "service/dice_referee/web/guides/fairness.md"
SEED = bytes(range(32))
KEY = dice_key(SEED, ("left", None))


def vectors() -> dict[str, str]:
    """Reads the table of test vectors in the guide."""
    rows = re.findall(r"^\| ([^|]+) \| `([^`]+)` \|$", GUIDE.read_text("utf-8"), re.MULTILINE)
    return {name: value for name, value in rows if not name.startswith("`")}


def test_guide_has_the_vectors_of_this_scheme() -> None:
    assert vectors() == {
        "commitment": commitment(SEED),
        "key": KEY.hex(),
        "first bytes of draw 0": hmac.digest(KEY, b"0/0", "sha256")[:8].hex(),
        "draw 0 as six dice": json.dumps(FairRandom(KEY, 0).dice(6)),
        "draw 1 as six dice": json.dumps(FairRandom(KEY, 1).dice(6)),
        "draw 2 as a pile, its first ten cards": json.dumps(FairRandom(KEY, 2).shuffle(56)[:10]),
        "draw 3 as a pile of 256, its last ten cards": json.dumps(
            FairRandom(KEY, 3).shuffle(256)[-10:]
        ),
    }


def test_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_seat_texts_keep_their_places_in_the_seed() -> None:
    keys = {dice_key(SEED, seeds) for seeds in [("a", None), (None, "a"), ("a", "a"), (None, None)]}
    assert len(keys) == 4


@pytest.mark.parametrize("faces", [2, 3, 5, 6, 7, 56, 200, 256])
def test_faces_are_uniform(faces: int) -> None:
    # Chi-square test against the uniform distribution, over fixed draws. The bound is the mean plus
    # six standard deviations.
    number = 400 * faces
    fallen = [die for n in range(200) for die in FairRandom(KEY, n).dice(number // 200, faces)]
    counted = Counter(fallen)
    expected = len(fallen) / faces
    square = sum((counted[face] - expected) ** 2 / expected for face in range(1, faces + 1))
    assert set(counted) == set(range(1, faces + 1))
    assert square < (faces - 1) + 6 * (2 * (faces - 1)) ** 0.5


def test_biased_bytes_are_rejected() -> None:
    stream = b"".join(hmac.digest(KEY, f"0/{block}".encode(), "sha256") for block in range(40))
    plain = [byte % 6 + 1 for byte in stream if byte < 252]
    assert len(plain) < len(stream), "one of these bytes must be rejected"
    assert FairRandom(KEY, 0).dice(len(plain)) == tuple(plain)


def test_shuffle_is_a_uniform_permutation() -> None:
    orders = Counter(FairRandom(KEY, n).shuffle(3) for n in range(6000))
    assert len(orders) == 6
    assert all(850 < number < 1150 for number in orders.values())
    assert sorted(FairRandom(KEY, 0).shuffle(56)) == list(range(56))
