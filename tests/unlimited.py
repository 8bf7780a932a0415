"""What tests ask for that ask more about sessions in a minute than one client may."""

from service.settings import Settings

UNLIMITED = Settings(rate_sessions=0, rate_events=0)
"""For a service in this process; ``replace`` makes others of it."""

UNLIMITED_ENVIRONMENT = {"RATE_SESSIONS": "0", "RATE_EVENTS": "0"}
"""For a service of its own."""
