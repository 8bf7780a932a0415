"""A collector on this machine that stores spans received by OTLP over HTTP."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Span(NamedTuple):
    """A received span."""

    name: str
    trace: str
    own: str
    parent: str
    kind: str
    attributes: dict[str, str | int]
    failed: bool
    seconds: float
    service: dict[str, str | int]


class Collector:
    """The spans that its server has received."""

    def __init__(self) -> None:
        spans = self.spans = list[Span]()
        raw = self.raw = list[bytes]()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                raw.append(str(self.headers).encode() + body)
                spans.extend(_spans(body))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_request(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def of(self, request_id: str) -> list[Span]:
        """Returns the spans of the request with this id."""
        return [
            span for span in self.spans if span.attributes.get("referee.request_id") == request_id
        ]

    def below(self, span: Span) -> list[Span]:
        """Returns the children of the span."""
        return [child for child in self.spans if child.parent == span.own]


def _spans(body: bytes) -> list[Span]:
    request = ExportTraceServiceRequest.FromString(body)
    return [
        Span(
            span.name,
            span.trace_id.hex(),
            span.span_id.hex(),
            span.parent_span_id.hex(),
            span.SpanKind.Name(span.kind),
            _values(span.attributes),
            span.status.code == span.status.STATUS_CODE_ERROR,
            (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9,
            _values(resource.resource.attributes),
        )
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


def _values(pairs: object) -> dict[str, str | int]:
    return {
        pair.key: pair.value.string_value or pair.value.int_value
        for pair in pairs  # type: ignore[attr-defined]
    }
