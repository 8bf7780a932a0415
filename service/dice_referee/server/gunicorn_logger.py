"""gunicorn's own log, in lines like those of the service."""

import logging
from typing import Any

from gunicorn import glogging

from dice_referee.telemetry.logs import LINES_OF_LOG, LineFormatter, LogFormat


class GunicornLogger(glogging.Logger):  # type: ignore[misc]
    """The logger that ``gunicorn_conf.py`` names; it formats the log of libraries, too."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        lines = LineFormatter()
        for handler in self.error_log.handlers:
            handler.setFormatter(lines)
        stderr = logging.StreamHandler()
        stderr.setFormatter(lines)
        logging.getLogger().handlers[:] = [stderr]
        if LINES_OF_LOG.format is LogFormat.TEXT:
            # What it does step by step is for programs.
            self.error_log.setLevel(logging.WARNING)
