"""A server with a second address, and its metrics."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from tests.application import Reply
from tests.engines.servers import free_port, wait_until
from tests.wire import Server, Wire, request, serving

Counts = dict[tuple[str, frozenset[tuple[str, str]]], float]


class SecondAddress:
    """Second address of a service, with a new connection for each request."""

    def __init__(self, server: Server, port: int) -> None:
        self.server, self.port = server, port

    def ask(self, target: str, method: str = "GET") -> Reply:
        with Wire(self.port) as wire:
            wire.send(request(method, target, close=True))
            return wire.reply(method)

    def page(self) -> bytes:
        """Returns the page that Prometheus reads."""
        reply = self.ask("/metrics")
        assert reply.status == 200, reply
        assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
        return reply.body

    def counts(self) -> Counts:
        """Returns every sample of the page."""
        counts: Counts = {}
        for family in text_string_to_metric_families(self.page().decode()):
            for sample in family.samples:
                key = sample.name, frozenset(sample.labels.items())
                assert key not in counts, f"twice on the page: {key}"
                counts[key] = sample.value
        return counts

    def number(self, name: str, **labels: str) -> float:
        """Returns the sum of the samples with this name and these labels, or 0 without samples."""
        return total(self.counts(), name, **labels)

    def reaches(self, number: float, name: str, **labels: str) -> None:
        """Waits until the number is reached, whichever worker answers."""
        wait_until(
            f"{name} is {number}",
            lambda: all(self.number(name, **labels) == number for _ in range(6)),
        )


def total(counts: Counts, name: str, **labels: str) -> float:
    pairs = frozenset(labels.items())
    return sum(
        value
        for (sample, sample_pairs), value in counts.items()
        if sample == name and pairs <= sample_pairs
    )


@contextmanager
def watched(**environment: Any) -> Iterator[SecondAddress]:
    """Runs a server with a second address on this machine."""
    port = free_port()
    with serving(METRICS_BIND=f"127.0.0.1:{port}", **environment) as server:
        yield SecondAddress(server, port)


def answer_at(path: str, target: str) -> bytes:
    """Returns the response of a Unix socket."""
    with socket.socket(socket.AF_UNIX) as plain:
        plain.connect(path)
        plain.sendall(request("GET", target, close=True))
        return plain.makefile("rb").read()
