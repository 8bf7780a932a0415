"""An address where the service listens, as a setting names it."""

import os
import socket
from ipaddress import ip_address
from typing import Any

UNIX_PREFIX = "unix:"
ANY = ""
"""Stands for every host."""


class BindAddress:
    """An address as a setting names it. Raises ValueError."""

    def __init__(self, text: str) -> None:
        if text.startswith(UNIX_PREFIX) and text != UNIX_PREFIX:
            self._names: set[Any] = {text.removeprefix(UNIX_PREFIX)}
            return
        host, _, port = text.rpartition(":")
        if not (host and port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
            raise ValueError(f"must be host:port or unix:/path, not {text!r}")
        try:
            found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
        except OSError:
            raise ValueError(f"names an unknown host: {host!r}") from None
        names = {(str(one[4][0]), int(port)) for one in found}
        self._names = {(ANY if ip_address(host).is_unspecified else host, n) for host, n in names}

    def is_at(self, name: Any) -> bool:
        """Whether a socket of this name was accepted here, also if it was inherited."""
        if not isinstance(name, tuple):
            return os.fsdecode(name) in self._names
        return name[:2] in self._names or (ANY, name[1]) in self._names
