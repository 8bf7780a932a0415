"""Games that are remembered: the rules of sessions, and the port to where they are kept.

1.  A session is one document with a version, and a log with one entry a version. Where they are
    kept both are bytes. ``play.py`` makes changes by the rules of a ``Game`` of
    ``dice_referee.games.game``, ``replay.py`` follows a log, ``view.py`` leaves out what is hidden.
    This package knows no game by name, no HTTP and no Flask.
2.  A write is one script: version, document, log, idempotency record, expiry and notification
    together or not at all, and only onto the version that the writer has read.
3.  What cannot be read as a session is never written over.
4.  A write that is sent twice is done once: it carries a nonce, by which its script knows it. The
    outcome of one that ends as StoreUnavailable is unknown: its idempotency key shows it.
5.  Each wait for a server ends after ``redis_timeout_ms``: at 150 ms a request is refused within
    0.5 s while a single server hangs, within 1.5 s while nobody in a Sentinel group or a cluster
    answers. A name look-up that hangs is not bounded.
6.  Nothing connects at import, nor before a worker has been forked.
7.  Only ``redis/`` imports redis; clock, ids, tokens and dice are arguments.
"""
