"""A request that was read whole, and an answer before it is dressed."""

from typing import NamedTuple

from service.http.policy import CACHED, UNCACHED, entity_tag, is_match

JSON = "application/json"

REFUSAL = "referee.refusal"
"""The WSGI environ key by which the front door asks for a problem that it has found out itself."""


class Request(NamedTuple):
    """Header names are lower-case; values are as they came."""

    method: str
    path: str
    query: bytes
    headers: dict[bytes, bytes]
    body: bytes


class Answer(NamedTuple):
    """What is to be sent, but for the headers that every answer has."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def fresh(body: bytes, kind: str = JSON) -> Answer:
    """An answer that nobody keeps."""
    return Answer(200, (("Content-Type", kind), UNCACHED), body)


def cached(body: bytes, if_none_match: str | None, kind: str = JSON) -> Answer:
    """The answer to a GET that anybody may keep for a while; 304 if the client has it already."""
    tag = entity_tag(body)
    if is_match(if_none_match, tag):
        return Answer(304, (CACHED, ("ETag", tag)), b"")
    return Answer(200, (("Content-Type", kind), CACHED, ("ETag", tag)), body)
