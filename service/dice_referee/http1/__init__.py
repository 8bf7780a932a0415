"""A small HTTP/1.1 server on asyncio and httptools, independent of dice and of this service.

No other server keeps all four of these promises by itself: a deadline for heads, a deadline for
bodies, a cap on connections that evicts the longest idle connection, and a drain that breaks no
connection. Without nginx a slow client would otherwise keep its connection for ever.
`service/README.md` has the figures of uvicorn with a guard.
"""
