"""A small HTTP/1.1 server on asyncio and httptools, independent of dice and of this service.

No other server keeps all four of these promises by itself: a deadline for heads, a deadline for
bodies, a cap on connections that evicts the longest idle connection, and a drain that breaks no
connection. Without nginx a slow client would otherwise keep its connection for ever.
`service/README.md` has the figures of uvicorn with a guard.

Without a guard an adjudication takes 1.05 to 1.28 of the CPU time under uvicorn with httptools,
0.98 to 1.25 under granian 2.8.9, 1.26 to 1.45 under gunicorn 27 with its ASGI worker, and 3 under
hypercorn 0.18.
``state.py`` holds the state that connections share, ``connection.py`` reads requests,
``request_head.py`` refuses ambiguous heads, ``exchange.py`` writes answers, and
``connection_limiter.py`` counts connections.
"""
