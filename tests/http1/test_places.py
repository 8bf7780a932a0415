"""Places of connections: every exit frees the place and the unread bytes."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from dice_referee.http1.connection import DRAIN_SECONDS
from tests.http1.test_connection import (
    CLOSE,
    OK,
    Client,
    Message,
    Receive,
    Send,
    echo,
    get,
    talk,
    until,
)

PIECE = b"x" * (1 << 18)
PARTS = {
    b"/long": [PIECE] * 100,
    b"/large": [PIECE * 100],
}
"""Parts of answers larger than any buffer on the way."""
HALF = get()[:9]
POST = get(b"Content-Length: 9", target=b"/echo", method=b"POST")
LATER = 3600
"""Seconds after which every deadline has passed."""


async def answer(scope: Message, receive: Receive, send: Send) -> None:
    """Answers by the path: normally, with a fault, never, or at length."""
    path = scope["raw_path"]
    if path == b"/fault":
        raise ArithmeticError
    if path == b"/echo":
        await echo(scope, receive, send)
        return
    await send({**OK, "headers": []})
    if path == b"/half":
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
        raise ArithmeticError
    if path == b"/held":
        while (await receive())["type"] != "http.disconnect":
            pass
    for part in PARTS.get(path, []):
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body"})


async def end(client: Client) -> bytes:
    """Reads until the server closes or resets the connection."""
    with suppress(ConnectionError):
        return await client.rest()
    return b""


async def stall(client: Client, *fields: bytes) -> None:
    """Requests a long answer, and returns when the server waits for the client to read."""
    await client.send(get(*fields, target=b"/long"))
    await until(lambda: client.app.connections.unread > 0)


async def connect_another(client: Client) -> Client:
    """Connects connect_another client to the same server."""
    connected = Client(client.worker, client.port)
    await connected.connect()
    return connected


async def answered(client: Client) -> None:
    await client.send(get(target=b"/echo") * 3)
    assert await client.line() == b"HTTP/1.1 200 OK\r\n"


async def closed_by_the_server(client: Client) -> None:
    await client.ask(get(CLOSE, target=b"/echo"))


async def refused(client: Client) -> None:
    await client.ask(b"no HTTP\r\n\r\n")


async def fault(client: Client) -> None:
    assert (await client.ask(get(target=b"/fault")))[0].startswith(b"HTTP/1.1 500")


async def fault_in_an_answer(client: Client) -> None:
    await client.ask(get(target=b"/half"))


async def gone_in_a_head(client: Client) -> None:
    await client.send(HALF)


async def gone_in_a_body(client: Client) -> None:
    await client.begin(POST)


async def gone_before_the_answer(client: Client) -> None:
    await client.begin(get(target=b"/held") + get())


async def gone_in_an_answer(client: Client) -> None:
    await stall(client)


async def late_head(client: Client) -> None:
    await client.send(HALF)
    client.advance(LATER)
    await client.rest()


async def late_body(client: Client) -> None:
    await client.begin(POST)
    client.advance(LATER)
    assert b"(timeout)" in await client.rest()


async def idle(client: Client) -> None:
    await answered(client)
    client.advance(LATER)
    await client.rest()


async def not_reading(client: Client) -> None:
    await stall(client)
    client.advance(LATER)
    assert len(await end(client)) < 100 * len(PIECE)


async def reading_late(client: Client) -> None:
    await stall(client, CLOSE)
    assert len(await client.rest()) > 100 * len(PIECE)


async def too_much_unread(client: Client) -> None:
    await client.send(get(target=b"/large"))
    assert len(await end(client)) < 100 * len(PIECE)


async def evicted(client: Client) -> None:
    newer = [await connect_another(client) for _ in range(3)]
    assert await client.rest() == b""
    for connected in newer:
        connected.close()


async def kept_out(client: Client) -> None:
    busy = [client, await connect_another(client), await connect_another(client)]
    for connected in busy:
        await connected.begin(get(target=b"/held"))
    late = await connect_another(client)
    assert await late.rest() == b""
    for connected in (*busy, late):
        connected.close()


async def drained(client: Client) -> None:
    client.state.drain()
    client.advance(DRAIN_SECONDS)
    assert await client.rest() == b""


WAYS: tuple[Callable[[Client], Awaitable[None]], ...] = (
    *(answered, closed_by_the_server, refused, fault, fault_in_an_answer),
    *(gone_in_a_head, gone_in_a_body, gone_before_the_answer, gone_in_an_answer),
    *(late_head, late_body, idle, not_reading, reading_late, too_much_unread),
    *(evicted, kept_out, drained),
)


def test_every_exit_from_a_connection_frees_its_place() -> None:
    async def test(first: Client) -> None:
        limiter, state = first.app.connections, first.state
        first.close()
        await until(lambda: not state.connections)
        for leave in WAYS:
            client = await connect_another(first)
            await leave(client)
            client.close()
            await until(lambda: not state.connections)
            left = len(limiter), limiter.unread, limiter.eviction_candidate()
            assert left == (0, 0, None), leave.__name__

    talk(test, answer, connections=3, request_seconds=60, write_seconds=60, unread_limit=1 << 22)
