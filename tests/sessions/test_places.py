"""What ``REDIS_URL`` may say."""

import pytest

from service.sessions.places import Address, BadAddress, Place, Topology, parse

SINGLE, SENTINEL, CLUSTER = Topology


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://", Address(SINGLE, (Place("localhost", 6379),), None)),
        ("redis://10.0.0.1/3", Address(SINGLE, (Place("10.0.0.1", 6379),), None, db=3)),
        ("redis://h:7?db=2", Address(SINGLE, (Place("h", 7),), None, db=2)),
        ("redis://[::1]:7", Address(SINGLE, (Place("::1", 7),), None)),
        ("redis://:p%40s@h", Address(SINGLE, (Place("h", 6379),), None, (None, "p@s"))),
        ("redis://u:p@h", Address(SINGLE, (Place("h", 6379),), None, ("u", "p"))),
        ("rediss://h", Address(SINGLE, (Place("h", 6379),), {})),
        (
            "rediss://h?ssl_ca_certs=/ca.pem&ssl_check_hostname=0",
            Address(
                SINGLE,
                (Place("h", 6379),),
                {"ssl_ca_certs": "/ca.pem", "ssl_check_hostname": "0"},
            ),
        ),
        ("unix:///a/b.sock", Address(SINGLE, (Place("/a/b.sock", 0),), None)),
        (
            "unix://u:p@/a%20b?db=4",
            Address(SINGLE, (Place("/a b", 0),), None, ("u", "p"), db=4),
        ),
        (
            "redis+sentinel://u:p@a,b:7/dice/5?sentinel_username=su&sentinel_password=sp",
            Address(
                SENTINEL,
                (Place("a", 26379), Place("b", 7)),
                None,
                ("u", "p"),
                ("su", "sp"),
                "dice",
                5,
            ),
        ),
        (
            "rediss+sentinel://a/dice",
            Address(SENTINEL, (Place("a", 26379),), {}, master="dice"),
        ),
        (
            "redis+cluster://a:1,[::1]:2",
            Address(CLUSTER, (Place("a", 1), Place("::1", 2)), None),
        ),
        ("rediss+cluster://a", Address(CLUSTER, (Place("a", 6379),), {})),
    ],
)
def test_a_url_is_an_address(url: str, address: Address) -> None:
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
        "redis+sentinel://a:secret@h",
        "redis+cluster://a:secret@h/1",
        "redis://[secret",
    ],
)
def test_what_is_none_is_refused_without_saying_a_password(url: str) -> None:
    with pytest.raises(BadAddress) as refused:
        parse(url)
    assert "secret" not in str(refused.value)
