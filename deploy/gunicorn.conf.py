"""gunicorn for the front door: ``gunicorn -c deploy/gunicorn.conf.py`` from the project's root."""

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# prometheus_client decides at import time whether several processes count together.
own_metrics = None
if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    own_metrics = tempfile.mkdtemp(prefix="referee-metrics-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = own_metrics

from service.settings import Settings  # noqa: E402

settings = Settings.read(os.environ)

wsgi_app = "service.asgi:app"
worker_class = "service.doors.worker.PatientWorker"
bind = f"{settings.host}:{settings.port}"
workers = settings.workers
worker_connections = settings.connections
preload_app = True
# The only parser that refuses bare line feeds and folded headers in the versions we pin.
http_parser = "python"
# A query of 4 KiB has to reach us, to be answered or refused in our own words.
limit_request_line = 8190
keepalive = 15
graceful_timeout = 10
timeout = 60
backlog = 1024
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None
control_socket_disable = True
accesslog = None


def pre_fork(server: object, worker: object) -> None:
    """Let workers share the parent's tables: the collector shall not write into them."""
    gc.collect()
    gc.freeze()


def on_exit(server: object) -> None:
    """Leave no counters of our own behind."""
    if own_metrics is not None:
        shutil.rmtree(own_metrics, ignore_errors=True)


def child_exit(server: object, worker: object) -> None:
    """A worker that is gone counts no more."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)  # type: ignore[attr-defined, no-untyped-call]
