"""Requests that two servers could parse differently, with the expected statuses of our servers.

A case has the bytes of a connection and the expected statuses, directly from ``make run`` and
through nginx. ``SMUGGLED`` is part of a body by some parsing, and no server may answer it.
``SECOND`` follows a complete or malformed request. A server that tolerates the first request
answers both.
"""

from typing import NamedTuple

from tests.application import ADJUDICATIONS, ROLL_JSON

TARGET = ADJUDICATIONS.encode()
SMUGGLED = b"GET /v1/smuggled HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: smuggled\r\n\r\n"
SECOND = (
    b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: second\r\nConnection: close\r\n\r\n"
)
LENGTH = b"%d" % len(ROLL_JSON)
ENDED = b"0\r\n\r\n"

SLASHED = [
    "/v1%2Fgames",
    "/v1%2fgames?x=/",
    "/v1%2Ftutto",
    "/v1/tutto%2Frules",
    "/v1/tutto/rules%2FT1.2",
    "/v1/tutto%2Fadjudications?card=bonus-200&roll=123466",
    "/problems%2Fbusy",
    "/problems/busy%2F",
    "/guides%2Fodds",
    "/%2Flivez",
    "/livez%2f",
    "/static/x%2Fshared%2Fdice.js",
    "http://localhost/v1%2Fgames",
]
"""Existing paths with an encoded slash, which is data and no separator."""

Statuses = tuple[int, ...]


class Case(NamedTuple):
    """Bytes to send, with the expected statuses directly and through nginx."""

    name: str
    raw: bytes
    direct: Statuses
    proxied: Statuses


def head(
    *fields: bytes, start: bytes = b"POST " + TARGET + b" HTTP/1.1", host: bool = True
) -> bytes:
    """Returns the head of a request about a roll."""
    headers = (b"Host: localhost",) * host + (b"Content-Type: application/json", *fields)
    return b"\r\n".join([start, *headers, b"", b""])


def chunk(raw: bytes, size: bytes | None = None) -> bytes:
    """Returns a chunk. ``size`` replaces its true size."""
    return (b"%x" % len(raw) if size is None else size) + b"\r\n" + raw + b"\r\n"


def chunked(*fields: bytes, body: bytes = b"") -> bytes:
    """Returns a request whose body is sent in chunks."""
    return head(b"Transfer-Encoding: chunked", *fields) + (body or chunk(ROLL_JSON) + ENDED)


GET = b"GET /livez HTTP/1.1"
REFUSED, TAKEN = (400,), (200, 200)


