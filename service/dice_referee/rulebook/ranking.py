"""Ranks of players by their points."""

from collections.abc import Sequence


def leaders(points: Sequence[int]) -> tuple[int, ...]:
    """Returns the players with the most points, as indices."""
    most = max(points)
    return tuple(player for player, own in enumerate(points) if own == most)
