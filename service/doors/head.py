"""The headers of an answer, written once for all answers that have the same."""

from collections.abc import Iterator
from functools import lru_cache

from service.http.policy import COMMON, Headers

Pair = tuple[bytes, bytes]


class Head:
    """Headers as any ASGI server takes them, and as the bytes that ours can send at once.

    They are our own constants but for the id and the length, so nobody need check them again.
    """

    __slots__ = ("_identity", "_pairs", "block", "length")

    def __init__(
        self,
        headers: Headers,
        identity: str,
        length: int | None,
        own: Headers = (),
    ) -> None:
        """An answer's headers, those that every answer has, its id and its length in bytes.

        ``own`` are headers that the next answer will not have.
        """
        self._identity, self.length = identity.encode(), length
        self._pairs, block = _prepared(headers)
        if own:
            more = tuple([(name.lower().encode(), value.encode()) for name, value in own])
            self._pairs += more
            block += b"".join([b"%b: %b\r\n" % pair for pair in more])
        if length is None:
            self.block = b"%bx-request-id: %b\r\n" % (block, self._identity)
        else:
            self.block = b"%bx-request-id: %b\r\ncontent-length: %d\r\n" % (
                block,
                self._identity,
                length,
            )

    def __iter__(self) -> Iterator[Pair]:
        yield from self._pairs
        yield b"x-request-id", self._identity
        if self.length is not None:
            yield b"content-length", b"%d" % self.length


@lru_cache(maxsize=256)
def _prepared(headers: Headers) -> tuple[tuple[Pair, ...], bytes]:
    pairs = tuple(
        (name.lower().encode("latin-1"), value.encode("latin-1"))
        for name, value in (*headers, *COMMON)
    )
    return pairs, b"".join(b"%b: %b\r\n" % pair for pair in pairs)