def _lengths() -> list[Case]:
    """Lists cases with two lengths, malformed lengths, or a length beside Transfer-Encoding."""
    te = b"Transfer-Encoding: chunked"
    own = b"Content-Length: " + LENGTH
    body = ROLL_JSON + SMUGGLED
    requests: list[tuple[str, bytes]] = [
        ("CL.TE", head(b"Content-Length: %d" % len(ENDED + SMUGGLED), te) + ENDED + SMUGGLED),
        ("TE.CL", head(te, b"Content-Length: 4") + chunk(SMUGGLED) + ENDED),
        (
            "CL.TE, the length in an odd name",
            head(b"content-lengtH: 4", te) + chunk(SMUGGLED) + ENDED,
        ),
        ("CL.CL equal", head(own, own) + body),
        ("CL.CL different", head(own, b"Content-Length: %d" % len(body)) + body),
        ("CL different, the other way", head(b"Content-Length: %d" % len(body), own) + body),
    ]
    for value in (
        b"%s, %s" % (LENGTH, LENGTH), b"+" + LENGTH, b"-" + LENGTH, b"0x29", b"4_1", b"41.0", b"41 0",
        b"", b"4 1", b'"41"', b"41;", b"\xef\xbc\x94\xef\xbc\x91", b"\x0b41", b"\x0041", b"1e2",
        b"9" * 19, b"18446744073709551616", b"18446744073709551657", b"9" * 5000,
    ):  # fmt: skip
        requests.append((f"length {value[:24]!r}", head(b"Content-Length: " + value) + body))
    cases = [Case(name, raw, REFUSED, REFUSED) for name, raw in requests]
    for name, field in (
        ("zeros before it", b"Content-Length: 000" + LENGTH),
        ("spaces around it", b"Content-Length:  \t" + LENGTH + b"\t "),
        ("nothing around it", b"Content-Length:" + LENGTH),
        ("hop by hop, it says", own + b"\r\nConnection: Content-Length"),
        ("under a name with an underscore too", own + b"\r\nContent_Length: 3"),
    ):
        cases.append(Case(f"length, {name}", head(field) + ROLL_JSON + SECOND, TAKEN, TAKEN))
    for method in (b"GET", b"HEAD", b"OPTIONS", b"DELETE"):
        start = method + b" /livez HTTP/1.1"
        raw = head(b"Content-Length: %d" % len(SMUGGLED), start=start) + SMUGGLED + SECOND
        first = {b"DELETE": 405, b"OPTIONS": 204}.get(method, 200)
        cases.append(Case(f"{method.decode()} with a body", raw, (first, 200), (first, 200)))
    raw = head(start=GET) + SECOND
    cases.append(Case("no length, and another request", raw, TAKEN, TAKEN))
    raw = head() + SECOND
    cases.append(Case("POST without a length, and another request", raw, (400, 200), (400, 200)))
    raw = head(own) + ROLL_JSON + b"smuggled\r\n\r\n" + SMUGGLED
    cases.append(Case("more than the length", raw, (200, 400), (200, 400)))
    return cases


def _codings() -> list[Case]:
    """Lists cases with unusual spellings of Transfer-Encoding."""
    length = b"Content-Length: %d\r\n" % len(ENDED + SMUGGLED)
    cases = [
        Case(f"{name} {field!r}", head(prefix + field) + ENDED + rest, REFUSED, REFUSED)
        for name, prefix, rest in (("coding", b"", SECOND), ("length and coding", length, SMUGGLED))
        for field in (
            b"Transfer-Encoding: xchunked", b"Transfer-Encoding : chunked", b" Transfer-Encoding: chunked",
            b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x", b"X: y\nTransfer-Encoding: chunked",
            b"X: y\rTransfer-Encoding: chunked", b"Transfer-Encoding\r\n: chunked",
            b"Transfer-Encoding:\r\n chunked", b"Transfer-Encoding: chunked, identity",
            b"Transfer-Encoding: chunked, chunked", b"Transfer-Encoding: identity",
            b'Transfer-Encoding: "chunked"', b"Transfer-Encoding: chunked;q=1",
            b"Transfer-Encoding: \x0bchunked", b"Transfer-Encoding: chunked\x00",
            b"Transfer-Encoding: \x00chunked", b"Transfer-Encoding: chunk ed", b"Transfer-Encoding:",
            b"Transfer-Encoding: ,", b"Transfer-Encoding: gzip", b"Transfer-Encoding: gzip, chunked",
            b"Transfer-Encoding\x00: chunked", b"\x00Transfer-Encoding: chunked",
            b"Transfer-Encoding: chunked\xff", b"Transfer-Encoding: chunked, ",
            b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", b"Transfer-Encoding; chunked",
        )
    ]  # fmt: skip
    for field in (
        b"Transfer-Encoding: chunKED", b"transfer-encoding:chunked", b"Transfer-Encoding:\t chunked \t",
        b"Transfer-Encoding: chunked  ", b"Transfer-Encoding: chunked\t",
    ):  # fmt: skip
        raw = head(field) + chunk(ROLL_JSON) + ENDED + SECOND
        cases.append(Case(f"coding {field!r}", raw, TAKEN, TAKEN))
    own = b"Content-Length: " + LENGTH
    for field in (
        b"Transfer_Encoding: chunked", b"Transfer-Encodin: chunked", b"TE: chunked", b"X-Transfer-Encoding: chunked",
        b"Connection: Transfer-Encoding", b"Content-Encoding: chunked", b"Trailer: Transfer-Encoding",
    ):  # fmt: skip
        cases.append(
            Case(f"no coding {field!r}", head(own, field) + ROLL_JSON + SECOND, TAKEN, TAKEN)
        )
    start = b"POST " + TARGET + b" HTTP/1.0"
    raw = (
        head(b"Transfer-Encoding: chunked", b"Connection: keep-alive", start=start)
        + ENDED
        + SMUGGLED
    )
    cases.append(Case("chunks in HTTP/1.0", raw, REFUSED, REFUSED))
    return cases


