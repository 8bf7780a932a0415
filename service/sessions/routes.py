"""Which server keeps a session: always the same, the one that sentinels name, or its slot's."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, assert_never

from service.sessions.places import Address, Place, Topology
from service.sessions.store import Away

Ask = Callable[..., Any]
"""``ask(place, parts, *command)``: the answer, in at most 1/``parts`` of the time that is left.

Raises Away.
"""


class Route(Protocol):
    """Knows, or finds out, where to ask."""

    def known(self, slot: int) -> Place | None:
        """Where the sessions of a slot are, as far as is known."""

    def refresh(self, ask: Ask) -> None:
        """Find out anew. Raises Away."""

    def masters(self) -> list[Place]:
        """Every server that keeps sessions, as far as is known."""

    def slots(self) -> list[int]:
        """One slot of each of them."""


class Fixed:
    """One server, always the same."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def known(self, slot: int) -> Place | None:
        return self._place

    def refresh(self, ask: Ask) -> None:
        pass

    def masters(self) -> list[Place]:
        return [self._place]

    def slots(self) -> list[int]:
        return [0]


class Sentinel:
    """The master that sentinels name; another one each time, since one of them may be mistaken."""

    def __init__(self, sentinels: Sequence[Place], master: str) -> None:
        self._sentinels = list(sentinels)
        self._name = master
        self._master: Place | None = None

    def known(self, slot: int) -> Place | None:
        return self._master

    def refresh(self, ask: Ask) -> None:
        for sentinel, parts in _in_turn(self._sentinels):
            try:
                found = ask(sentinel, parts, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", self._name)
            except Away:
                continue
            if found:
                self._master = Place(found[0].decode(), int(found[1]))
                return
        raise Away("no sentinel names a master")

    def masters(self) -> list[Place]:
        return [self._master] if self._master else []

    def slots(self) -> list[int]:
        return [0]


class Cluster:
    """The master of the session's slot, as any node tells."""

    def __init__(self, seeds: Sequence[Place]) -> None:
        self._seeds = list(seeds)
        self._nodes = list(seeds)
        self._ranges: list[tuple[int, int, Place]] = []
        """First slot, last slot, master; in order."""

    def known(self, slot: int) -> Place | None:
        ranges = self._ranges
        found = bisect_right(ranges, slot, key=lambda one: one[0]) - 1
        return ranges[found][2] if found >= 0 and slot <= ranges[found][1] else None

    def refresh(self, ask: Ask) -> None:
        for node, parts in _in_turn(self._nodes):
            try:
                told = ask(node, parts, "CLUSTER", "SLOTS")
            except Away:
                continue
            if told:
                self._learn(told, node)
                return
        raise Away("no node knows the cluster")

    def _learn(self, told: Sequence[Any], teller: Place) -> None:
        ranges, nodes = [], []
        for first, last, *members in told:
            places = [Place((one[0] or b"").decode() or teller.host, one[1]) for one in members]
            ranges.append((first, last, places[0]))
            nodes += places
        self._ranges = sorted(ranges)
        # The seeds come last: an address that balances over the nodes stays good when they move.
        self._nodes = list(dict.fromkeys([*nodes, *self._seeds]))

    def masters(self) -> list[Place]:
        return list(dict.fromkeys(place for _, _, place in self._ranges))

    def slots(self) -> list[int]:
        return list({place: first for first, _, place in self._ranges}.values())


def _in_turn(places: list[Place]) -> Iterator[tuple[Place, int]]:
    """Each place, and in how many parts to divide the time: for it, those after it, and the rest.

    The first goes to the back: next time another one is asked first.
    """
    asked = tuple(places)
    places.append(places.pop(0))
    for number, place in enumerate(asked):
        yield place, len(asked) - number + 1


def route(address: Address) -> Route:
    """The way to the sessions of a Redis."""
    match address.topology:
        case Topology.SINGLE:
            return Fixed(address.places[0])
        case Topology.SENTINEL:
            return Sentinel(address.places, address.master)
        case Topology.CLUSTER:
            return Cluster(address.places)
        case _:
            assert_never(address.topology)
