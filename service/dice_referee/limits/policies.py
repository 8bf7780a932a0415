"""Rate policies of the service. Each route has a policy, or no limit."""

from enum import StrEnum


class RatePolicy(StrEnum):
    STATELESS = "stateless"
    """Verdicts, the catalogue, pages, and paths that do not exist."""
    BATCH = "batch"
    """Batches, audits, reviews, comparisons and proofs of dice."""
    ODDS = "odds"
    SESSIONS = "sessions"
    EVENTS = "events"
    """All other requests to sessions."""


FREE_ON_LOOPBACK = frozenset({RatePolicy.STATELESS, RatePolicy.BATCH, RatePolicy.ODDS})
"""Policies that do not limit clients of this machine by default, because they store nothing."""
