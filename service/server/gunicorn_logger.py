"""gunicorn's own log, in lines like those of the service."""

import logging
from typing import Any

from gunicorn import glogging

from service.telemetry.logs import JsonFormatter

NO_ADDRESS = "Can't connect to"
"""How gunicorn's last line begins where an address is taken, after some seconds."""


class GunicornLogger(glogging.Logger):  # type: ignore[misc]
    """The logger that ``gunicorn_conf.py`` names; it formats the log of libraries, too."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        lines = JsonFormatter()
        for handler in self.error_log.handlers:
            handler.setFormatter(lines)
        others = logging.StreamHandler()
        others.setFormatter(lines)
        logging.getLogger().handlers[:] = [others]

    def error(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Writes the line; where an address is taken, with what there is to do."""
        hint = (
            " (PORT, HOST or METRICS_BIND can name another)" if msg.startswith(NO_ADDRESS) else ""
        )
        super().error(msg + hint, *args, **kwargs)