def _chunks() -> list[Case]:
    """Lists cases with wrong chunk sizes, chunk ends and trailers."""
    good, size = chunk(ROLL_JSON), b"%x" % len(ROLL_JSON)
    bad: list[tuple[str, bytes]] = [
        (f"chunk size {odd[:24]!r}", chunk(ROLL_JSON, odd) + ENDED + SECOND)
        for odd in (
            b"0x" + size, b"+" + size, b"-" + size, b" " + size, b"\t" + size, size + b"\x00", size + b" x",
            b"2_9", b"", b";", b";a=b", b"g", b"29,", size + b"\r", b"\n" + size, b"29h", b"\xef\xbc\x92\xef\xbc\x99",
            b"f" * 17, b"1" + b"0" * 16 + size, b"8" + b"0" * 15, b"9" * 5000,
        )
    ]  # fmt: skip
    bad += [
        ("a chunk line that ends in LF", size + b"\n" + ROLL_JSON + b"\r\n" + ENDED + SECOND),
        ("a chunk that ends in LF", size + b"\r\n" + ROLL_JSON + b"\n" + ENDED + SECOND),
        ("a chunk that does not end", size + b"\r\n" + ROLL_JSON + ENDED + SECOND),
        (
            "a chunk that ends in two other bytes",
            size + b"\r\n" + ROLL_JSON + b"xx" + ENDED + SECOND,
        ),
        ("a chunk that is too long", chunk(ROLL_JSON + b"0", size) + ENDED + SECOND),
        ("an extension with LF", size + b";a\n" + ROLL_JSON + b"\r\n" + ENDED + SECOND),
        ("an extension with CR", size + b";a\rb\r\n" + ROLL_JSON + b"\r\n" + ENDED + SECOND),
        ("an extension with NUL", size + b";a\x00b\r\n" + ROLL_JSON + b"\r\n" + ENDED + SECOND),
        ("an extension over two lines", size + b';a="\r\n' + ROLL_JSON + b'"\r\n' + ENDED + SECOND),
        (
            "an extension of 10 KB",
            size + b";a=" + b"b" * 10_000 + b"\r\n" + ROLL_JSON + b"\r\n" + ENDED + SECOND,
        ),
        ("the last chunk ends in LF", good + b"0\n\n" + SECOND),
        ("the last chunk ends in CR", good + b"0\r\r" + SECOND),
        ("a trailer that ends in LF", good + b"0\r\nX: y\n\n" + SECOND),
        ("a trailer with a length", good + b"0\r\nContent-Length: 100\r\n\r\n" + SECOND),
        ("a trailer with a coding", good + b"0\r\nTransfer-Encoding: chunked\r\n\r\n" + SECOND),
        ("a trailer with a host", good + b"0\r\nHost: elsewhere\r\n\r\n" + SECOND),
        ("a hundred trailers and more", good + b"0\r\n" + b"X: y\r\n" * 120 + b"\r\n" + SECOND),
        ("a trailer of 10 KB", good + b"0\r\nX: " + b"y" * 10_000 + b"\r\n\r\n" + SECOND),
    ]
    cases = [Case(name, chunked(body=body), REFUSED, REFUSED) for name, body in bad]
    for name, body in (
        ("many", b"".join(chunk(bytes([byte])) for byte in ROLL_JSON) + ENDED),
        ("with an extension", chunk(ROLL_JSON, size + b";a=b;c") + ENDED),
        ("with a quoted extension", chunk(ROLL_JSON, size + b';a="b"') + ENDED),
        ("with zeros before the size", chunk(ROLL_JSON, b"0000" + size) + ENDED),
        ("with a request in them", chunk(ROLL_JSON[:-1] + b',"x":"GET / HTTP/1.1"}') + ENDED),
        ("with a trailer", good + b"0\r\nX-Trailer: GET / HTTP/1.1\r\n\r\n"),
        ("with many zeros at the end", good + b"0000\r\n\r\n"),
    ):
        first = 400 if "request" in name else 200
        raw = chunked(body=body) + SECOND
        cases.append(Case(f"chunks {name}", raw, (first, 200), (first, 200)))
    return cases


