"""gunicorn's configuration of ``dice-referee serve``. Importing it prepares the process."""

import atexit
import gc
import os
import resource
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dice_referee.server.worker import DeadlineWorker

NEW_OBJECTS = 10_000
"""Allocations between two garbage collections. A batch makes many objects and no cycle."""

# Until the first fork nearly all objects are permanent, so collections would be useless.
gc.disable()

# With this variable at import, prometheus_client would count in files of its own.
metrics_dir = os.environ.pop("PROMETHEUS_MULTIPROC_DIR", "")

from dice_referee.server.checked_settings import read_settings  # noqa: E402
from dice_referee.server.local_redis import LocalRedis, candidates  # noqa: E402
from dice_referee.server.stop_signals import (  # noqa: E402
    defer_stops,
    deliver_stops,
    exit_if_stopped,
    ignore_stops,
)
from dice_referee.server.welcome import Welcome  # noqa: E402
from dice_referee.sessions.redis.store import RedisStore  # noqa: E402
from dice_referee.sessions.redis.url import parse  # noqa: E402
from dice_referee.settings import misspelt, obsolete  # noqa: E402
from dice_referee.telemetry.logs import LINES_OF_LOG, LogFormat, log_event  # noqa: E402
from dice_referee.telemetry.metrics import Process, count_ended_worker, share_metrics  # noqa: E402

# A start that was already stopped does not load the application.
exit_if_stopped()

# gunicorn creates its files here under random names and unlinks them immediately.
shared_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # nosec B108

# The application reads them too, but gunicorn prints a traceback for its errors.
settings = read_settings(os.environ)
LINES_OF_LOG.format = LogFormat.of(settings.log_format)
for sentence in obsolete(os.environ) + misspelt(os.environ):
    log_event(sentence)

if settings.metrics_bind:
    metrics_dir = tempfile.mkdtemp(prefix="referee-metrics-", dir=metrics_dir or shared_memory)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = metrics_dir
    share_metrics()
    master = os.getpid()

    @atexit.register
    def remove_metrics() -> None:
        """Removes the directory of the metrics, in the master only. Workers inherit the call."""
        if os.getpid() == master:
            shutil.rmtree(metrics_dir, ignore_errors=True)


# Workers inherit both: the master defers stops at a fork, a worker until it has handlers.
atexit.register(ignore_stops)
os.register_at_fork(before=defer_stops, after_in_parent=deliver_stops)

# A connection takes a file, and a shell often grants a thousand files but allows more.
file_limits = resource.getrlimit(resource.RLIMIT_NOFILE)
if file_limits[0] != file_limits[1]:
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (file_limits[1], file_limits[1]))

# The application loads before Redis starts, and needs its address.
embedded = None
if not settings.redis_url:
    if binaries := candidates():
        local_redis = LocalRedis(Path(settings.var_dir), binaries)
        if local_redis.reserve():
            embedded = local_redis
            os.environ["REDIS_URL"] = embedded.url
    else:
        log_event("sessions are off: neither REDIS_URL nor a server to be found")

welcome = Welcome(settings)
wsgi_app = "dice_referee.asgi:app"
worker_class = "dice_referee.server.worker.DeadlineWorker"
if settings.host.startswith("unix:"):
    bind = [settings.host]
else:
    bind = [f"{f'[{settings.host}]' if ':' in settings.host else settings.host}:{settings.port}"]
if settings.metrics_bind:
    bind.append(settings.metrics_bind)
workers = settings.workers
worker_connections = settings.connections
preload_app = True
keepalive = 15
# Streams and batches end by themselves. Connections are cut after these seconds.
graceful_timeout = 10
timeout = 60
# Workers are replaced after this number of requests, not all at the same time.
max_requests = settings.worker_requests
max_requests_jitter = settings.worker_requests // 10
backlog = 1024
worker_tmp_dir = shared_memory
control_socket_disable = True
# The application itself reads X-Forwarded-For, by TRUSTED_PROXIES.
forwarded_allow_ips = ""
logger_class = "dice_referee.server.gunicorn_logger.GunicornLogger"


def on_starting(server: object) -> None:
    """Starts the local Redis if the settings name none, and reports where sessions are stored."""
    exit_if_stopped()
    if settings.redis_url:
        where = parse(settings.redis_url).where
        _say_where(f"kept in Redis at {where}")
    elif embedded is not None and (binary := embedded.start()):
        # If the port is in use, the master ends without a call of on_exit.
        atexit.register(embedded.stop)
        server_name = f"{binary.program.name} {'.'.join(map(str, binary.version))}"
        _say_where(f"kept by {server_name} in {settings.var_dir}/sessions")


def _say_where(place: str) -> None:
    if LINES_OF_LOG.format is LogFormat.TEXT:
        welcome.sessions = place
    else:
        log_event(f"sessions: {place}", "info")


def when_ready(server: object) -> None:
    """Shows at a terminal the addresses, the place of the sessions, and how to stop."""
    if LINES_OF_LOG.format is LogFormat.TEXT:
        sys.stderr.write(welcome.text())
        sys.stderr.flush()
    # gunicorn's handlers are installed.
    deliver_stops()


def pre_exec(server: object) -> None:
    """Refuses USR2, by which gunicorn would start a second master."""
    log_event("USR2 is not supported: restart the service instead")
    # This process is a fork of the master, and no exit handler may remove the master's files.
    os._exit(0)


def post_worker_init(worker: object) -> None:
    """Logs warnings about Redis' configuration once, from the first worker."""
    url = settings.redis_url or os.environ.get("REDIS_URL")
    if url and worker.age == 1:  # type: ignore[attr-defined]
        store = RedisStore(url, settings.redis_timeout_ms)
        for line in store.warnings():
            log_event("redis", detail=line)
        store.close()


def pre_fork(server: Any, worker: "DeadlineWorker") -> None:
    """Assigns a slot to the worker. Freezes the collector, so that workers share memory."""
    taken = {running.slot for running in server.WORKERS.values()}
    worker.slot = min(set(range(len(taken) + 1)) - taken)
    if settings.metrics_bind:
        # systemd removes the files of a user who logs out.
        os.makedirs(metrics_dir, 0o700, exist_ok=True)
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
    gc.enable()


def post_fork(server: object, worker: "DeadlineWorker") -> None:
    """Makes the worker count in the files of its slot."""
    Process.slot = worker.slot


def child_exit(server: object, worker: "DeadlineWorker") -> None:
    if settings.metrics_bind:
        count_ended_worker(worker.slot, worker.is_stopped)
