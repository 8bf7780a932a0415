"""Secrets that say who may act: made once, shown once, kept only as hashes."""

import hashlib
import re
import secrets
from collections.abc import Sequence
from hmac import compare_digest

_ID = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)

HASHED = 64
"""Characters of a hashed token."""


def new_id() -> str:
    """What a session is called: 128 bits, so that only those who were told can read it."""
    return secrets.token_urlsafe(16)


def is_id(text: str) -> bool:
    """Whether a session can be called like this."""
    return _ID.fullmatch(text) is not None


def new_token() -> str:
    """A host's or a seat's secret: 256 bits."""
    return secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """What is kept of a token, in hex. It is long and random, so one plain hash will do."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def matching(token: str, hashes: Sequence[str]) -> int | None:
    """Which of the hashes is the token's. Compared with all, whichever it is."""
    own, found = hashed(token), None
    for index, other in enumerate(hashes):
        if compare_digest(own, other):
            found = index
    return found
