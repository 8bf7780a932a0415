"""Settings for tests that ask more in a minute than one client may."""

from typing import Any

from dice_referee.settings import Settings

UNLIMITED = Settings(rate_sessions=0, rate_events=0)
"""Settings of a service in this process; ``replace`` makes others of it."""

UNLIMITED_ENVIRONMENT = {"RATE_SESSIONS": "0", "RATE_EVENTS": "0"}
"""Environment of a service of its own."""

NO_RATES: dict[str, Any] = dict.fromkeys(
    ("RATE_STATELESS", "RATE_BATCH", "RATE_ODDS", "RATE_SESSIONS", "RATE_EVENTS"), 0
)
"""Settings of a service that is attacked: limits would spare it the attacks."""
IMPATIENT = {"REQUEST_SECONDS": 1, "LOG_ANSWERS": 1} | NO_RATES
"""Settings that shorten waits; every answer is in the log."""
QUICK = {"WAIT_LIMIT": 1, "STREAM_SECONDS": 1, "REQUEST_SECONDS": 2} | NO_RATES
"""Settings that keep random requests from waiting for long."""
