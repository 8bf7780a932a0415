"""The secrets of hosts and seats: made once, shown once, kept only as hashes."""

import hashlib
import re
import secrets
from collections.abc import Sequence
from hmac import compare_digest

_ID = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)


def new_id() -> str:
    """Makes an id for a session: 128 random bits, for it is enough to read the session."""
    return secrets.token_urlsafe(16)


def is_id(text: str) -> bool:
    """Tells if a text has the form of a session's id."""
    return _ID.fullmatch(text) is not None


def new_token() -> str:
    """Makes a host's or a seat's secret: 256 bits."""
    return secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """Returns the SHA-256 of a token, in hex. A token is long and random: no salt is needed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def matching(token: str, hashes: Sequence[str]) -> int | None:
    """Returns the index of the token's hash; None without it. Takes the same time for each."""
    own, place = hashed(token), None
    for index, stored in enumerate(hashes):
        if compare_digest(own, stored):
            place = index
    return place
