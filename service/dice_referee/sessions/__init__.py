"""Stored games: the rules of sessions, and the port of their store.

1.  A session is a document with a version, and a log with an entry for each version. The store
    keeps both as bytes. This package knows no game by name, no HTTP and no Flask.
2.  A write is a single script: version, document, log, idempotency record, expiry and notification.
    It fails unless the session has the version that the writer has read.
3.  An unreadable session is never overwritten.
4.  Each write carries a nonce, by which its script recognises a repetition. The outcome of a write
    that ends as StoreUnavailable is unknown until its idempotency key reveals it.
5.  Each wait for a server ends after ``redis_timeout_ms``: at 150 ms a request is refused within
    0.5 s if a single server hangs, within 1.5 s if no server of a Sentinel group or a cluster
    answers. A hanging name resolution is not bounded.
6.  No connection opens at import, nor before the fork of a worker.
7.  Only ``redis/`` imports redis. Clock, ids, tokens and dice are arguments.
"""
