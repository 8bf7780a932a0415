"""Pages of another origin, under a strict content security policy."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.wire import listening

PAGE = """<!doctype html>
<html lang="de"><meta charset="utf-8"><title>Elsewhere</title>
<link rel="icon" href="data:,">
<script type="module" src="/own.js"></script>
<script type="module" src="{service}/dice-referee.js"></script>
<main><h1>Elsewhere</h1>
<dice-referee game="{game}" service="{service}" {attributes}></dice-referee></main></html>"""

OWN = """window.heard = [];
for (const kind of ["verdict", "step", "change", "over", "refusal"])
  document.addEventListener(kind, (event) => window.heard.push([kind, event.detail]));
"""


@contextmanager
def elsewhere(service: str, game: str, attributes: str = "") -> Iterator[str]:
    """Serves a page with the element under a strict policy and gives its address."""
    policy = (
        f"default-src 'none'; script-src 'self' {service}; connect-src {service}; img-src data:; "
        "base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    headers = {
        "Content-Security-Policy": policy,
        "Cross-Origin-Embedder-Policy": "require-corp",
    }
    page = PAGE.format(service=service, game=game, attributes=attributes)
    with page_at(page, headers) as address:
        yield address


@contextmanager
def page_at(page: str, headers: Mapping[str, str]) -> Iterator[str]:
    """Serves a page from a new origin and gives its address."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            own = self.path == "/own.js"
            content = (OWN if own else page).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript" if own else "text/html")
            self.send_header("Content-Length", str(len(content)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with listening(ThreadingHTTPServer(("127.0.0.1", 0), Page)) as address:
        yield f"{address}/"
