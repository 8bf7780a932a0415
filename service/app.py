"""The composition root: joins the rooms, decides nothing."""

from contextlib import suppress
from functools import partial

from service import __version__
from service.api.application import Application
from service.api.catalogue import add_catalogue
from service.api.fairness import add_fairness
from service.api.referee import add_verbs
from service.api.service import add_service
from service.api.sessions import add_sessions
from service.api.tables import Sources
from service.games import catalogue
from service.http.client import Hops
from service.http.limits import Limits
from service.http.logs import say
from service.http.metrics import count_question
from service.http.spans import Spans
from service.sessions.bells import Listeners
from service.sessions.store import Store, StoreError
from service.settings import Settings
from service.web.pages import add_pages


def create_app(
    settings: Settings | None = None,
    store: Store | None = None,
    sources: Sources | None = None,
    spans: Spans | None = None,
) -> Application:
    """The whole service as a Flask application, complete under any WSGI server.

    Without a store there are no sessions: their resources answer 503.
    """
    settings = settings or Settings()
    listeners = None if store is None else Listeners(store)
    app = Application("service", settings, listeners, limits_of(settings, store), spans)
    for game in catalogue().values():
        add_verbs(app, game)
    add_catalogue(app)
    add_sessions(app, catalogue(), listeners, sources or Sources())
    add_fairness(app)
    add_service(app)
    add_pages(app)
    return app


def limits_of(settings: Settings, store: Store | None) -> Limits:
    """What clients may ask, counted by the store as long as there is one."""
    limits = {
        "stateless": settings.rate_stateless,
        "batch": settings.rate_batch,
        "sessions": settings.rate_sessions,
        "events": settings.rate_events,
    }

    return Limits(
        limits,
        Hops.parse(settings.trusted_proxies),
        # What all replicas know and the store does not: where it is, and with which password.
        settings.redis_url.encode(),
        None if store is None else partial(_spent, store),
        loopback=settings.rate_loopback,
    )


def _spent(store: Store, client: str, policy: str, limit: int, most: int) -> tuple[int, int] | None:
    with suppress(StoreError):
        return store.spend(client, policy, limit, most)
    return None


def open_store(settings: Settings, spans: Spans | None = None) -> Store | None:
    """Where sessions are kept; nowhere without an address. It connects when it is first used."""
    if not settings.redis_url:
        return None
    # Imported here, so that a referee without sessions needs no Redis library.
    from service.sessions.redis_store import RedisStore

    def observe(question: str, seconds: float, ok: bool) -> None:
        count_question(question, seconds, ok)
        if spans is not None:
            spans.asked(question, seconds, ok)

    return RedisStore(settings.redis_url, settings.redis_timeout_ms, observe)


def open_spans(settings: Settings) -> Spans | None:
    """Who traces requests, if somebody is to. Ends the process if the library is not there."""
    if not settings.tracing:
        return None
    try:
        from service.http.tracing import Tracing
    except ModuleNotFoundError as missing:
        say(f"TRACING needs {missing.name}: install -r requirements-tracing.txt")
        raise SystemExit(1) from None
    return Tracing(__version__)
