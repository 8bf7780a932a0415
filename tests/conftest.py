"""What all tests share: silence. The server's real log is read in ``tests/doors``."""

import structlog

# Configures the log as a server does, once, at import; undone below, before anything is written.
import service.asgi

assert service.asgi.app
structlog.configure(
    processors=[], logger_factory=structlog.ReturnLoggerFactory(), cache_logger_on_first_use=False
)
