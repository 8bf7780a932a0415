"""Listening address of the service, from a setting."""

import errno
import os
import socket
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

UNIX_PREFIX = "unix:"
ANY = ""
NEAR = 100
"""Number of ports after a used port that are tried as alternatives."""


class BindAddress:
    """Listening address from a setting. Raises ValueError."""

    def __init__(self, text: str) -> None:
        if text.startswith(UNIX_PREFIX) and text != UNIX_PREFIX:
            self._names: set[Any] = {text.removeprefix(UNIX_PREFIX)}
            return
        host, _, port = text.rpartition(":")
        if not (host and port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
            raise ValueError(f"must be host:port or unix:/path, not {text!r}")
        try:
            addresses = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
        except OSError:
            raise ValueError(f"names an unknown host: {host!r}") from None
        names = {(str(address[4][0]), int(port)) for address in addresses}
        self._names = {(ANY if ip_address(host).is_unspecified else host, n) for host, n in names}

    def is_at(self, name: Any) -> bool:
        """Tells if a connection's socket name, accepted or inherited, belongs to this address."""
        if not isinstance(name, tuple):
            return os.fsdecode(name) in self._names
        return name[:2] in self._names or (ANY, name[1]) in self._names


def has_address(host: str) -> bool:
    """Tells if a name look-up of the host succeeds."""
    try:
        return bool(socket.getaddrinfo(host, None))
    except (OSError, UnicodeError):
        return False


def obstacle(host: str, port: int) -> tuple[str, int | None]:
    """Returns the reason why the service cannot listen, and a free port near a used port.

    The reason is empty if the service can listen. Sockets of ``unix:`` are replaced, so they are
    never in use.
    """
    try:
        _listen(host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return f"Port {port} is taken.", _free_port(host, port)
        return f"Nothing can listen at {host}, port {port}: {error.strerror}.", None
    return "", None


def _free_port(host: str, port: int) -> int | None:
    for candidate in range(port + 1, min(port + NEAR, 65_536)):
        with suppress(OSError):
            _listen(host, candidate)
            return candidate
    return None


def _listen(host: str, port: int) -> None:
    """Tests that the server can listen there. Raises OSError."""
    if host.startswith(UNIX_PREFIX):
        return
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
        probe.listen()
