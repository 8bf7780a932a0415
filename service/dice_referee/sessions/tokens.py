"""Secrets of hosts and seats, which are made once, shown once and stored only as hashes."""

import hashlib
import re
import secrets
from collections.abc import Sequence
from hmac import compare_digest

_ID = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)


def new_id() -> str:
    """Returns a new session id of 128 random bits. The id suffices to read the session."""
    return secrets.token_urlsafe(16)


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def new_token() -> str:
    """Returns a new secret of a host or a seat, of 256 bits."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """Returns the SHA-256 of a token, in hex. A token is long and random, so it needs no salt."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def matching(token: str, hashes: Sequence[str]) -> int | None:
    """Returns the index of the token's hash, or None without it, in constant time."""
    own, place = token_hash(token), None
    for index, stored in enumerate(hashes):
        if compare_digest(own, stored):
            place = index
    return place
