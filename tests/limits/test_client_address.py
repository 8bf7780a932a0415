"""Limits count the client behind trusted proxies, never a claimed address."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dice_referee.app import create_app
from dice_referee.limits.client_address import BadProxies, TrustedProxies, is_local
from dice_referee.settings import Settings

NOBODY = TrustedProxies()
NGINX = TrustedProxies.parse("127.0.0.1, 10.0.0.0/8, 2001:db8:aaaa::/48")
SOCKET = TrustedProxies.parse("unix")

many = settings(max_examples=300, deadline=None, derandomize=True)


@pytest.mark.parametrize("peer", ["203.0.113.7", "127.0.0.1", "10.1.2.3", ""])
def test_peer_is_the_client_without_trusted_proxies(peer: str) -> None:
    assert NOBODY.client(peer, "198.51.100.1") == peer
    assert NOBODY.client(peer, None) == peer


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        (None, "127.0.0.1"),
        ("", "127.0.0.1"),
        ("198.51.100.1", "198.51.100.1"),
        # The entries of the client precede the address that the proxy saw.
        ("192.0.2.66, 198.51.100.1", "198.51.100.1"),
        ("127.0.0.1, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.9,10.0.0.8,198.51.100.1", "198.51.100.1"),
        # Through two proxies.
        ("192.0.2.66, 198.51.100.1, 10.0.0.9", "198.51.100.1"),
        ("192.0.2.66,198.51.100.1 ,\t10.0.0.9, 10.0.0.8", "198.51.100.1"),
        # All addresses belong to trusted proxies, so the first address is the client.
        ("10.0.0.9, 10.0.0.8", "10.0.0.9"),
        # Ports, as some proxies write them.
        ("198.51.100.1:4711", "198.51.100.1"),
        ("[2001:db8::1]:4711", "2001:db8::/64"),
        ("[2001:db8::1]", "2001:db8::/64"),
        ("198.51.100.1, 10.0.0.9:80", "198.51.100.1"),
        # The same address in two families.
        ("::ffff:198.51.100.1", "198.51.100.1"),
        ("[::FFFF:198.51.100.1]:80", "198.51.100.1"),
        ("198.51.100.1, ::ffff:10.0.0.9", "198.51.100.1"),
        ("198.51.100.1, 2001:db8:aaaa::7", "198.51.100.1"),
        # A malformed entry ends the walk. The hop that wrote the entry is the last known address.
        ("198.51.100.1, unknown", "127.0.0.1"),
        ("198.51.100.1, unknown, 10.0.0.9", "10.0.0.9"),
        ("198.51.100.1,, 10.0.0.9", "10.0.0.9"),
        ("198.51.100.1,", "127.0.0.1"),
        ("198.51.100.1, 10.0.0.9:port", "127.0.0.1"),
        ("198.51.100.1, 010.0.0.9", "127.0.0.1"),
        ("198.51.100.1, 10.0.0", "127.0.0.1"),
        ("198.51.100.1, _hidden", "127.0.0.1"),
        ("198.51.100.1, fe80::1%eth0", "127.0.0.1"),
        ("198.51.100.1, [10.0.0.9", "127.0.0.1"),
        ("198.51.100.1, for=10.0.0.9", "127.0.0.1"),
        ("198.51.100.1, " + "1" * 5000, "127.0.0.1"),
    ],
)
def test_rightmost_untrusted_address_is_the_client(forwarded: str | None, client: str) -> None:
    assert NGINX.client("127.0.0.1", forwarded) == client


def test_forwarded_header_counts_only_from_trusted_proxies() -> None:
    assert NGINX.client("198.51.100.1", "192.0.2.1") == "198.51.100.1"
    assert NGINX.client("", "192.0.2.1") == ""
    assert NGINX.client("10.255.255.255", "192.0.2.1") == "192.0.2.1"
    assert NGINX.client("11.0.0.0", "192.0.2.1") == "11.0.0.0"
    assert NGINX.client("::ffff:10.0.0.1", "192.0.2.1") == "192.0.2.1"
    assert NGINX.client("2001:db8:aaaa:ffff::1", "192.0.2.1") == "192.0.2.1"
    assert NGINX.client("2001:db8:aaab::1", "192.0.2.1") == "2001:db8:aaab::/64"


def test_entry_unix_trusts_only_the_unix_socket() -> None:
    assert SOCKET.client("", "192.0.2.1, 198.51.100.1") == "198.51.100.1"
    assert SOCKET.client("/run/client.sock", "198.51.100.1") == "198.51.100.1"
    assert SOCKET.client("", None) == ""
    assert SOCKET.client("127.0.0.1", "198.51.100.1") == "127.0.0.1"
    assert SOCKET.client("", "198.51.100.1, unix:") == ""


def test_ipv6_clients_share_the_limit_of_their_network() -> None:
    client, neighbour = (
        NOBODY.client("2001:db8::1", None),
        NOBODY.client("2001:db8::ffff:1:2:3", None),
    )
    assert client == neighbour == "2001:db8::/64"
    assert NOBODY.client("2001:db8:0:1::1", None) != client
    assert NOBODY.client("fe80::1%eth0", None) == "fe80::/64"


@pytest.mark.parametrize(
    ("client", "local"),
    [
        *((there, True) for there in ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "")),
        *((there, False) for there in ("128.0.0.1", "12.7.0.1", "::2", "::", "10.0.0.1")),
    ],
)
def test_addresses_of_this_machine_are_local(client: str, local: bool) -> None:
    assert is_local(NOBODY.client(client, None)) is local


@pytest.mark.parametrize(
    "text", ["10.0.0.1/8", "10.0.0.0/33", "nginx", "*", "10.0.0", "unix:/run/x", "10.0.0.1:80"]
)
def test_malformed_proxy_list_is_refused_at_startup(text: str) -> None:
    with pytest.raises(BadProxies, match=r"addresses, networks or unix"):
        create_app(Settings(trusted_proxies=f"127.0.0.1,{text}"))


@many
@given(peer=st.text(max_size=30), forwarded=st.none() | st.text(max_size=200))
def test_every_request_is_counted_on_an_address(peer: str, forwarded: str | None) -> None:
    for proxies in (NOBODY, NGINX, SOCKET):
        client = proxies.client(peer, forwarded)
        assert client == "" or ip_network(client)


ADDRESSES = st.ip_addresses().map(str)


@many
@given(
    claims=st.lists(ADDRESSES | st.text(max_size=20), max_size=5),
    client=st.ip_addresses(v=4) | st.ip_addresses(v=6),
    proxies=st.lists(st.sampled_from(["10.0.0.1", "10.9.9.9", "127.0.0.1"]), max_size=3),
)
def test_client_cannot_claim_another_address(
    claims: list[str], client: IPv4Address | IPv6Address, proxies: list[str]
) -> None:
    plain = NOBODY.client(str(client), None)
    assume(not any(ip_address(plain.partition("/")[0]) in net for net in NGINX.networks))
    forwarded = ", ".join([*claims, str(client), *proxies])
    assert NGINX.client("127.0.0.1", forwarded) == plain
