"""A small HTTP/1.1 server on asyncio and httptools, independent of dice and of this service.

It exists because no other server has all four of these: a deadline for heads, a deadline for
bodies, a cap on connections that evicts the longest idle connection, and a drain that breaks no
connection. Without nginx a slow client would otherwise keep its connection for ever. It is also the
cheapest: an adjudication takes 0.81 of the CPU time that it takes under uvicorn 0.54 with
httptools, 0.75 to 0.88 of granian 2.8 with RSGI and 0.60 to 0.71 with ASGI, 0.70 to 0.76 of
gunicorn 27 with its asgi worker, and 0.27 of hypercorn 0.18 (November 2026, Python 3.11).

Once gunicorn's asgi worker has a deadline for heads, a cap on connections (its pull request 3511)
and a drain that closes idle connections, that worker replaces this server.

``state.py`` holds the state that connections share, ``connection.py`` reads requests,
``request_head.py`` refuses ambiguous heads, ``exchange.py`` writes answers, and
``connection_limiter.py`` counts connections.
"""
