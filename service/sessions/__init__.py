"""Games that are remembered: one document a session, its log, and the feed of it.

Law of the room: it knows no game's rules and no Flask. A session's table is the game's own
document; what the game's events mean, the game says (``service.rules.game.Game``). Clock, ids and
secrets are arguments. Only ``redis_store.py`` imports Redis.
"""
