"""Heads of requests as ASGI scopes, without anything that two servers could read differently."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote

ONCE = (b"host", b"content-type", b"transfer-encoding")
"""Fields that may occur only once. llhttp itself refuses a second Content-Length."""
ORIGIN = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*://([^/?]*)")
HOST = re.compile(rb"([A-Za-z0-9._~!$&'()*+,;=%-]*|\[[A-Za-z0-9.:]+\])(:[0-9]*)?")
"""Host with or without a port (RFC 3986, 3.2.2)."""
WHOLE_SERVER = b"*"
"""Target of ``OPTIONS *``. Like that of CONNECT, it names no path."""
ASGI = {"version": "3.0", "spec_version": "2.3"}
CHECKED = "dice_referee.checked"
"""Extension of scopes whose head this server has checked."""
EXTENSIONS: dict[str, dict[str, Any]] = {CHECKED: {}}

Fields = list[tuple[bytes, bytes]]


class BadRequest(Exception):
    """Request that the application does not answer. The argument is the status."""


def check_fields(version: str, fields: Fields) -> dict[bytes, bytes]:
    """Returns the fields by name, after checks that llhttp lacks. Raises BadRequest."""
    by_name = dict(fields)
    if len(by_name) < len(fields):
        names = [name for name, _ in fields]
        if any(names.count(name) > 1 for name in ONCE):
            raise BadRequest(400)
    host = by_name.get(b"host", b"" if version == "1.0" else None)
    if version not in ("1.1", "1.0") or host is None or not _is_host(host):
        raise BadRequest(400)  # RFC 9112, 3.2
    if b"expect" in by_name and by_name[b"expect"].lower() != b"100-continue":
        raise BadRequest(417)  # RFC 9110, 10.1.1
    # Only a single coding, in a version that supports it (RFC 9112, 6.1).
    coding = by_name.get(b"transfer-encoding")
    if coding is not None and (version == "1.0" or coding.lower() != b"chunked"):
        raise BadRequest(400)
    return by_name


def with_host(host: bytes, fields: Fields) -> Fields:
    """Returns the fields with the host of the target as their only host (RFC 9112, 3.2.2)."""
    return [(b"host", host), *(field for field in fields if field[0] != b"host")]


@lru_cache(maxsize=256)
def _is_host(value: bytes) -> bool:
    return HOST.fullmatch(value) is not None


def origin_form(method: bytes, target: bytes) -> tuple[bytes, bytes | None]:
    """Returns the path and query of a target, and its host, if any (RFC 9112, 3.2).

    Raises BadRequest.
    """
    host = None
    if not target.startswith(b"/"):
        if origin := ORIGIN.match(target):
            host, target = origin[1], target[origin.end() :]
            # Neither a user nor an empty host is allowed (RFC 9110, 4.2.1 and 4.2.4).
            if not host or not _is_host(host):
                raise BadRequest(400)
            target = target if target.startswith(b"/") else b"/" + target
        elif method == b"CONNECT" or (method == b"OPTIONS" and target == WHOLE_SERVER):
            target = WHOLE_SERVER
        else:
            raise BadRequest(400)
    if b"#" in target or not target.isascii():
        raise BadRequest(400)
    return target, host


def path_of(raw_path: bytes) -> str:
    """Decodes the path except for ``%2F``: an encoded delimiter is data (RFC 3986, 2.2)."""
    path = raw_path.decode("ascii")
    if "%" not in path:
        return path
    return unquote(path.replace("%2F", "%252F").replace("%2f", "%252f"))


def scope_of(
    method: bytes, target: bytes, version: str, fields: Fields, addresses: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns the ASGI scope of a request. Names of fields are in lower case.

    ``addresses`` are the members ``client`` and ``server``.
    """
    raw_path, _, query = target.partition(b"?")
    return {
        "type": "http",
        "asgi": ASGI,
        "http_version": version,
        "method": method.decode("ascii"),
        "scheme": "http",
        "path": path_of(raw_path),
        "raw_path": raw_path,
        "query_string": query,
        "root_path": "",
        "headers": fields,
        "extensions": EXTENSIONS,
        **addresses,
    }


def checked(scope: dict[str, Any]) -> dict[str, Any]:
    """Returns the scope of any ASGI host as this server would make it. Raises BadRequest.

    Hosts decode ``%2F``, accept requests without a ``Host``, or leave an absolute target whole.
    """
    fields, is_old = list(scope["headers"]), scope["http_version"] == "1.0"
    # In ASGI the raw path is optional.
    raw = scope.get("raw_path") or quote(scope["path"]).encode("ascii")
    target, host = origin_form(scope["method"].encode("ascii"), raw)
    by_name = check_fields("1.0" if is_old else "1.1", fields)
    if host is not None:
        fields = with_host(host, fields)
    if scope["http_version"][0] > "1" and b"content-length" not in by_name:
        # HTTP/2 frames a body without a field.
        fields.append((b"transfer-encoding", b"chunked"))
    raw_path, _, _ = target.partition(b"?")
    return {**scope, "path": path_of(raw_path), "raw_path": raw_path, "headers": fields}
