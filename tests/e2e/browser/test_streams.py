"""The stream of a session as a browser's ``EventSource`` reads it."""

import json

import pytest

from tests.e2e.browser.conftest import Opener
from tests.wire import begin, serving

FOLLOW = """
address => {
  window.heard = [];
  window.opened = 0;
  window.source = new EventSource(address);
  source.onopen = () => { opened += 1; };
  source.onmessage = event => heard.push([event.lastEventId, event.data]);
  source.addEventListener("gone", event => { heard.push(["gone", event.data]); source.close(); });
}
"""


@pytest.mark.long
@pytest.mark.parametrize("path", ["events", "stream"])
def test_event_source_receives_each_event_once(at: Opener, redis_url: str, path: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, STREAM_SECONDS=3, HEARTBEAT_SECONDS=1) as server:
        origin = f"http://localhost:{server.port}"
        table = begin(server)
        page = at(f"{origin}/", also=(origin,))
        page.evaluate(FOLLOW, f"{table.at}/{path}")
        table.seed("one")
        page.wait_for_function("() => heard.length === 1")
        # Heartbeats arrived and the stream ended once.
        page.wait_for_function("() => opened >= 2")
        table.seed("two")
        page.wait_for_function("() => heard.length === 2")
        assert table.delete().status == 200
        page.wait_for_function("() => source.readyState === EventSource.CLOSED")
        *entries, gone = page.evaluate("heard")
        assert gone == ["gone", "{}"]
        assert [(version, json.loads(data)["version"]) for version, data in entries] == [
            ("1", 1),
            ("2", 2),
        ]
        # An open page would ask a server that has ended.
        page.close()
