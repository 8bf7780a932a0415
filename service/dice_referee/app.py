"""The composition root: builds services from settings, and applications from services."""

import atexit
from typing import TYPE_CHECKING, Any

from flask import Flask

from dice_referee import __version__
from dice_referee.api import (
    about,
    fairness,
    index,
    session_changes,
    session_seats,
    sessions,
    verdicts,
)
from dice_referee.api import catalogue as catalogue_api
from dice_referee.api.contract import contract, contract_yaml
from dice_referee.api.headers import read_origins
from dice_referee.api.hosts import hosts_of
from dice_referee.api.i18n import load_texts
from dice_referee.api.services import Services
from dice_referee.games import catalogue
from dice_referee.limits.client_address import TrustedProxies
from dice_referee.limits.limiter import RateLimiter
from dice_referee.limits.policies import RatePolicy
from dice_referee.server import admin
from dice_referee.server.asgi import AsgiApplication, Sample
from dice_referee.server.bind_address import BindAddress
from dice_referee.server.wsgi import WsgiApplication
from dice_referee.sessions.health import StoreHealth
from dice_referee.sessions.store import Store
from dice_referee.sessions.watchers import SessionWatchers
from dice_referee.settings import Settings
from dice_referee.telemetry.logs import LINES_OF_LOG, LogFormat, flush_log, log_event
from dice_referee.telemetry.metrics import begin_metrics, observe_redis_command
from dice_referee.web import pages
from dice_referee.web.problems import missing, problem_page

if TYPE_CHECKING:
    from dice_referee.telemetry.tracing import Tracing


def create_app(
    settings: Settings | None = None,
    store: Store | None = None,
    tracing: "Tracing | None" = None,
    **sources: Any,
) -> Flask:
    """Builds the whole service as a Flask application, complete under any WSGI server.

    Without a store, sessions are off: their operations answer 503. ``sources`` replace the clock,
    ids, tokens and seeds of ``Services``.
    """
    settings = settings or Settings()
    services = Services(
        settings=settings,
        limiter=_limiter(settings),
        origins=read_origins(settings.session_origins),
        hosts=hosts_of(settings),
        watchers=None if store is None else SessionWatchers(store),
        store_health=None if store is None else StoreHealth(store),
        tracing=tracing,
        problem_page=problem_page,
        not_found=missing,
        **sources,
    )
    app = Flask("dice_referee", static_folder=None)
    # A path with a superfluous slash is a 404 problem, never a redirect with an HTML page.
    app.url_map.merge_slashes = False
    app.url_map.redirect_defaults = False
    for name in catalogue():
        prefix, defaults = f"/v1/{name}", {"game": name}
        for part in (catalogue_api.blueprint, verdicts.blueprint):
            endpoint = f"{name}-{part.name}"
            app.register_blueprint(part, name=endpoint, url_prefix=prefix, url_defaults=defaults)
    sessions_api = (sessions, session_seats, session_changes)
    for family in (index, *sessions_api, fairness, about, pages):
        app.register_blueprint(family.blueprint)
    app.register_blueprint(about.probes)
    wsgi_app = app.extensions["dice-referee"] = WsgiApplication(app, services)
    app.wsgi_app = wsgi_app  # type: ignore[method-assign]
    # A fault must be answered without reading a file, and all processes have the same contract.
    load_texts(catalogue())
    contract_yaml()
    contract()
    return app


def configured_app(settings: Settings, **sources: Any) -> Flask:
    """Builds the whole service from the settings. At exit it writes its log.

    ``sources`` as in ``create_app``.
    """
    LINES_OF_LOG.format = LogFormat.of(settings.log_format)
    atexit.register(flush_log)
    tracing = open_tracing(settings)
    return create_app(settings, open_store(settings, tracing), tracing, **sources)


def asgi_app(app: Flask) -> AsgiApplication:
    services: Services = app.extensions["dice-referee"].services
    application = AsgiApplication(app, services, services.settings.connections)
    if services.settings.metrics_bind:
        begin_metrics(__version__)
        application.gauges = _gauges(application)
        application.second = _admin(services)
    return application


def _admin(services: Services) -> tuple[BindAddress, AsgiApplication]:
    """Returns the second address of the settings with its application. Raises ValueError."""
    app = Flask("admin", static_folder=None)
    app.register_blueprint(admin.blueprint)
    app.register_blueprint(about.probes)
    place = BindAddress(services.settings.metrics_bind)
    return place, AsgiApplication(app, services, admin.ADMIN_CONNECTIONS)


def _gauges(application: AsgiApplication) -> dict[str, Sample]:
    services, settings = application.services, application.settings
    feeds, watchers = application.feeds, services.watchers
    samples: dict[str, Sample] = {
        "referee_connections": lambda: len(application.connections),
        "referee_connections_limit": lambda: application.connections.limit,
    }
    if feeds is not None and watchers is not None:
        store = watchers.store
        samples |= {
            "referee_streams": lambda: feeds.open,
            "referee_streams_limit": lambda: settings.streams,
            "referee_redis_breakers_open": store.open_breakers,
        }
    return samples


def _limiter(settings: Settings) -> RateLimiter:
    limits: dict[RatePolicy, int] = {
        policy: getattr(settings, f"rate_{policy}") for policy in RatePolicy
    }
    return RateLimiter(
        limits,
        TrustedProxies.parse(settings.trusted_proxies),
        # All replicas know this, and the store does not: its address and its password.
        settings.redis_url.encode(),
        loopback=settings.rate_loopback,
    )


def open_store(settings: Settings, tracing: "Tracing | None" = None) -> Store | None:
    """Returns the session store, or ``None`` without an address. It connects on first use."""
    if not settings.redis_url:
        return None
    # Imported here, because verdicts alone need no Redis library.
    from dice_referee.sessions.redis.store import RedisStore

    def observe(command: str, seconds: float, ok: bool) -> None:
        observe_redis_command(command, seconds, ok)
        if tracing is not None:
            tracing.record_redis_command(command, seconds, ok)

    def report(event: str, level: str, reason: str) -> None:
        log_event(event, level, reason=reason)

    return RedisStore(settings.redis_url, settings.redis_timeout_ms, observe, report)


def open_tracing(settings: Settings) -> "Tracing | None":
    """Returns the tracer if tracing is on. Exits without its library."""
    if not settings.tracing:
        return None
    try:
        from dice_referee.telemetry.tracing import Tracing
    except ModuleNotFoundError as missing:
        log_event(f"TRACING needs {missing.name}: install -r deploy/requirements/tracing.txt")
        raise SystemExit(1) from None
    return Tracing(__version__)