def _lines() -> list[Case]:
    """Lists cases with malformed lines, field names and values."""
    length = b"Content-Length: " + LENGTH
    body = ROLL_JSON + SECOND
    bad: list[tuple[str, bytes]] = [
        ("all lines end in LF", head(length).replace(b"\r\n", b"\n") + body),
        ("the request line ends in LF", head(length).replace(b"\r\n", b"\n", 1) + body),
        ("all lines end in CR", head(length).replace(b"\r\n", b"\r") + body),
        ("the head ends in LF LF", head(length)[:-4] + b"\n\n" + body),
        ("the head ends in CR LF LF", head(length)[:-2] + b"\n" + body),
        ("the head ends in CR CR LF", head(length)[:-2] + b"\r\r\n" + body),
        ("two empty lines before it", b"\r\n\r\n" + head(length) + body),
        ("LF before it", b"\n" + head(length) + body),
        ("a space before it", b" " + head(length) + body),
        ("NUL before it", b"\x00" + head(length) + body),
        ("a byte order mark before it", b"\xef\xbb\xbf" + head(length) + body),
        ("a hundred fields and more", head(length, *[b"X: y"] * 120) + body),
        ("a field of 10 KB", head(length, b"X: " + b"y" * 10_000) + body),
        ("a name of 10 KB", head(length, b"X" * 10_000 + b": y") + body),
    ]
    bad += [
        (f"field {field!r}", head(length, field) + body)
        for field in (
            b"X\r\n: y", b"no colon", b": no name", b"X : y", b"X\t: y", b"X y: z", b"X\x00: y", b"X\x7f: y",
            b"X\xe4: y", b"X(a): y", b"\x0bX: y", b"X: \x00", b"X: a\x00b", b"X: a\rb", b"X: a\nb", b"X: \x01", b"X: \x7f",
            b"X: y\r\n folded", b"X: y\r\n\tfolded: z", b" X: y", b"Host: localhost", b"Host: elsewhere",
            b"Content-Type: application/json", b"Content-Length\x00: 1",
            b"X: y\r\n\r GET /livez HTTP/1.1",
        )
    ]  # fmt: skip
    cases = [Case(name, raw, REFUSED, REFUSED) for name, raw in bad]
    for name, field in (
        ("an empty value", b"X:"), ("Latin-1", b"X: \xe4\xff"), ("tabs", b"X:\ty\tz\t"), ("odd names", b"!#$%&'*+-.^_`|~9: y"),
        ("Host in another case is still one", b"X-Host: elsewhere"),
    ):  # fmt: skip
        cases.append(
            Case(f"field with {name}", head(length, field) + ROLL_JSON + SECOND, TAKEN, TAKEN)
        )
    raw = b"\r\n" + head(length) + ROLL_JSON + SECOND
    cases.append(Case("one empty line before it", raw, TAKEN, TAKEN))
    raw = head(length) + ROLL_JSON + b"\r\n" + SECOND
    cases.append(Case("one empty line between two", raw, TAKEN, TAKEN))
    return cases


