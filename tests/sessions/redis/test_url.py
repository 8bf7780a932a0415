"""Forms of ``REDIS_URL``."""

from typing import Any

import pytest

from dice_referee.sessions.redis.url import Address, BadAddress, Node, Topology, mask, parse

SINGLE, SENTINEL, CLUSTER = Topology


def at(topology: Topology, *nodes: Node, **more: Any) -> Address:
    """Returns the address of a topology, completed with the defaults of a URL."""
    login = {"username": more.pop("user", None), "password": more.pop("password", None)}
    sentinel_login = {"username": more.pop("su", None), "password": more.pop("sp", None)}
    master, db, tls = more.pop("master", ""), more.pop("db", 0), more
    return Address(topology, nodes, login | tls, bool(tls), sentinel_login, master, db)


CHECKED = {"ssl_check_hostname": True}


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://", at(SINGLE, Node("localhost", 6379))),
        ("redis://10.0.0.1/3", at(SINGLE, Node("10.0.0.1", 6379), db=3)),
        ("redis://h:7?db=2", at(SINGLE, Node("h", 7), db=2)),
        ("redis://[::1]:7", at(SINGLE, Node("::1", 7))),
        ("redis://:p%40s@h", at(SINGLE, Node("h", 6379), password="p@s")),
        ("redis://u:p@h", at(SINGLE, Node("h", 6379), user="u", password="p")),
        ("redis://h?username=u&password=p", at(SINGLE, Node("h", 6379), user="u", password="p")),
        ("rediss://h", at(SINGLE, Node("h", 6379), **CHECKED)),
        (
            "rediss://h?ssl_ca_certs=/ca.pem&ssl_check_hostname=0",
            at(SINGLE, Node("h", 6379), ssl_ca_certs="/ca.pem", ssl_check_hostname=False),
        ),
        (
            "rediss://h?ssl_cert_reqs=none",
            at(SINGLE, Node("h", 6379), ssl_cert_reqs="none", ssl_check_hostname=False),
        ),
        ("unix:///a/b.sock", at(SINGLE, Node("/a/b.sock", 0))),
        ("unix://u:p@/a%20b?db=4", at(SINGLE, Node("/a b", 0), user="u", password="p", db=4)),
        (
            "redis+sentinel://u:p@a,b:7/dice/5?sentinel_username=su&sentinel_password=sp",
            at(
                SENTINEL,
                *(Node("a", 26379), Node("b", 7)),
                user="u",
                password="p",
                su="su",
                sp="sp",
                master="dice",
                db=5,
            ),
        ),
        ("rediss+sentinel://a/dice", at(SENTINEL, Node("a", 26379), master="dice", **CHECKED)),
        ("redis+cluster://a:1,[::1]:2", at(CLUSTER, Node("a", 1), Node("::1", 2))),
        ("rediss+cluster://a", at(CLUSTER, Node("a", 6379), **CHECKED)),
    ],
)
def test_url_is_parsed_to_its_address(url: str, address: Address) -> None:
    assert parse(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:6379",
        "http://secret@h",
        "redis+ring://secret@h",
        "redis+://secret@h",
        "unix+cluster:///secret",
        "unix://secret",
        "unix://",
        "redis://a:secret@h,i",
        "redis://a:secret@h:99999",
        "redis://a:secret@h/secret",
        "redis://a:secret@h?timeout=1",
        "redis://a:secret@h?ssl_ca_certs=x",
        "redis://a:secret@h?secret",
        "redis://:x?secret=@h",
        "redis+sentinel://a:secret@h",
        "redis+cluster://a:secret@h/1",
        "redis://[secret",
    ],
)
def test_invalid_url_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(BadAddress) as refused:
        parse(url)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "masked_url"),
    [
        ("", ""),
        ("redis://h:1/2", "redis://h:1/2"),
        ("redis://:secret@h/2", "redis://***@h/2"),
        ("redis://u:se@cret@[::1]:7", "redis://***@[::1]:7"),
        ("rediss://h?pass%77ord=secret", "rediss://h?***"),
        ("redis://h/1#secret", "redis://h/1"),
        ("unix://u:secret@/a.sock?db=4", "unix://***@/a.sock?***"),
        (
            "redis+sentinel://a,b:7/dice/5?sentinel_password=secret",
            "redis+sentinel://a,b:7/dice/5?***",
        ),
    ],
)
def test_masked_url_names_servers_without_secrets(url: str, masked_url: str) -> None:
    assert mask(url) == masked_url
    if url:
        assert parse(masked_url.removesuffix("?***")).nodes == parse(url).nodes
