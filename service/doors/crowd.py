"""Who of those that are connected makes the least of it, and is sent home when there is no room."""

from typing import Generic, TypeVar

C = TypeVar("C")


class Crowd(Generic[C]):
    """The connections of a worker at one of its addresses, ``most`` at a time.

    Each change takes a moment, however many there are: this is done for every request.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._here: set[C] = set()
        self._waiting: dict[C, None] = {}
        self._deaf: dict[C, int] = {}
        self.unread = 0
        """Bytes of answers that clients do not take."""

    def __len__(self) -> int:
        return len(self._here)

    def comes(self, one: C) -> C | None:
        """A newcomer; who has to go for him, if there is no room: himself, if all are busy."""
        self._here.add(one)
        return (self.least() or one) if len(self._here) > self.most else None

    def waits(self, one: C) -> None:
        """There is no whole request, from now on if it was not so before.

        Who has left waits no more, though the server may still find what he sent before.
        """
        if one in self._here:
            self._waiting.setdefault(one)

    def has_asked(self, one: C) -> None:
        """A whole request is there."""
        self._waiting.pop(one, None)

    def reads_not(self, one: C, size: int) -> None:
        """The client does not take so many bytes, from now on."""
        self._deaf[one] = size
        self.unread += size

    def reads(self, one: C) -> None:
        """The client takes what it is sent."""
        self.unread -= self._deaf.pop(one, 0)

    def leaves(self, one: C) -> None:
        """The connection is gone."""
        self._here.discard(one)
        self.has_asked(one)
        self.reads(one)

    def least(self) -> C | None:
        """Who has waited longest without a whole request, else without reading; None: nobody."""
        return next(iter(self._waiting), None) or next(iter(self._deaf), None)

    def slowest(self) -> C:
        """Who has not read for longest."""
        return next(iter(self._deaf))
