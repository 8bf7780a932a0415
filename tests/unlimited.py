"""What tests ask for that ask more about sessions in a minute than one client may."""

from typing import Any

from service.settings import Settings

UNLIMITED = Settings(rate_sessions=0, rate_events=0)
"""For a service in this process; ``replace`` makes others of it."""

UNLIMITED_ENVIRONMENT = {"RATE_SESSIONS": "0", "RATE_EVENTS": "0"}
"""For a service of its own."""

NO_RATES: dict[str, Any] = dict.fromkeys(
    ("RATE_STATELESS", "RATE_BATCH", "RATE_ODDS", "RATE_TABLES", "RATE_SESSIONS", "RATE_EVENTS"), 0
)
"""For a service that is attacked: limits would spare it what is tried."""
IMPATIENT = {"REQUEST_SECONDS": 1, "LOG_ANSWERS": 1} | NO_RATES
"""So that the tests need not be patient; every answer is in the log."""
QUICK = {"WAIT_LIMIT": 1, "STREAM_SECONDS": 1, "REQUEST_SECONDS": 2} | NO_RATES
"""So that random requests do not wait for long."""
