"""Games that are remembered: the room of sessions, and its law.

1.  A session is one document with a version, and a log with one entry a version. To this room both
    are bytes wherever they are kept, and a game of ``rules`` wherever they are played; it knows no
    game by name, no HTTP and no Flask.
2.  What is written is written by one script: version, document, log, idempotency record, expiry and
    doorbell together or not at all, and only onto the version that the writer has read.
3.  What cannot be read as a session is never written over.
4.  No write is sent twice. A write whose answer was lost may have happened: its idempotency key
    tells whoever asks again.
5.  Every question to the store ends within ``redis_timeout_ms``, however many servers it takes.
6.  Nothing connects at import, nor before a worker has been forked.
7.  ``redis_store.py`` and its connections alone import redis; clock, ids, tokens and dice are
    arguments.
"""
