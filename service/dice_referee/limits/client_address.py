"""The address of a client behind trusted proxies."""

import ipaddress
import re
from dataclasses import dataclass
from typing import Self

UNIX = "unix"
"""Name of a peer that connects by a unix socket, and has no address."""

NETWORK_BITS = 64
"""Number of leading bits that identify a client by IPv6, because a site has at least a /64."""

ENTRY_LIMIT = 60
"""Maximum characters of an entry of X-Forwarded-For, above the longest address with a port."""

_WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|([0-9.]+):\d{1,5}", re.ASCII)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class BadProxies(ValueError):
    """The setting of trusted proxies is malformed."""


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = ()
    unix: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads addresses, networks and ``unix``, separated by commas. Raises BadProxies."""
        words = text.replace(",", " ").split()
        try:
            networks = tuple(ipaddress.ip_network(word) for word in words if word != UNIX)
        except ValueError as error:
            raise BadProxies(f"must be addresses, networks or {UNIX}: {error}") from None
        return cls(networks, UNIX in words)

    def client(self, peer: str, forwarded: str | None) -> str:
        """Returns the address to limit: IPv4, an IPv6 network, or "" for a unix socket.

        ``peer`` is the connected address. If ``peer`` is trusted, each entry of ``forwarded`` is
        the address that the proxy to its right has seen. The client is the first entry from the
        right that is not a trusted proxy. A malformed entry, and every entry to its left, is
        ignored.
        """
        hop = _address(peer.partition("%")[0])
        if forwarded is not None and self._trusts(hop):
            for entry in reversed(forwarded.split(",")):
                seen = _entry(entry)
                if seen is None:
                    break
                hop = seen
                if not self._trusts(hop):
                    break
        if hop is None:
            return ""
        if isinstance(hop, ipaddress.IPv4Address) or hop.is_loopback:
            return str(hop)
        return str(ipaddress.ip_network((int(hop), NETWORK_BITS), strict=False))

    def _trusts(self, hop: Address | None) -> bool:
        if hop is None:
            return self.unix
        return any(hop in network for network in self.networks)


def is_local(client: str) -> bool:
    return client in ("", "::1") or client.startswith("127.")


def _address(text: str) -> Address | None:
    """Reads an address, possibly an IPv4-mapped address, or returns None for other texts."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return (isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped) or address


def _entry(text: str) -> Address | None:
    text = text.strip(" \t")
    if len(text) > ENTRY_LIMIT or "%" in text:
        return None
    match = _WITH_PORT.fullmatch(text)
    return _address(match[1] or match[2] if match else text)
