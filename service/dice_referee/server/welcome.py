"""Lines that greet the person who starts the service at a terminal."""

from dataclasses import dataclass

from dice_referee.server.local_network import is_every_address
from dice_referee.settings import Settings

LOCALHOST = ("127.0.0.1", "::1")


@dataclass
class Welcome:
    settings: Settings
    sessions: str = "switched off; everything else works"
    """The place of the sessions, after "Sessions are "."""

    def text(self) -> str:
        at = self._origin()
        open_it = f"Listening at {at}"
        if at.startswith("http"):
            open_it = f"Open {at}/ to try it, {at}/table to play, {at}/docs for the contract."
        return f"{open_it}\nSessions are {self.sessions}.\nStop with Ctrl-C.\n"

    def _origin(self) -> str:
        settings, host = self.settings, self.settings.host
        if settings.public_url or host.startswith("unix:"):
            return settings.public_url or host
        if is_every_address(host) or host in LOCALHOST:
            host = "localhost"
        return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
