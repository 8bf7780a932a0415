"""Check before measuring that every contender gives the referee's own answers."""

from collections.abc import Sequence
from http.client import HTTPConnection

import orjson

from tests.bench.contenders import PATH
from tests.bench.process import PinnedServer


class Disagreement(RuntimeError):
    """A contender's answer differs from the referee's."""


def check(server: PinnedServer, questions: Sequence[bytes], answers: Sequence[bytes]) -> None:
    """Compares the answers to all questions as JSON. Raises Disagreement at a difference."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        for question, expected in zip(questions, answers, strict=True):
            connection.request("POST", PATH, question, {"Content-Type": "application/json"})
            response = connection.getresponse()
            content = response.read()
            if response.status != 200 or (
                content != expected and _sorted(content) != _sorted(expected)
            ):
                raise Disagreement(
                    f"{server.name} answered {response.status} to {question.decode()}\n"
                    f"given:    {content.decode()}\nexpected: {expected.decode()}"
                )
    finally:
        connection.close()


def _sorted(document: bytes) -> bytes:
    """Returns the document with sorted keys; integers, floats and booleans stay distinct."""
    return orjson.dumps(orjson.loads(document), option=orjson.OPT_SORT_KEYS)
