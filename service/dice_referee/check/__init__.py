"""Checks a server against the numbered cases of this release, by HTTP."""
