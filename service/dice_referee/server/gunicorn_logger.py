"""gunicorn's own log, in lines like those of the service."""

import logging
from typing import Any

from gunicorn import glogging

from dice_referee.telemetry.logs import LINES_OF_LOG, LineFormatter, LogFormat


class GunicornLogger(glogging.Logger):  # type: ignore[misc]
    """Logger that ``gunicorn_conf.py`` names. It also formats the log of libraries."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        lines = LineFormatter()
        for handler in self.error_log.handlers:
            handler.setFormatter(lines)
        stderr = logging.StreamHandler()
        stderr.setFormatter(lines)
        logging.getLogger().handlers[:] = [stderr]
        if LINES_OF_LOG.format is LogFormat.TEXT:
            # Its single steps are only for programs.
            self.error_log.setLevel(logging.WARNING)
