"""gunicorn's own log, in lines like those of the service."""

import logging
from typing import Any

from gunicorn import glogging

from service.http.logs import Lines


class Journal(glogging.Logger):  # type: ignore[misc]
    """The logger that ``deploy/gunicorn.conf.py`` names; it takes in what libraries log, too."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        lines = Lines()
        for handler in self.error_log.handlers:
            handler.setFormatter(lines)
        others = logging.StreamHandler()
        others.setFormatter(lines)
        logging.getLogger().handlers[:] = [others]
