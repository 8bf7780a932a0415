"""Driver for Debian's Firefox: opens pages, presses, types and evaluates."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.e2e.browser.bidi import DEADLINE, Bidi, BidiError
from tests.engines.servers import wait_until
from tests.programs import program

FIREFOX = ("firefox-esr", "firefox")
PREFERENCES = {
    "ui.prefersReducedMotion": 1,
    "intl.accept_languages": "en-GB",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
}
ENTER = "\ue007"
"""Enter key in WebDriver's notation."""
LEFT = "AbortError: The operation was aborted."
"""Console message of a page that is left during a request. Our pages abort no request."""


class Tab:
    """Page in its own user context."""

    def __init__(self, bidi: Bidi, person: str) -> None:
        self.bidi = bidi
        created = bidi.ask("browsingContext.create", type="tab", userContext=person)
        self.id: str = created["context"]

    def open(self, address: str) -> None:
        """Opens the address and waits for the load event."""
        self.bidi.ask("browsingContext.navigate", context=self.id, url=address, wait="complete")

    def resize(self, width: int, height: int) -> None:
        viewport = {"width": width, "height": height}
        self.bidi.ask("browsingContext.setViewport", context=self.id, viewport=viewport)

    def _evaluated(self, expression: str) -> Any:
        """Evaluates an expression in the page and returns the protocol's result."""
        answer = self.bidi.ask(
            "script.evaluate",
            expression=expression,
            target={"context": self.id},
            awaitPromise=True,
            userActivation=True,
        )
        if answer["type"] != "success":
            raise BidiError(f"{expression}: {answer['exceptionDetails']['text']}")
        return answer["result"]

    def evaluate(self, expression: str) -> Any:
        """Evaluates an expression in the page and returns its value."""
        return json.loads(self._evaluated(f"JSON.stringify({expression}) ?? 'null'")["value"])

    def wait(self, expression: str) -> Any:
        """Polls an expression until it is true and returns its value. The page may change
        meanwhile."""
        value: Any = None

        def holds() -> bool:
            nonlocal value
            with suppress(BidiError):
                value = self.evaluate(expression)
            return bool(value)

        wait_until(expression, holds)
        return value

    def wait_for_element(self, selector: str) -> None:
        """Waits until the page has an element for this selector."""
        self.wait(f"Boolean({_first(selector)})")

    def has(self, selector: str) -> bool:
        """Tells if the page has an element for this selector."""
        exists: bool = self.evaluate(f"Boolean({_first(selector)})")
        return exists

    def expect(self, selector: str, text: str) -> None:
        """Waits until the text of the element contains this text."""
        self.wait(f"{_first(selector)}?.textContent.includes({json.dumps(text)}) ?? false")

    def click(self, selector: str) -> None:
        """Clicks the first element for this selector, after every action responds."""

        def clicked() -> bool:
            self.wait_for_element(selector)
            self.wait(f"!{_first('.resting')}")
            # The page may redraw the element before the mouse reaches it.
            with suppress(BidiError):
                self._click(_first(selector))
                return True
            return False

        wait_until(f"{selector} is clicked", clicked)

    def _click(self, element: str) -> None:
        self._evaluated(f"{element}.scrollIntoView({{ block: 'center' }})")
        origin = {"type": "element", "element": {"sharedId": self._evaluated(element)["sharedId"]}}
        actions = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._act({"type": "pointer", "id": "mouse", "actions": actions})

    def type(self, text: str) -> None:
        """Types letters into the focused element."""
        self._act({"type": "key", "id": "keyboard", "actions": _strokes(text)})

    def _act(self, source: dict[str, Any]) -> None:
        self.bidi.ask("input.performActions", context=self.id, actions=[source])


def _first(selector: str) -> str:
    """Returns an expression for the first match of a selector, shadow roots included."""
    known = json.dumps(selector.removesuffix(":visible"))  # a word of playwright
    return (
        "[document, ...[...document.querySelectorAll('dice-referee')].map((one) => one.shadowRoot)]"
        f".map((root) => root?.querySelector({known})).find(Boolean)"
    )


def _strokes(text: str) -> list[dict[str, str]]:
    return [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]


class Firefox:
    """Running browser that records console messages and requests of its pages."""

    def __init__(self, bidi: Bidi) -> None:
        self.bidi = bidi
        bidi.ask("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    def tab(self) -> Tab:
        """Opens a page in a new user context."""
        person: str = self.bidi.ask("browser.createUserContext")["userContext"]
        return Tab(self.bidi, person)

    def faults(self, origin: str) -> list[str]:
        """Lists errors and warnings on consoles, and requests to other origins than ``origin``."""
        messages, urls = [], []
        for event in self.bidi.events:
            params = event["params"]
            if event["method"] == "log.entryAdded" and params["level"] in ("error", "warn"):
                if not params["text"].startswith(LEFT):
                    messages.append(params["text"])
            elif event["method"] == "network.beforeRequestSent":
                urls.append(params["request"]["url"])
        return messages + [url for url in urls if not url.startswith((origin, "data:", "about:"))]


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Starts Firefox with a new profile."""
    path = program(*FIREFOX)
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder)
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        process = subprocess.Popen(
            [path, "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port=0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            bidi = Bidi(_port(profile))
            yield Firefox(bidi)
            bidi.ask("browser.close")
            bidi.socket.close()
            process.wait(DEADLINE)
        finally:
            process.kill()
            process.wait()


def _port(profile: Path) -> int:
    """Returns the port of Firefox, which it writes into its profile."""
    file = profile / "WebDriverBiDiServer.json"
    wait_until("Firefox listens", lambda: bool(file.read_text()))
    port: int = json.loads(file.read_text())["ws_port"]
    return port
