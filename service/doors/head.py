"""The headers of an answer, written once for all answers that have the same."""

from functools import lru_cache

from service.http.policy import COMMON

Pair = tuple[bytes, bytes]


class Head(list[Pair]):
    """Headers as any ASGI server takes them, and as the bytes that ours can send at once.

    They are our own constants but for the id and the length, so nobody need check them again.
    """

    __slots__ = ("block", "length")

    def __init__(self, pairs: list[Pair], block: bytes, length: int | None) -> None:
        super().__init__(pairs)
        self.block, self.length = block, length


def head(headers: tuple[tuple[str, str], ...], identity: str, length: int | None) -> Head:
    """An answer's headers, those that every answer has, its id and its length in bytes."""
    pairs, block = _prepared(headers)
    name = identity.encode()
    own: list[Pair] = [(b"x-request-id", name)]
    block += b"x-request-id: %b\r\n" % name
    if length is not None:
        own.append((b"content-length", b"%d" % length))
        block += b"content-length: %d\r\n" % length
    return Head([*pairs, *own], block, length)


@lru_cache(maxsize=256)
def _prepared(headers: tuple[tuple[str, str], ...]) -> tuple[tuple[Pair, ...], bytes]:
    pairs = tuple(
        (name.lower().encode("latin-1"), value.encode("latin-1"))
        for name, value in (*headers, *COMMON)
    )
    return pairs, b"".join(b"%b: %b\r\n" % pair for pair in pairs)
