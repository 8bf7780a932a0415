"""The servers that ``REDIS_URL`` names.

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
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

PORTS = {"": 6379, "sentinel": 26379, "cluster": 6379}
TLS = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname")
OTHERS = ("db", "username", "password", "sentinel_username", "sentinel_password")


class BadAddress(ValueError):
    """Not a URL of a Redis. The message quotes nothing of the URL, which may contain a password."""


class Node(NamedTuple):
    """Server. A Unix socket has its path as its host, and port 0."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}" if self.port else host


class Topology(StrEnum):
    SINGLE = ""
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


@dataclass(frozen=True, slots=True)
class Address:
    topology: Topology
    nodes: tuple[Node, ...]
    """The server, the sentinels, or some nodes of the cluster."""
    options: Mapping[str, Any]
    """Options of redis-py for a connection: ``username``, ``password``, and TLS options."""
    encrypted: bool
    """True if connections use TLS."""
    sentinel_login: Mapping[str, str | None]
    """``username`` and ``password`` for the sentinels themselves."""
    master: str
    db: int

    @property
    def where(self) -> str:
        """Servers in a readable form without passwords."""
        return ", ".join(map(str, self.nodes))


def parse(url: str) -> Address:
    try:
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True))
    except ValueError:
        raise BadAddress("must be a URL of a Redis") from None
    scheme, plus, kind = parts.scheme.partition("+")
    known = scheme in ("redis", "rediss", "unix") and kind in PORTS
    if not known or bool(plus) != bool(kind):
        raise BadAddress("must begin with redis://, rediss:// or unix://, or +sentinel, +cluster")
    topology, encrypted = Topology(kind), scheme == "rediss"
    allowed = (*OTHERS, *(TLS if encrypted else ()))
    if not options.keys() <= set(allowed):
        # Does not name the unknown option: it may be a part of a password with a question mark.
        raise BadAddress(f"may have these options only: {', '.join(allowed)}")
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    path = unquote(parts.path)
    if scheme == "unix":
        if topology or hosts or not path:
            raise BadAddress("must have the path of a socket after unix://")
        nodes: tuple[Node, ...] = (Node(path, 0),)
        path = ""
    else:
        nodes = tuple(_node(host, PORTS[kind]) for host in hosts.split(","))
    if not topology and len(nodes) != 1:
        raise BadAddress("must have +sentinel or +cluster before several hosts")
    master, db = "", path.strip("/")
    if topology is Topology.SENTINEL:
        master, _, db = db.partition("/")
        if not master:
            raise BadAddress("must have the name of the master after the sentinels: /name")
    db = options.get("db", db) or "0"
    if not (db.isascii() and db.isdecimal()) or (topology is Topology.CLUSTER and int(db)):
        raise BadAddress("must have the number of a database after the hosts; 0 in a cluster")
    tls: dict[str, Any] = {name: value for name, value in options.items() if name in TLS}
    if encrypted:
        checks = options.get("ssl_cert_reqs") != "none"
        tls["ssl_check_hostname"] = checks and options.get("ssl_check_hostname") != "0"
    tls["username"] = unquote(user) or options.get("username")
    tls["password"] = unquote(password) or options.get("password")
    sentinels = {name: options.get(f"sentinel_{name}") for name in ("username", "password")}
    return Address(topology, nodes, tls, encrypted, sentinels, master, int(db))


def mask(url: str) -> str:
    """Returns the URL with its login and options masked by stars. ``parse`` accepts it."""
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    options = "?***" if parts.query else ""
    return f"{parts.scheme}://{'***@' if login else ''}{hosts}{parts.path}{options}" if url else ""


def _node(text: str, port: int) -> Node:
    try:
        parts = urlsplit(f"//{text}")
        host, number = parts.hostname, parts.port
    except ValueError:
        raise BadAddress("must name hosts, and ports up to 65535") from None
    return Node(unquote(host) if host else "localhost", port if number is None else number)
