"""Settings of an environment, read and checked as at the start of the service."""

from collections.abc import Iterator, Mapping
from dataclasses import fields

from dice_referee.api.headers import read_origins
from dice_referee.api.hosts import read_hosts
from dice_referee.limits.client_address import TrustedProxies
from dice_referee.server.bind_address import BindAddress
from dice_referee.sessions.redis.url import mask, parse
from dice_referee.settings import CONSTANTS, Settings

READERS = {
    "HOSTS": read_hosts,
    "METRICS_BIND": BindAddress,
    "REDIS_URL": parse,
    "SESSION_ORIGINS": read_origins,
    "TRUSTED_PROXIES": TrustedProxies.parse,
}
"""Readers of the settings that ``Settings`` stores as text."""


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Reads all settings. Raises BadSetting with a line for each mistake."""
    return Settings.read(environment, READERS)


def setting_lines(settings: Settings) -> Iterator[str]:
    """Yields each setting as a line of an environment file, without passwords."""
    for field in fields(settings):
        if (name := field.name.upper()) not in CONSTANTS:
            value = getattr(settings, field.name)
            text = mask(value) if name == "REDIS_URL" else value
            yield f"{name}={int(text) if isinstance(text, bool) else text}"
