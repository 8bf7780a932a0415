"""The commands that the service needs, each in a form that writes nothing.

No server lets the service's user read its own rights; so each command is tried on a key and a
channel that nobody has. ``deploy/valkey/users.conf`` grants them.
"""

from dice_referee.sessions.redis.notifications import CHANNEL

KEY = "referee:{rights}"
"""A key that is never there."""

PROBES: tuple[tuple[str | int, ...], ...] = (
    ("DEL", KEY),
    ("EVAL", "return 1", 0),
    ("EVALSHA", "0" * 40, 0),
    ("EXISTS", KEY),
    ("EXPIRE", KEY, 1),
    ("GET", KEY),
    ("HEXISTS", KEY, "doc"),
    ("HGET", KEY, "doc"),
    ("HMGET", KEY, "doc"),
    # A field without a value: the right is looked at before the fields are.
    ("HSET", KEY, "v", 0, "doc"),
    ("PING",),
    ("PUBLISH", f"{CHANNEL}rights", ""),
    ("SCAN", 0, "MATCH", KEY, "COUNT", 1),
    ("SET", KEY, "", "XX", "PX", 1),
    ("TIME",),
    ("TYPE", KEY),
    ("XADD", KEY, "NOMKSTREAM", "1-0", "e", ""),
    ("XRANGE", KEY, "-", "+", "COUNT", 1),
    ("XREVRANGE", KEY, "+", "-", "COUNT", 1),
    # Last: a connection that has subscribed takes no other commands.
    ("SUBSCRIBE", f"{CHANNEL}rights"),
    ("UNSUBSCRIBE", f"{CHANNEL}rights"),
)
