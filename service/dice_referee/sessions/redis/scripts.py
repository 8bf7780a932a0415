"""Scripts in ``lua/`` that run atomically on the server.

Redis 6.2 and later and Valkey run them. KEYS are some of the session's hash and its log; one
hash tag, so that a cluster runs it on one node. ARGV stands in the first line of each.
Each answers {status, ...}. A script that fails half way is not rolled back: types are looked at
before anything is done, and a missing right refuses all of it.
"""

from functools import cache
from hashlib import sha1
from pathlib import Path
from typing import NamedTuple

PARTS = {
    "create": ((0, 1), ("create",)),
    "read": ((0,), ("held", "read")),
    "write": ((0, 1), ("held", "logged", "write")),
    "log": ((0, 1), ("held", "logged", "log")),
    "arrive": ((0, 1), ("held", "arrive")),
    "arrived": ((0,), ("held", "arrived")),
    "bury": ((0, 1), ("deleted", "held", "logged", "bury")),
    "count": ((), ("count",)),
}
"""Keys and source files of each script, by its name in metrics.

It gets no more keys than it needs: while a cluster moves a slot it answers for several only where
all of them are. ``count`` has a key of its own.
"""


class Script(NamedTuple):
    """A script, which of the session's keys it gets, and the SHA-1 by which the server knows it."""

    keys: tuple[int, ...]
    source: str
    digest: str


@cache
def scripts() -> dict[str, Script]:
    """Returns all scripts by their names, read once."""
    folder, loaded = Path(__file__).parent / "lua", dict[str, Script]()
    for name, (keys, parts) in PARTS.items():
        source = "".join((folder / f"{part}.lua").read_text("utf-8") for part in parts)
        digest = sha1(source.encode(), usedforsecurity=False).hexdigest()
        loaded[name] = Script(keys, source, digest)
    return loaded
