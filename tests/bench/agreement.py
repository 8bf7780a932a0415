"""Compares the answers of contenders with the referee's own."""

from collections.abc import Sequence
from http.client import HTTPConnection

import orjson

from tests.bench.process import PATIENCE, PinnedServer


class Disagreement(RuntimeError):
    """A contender's answer differs from the referee's."""


def check(
    server: PinnedServer, path: str, questions: Sequence[bytes], answers: Sequence[bytes | None]
) -> None:
    """Compares the answers to all questions as JSON.

    An expected answer of None allows any content. Raises Disagreement at a difference, or at a
    status other than 200.
    """
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        for question, expected in zip(questions, answers, strict=True):
            connection.request("POST", path, question, {"Content-Type": "application/json"})
            response = connection.getresponse()
            content = response.read()
            if response.status == 200 and (
                expected is None or content == expected or _sorted(content) == _sorted(expected)
            ):
                continue
            raise Disagreement(
                f"{server.name} answered {response.status} to {question.decode()}\n"
                f"given:    {content.decode()}\nexpected: {(expected or b'any').decode()}"
            )
    finally:
        connection.close()


def _sorted(document: bytes) -> bytes:
    """Returns the document with sorted keys. Integers, floats and booleans stay distinct."""
    return orjson.dumps(orjson.loads(document), option=orjson.OPT_SORT_KEYS)
