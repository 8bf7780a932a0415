"""Tables that are built when they are first needed, and kept within bounds."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Table = TypeVar("Table")


class ValueTableCache(Generic[Key, Table]):
    """The tables of published rulesets for good, and as many others as were used last.

    Threads may share it. It builds one table at a time.
    """

    def __init__(
        self, build: Callable[[Key], Table], published: Iterable[Key], others: int
    ) -> None:
        """``others``: how many there may be besides the published ones."""
        self._build, self._others = build, others
        self.published = frozenset(published)
        """The keys of the tables that stay."""
        self._tables: OrderedDict[Key, Table] = OrderedDict()
        self._lock, self._building = Lock(), Lock()

    def __contains__(self, key: Key) -> bool:
        return key in self._tables

    def __getitem__(self, key: Key) -> Table:
        """The table of this key; it is built if it is not there."""
        table = self._found(key)
        if table is None:
            with self._building:
                # Another thread may have built it meanwhile.
                table = self._found(key) or self._add(key, self._build(key))
        return table

    def _found(self, key: Key) -> Table | None:
        with self._lock:
            if key in self._tables:
                self._tables.move_to_end(key)
            return self._tables.get(key)

    def _add(self, key: Key, table: Table) -> Table:
        with self._lock:
            self._tables[key] = table
            others = [one for one in self._tables if one not in self.published]
            for oldest in others[: max(0, len(others) - self._others)]:
                del self._tables[oldest]
        return table
