"""Scripts in ``lua/`` that run atomically on the server.

They run on Redis 6.2 and later and on Valkey. KEYS are the session's hash, its log or both, with
the same hash tag, so that a cluster runs each script on a single node. The first line of each
script names its ARGV. Each answers {status, ...}. The server does not roll back a script that fails
half way: scripts check types before they write, and a missing permission prevents every write.
"""

from functools import cache
from hashlib import sha1
from pathlib import Path
from typing import NamedTuple

PARTS = {
    "create": ((0, 1), ("create",)),
    "read": ((0,), ("held", "read")),
    "write": ((0, 1), ("held", "logged", "write")),
    "log": ((0, 1), ("held", "logged", "leases", "log")),
    "kept": ((0, 1), ("held", "logged", "state", "kept")),
    "past": ((0, 1), ("held", "logged", "state", "past")),
    "arrive": ((0, 1), ("held", "arrive")),
    "arrived": ((0,), ("held", "leases", "arrived")),
    "hold": ((0,), ("held", "leases", "hold")),
    "bury": ((0, 1), ("deleted", "held", "logged", "bury")),
    "count": ((), ("count",)),
}
"""Keys and source files of each script, by its name in metrics.

A script gets only the keys that it needs: while a cluster moves a slot, it answers for several keys
only if all are on a single node. ``count`` has a key of its own.
"""


class Script(NamedTuple):
    """Script with its keys, which are indices of the session's keys, and its SHA-1."""

    keys: tuple[int, ...]
    source: str
    digest: str


@cache
def scripts() -> dict[str, Script]:
    folder, loaded = Path(__file__).parent / "lua", dict[str, Script]()
    for name, (keys, parts) in PARTS.items():
        source = "".join((folder / f"{part}.lua").read_text("utf-8") for part in parts)
        digest = sha1(source.encode(), usedforsecurity=False).hexdigest()
        loaded[name] = Script(keys, source, digest)
    return loaded
