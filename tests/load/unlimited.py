"""Settings of the services that are attacked."""

from typing import Any

UNLIMITED: dict[str, Any] = dict.fromkeys(
    ("RATE_STATELESS", "RATE_BATCH", "RATE_ODDS", "RATE_TABLES", "RATE_SESSIONS", "RATE_EVENTS"), 0
)
"""Limits would spare the service what is tried here; they have tests of their own."""
IMPATIENT = {"REQUEST_SECONDS": 1, "LOG_ANSWERS": 1} | UNLIMITED
"""So that the tests need not be patient; every answer is in the log."""
QUICK = {"WAIT_LIMIT": 1, "STREAM_SECONDS": 1, "REQUEST_SECONDS": 2} | UNLIMITED
"""So that random requests do not wait for long."""
