"""Spans for OpenTelemetry: the only module that imports it, and it is imported only if asked for.

Where spans go, and which of them, is said by the library's own variables: ``OTEL_*``. Nothing goes
into a span that is not in the log, too.
"""

from contextvars import Token
from threading import Thread
from time import time_ns
from typing import NamedTuple

from opentelemetry import context, trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.http.logs import Line

NAME = "dice-referee"
STOP_SECONDS = 3.0
"""Seconds that a worker that stops gives to what is left to be sent."""

_PROPAGATOR = TraceContextTextMapPropagator()


class Begun(NamedTuple):
    """The span of a request, and how to leave it."""

    span: Span
    token: Token[Context]


class Tracing:
    """Spans as OpenTelemetry sends them, in batches and from a thread of its own."""

    def __init__(self, version: str) -> None:
        resource = Resource.create({SERVICE_VERSION: version})
        if str(resource.attributes.get(SERVICE_NAME, "unknown_service")).startswith("unknown"):
            resource = resource.merge(Resource({SERVICE_NAME: NAME}))
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._tracer = self._provider.get_tracer(NAME, version)

    def start(self) -> None:
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))

    def stop(self) -> None:
        # Where nobody listens the library tries again for as long as it pleases.
        stopping = Thread(target=self._provider.shutdown, name="spans", daemon=True)
        stopping.start()
        stopping.join(STOP_SECONDS)

    def begin(self, parent: str | None) -> Begun:
        span = self._tracer.start_span("request", _context(parent), SpanKind.SERVER)
        return Begun(span, context.attach(trace.set_span_in_context(span, Context())))

    def leave(self, span: Begun) -> None:
        context.detach(span.token)

    def end(self, span: Begun, line: Line) -> None:
        _tell(span.span, line)
        span.span.end()

    def answered(self, parent: str | None, line: Line) -> None:
        now = time_ns()
        began = now - int(line[4] * 1e9)
        span = self._tracer.start_span(
            "request", _context(parent), SpanKind.SERVER, start_time=began
        )
        _tell(span, line)
        span.end(now)

    def asked(self, question: str, seconds: float, ok: bool) -> None:
        # What nobody's request has asked would be a trace of its own.
        if not trace.get_current_span().is_recording():
            return
        now = time_ns()
        span = self._tracer.start_span(
            f"redis {question}", kind=SpanKind.CLIENT, start_time=now - int(seconds * 1e9)
        )
        span.set_attributes({"db.system.name": "redis", "db.operation.name": question})
        if not ok:
            span.set_status(StatusCode.ERROR)
        span.end(now)


def _context(parent: str | None) -> Context:
    """The trace that the client is in; whatever else it says of it is not ours to pass on."""
    return _PROPAGATOR.extract({} if parent is None else {"traceparent": parent}, Context())


def _tell(span: Span, line: Line) -> None:
    request_id, method, route, status, _ = line
    span.update_name(f"{method} {route}")
    span.set_attributes(
        {
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
            "referee.request_id": request_id,
        }
    )
    if status >= 500:
        span.set_status(StatusCode.ERROR)