def _starts() -> list[Case]:
    """Lists cases of request lines, versions, hosts and targets."""
    cases = [
        Case(f"start {start[:40]!r}", head(start=start) + SECOND, REFUSED, REFUSED)
        for start in (
            b"GET /livez", b"GET /livez HTTP/1.1 ", b"GET /livez  HTTP/1.1", b"GET  /livez HTTP/1.1", b"GET\t/livez\tHTTP/1.1",
            b"GET /livez HTTP/1.1\r", b"GET /livez http/1.1", b"GET /livez HTTP/1.2", b"GET /livez HTTP/2.0",
            b"GET /livez HTTP/3", b"GET /livez HTTP/0.9", b"GET /livez HTTP/1.1.1", b"GET /livez HTTP/01.1", b"GET /livez HTTP/1.10",
            b"GET /livez HTTP/1", b"GET /livez HTTP/1.1HTTP/1.1", b"GET /livez x HTTP/1.1", b"get /livez HTTP/1.1",
            b"G\x00T /livez HTTP/1.1", b"GET\x00 /livez HTTP/1.1", b"G(T /livez HTTP/1.1", b" /livez HTTP/1.1", b"GET HTTP/1.1",
            b"GET livez HTTP/1.1", b"GET localhost:80 HTTP/1.1", b"GET * HTTP/1.1", b"GET ?x HTTP/1.1", b"GET \\livez HTTP/1.1",
            b"GET /livez\x00 HTTP/1.1", b"GET /live\x00z HTTP/1.1", b"GET /livez\x7f HTTP/1.1", b"GET /\xc3\xa4 HTTP/1.1", b"GET /\xff HTTP/1.1",
            b"GET /livez\x0b HTTP/1.1", b"GET /livez\x01 HTTP/1.1",
            b"GET /" + b"x" * 9000 + b" HTTP/1.1", b"X" * 9000 + b" /livez HTTP/1.1", b"PRI * HTTP/2.0",
        )
    ]  # fmt: skip
    for name, raw, statuses in (
        ("an absolute target", head(start=b"GET http://localhost/livez HTTP/1.1"), (200, 200)),
        ("an absolute target and another host", head(b"Host: elsewhere", start=b"GET http://localhost/livez HTTP/1.1", host=False), (200, 200)),
        ("an absolute target and no host", head(start=b"GET http://localhost/livez HTTP/1.1", host=False), REFUSED),
        ("an absolute target without a path", head(start=b"GET http://localhost HTTP/1.1"), (200, 200)),
        ("an absolute target of another scheme", head(start=b"GET ftp://localhost/livez HTTP/1.1"), (200, 200)),
        ("an absolute target with a user", head(start=b"GET http://a:b@localhost/livez HTTP/1.1"), REFUSED),
        ("an absolute target in an absolute target", head(start=b"GET http://localhost/http://localhost/smuggle HTTP/1.1"), (404, 200)),
        ("all of the server", head(start=b"OPTIONS * HTTP/1.1"), (204, 200)),
        ("a tunnel", head(start=b"CONNECT localhost:80 HTTP/1.1"), (405,)),
        ("TRACE", head(start=b"TRACE /livez HTTP/1.1"), (405, 200)),
        ("no host", head(start=GET, host=False), REFUSED),
        ("an empty host", head(b"Host:", start=GET, host=False), (200, 200)),
        ("a host with blanks around it", head(b"Host:  localhost  ", start=GET, host=False), (200, 200)),
        ("a host with tabs around it", head(b"Host:\tlocalhost\t", start=GET, host=False), (200, 200)),
        ("a host with a path", head(b"Host: localhost/v1", start=GET, host=False), (200, 200)),
        ("a host with a user", head(b"Host: a@localhost", start=GET, host=False), (200, 200)),
        ("a host with a space", head(b"Host: local host", start=GET, host=False), (200, 200)),
        ("HTTP/1.0", head(start=b"GET /livez HTTP/1.0"), (200,)),
        ("HTTP/1.0 that is kept", head(b"Connection: keep-alive", start=b"GET /livez HTTP/1.0"), (200, 200)),
        ("a last request, and another", head(b"Connection: close", start=GET), (200,)),
    ):  # fmt: skip
        cases.append(Case(name, raw + SECOND, statuses, statuses))
    return cases


