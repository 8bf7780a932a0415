"""The names under which the service answers.

A page whose name leads to this machine (DNS rebinding) would be of the same origin as the service;
its ``Host`` gives it away.
"""

from functools import lru_cache
from ipaddress import ip_address

from service.settings import Settings


def hosts_of(settings: Settings) -> frozenset[str] | None:
    """The names that the settings list, besides those of this machine; None if all are good."""
    names = frozenset(settings.hosts.lower().replace(",", " ").split())
    return names or (frozenset() if _is_local(settings.host) else None)


@lru_cache(maxsize=256)
def is_known(host: str, names: frozenset[str]) -> bool:
    """Whether a ``Host`` is on the list or of this machine; it may have a port."""
    name, _, port = host.lower().rpartition(":")
    # Without a port, or the last part of an IPv6 address.
    name = name if name and "]" not in port else host.lower()
    name = name.removesuffix(".")
    return name in names or _is_local(name.removeprefix("[").removesuffix("]"))


def _is_local(name: str) -> bool:
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
