"""Who asks: the address of a client, behind the proxies that are trusted and no others."""

import re
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Self

UNIX = "unix"
"""The word for whoever connects by a unix socket, and has no address."""

SITE = 64
"""Leading bits of an IPv6 address that are counted: one customer has at least all that follow."""

LONGEST = 60
"""Characters of an entry of X-Forwarded-For; the longest address with a port has fewer."""

_WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|([0-9.]+):\d{1,5}", re.ASCII)

Address = IPv4Address | IPv6Address


class BadHops(ValueError):
    """A list of proxies that cannot be what it says."""


@dataclass(frozen=True, slots=True)
class Hops:
    """The proxies whose X-Forwarded-For is believed."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    unix: bool = False
    """Whether a proxy connects by a unix socket."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Addresses, networks and the word ``unix``, separated by commas. Raises BadHops."""
        words = text.replace(",", " ").split()
        try:
            networks = tuple(ip_network(word) for word in words if word != UNIX)
        except ValueError as error:
            raise BadHops(f"trusted proxies: {error}") from None
        return cls(networks, UNIX in words)

    def client(self, peer: str, forwarded: str | None) -> str:
        """Whoever is counted: an IPv4 address, an IPv6 network, or "" for a unix socket.

        ``peer`` is who has connected. If it is trusted, each entry of ``forwarded`` is what the hop
        to its right has seen: the first from the right that is not a trusted hop is the client. A
        malformed entry tells nothing, nor does what stands before it.
        """
        hop = _address(peer.partition("%")[0])
        if forwarded is not None and self._trusts(hop):
            for entry in reversed(forwarded.split(",")):
                told = _entry(entry)
                if told is None:
                    break
                hop = told
                if not self._trusts(hop):
                    break
        return _counted(hop)

    def _trusts(self, hop: Address | None) -> bool:
        if hop is None:
            return self.unix
        return any(hop in network for network in self.networks)


def is_local(client: str) -> bool:
    """Whether a client, as it is counted, is on this machine."""
    return client in ("", "::1") or client.startswith("127.")


def _address(text: str) -> Address | None:
    """The address; None for what is none, as a unix socket's. ``::ffff:192.0.2.1`` is IPv4."""
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return (isinstance(found, IPv6Address) and found.ipv4_mapped) or found


def _entry(text: str) -> Address | None:
    """An entry of X-Forwarded-For, with or without a port."""
    text = text.strip(" \t")
    if len(text) > LONGEST or "%" in text:
        return None
    found = _WITH_PORT.fullmatch(text)
    return _address(found[1] or found[2] if found else text)


def _counted(hop: Address | None) -> str:
    if hop is None:
        return ""
    if isinstance(hop, IPv4Address) or hop.is_loopback:
        return str(hop)
    return str(ip_network((int(hop), SITE), strict=False))
