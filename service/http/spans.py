"""What whoever traces requests is told of them; it is ``tracing.py``, if that is asked for."""

from typing import Any, Protocol

from service.http.logs import Line

SPAN = "referee.span"
"""The WSGI environ key of the span of a request."""


class Spans(Protocol):
    """One span a request, and one below it for every question to Redis."""

    def start(self) -> None:
        """Begin to send them, in the process that makes them: a fork leaves threads behind."""

    def stop(self) -> None:
        """Send what is left, but not for long."""

    def begin(self, parent: str | None) -> Any:
        """A span for the request that this thread is about to answer; ``parent`` as in W3C."""

    def leave(self, span: Any) -> None:
        """This thread goes on to something else."""

    def end(self, span: Any, line: Line) -> None:
        """The request was answered."""

    def answered(self, parent: str | None, line: Line) -> None:
        """A request was answered that has had no span until now."""

    def asked(self, question: str, seconds: float, ok: bool) -> None:
        """This thread asked Redis."""
