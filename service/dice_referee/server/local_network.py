"""Addresses of the service in the local network, and their display at a terminal."""

import socket
from contextlib import suppress
from io import StringIO
from ipaddress import ip_address

from dice_referee.api.hosts import is_own_name

ELSEWHERE = ("192.0.2.1", 9)
"""Address of no machine (RFC 5737), which selects the outgoing route. No packet is sent."""


def local_address() -> str | None:
    """Returns the IPv4 address of this machine in its network, or None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(ELSEWHERE)
        address = ip_address(probe.getsockname()[0])
        if not (address.is_loopback or address.is_unspecified):
            return str(address)
    return None


def is_loopback(host: str) -> bool:
    """Tells if a host is reachable from this machine only: a loopback address or a socket."""
    return host.startswith("unix:") or is_own_name(host)


def is_every_address(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_unspecified
    return False


def qr_code(text: str) -> str:
    """Draws a text as a QR code for a terminal, two rows a line, or "" without ``segno``."""
    try:
        import segno
    except ModuleNotFoundError:
        return ""
    code = StringIO()
    segno.make(text, error="l").terminal(code, border=2, compact=True)
    lines = code.getvalue().splitlines()
    return "".join(f"{WHITE_ON_BLACK}{line}{RESET}\n" for line in lines)


WHITE_ON_BLACK, RESET = "\x1b[97;40m", "\x1b[m"
"""Escape sequences for dark on light, which cameras need in every colour scheme."""
