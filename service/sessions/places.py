"""Where the servers are: what ``REDIS_URL`` says.

    redis://[user:password@]host[:port][/db]
    unix://[user:password@]/path/to/socket[?db=0]
    redis+sentinel://[user:password@]host[:port],host[:port]/master-name[/db]
    redis+cluster://[user:password@]host[:port],host[:port]

``rediss`` instead of ``redis`` is TLS on every connection. After a question mark: ``db``,
``username``, ``password``, ``ssl_ca_certs``, ``ssl_certfile``, ``ssl_keyfile``, ``ssl_cert_reqs``
(required, none), ``ssl_check_hostname`` (1, 0), and the sentinels' own ``sentinel_username`` and
``sentinel_password``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

PORTS = {"sentinel": 26379}
PORT = 6379
TLS = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname")
OTHERS = ("db", "username", "password", "sentinel_username", "sentinel_password")


class BadAddress(ValueError):
    """No address of a Redis. The text leaves out the address itself: it may hold a password."""


class Place(NamedTuple):
    """One server. A Unix socket has its path for a host, and port 0."""

    host: str
    port: int


class Topology(StrEnum):
    """Who says where a session is."""

    SINGLE = ""
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


@dataclass(frozen=True, slots=True)
class Address:
    """A Redis, however many servers it has."""

    topology: Topology
    places: tuple[Place, ...]
    """The server; the sentinels; some nodes of the cluster."""
    tls: Mapping[str, str] | None
    """The ``ssl_`` options, if connections are to be encrypted."""
    login: tuple[str | None, str | None] = (None, None)
    """User and password of the servers."""
    sentinel_login: tuple[str | None, str | None] = (None, None)
    master: str = ""
    """What the sentinels call the master."""
    db: int = 0


def parse(url: str) -> Address:
    """The address that a URL means. Raises BadAddress."""
    try:
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True))
    except ValueError:
        raise BadAddress("not a URL of a Redis") from None
    scheme, plus, kind = parts.scheme.partition("+")
    if (
        kind not in list(Topology)
        or scheme not in ("redis", "rediss", "unix")
        or bool(plus) != bool(kind)
    ):
        raise BadAddress(f"no scheme of a Redis: {parts.scheme!r}")
    topology = Topology(kind)
    if unknown := options.keys() - {*OTHERS, *(TLS if scheme == "rediss" else ())}:
        raise BadAddress(f"unknown option: {min(unknown)!r}")
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    path = unquote(parts.path)
    if scheme == "unix":
        if topology or hosts or not path:
            raise BadAddress("unix:// takes the path of a socket")
        places: tuple[Place, ...] = (Place(path, 0),)
        path = ""
    else:
        places = tuple(_place(host, PORTS.get(kind, PORT)) for host in hosts.split(","))
    if not topology and len(places) != 1:
        raise BadAddress("several hosts need +sentinel or +cluster")
    master, db = "", path.strip("/")
    if topology is Topology.SENTINEL:
        master, _, db = db.partition("/")
        if not master:
            raise BadAddress("+sentinel needs the name of the master: /name")
    db = options.get("db", db) or "0"
    if not (db.isascii() and db.isdecimal()) or (topology is Topology.CLUSTER and int(db)):
        raise BadAddress("no number of a database")
    return Address(
        topology,
        places,
        {name: options[name] for name in TLS if name in options} if scheme == "rediss" else None,
        (
            unquote(user) or options.get("username"),
            unquote(password) or options.get("password"),
        ),
        (options.get("sentinel_username"), options.get("sentinel_password")),
        master,
        int(db),
    )


def _place(text: str, port: int) -> Place:
    try:
        parts = urlsplit(f"//{text}")
        host, number = parts.hostname, parts.port
    except ValueError:
        raise BadAddress("no host and port") from None
    return Place(unquote(host) if host else "localhost", port if number is None else number)
