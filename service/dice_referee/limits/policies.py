"""The rate policies of the service: each route falls under one of them, or is not limited."""

from enum import StrEnum


class RatePolicy(StrEnum):
    """The kinds of requests that are limited apart from each other."""

    STATELESS = "stateless"
    """Verdicts, the catalogue, pages, and paths that do not exist."""
    BATCH = "batch"
    """Batches, audits, reviews, comparisons and proofs of dice."""
    ODDS = "odds"
    """Odds of one position."""
    SESSIONS = "sessions"
    """Creations of sessions."""
    EVENTS = "events"
    """All other requests to sessions."""


FREE_ON_LOOPBACK = frozenset({RatePolicy.STATELESS, RatePolicy.BATCH, RatePolicy.ODDS})
"""Policies that do not limit clients of this machine, unless a setting says so: what they ask for
takes no room."""
