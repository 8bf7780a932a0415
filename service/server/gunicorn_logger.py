"""gunicorn's own log, in lines like those of the service."""

import logging
from typing import Any

from gunicorn import glogging

from service.telemetry.logs import JsonFormatter


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
