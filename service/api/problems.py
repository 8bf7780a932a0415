"""The one table of refusals: what is refused, with which status, in which words (RFC 9457)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import orjson

from service.api.words import book, detail, flaw_document, problem_title
from service.http.limits import Receipt
from service.rules.errors import Unanswerable
from service.rules.verdict import Finding, Flaw, Param, rules_of
from service.sessions.store import Away, Damaged, Full, Gone, Missing, Stale, StoreError

MOST_FLAWS = 50
"""Flaws that a problem lists; its detail counts all. Else a refusal could outgrow the request."""

STATUSES = {
    "malformed-json": 400,
    "invalid-request": 400,
    "bad-request": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "not-acceptable": 406,
    "request-timeout": 408,
    "illegal-event": 409,
    "cannot-undo": 409,
    "seeds-closed": 409,
    "session-ended": 409,
    "session-full": 409,
    "gone": 410,
    "precondition-failed": 412,
    "too-large": 413,
    "query-too-long": 414,
    "unsupported-media-type": 415,
    "impossible-position": 422,
    "contradictory-options": 422,
    "idempotency-key-reused": 422,
    "too-many-streams": 429,
    "rate-limited": 429,
    "busy": 503,
    "sessions-away": 503,
    "sessions-full": 503,
    "session-unreadable": 503,
    "internal-error": 500,
}
"""Every problem of the contract."""


@dataclass(eq=False)
class Refused(Exception):
    """A request that gets a problem for an answer; what was asked has not been done.

    ``key`` and ``params`` choose and fill the ``detail``; ``game`` owns the findings' words.
    """

    code: str
    key: str
    params: dict[str, Param] = field(default_factory=dict)
    flaws: tuple[Flaw, ...] = ()
    findings: tuple[Finding, ...] = ()
    game: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    """Members that only this kind of problem has."""

    @property
    def status(self) -> int:
        return STATUSES[self.code]

    def document(self, language: str) -> dict[str, Any]:
        """The problem in the reader's language."""
        return {
            "type": f"/problems/{self.code}",
            "title": problem_title(self.code, language),
            "status": self.status,
            "detail": detail(self.key, language, **self.params),
            "errors": [flaw_document(flaw, language) for flaw in self.flaws[:MOST_FLAWS]],
            "findings": [book(self.game).finding_document(f, language) for f in self.findings],
            "rules": sorted(rules_of(self.findings)),
            **self.more,
        }


def invalid(flaws: list[Flaw]) -> Refused:
    """The request is not of the schema."""
    return Refused("invalid-request", "invalid-request", {"count": len(flaws)}, tuple(flaws))


def unanswerable(game: str, error: Unanswerable) -> Refused:
    """The request is of the schema and still cannot be."""
    params: dict[str, Param] = {"count": len(error.findings)}
    return Refused(error.code, error.code, params, findings=error.findings, game=game)


def rate_limited(receipt: Receipt) -> Refused:
    """More was asked than a client may ask in a minute."""
    params: dict[str, Param] = {
        "policy": receipt.policy,
        "limit": receipt.limit,
        "seconds": receipt.seconds,
    }
    return Refused("rate-limited", "rate-limited", params, headers=_retry(receipt.seconds))


def sessions_full(limit: int) -> Refused:
    """As many sessions are kept as may be."""
    return Refused("sessions-full", "sessions-full", {"limit": limit}, headers=_retry(60))


def not_kept(error: StoreError) -> Refused:
    """What the store of the sessions cannot do."""
    match error:
        case Missing():
            return Refused("not-found", "unknown-session")
        case Gone():
            try:
                proof = orjson.loads(error.tombstone)
            except ValueError:
                return not_kept(Damaged("a tombstone that is none"))
            return Refused("gone", "gone", more={"fairness": proof})
        case Full():
            return Refused("sessions-full", "store-full", headers=_retry(ceil(error.retry)))
        case Away():
            return Refused("sessions-away", "sessions-away", headers=_retry(ceil(error.retry)))
        case Stale():
            return Refused("busy", "crowded-session", headers=_retry(1))
        case _:
            # Damaged or of a later release: another replica may be able to read it.
            return Refused("session-unreadable", "session-unreadable", headers=_retry(60))


def _retry(seconds: int) -> tuple[tuple[str, str], ...]:
    return (("Retry-After", str(seconds)),)