def _offers() -> list[Case]:
    """Lists cases of protocol upgrades and expectations."""
    length = b"Content-Length: " + LENGTH
    h2c = (
        b"Connection: Upgrade, HTTP2-Settings",
        b"Upgrade: h2c",
        b"HTTP2-Settings: AAMAAABkAAQAAP__",
    )
    websocket = (
        b"Connection: Upgrade", b"Upgrade: websocket", b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    )  # fmt: skip
    tls = (b"Connection: Upgrade", b"Upgrade: TLS/1.2")
    cases = [
        Case(name, head(*fields, start=GET) + SECOND, TAKEN, TAKEN)
        for name, fields in (
            ("h2c", h2c), ("h2c, twice offered", (*h2c, b"Upgrade: HTTP/2.0")), ("websocket", websocket), ("TLS", tls),
            ("a websocket of another version", (*websocket[:2], b"Sec-WebSocket-Version: 777", websocket[3])),
        )
    ]  # fmt: skip
    own = b"Content-Length: %d" % len(SMUGGLED)
    cases += [
        Case("h2c with a body", head(*h2c, own, start=GET) + SMUGGLED + SECOND, TAKEN, TAKEN),
        Case("websocket with a body", head(*websocket, own, start=GET) + SMUGGLED + SECOND, TAKEN, TAKEN),
        Case("asked before, and not waited", head(length, b"Expect: 100-continue") + ROLL_JSON + SECOND, TAKEN, TAKEN),
        Case("asked before a chunk", chunked(b"Expect: 100-continue") + SECOND, TAKEN, TAKEN),
        Case("an expectation of something else", head(length, b"Expect: 200-ok") + ROLL_JSON + SECOND, TAKEN, TAKEN),
        Case("h2c, blanks behind all", head(*(field + b" \t" for field in h2c), length + b" \t") + ROLL_JSON + SECOND, TAKEN, TAKEN),
        Case("h2c, a tab behind the coding", chunked(*h2c).replace(b"chunked", b"chunked\t", 1) + SECOND, TAKEN, TAKEN),
        Case("asked twice", head(length, *[b"Expect: 100-continue"] * 2) + ROLL_JSON + SECOND, TAKEN, TAKEN),
        Case("asked before nothing", head(b"Expect: 100-continue", start=GET) + SECOND, TAKEN, TAKEN),
        Case("HTTP/2 at once", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0\0\0\0\0" + SMUGGLED, REFUSED, REFUSED),
        Case("TLS at once", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 64 + b"\r\n\r\n" + SMUGGLED, REFUSED, REFUSED),
        Case("PROXY at once", b"PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n" + head(length) + ROLL_JSON + SMUGGLED, REFUSED, REFUSED),
        Case("PROXY in bytes at once", b"\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c" + b"\x7f\0\0\1" * 3 + SMUGGLED, REFUSED, REFUSED),
    ]  # fmt: skip
    three = head(length) + ROLL_JSON + chunked() + head(start=b"HEAD /livez HTTP/1.1") + SECOND
    cases.append(Case("four at once", three, (200, 200, 200, 200), (200, 200, 200, 200)))
    return cases


_UNKNOWN = (
    b" xchunked", b" chunked\r\nTransfer-Encoding: x", b' "chunked"', b" chunked;q=1", b" chunk ed", b"", b" ,", b" chunked\xff",
    b" chunked, ",
)  # fmt: skip
DIRECT: dict[str, Statuses] = {
    # An unknown coding (RFC 9112, 6.1).
    **{
        f"{name} {b'Transfer-Encoding:' + coding!r}": (400,)
        for name in ("coding", "length and coding")
        for coding in _UNKNOWN
    },
    # The length exceeds the limit of bodies.
    f"length {b'9' * 19!r}": (413,),
    # A chunk of 2**63 bytes ends in a timeout.
    "chunk size b'8000000000000000'": (408,),
    # llhttp accepts unambiguous deviations (see the table above).
    **dict.fromkeys(
        (
            "a trailer with a host",
            "two empty lines before it",
            "LF before it",
            "start b'GET /livez  HTTP/1.1'",
            "start b'GET  /livez HTTP/1.1'",
        ),
        TAKEN,
    ),
    # llhttp accepts no tabs around a coding.
    f"coding {b'Transfer-Encoding:' + bytes([9]) + b' chunked ' + bytes([9])!r}": REFUSED,
    f"coding {b'Transfer-Encoding: chunked' + bytes([9])!r}": REFUSED,
    # The service reads an extension or a trailer of 10 KB that arrives in a single read.
    "an extension of 10 KB": TAKEN,
    "a trailer of 10 KB": TAKEN,
    # The service refuses compressed bodies, invalid hosts and unknown expectations.
    "no coding b'Content-Encoding: chunked'": (415, 200),
    **dict.fromkeys(("a host with a path", "a host with a user", "a host with a space"), REFUSED),
    "an expectation of something else": (417,),
    "a hundred fields and more": (431,),
    "a field of 10 KB": (431,),
    "a name of 10 KB": (431,),
    f"start {b'GET /' + b'x' * 35!r}": (414,),
}
"""Cases that ``make run`` answers differently."""
PROXIED: dict[str, Statuses] = {
    # nginx accepts no tabs.
    "length, spaces around it": REFUSED,
    f"coding {b'Transfer-Encoding:' + bytes([9]) + b' chunked ' + bytes([9])!r}": REFUSED,
    f"coding {b'Transfer-Encoding: chunked' + bytes([9])!r}": REFUSED,
    **dict.fromkeys(
        ("a host with tabs around it", "h2c, a tab behind the coding", "h2c, blanks behind all"), REFUSED
    ),
    # nginx accepts unambiguous deviations and forwards a clean request.
    **dict.fromkeys(
        (
            "chunk size b'29 x'", "a chunk line that ends in LF", "a chunk that ends in LF", "an extension with LF",
            "an extension with NUL", "an extension of 10 KB", "the last chunk ends in LF", "a trailer that ends in LF",
            "a trailer with a length", "a trailer with a coding", "a trailer with a host", "a hundred trailers and more",
            "a trailer of 10 KB", "all lines end in LF", "the request line ends in LF", "the head ends in LF LF",
            "the head ends in CR LF LF", "two empty lines before it", "LF before it",
            "field b'X\\xe4: y'", "field b'X(a): y'", "field b'X: a\\nb'", "start b'GET /livez HTTP/1.1 '",
            "start b'GET /livez  HTTP/1.1'", "start b'GET  /livez HTTP/1.1'", "start b'GET /livez HTTP/1.2'",
            "start b'GET /livez HTTP/1.10'",
        ),
        TAKEN,
    ),
    # nginx forwards requests that the service refuses.
    **dict.fromkeys(
        (
            "coding b'X: y\\nTransfer-Encoding: chunked'", "field b'X: \\x01'", "field b'X: \\x7f'",
            "field b'Content-Type: application/json'", "start b'GET /\\xc3\\xa4 HTTP/1.1'", "start b'GET /\\xff HTTP/1.1'",
        ),
        (400, 200),
    ),
    "a hundred fields and more": (431, 200),
    "start b'GET /livez'": (9,),
    f"start {b'GET /' + b'x' * 35!r}": (414,),
    f"start {b'X' * 40!r}": (414,),
    # nginx is stricter about hosts and methods.
    "an absolute target with a user": REFUSED,
    "all of the server": REFUSED,
    "a tunnel": REFUSED,
    "TRACE": (405,),
    "an empty host": REFUSED,
    "a host with a path": REFUSED,
    "a host with a user": (400, 200),
    "a host with a space": REFUSED,
    "no coding b'Content-Encoding: chunked'": (415, 200),
    "asked twice": REFUSED,
}  # fmt: skip
"""Cases that nginx answers differently."""

CASES = [
    case._replace(
        direct=DIRECT.get(case.name, case.direct), proxied=PROXIED.get(case.name, case.proxied)
    )
    for group in (_lengths, _codings, _chunks, _lines, _starts, _offers)
    for case in group()
]

assert len({case.name for case in CASES}) == len(CASES)
assert not {*DIRECT, *PROXIED} - {case.name for case in CASES}, "a case that is none"
