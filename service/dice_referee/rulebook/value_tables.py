"""Cache of value tables: builds each on first use and bounds their number."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Table = TypeVar("Table")


class ValueTableCache(Generic[Key, Table]):
    """LRU cache of value tables that never evicts those of published rulesets.

    Threads may share the cache. Threads that miss a table at the same time each build it, because
    a build may pause.
    """

    def __init__(
        self, build: Callable[[Key], Table], published: Iterable[Key], unpublished: int
    ) -> None:
        """``unpublished`` is the maximum number of tables besides those of published rulesets."""
        self._build, self._unpublished = build, unpublished
        self.published = frozenset(published)
        self._tables: OrderedDict[Key, Table] = OrderedDict()
        self._lock = Lock()

    def __contains__(self, key: Key) -> bool:
        return key in self._tables

    def __getitem__(self, key: Key) -> Table:
        """Returns the table of this key, and builds it first if it is missing."""
        table = self._look_up(key)
        return self._add(key, self._build(key)) if table is None else table

    def _look_up(self, key: Key) -> Table | None:
        with self._lock:
            if key in self._tables:
                self._tables.move_to_end(key)
            return self._tables.get(key)

    def _add(self, key: Key, table: Table) -> Table:
        with self._lock:
            self._tables[key] = table
            evictable = [cached for cached in self._tables if cached not in self.published]
            for oldest in evictable[: max(0, len(evictable) - self._unpublished)]:
                del self._tables[oldest]
        return table
