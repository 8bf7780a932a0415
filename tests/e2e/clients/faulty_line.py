"""Proxy between a client and the service that loses answers, refuses and breaks streams."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from urllib.parse import urlsplit

from tests.wire import listening

FATES = ("lost", "503", "none", "cut", "429", "none", "gateway", "none")
"""Fates of successive changes, repeated in a cycle."""
CODES = {"503": "busy", "429": "rate-limited"}
FRAMES = 3
"""Number of frames after which a stream breaks."""
EMPTY: dict[str, list[str]] = {"errors": [], "findings": [], "rules": []}


def refusal(status: int) -> bytes:
    """Returns the body of a problem."""
    code = CODES[str(status)]
    problem = {"type": f"/problems/{code}", "code": code, "title": code, "status": status}
    return json.dumps({**problem, "detail": "Later.", **EMPTY}).encode()


@contextmanager
def faulty(service: str) -> Iterator[str]:
    """Forwards requests to the service with faults and gives its own address."""
    port, fates = urlsplit(service).port, cycle(FATES)

    class Line(BaseHTTPRequestHandler):
        def answer(self, status: int, kind: str, body: bytes, missing: int = 0) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Retry-After", "1")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body[: len(body) - missing])

        @contextmanager
        def forwarded(self, body: bytes | None = None) -> Iterator[HTTPResponse]:
            """Forwards the request and gives the service's answer."""
            with closing(HTTPConnection("127.0.0.1", port)) as connection:
                connection.request(self.command, self.path, body, dict(self.headers))
                yield connection.getresponse()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            fate = next(fates) if self.path.endswith("/events") else "none"
            if fate in CODES:
                self.answer(int(fate), "application/problem+json", refusal(int(fate)))
            elif fate == "gateway":
                self.answer(502, "text/html", b"<h1>Bad Gateway</h1>")
            else:
                with self.forwarded(body) as answer:
                    kind, content = answer.headers["Content-Type"], answer.read()
                if fate != "lost":
                    self.answer(answer.status, kind, content, len(content) // 2 * (fate == "cut"))
            self.close_connection = True

        def do_GET(self) -> None:
            with self.forwarded() as answer:
                if urlsplit(self.path).path.endswith("/stream"):
                    self.stream(answer)
                else:
                    kind, content = answer.headers["Content-Type"], answer.read()
                    self.answer(answer.status, kind, content)
            self.close_connection = True

        def stream(self, answer: HTTPResponse) -> None:
            """Forwards the first frames. The last frame breaks before its end."""
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.headers["Content-Type"])
            self.end_headers()
            frames = 0
            while frames < FRAMES and (line := answer.readline()):
                frames += line == b"\n"
                if frames < FRAMES:
                    self.wfile.write(line)

        def log_message(self, *_: object) -> None:
            pass

    with listening(ThreadingHTTPServer(("127.0.0.1", 0), Line)) as address:
        yield address
