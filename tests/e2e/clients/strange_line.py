"""Server that answers by the first segment of its path, as faults and wrong addresses do."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.wire import listening

ONCE = ("drop", "408", "429", "500", "502", "503", "504")
"""Faults of the first request. The second request gets an answer."""
FOREIGN_PROBLEM = b'{"type": "about:blank", "title": "Not Found", "status": 404}'
ALWAYS = {
    "page": (200, "text/html", b"<!doctype html>"),
    "empty": (200, "application/json", b""),
    "login": (302, "text/html", b"<!doctype html>"),
    "400": (400, "text/html", b"<h1>Bad Request</h1>"),
    "401": (401, "text/html", b"<h1>Unauthorized</h1>"),
    "403": (403, "text/html", b"<h1>Forbidden</h1>"),
    "404": (404, "text/html; charset=utf-8", b"<h1>Not Found</h1>"),
    "json": (404, "application/json", b'{"error": "not found"}'),
    "foreign": (404, "application/problem+json", FOREIGN_PROBLEM),
}
"""Answers of servers that are not a referee."""


@contextmanager
def strange() -> Iterator[tuple[str, Counter[str]]]:
    """Gives the address and the number of requests by method and path."""
    requests: Counter[str] = Counter()

    class Line(BaseHTTPRequestHandler):
        def answer(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.send_header("Location", "/page")
            if "/hour/" in self.path:
                self.send_header("Retry-After", "3600")
            else:
                self.send_header("Retry-After", formatdate(usegmt=True))
            self.end_headers()
            self.wfile.write(body)

        def respond(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            request = f"{self.command} {self.path}"
            requests[request] += 1
            fate = self.path.split("/")[1]
            if fate in ALWAYS:
                self.answer(*ALWAYS[fate])
            elif fate == "hour":
                self.answer(503, "text/html", b"<h1>Closed</h1>")
            elif fate not in ONCE or requests[request] > 1:
                self.answer(200, "application/json", b"{}")
            elif fate != "drop":
                self.answer(int(fate), "text/html", b"<h1>Later</h1>")
            self.close_connection = True

        def do_GET(self) -> None:
            self.respond()

        def do_POST(self) -> None:
            self.respond()

        def do_DELETE(self) -> None:
            self.respond()

        def log_message(self, *_: object) -> None:
            pass

    with listening(ThreadingHTTPServer(("127.0.0.1", 0), Line)) as address:
        yield address, requests
