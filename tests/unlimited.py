"""Settings for tests that send more requests per minute than a client may."""

from dataclasses import fields
from typing import Any

from dice_referee.settings import Settings

UNLIMITED = Settings(rate_sessions=0, rate_events=0)
"""Settings of a service in this process. ``replace`` derives other settings."""

UNLIMITED_ENVIRONMENT = {"RATE_SESSIONS": "0", "RATE_EVENTS": "0"}
"""Environment of a service in its own process."""

MOST: dict[str, int] = {
    setting.name.upper(): setting.metadata["most"]
    for setting in fields(Settings)
    if "most" in setting.metadata
}
"""Maximum of every numeric setting. ``settings.md`` lists them."""

NO_RATES: dict[str, Any] = dict.fromkeys(
    ("RATE_STATELESS", "RATE_BATCH", "RATE_ODDS", "RATE_SESSIONS", "RATE_EVENTS"), 0
)
"""Settings of an attacked service, whose rate limits would otherwise stop the attacks."""
IMPATIENT = {"REQUEST_SECONDS": 1, "LOG_ANSWERS": 1} | NO_RATES
"""Settings that shorten timeouts and log every answer."""
QUICK = {"WAIT_LIMIT": 1, "STREAM_SECONDS": 1, "REQUEST_SECONDS": 2} | NO_RATES
"""Settings with short waits, so that random requests never wait for long."""
