"""Host names under which the service answers.

By DNS rebinding, a foreign page could resolve its name to this machine and share the service's
origin. Its ``Host`` reveals the attack.
"""

import re
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address

from dice_referee.api.message import Request
from dice_referee.settings import Settings

HOST = re.compile(r"[\w.:\[\]-]{1,255}", re.ASCII)
"""Pattern of a ``Host`` that is safe in a shell command."""
NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.ASCII)


def hosts_of(settings: Settings) -> frozenset[str] | None:
    """Returns the listed names besides those of this machine, or None if all are allowed."""
    names = read_hosts(settings.hosts)
    return names or (frozenset() if is_own_name(settings.host) else None)


def read_hosts(text: str) -> frozenset[str]:
    """Reads names and addresses, separated by commas. Raises ValueError for impossible values."""
    return frozenset(map(_as_in_host, text.lower().replace(",", " ").split()))


def _as_in_host(word: str) -> str:
    with suppress(ValueError):
        address = ip_address(word.removeprefix("[").removesuffix("]"))
        return f"[{address}]" if address.version == 6 else str(address)
    if not NAME.fullmatch(word):
        raise ValueError(f"must be names or addresses alone, not {word!r}")
    return word


def origin_of(request: Request) -> str:
    """Returns the requested origin, or the public origin unless the request named this machine."""
    host, settings = request.header(b"host") or "", request.services.settings
    if not HOST.fullmatch(host):
        host = f"localhost:{settings.port}"
    public = settings.public_url
    return public if public and not is_known(host, frozenset()) else f"http://{host}"


@lru_cache(maxsize=256)
def is_known(host: str, names: frozenset[str]) -> bool:
    """Tells if a ``Host``, possibly with a port, is listed or of this machine."""
    name, _, port = host.lower().rpartition(":")
    # The part after the last colon is a port, or the end of an IPv6 address.
    name = name if name and "]" not in port else host.lower()
    name = name.removesuffix(".")
    return name in names or is_own_name(name.removeprefix("[").removesuffix("]"))


def is_own_name(name: str) -> bool:
    """Tells if a name or an address refers to this machine."""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
