"""OpenTelemetry spans. Only this module imports OpenTelemetry, and only if tracing is on.

The library's variables ``OTEL_*`` configure the collector and the sampler. A span contains only
facts that the log also contains.
"""

from contextvars import ContextVar
from threading import Thread
from time import time_ns

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from dice_referee.telemetry.logs import AccessRecord

NAME = "dice-referee"
STOP_SECONDS = 3.0
"""Seconds that a stopping worker waits for the export of its last spans."""

_PROPAGATOR = TraceContextTextMapPropagator()

_CURRENT: ContextVar[Span] = ContextVar("request_span", default=trace.INVALID_SPAN)
"""Span of the request that this thread, or this task of an event loop, answers."""


class Tracing:
    def __init__(self, version: str) -> None:
        resource = Resource.create({SERVICE_VERSION: version})
        if str(resource.attributes.get(SERVICE_NAME, "unknown_service")).startswith("unknown"):
            resource = resource.merge(Resource({SERVICE_NAME: NAME}))
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._tracer = self._provider.get_tracer(NAME, version)

    def start(self) -> None:
        """Starts to export spans, in this process, because threads do not survive a fork."""
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))

    def stop(self) -> None:
        # Without a collector the library would retry without a limit.
        stopping = Thread(target=self._provider.shutdown, name="spans", daemon=True)
        stopping.start()
        stopping.join(STOP_SECONDS)

    def begin(self, traceparent: str | None) -> Span:
        """Begins the span of a request that this thread, or this task, is about to answer.

        It reads only ``traceparent``, and drops other trace headers.
        """
        carrier = {} if traceparent is None else {"traceparent": traceparent}
        parent = _PROPAGATOR.extract(carrier, Context())
        span = self._tracer.start_span("request", parent, SpanKind.SERVER)
        _CURRENT.set(span)
        return span

    def end(self, span: Span, record: AccessRecord, waited: float) -> None:
        """Ends the span of a request, in any thread. It excludes ``waited`` seconds for events."""
        span.update_name(f"{record.method} {record.route}")
        span.set_attributes(
            {
                "http.request.method": record.method,
                "http.route": record.route,
                "http.response.status_code": record.status,
                "referee.request_id": record.request_id,
            }
        )
        if record.status >= 500:
            span.set_status(StatusCode.ERROR)
        span.end(time_ns() - int(waited * 1e9))

    def record_redis_command(self, command: str, seconds: float, ok: bool) -> None:
        """Adds a child span to the span of the request that this thread answers, if any."""
        parent = _CURRENT.get()
        # An ended span does not record, so the thread works for no request.
        if not parent.is_recording():
            return
        now = time_ns()
        span = self._tracer.start_span(
            f"redis {command}",
            trace.set_span_in_context(parent, Context()),
            SpanKind.CLIENT,
            start_time=now - int(seconds * 1e9),
        )
        span.set_attributes({"db.system.name": "redis", "db.operation.name": command})
        if not ok:
            span.set_status(StatusCode.ERROR)
        span.end(now)
