"""gunicorn for both doors: ``gunicorn -c deploy/gunicorn.conf.py`` from the project's root.

The front door (asgi), with the threads of the other one (Flask) behind it. That one alone, without
streams: ``gunicorn -c deploy/gunicorn.conf.py -k gthread --threads 8 service.wsgi:app``.
"""

import atexit
import gc
import os
import resource
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from service.http.spool import spool

# Files in it are made by gunicorn, under names that nobody guesses, and unlinked at once.
memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # nosec B108

# prometheus_client decides at import time whether several processes count together.
counts = spool(os.environ.get("PROMETHEUS_MULTIPROC_DIR"), memory or tempfile.gettempdir())
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(counts.path)
atexit.register(counts.close)

from service.http.logs import logger, say  # noqa: E402
from service.sessions.embedded import Embedded, engines  # noqa: E402
from service.sessions.redis_store import RedisStore  # noqa: E402
from service.settings import Settings  # noqa: E402

settings = Settings.read(os.environ)

# A connection takes a file, and a shell often grants a thousand of them though it may have more.
most = resource.getrlimit(resource.RLIMIT_NOFILE)
if most[0] != most[1]:
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most[1], most[1]))

# The application is loaded before the server is started: it is told where it will listen. After a
# reload this is read once more, and finds what it told.
embedded = None
if not settings.redis_url:
    if ladder := engines():
        embedded = Embedded(Path(settings.var_dir), ladder, say, os.environ.copy())
        os.environ["REDIS_URL"] = embedded.url
    else:
        say("sessions are off: neither REDIS_URL nor a server to be found")

wsgi_app = "service.asgi:app"
worker_class = "service.doors.worker.PatientWorker"
if settings.host.startswith("unix:"):
    bind = [settings.host]
else:
    bind = [f"{f'[{settings.host}]' if ':' in settings.host else settings.host}:{settings.port}"]
if settings.metrics_bind:
    bind.append(settings.metrics_bind)
workers = settings.workers
worker_connections = settings.connections
preload_app = True
# The only parser that refuses bare line feeds and folded headers in the versions we pin.
http_parser = "python"
# A query of 4 KiB has to reach us, to be answered or refused in our own words.
limit_request_line = 8190
keepalive = 15
# Streams are told to end, and batches do; nobody is waited for any longer than this.
graceful_timeout = 10
timeout = 60
# A worker that has done this much makes room for a new one, the workers not all at once.
max_requests = settings.worker_requests
max_requests_jitter = settings.worker_requests // 10
backlog = 1024
worker_tmp_dir = memory
control_socket_disable = True
# Whose X-Forwarded-For is believed is our own business, see TRUSTED_PROXIES.
forwarded_allow_ips = ""
accesslog = None
logger_class = "service.doors.journal.Journal"


def on_starting(server: object) -> None:
    """Start a Redis of our own if nobody names one.

    What is ours to end is written on the server: a reload reads this file anew and finds it told.
    """
    counts.fold()
    if embedded is not None and embedded.start():
        # A port that is taken ends the master without on_exit.
        atexit.register(stop_embedded, embedded, os.getpid())
        server.embedded = embedded  # type: ignore[attr-defined]


def stop_embedded(own: Embedded, master: int) -> None:
    """End it with the master, and with nobody else."""
    if os.getpid() == master:
        own.stop()


def post_worker_init(worker: object) -> None:
    """The first worker says, once, if Redis is set up in a way that loses sessions."""
    url = os.environ.get("REDIS_URL")
    if url and worker.age == 1:  # type: ignore[attr-defined]
        store = RedisStore(url, settings.redis_timeout_ms)
        for line in store.warnings():
            logger.warning("redis", detail=line)
        store.close()


def pre_fork(server: object, worker: object) -> None:
    """Let workers share the parent's tables: the collector shall not write into them."""
    gc.collect()
    gc.freeze()


def pre_exec(server: object) -> None:
    """A master that takes over from this one counts on where it counted."""
    environment = server.cfg.env_orig  # type: ignore[attr-defined]
    environment["PROMETHEUS_MULTIPROC_DIR"] = str(counts.path)


def on_exit(server: object) -> None:
    """Leave nothing of our own running, and no counters behind."""
    if own := getattr(server, "embedded", None):
        own.stop()
    counts.close()


def child_exit(server: object, worker: object) -> None:
    """What a worker that is gone has counted stays; what it had is gone with it."""
    counts.fold(worker.pid)  # type: ignore[attr-defined]
