"""Open feeds at a real gunicorn with a real Redis."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import httpx
import pytest
from httpx_sse import EventSource

from tests.engines.servers import wait_until
from tests.stopwatch import Stopwatch
from tests.wire import (
    FORCED,
    STREAM,
    Server,
    Stream,
    Table,
    begin,
    request,
    serving,
    wait_for_follower,
)

EVENTS = {"Content-Type": "text/event-stream"}
CROWDED = {"event": "crowded", "data": "{}"}


@contextmanager
def streaming(
    table: Table, query: str = "", *fields: str, path: str = "events"
) -> Iterator[Stream]:
    with table.server.wire() as wire:
        yield Stream(wire, f"{table.at}/{path}{query}", *fields)


@pytest.fixture(scope="module")
def server(redis_url: str) -> Iterator[Server]:
    with serving(REDIS_URL=redis_url, WORKERS=2, HEARTBEAT_SECONDS=1) as running:
        yield running


@pytest.mark.parametrize("path", ["events", "stream"])
def test_stream_sends_past_and_future_events(server: Server, path: str) -> None:
    table = begin(server)
    table.seed("one")
    with streaming(table, path=path) as stream:
        assert stream.status == 200
        assert b"content-type: text/event-stream" in stream.head.lower()
        assert b"cache-control: no-store" in stream.head.lower()
        assert stream.line() == "retry: 1000"
        first = stream.event()
        assert first["id"] == "1"
        assert json.loads(first["data"])["event"] == {"type": "seeded", "player": 0, "seed": "one"}
        # The stream receives every event in order and once, whichever worker accepts the event.
        for version in range(2, 12):
            table.seed(f"number {version}")
            event = stream.event()
            assert event["id"] == str(version)
            assert json.loads(event["data"])["version"] == version


@pytest.mark.parametrize("path", ["events", "stream"])
def test_stream_sends_what_a_change_answers(server: Server, path: str) -> None:
    table = begin(server)
    answer = table.change("seeds", {"seed": "past"}, table.seats[0])
    with ExitStack() as stack:
        follow = partial(streaming, table, "?state=true", path=path)
        streams = [stack.enter_context(follow()) for _ in range(4)]
        for number in range(6):
            assert [json.loads(stream.event()["data"]) for stream in streams] == [answer] * 4
            answer = table.change("seeds", {"seed": str(number)}, table.seats[0])


@pytest.mark.parametrize("path", ["events", "stream"])
def test_reconnected_client_gets_each_event_once(server: Server, path: str) -> None:
    table = begin(server)
    follow = partial(streaming, table, path=path)
    for number in range(5):
        table.seed(str(number))
    with follow("", "Last-Event-ID: 3") as stream:
        assert [stream.event()["id"] for _ in range(2)] == ["4", "5"]
    with follow("?after=1", "Last-Event-ID: 4") as stream:
        assert stream.event()["id"] == "5"
        table.seed("more")
        assert stream.event()["id"] == "6"
    # Self-written clients send an empty field at first.
    with follow("", "Last-Event-ID:") as stream:
        assert (stream.status, stream.event()["id"]) == (200, "1")
    with follow("?after=3&lastEventId=4", "Last-Event-ID: ") as stream:
        assert stream.event()["id"] == "5"
    # The parameter that ``event-source-polyfill`` sends.
    with follow("?after=1&lastEventId=4") as stream:
        assert stream.event()["id"] == "5"
    with follow("?lastEventId=4", "Last-Event-ID: 5") as stream:
        assert stream.event()["id"] == "6"


def test_client_ahead_of_the_log_gets_a_reset(server: Server) -> None:
    table = begin(server)
    table.seed("one")
    with streaming(table, "", "Last-Event-ID: 77") as stream:
        event = stream.event()
        assert (event["event"], event["id"]) == ("reset", "1")
        assert json.loads(event["data"]) == {"version": 1}
        table.seed("two")
        assert stream.event()["id"] == "2"


def test_idle_stream_has_a_heartbeat(server: Server) -> None:
    table = begin(server)
    with streaming(table) as stream:
        assert stream.line() == "retry: 1000"
        assert stream.connected() == []
        watch = Stopwatch(*server.workers())
        assert [stream.line(), stream.line()] == [": heartbeat"] * 2
        assert watch.seconds < 5


@pytest.mark.parametrize("path", ["events", "stream"])
def test_httpx_sse_reads_no_event_without_data(server: Server, path: str) -> None:
    table = begin(server)
    table.seed("one")
    with streaming(table, path=path) as stream:
        lines = list(iter(stream.line, ": heartbeat"))
        table.seed("two")
        lines += [": heartbeat", *iter(stream.line, ""), ""]
    content = "".join(f"{line}\n" for line in lines)
    events = [*EventSource(httpx.Response(200, text=content, headers=EVENTS)).iter_sse()]
    versions = [event.json()["version"] for event in events if event.event == "message"]
    assert versions == [1, 2]
    assert events[0].retry == 1000


def test_stream_ends_with_its_session(server: Server) -> None:
    table = begin(server)
    table.seed("one")
    with streaming(table) as stream:
        assert stream.event()["id"] == "1"
        assert table.delete().status == 200
        assert stream.event() == {"event": "gone", "data": "{}"}
        assert stream.line() is None
    with streaming(table) as stream:
        assert stream.status == 410


def test_stream_ends_after_its_maximum_seconds(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, STREAM_SECONDS=1) as server:
        table = begin(server)
        with streaming(table) as stream:
            assert stream.line() == "retry: 1000"
            assert stream.connected() == []
            assert stream.line() is None


def test_poll_is_answered_at_the_next_event(server: Server, redis_url: str) -> None:
    table = begin(server)
    with server.wire() as wire:
        wire.send(request("GET", f"{table.at}/events?after=0&wait=30"))
        wait_for_follower(redis_url, table.at)
        watch = Stopwatch(*server.workers())
        table.seed("one")
        page = json.loads(wire.reply().body)
        assert watch.seconds < 5
        assert [entry["version"] for entry in page["events"]] == [1]


def test_poll_for_sentences_is_answered_with_the_next_event(server: Server, redis_url: str) -> None:
    table = begin(server)
    with server.wire() as wire:
        wire.send(request("GET", f"{table.at}/events?wait=30&seat=0", None, "Accept: text/plain"))
        wait_for_follower(redis_url, table.at)
        table.seed("one")
        reply = wire.reply()
    assert reply.headers["content-type"] == "text/plain; charset=utf-8"
    assert reply.body.decode() == "You add “one” to the seed.\n\nDraw a card.\n"
    quiet = server.ask(
        "GET", f"{table.at}/events?after=1&wait=1&seat=1", None, "Accept: text/plain"
    )
    assert quiet.body == b"Ann to play.\n"
    verdict = server.ask(
        "GET", "/v1/tutto/adjudications?card=clover&roll=223446", None, "Accept: text/plain"
    )
    assert b"Bust: nothing to set aside (T2.1).\n" in verdict.body


def test_poll_without_events_is_answered_empty(server: Server) -> None:
    table = begin(server)
    started = time.monotonic()
    reply = server.ask("GET", f"{table.at}/events?wait=1")
    assert time.monotonic() - started > 0.9
    assert json.loads(reply.body) == {
        "events": [],
        "version": 0,
        "reset": False,
        "connected": [],
    }


def test_streams_per_session_are_limited(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, STREAMS_PER_SESSION=3) as server:
        table = begin(server)
        with streaming(table) as first, streaming(table) as two:
            with streaming(table, path="stream") as three:
                assert [first.status, two.status, three.status] == [200, 200, 200]
                for path in ("events", "stream"):
                    reply = server.ask("GET", f"{table.at}/{path}", None, STREAM)
                    reply.problem("too-many-streams", 429)
                    assert reply.headers["retry-after"] == "1"
                with streaming(begin(server)) as stream:
                    assert stream.status == 200
            wait_until("a place is free", lambda: not is_full(table))


def is_full(table: Table, *fields: str) -> bool:
    with streaming(table, "", *fields) as stream:
        return stream.status == 429


def test_streams_per_client_are_limited(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, STREAMS=4, TRUSTED_PROXIES="127.0.0.1") as server:
        table = begin(server)
        first, second, here = (
            f"X-Forwarded-For: {ip}" for ip in ("192.0.2.1", "192.0.2.2", "127.0.0.1")
        )
        with streaming(begin(server), "", first):
            with streaming(begin(server), "", first):
                reply = server.ask("GET", f"{table.at}/events", None, STREAM, first)
                reply.problem("too-many-streams", 429)
                # A poll over the limit is answered at once, and empty.
                watch = Stopwatch(*server.workers())
                assert server.ask("GET", f"{table.at}/events?wait=30", None, first).status == 200
                assert watch.seconds < 5
                with streaming(table, "", second) as stream:
                    assert stream.status == 200
            wait_until("a place is free", lambda: not is_full(table, first))
        with ExitStack() as stack:
            for _ in range(4):
                assert stack.enter_context(streaming(table, "", here)).status == 200


def test_one_address_leaves_half_of_a_session_to_other_addresses(redis_url: str) -> None:
    with (
        serving(REDIS_URL=redis_url, WORKERS=2, TRUSTED_PROXIES="127.0.0.1") as server,
        ExitStack() as stack,
    ):
        table = begin(server)

        def follow(number: int) -> Stream:
            return stack.enter_context(streaming(table, "", client(number)))

        school = [follow(1) for _ in range(120)]
        held = [stream for stream in school if stream.status == 200]
        # The two workers admit up to 50 together.
        assert 25 <= len(held) <= 50
        visitors = [follow(number) for number in range(2, 12)]
        assert [stream.status for stream in visitors] == [200] * 10
        # The school plays on, and its stream gets the event.
        table.change("seeds", {"seed": "one"}, table.seats[0], "X-Forwarded-For: 192.0.2.1")
        for stream in (held[0], held[-1], visitors[-1]):
            assert stream.event()["id"] == "1"


def bearer(token: str) -> str:
    return f"Authorization: Bearer {token}"


def client(number: int) -> str:
    """Returns the header of a client at an address of its own."""
    return f"X-Forwarded-For: 192.0.2.{number}"


def test_tokens_find_places_that_two_addresses_hold(redis_url: str) -> None:
    with (
        serving(REDIS_URL=redis_url, WORKERS=1, TRUSTED_PROXIES="127.0.0.1") as server,
        ExitStack() as stack,
    ):
        table = begin(server)
        table.seed("one")
        follow = partial(streaming, table, "")
        spectators = [stack.enter_context(follow(client(at % 2))) for at in range(50)]
        assert {stream.status for stream in spectators} == {200}
        server.ask("GET", f"{table.at}/stream", None, client(2)).problem("too-many-streams", 429)
        holders = [*table.seats, table.host]
        people = [
            stack.enter_context(follow(client(2 + at), bearer(token)))
            for at, token in enumerate(holders)
        ]
        assert [stream.status for stream in people] == [200] * 3
        # The oldest streams end, and their clients poll without losing or repeating an entry.
        for oldest in spectators[:3]:
            assert [oldest.event()["id"], oldest.event()] == ["1", CROWDED]
            assert oldest.line() is None
        table.seed("two")
        page = table.read("/events?after=1&wait=30")
        assert [entry["version"] for entry in page["events"]] == [2]
        for stream in (*spectators[3:], *people):
            assert [stream.event()["id"] for _ in range(2)] == ["1", "2"]


def test_a_token_displaces_its_oldest_stream_beyond_four(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1) as server, ExitStack() as stack:
        table = begin(server)
        ann, ben = ([bearer(token)] for token in table.seats)
        other = stack.enter_context(streaming(table, "", *ben))
        streams = [stack.enter_context(streaming(table, "", *ann)) for _ in range(5)]
        assert {stream.status for stream in streams} == {200}
        assert streams[0].event() == CROWDED
        table.seed("one")
        assert [stream.event()["id"] for stream in (*streams[1:], other)] == ["1"] * 5


def test_token_finds_a_place_among_feeds_of_all_sessions(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, STREAMS=2) as server:
        table, elsewhere = begin(server), begin(server)
        with streaming(elsewhere) as stream, server.wire() as wire:
            wire.send(request("GET", f"{elsewhere.at}/events?wait=30"))
            wait_until("no place is free", lambda: is_full(table))
            ann, host = bearer(table.seats[0]), bearer(table.host)
            with streaming(table, "", ann) as playing, streaming(table, "", host) as hosting:
                assert (playing.status, stream.event()) == (200, CROWDED)
                assert (hosting.status, wire.reply().status) == (200, 200)


def test_address_keeps_its_limit_for_tokens(redis_url: str) -> None:
    limits: dict[str, Any] = {"STREAMS": 4, "STREAMS_PER_CLIENT": 1}
    limits["TRUSTED_PROXIES"] = "127.0.0.1"
    with serving(REDIS_URL=redis_url, WORKERS=1, **limits) as server:
        table = begin(server)
        ann, ben = map(bearer, table.seats)
        with streaming(table, "", client(1)) as stream, streaming(table, "", client(2)) as other:
            with streaming(table, "", client(1), ann) as player:
                assert (player.status, stream.event()) == (200, CROWDED)
                assert is_full(table, client(1), ben)
            table.seed("one")
            assert other.event()["id"] == "1"


@pytest.mark.parametrize("path", ["events", "stream"])
def test_stream_of_a_replaced_token_ends(server: Server, path: str) -> None:
    table = begin(server)
    ann, ben, host = map(bearer, (*table.seats, table.host))
    with (
        streaming(table, "", ben, path=path) as void,
        streaming(table, "", ann, path=path) as valid,
        streaming(table, "", host, path=path) as hosting,
        streaming(table, path=path) as nameless,
    ):
        table.change("seats/1/token")
        assert [void.event()["id"], void.event()] == ["1", {}]
        server.ask("GET", f"{table.at}/{path}", None, STREAM, ben).problem("unauthorized", 401)
        table.seed("one")
        for stream in (valid, hosting, nameless):
            assert [stream.event()["id"] for _ in range(2)] == ["1", "2"]


@pytest.mark.parametrize(("most", "refused"), [("0", False), ("1", True)])
def test_streams_per_client_can_be_set(redis_url: str, most: str, refused: bool) -> None:
    with (
        serving(
            REDIS_URL=redis_url,
            WORKERS=1,
            STREAMS=2,
            STREAMS_PER_CLIENT=most,
            TRUSTED_PROXIES="127.0.0.1",
        ) as server,
        streaming(begin(server), "", client(1)),
    ):
        assert is_full(begin(server), client(1)) is refused


def test_polls_return_at_once_at_the_stream_limit(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, STREAMS=2) as server:
        table = begin(server)
        with streaming(table), streaming(begin(server)):
            reply = server.ask("GET", f"{table.at}/events", None, STREAM)
            reply.problem("too-many-streams", 429)
            watch = Stopwatch(*server.workers())
            assert server.ask("GET", f"{table.at}/events?wait=30").status == 200
            assert watch.seconds < 5


def test_spectators_occupy_no_thread(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, THREADS=2, STREAMS_PER_SESSION=60) as server:
        table = begin(server)
        wires = [server.wire() for _ in range(60)]
        try:
            streams = [Stream(wire, f"{table.at}/events") for wire in wires]
            for number in range(5):
                table.seed(str(number))
            for stream in streams:
                assert [stream.event()["id"] for _ in range(5)] == ["1", "2", "3", "4", "5"]
        finally:
            for wire in wires:
                wire.close()


def test_stopping_server_ends_its_streams(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=2) as server:
        streamed, polled = begin(server), begin(server)
        with streaming(streamed) as stream, server.wire() as wire:
            wire.send(request("GET", f"{polled.at}/events?wait=30"))
            wait_for_follower(redis_url, polled.at)
            assert FORCED not in server.stop()
            assert stream.event() == {}
            assert wire.reply().status == 200


def test_invalid_requests_are_refused_before_reserving_a_place(server: Server) -> None:
    table = begin(server)
    for query in ("?wait=31", "?after=-1", "?wait=x", "?other=1", "?lastEventId=x"):
        server.ask("GET", f"{table.at}/events{query}").problem("invalid-request", 400)
    reply = server.ask("GET", f"{table.at}/events", None, STREAM, "Last-Event-ID: x")
    reply.problem("invalid-request", 400)
    server.ask("GET", f"{table.at}/events", None, "Accept: image/png").problem(
        "not-acceptable", 406
    )
    server.ask("GET", "/v1/sessions/none/events", None, STREAM).problem("not-found", 404)


def test_only_streams_accept_stream_parameters_and_types(server: Server) -> None:
    table = begin(server)
    for query in ("?wait=1", "?seat=0", "?until=1", "?after=-1"):
        server.ask("GET", f"{table.at}/stream{query}").problem("invalid-request", 400)
    for accept in ("application/json", "text/plain"):
        reply = server.ask("GET", f"{table.at}/stream", None, f"Accept: {accept}")
        assert reply.status == 406
    with server.wire() as wire:
        wire.send(request("GET", f"{table.at}/stream"))
        head = [wire.file.readline().lower() for _ in range(4)]
        assert any(b"text/event-stream" in line for line in head), head
    server.ask("GET", "/v1/sessions/none/stream").problem("not-found", 404)


def test_head_of_a_poll_does_not_wait_for_events(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, THREADS=1) as server:
        table = begin(server)
        watch = Stopwatch(*server.workers())
        assert server.ask("HEAD", f"{table.at}/events?wait=30").status == 200
        assert server.ask("HEAD", f"{table.at}/stream").status == 200
        assert watch.seconds < 5


def test_waiting_polls_occupy_no_thread(
    redis_url: str,
) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, THREADS=1) as server:
        table = begin(server)
        wires = [server.wire() for _ in range(100)]
        try:
            # In small groups, since Flask answers the first request of each connection.
            for start in range(0, 100, 10):
                for wire in wires[start : start + 10]:
                    wire.send(request("GET", f"{table.at}/events?wait=30"))
                assert server.ask("GET", table.at).status == 200
            table.seed("one")
            bodies = {wire.reply().body for wire in wires}
        finally:
            for wire in wires:
                wire.close()
        assert [entry["version"] for entry in json.loads(bodies.pop())["events"]] == [1]
        assert not bodies


def test_poll_ends_with_its_session(server: Server, redis_url: str) -> None:
    table = begin(server)
    with server.wire() as wire:
        wire.send(request("GET", f"{table.at}/events?wait=30"))
        wait_for_follower(redis_url, table.at)
        assert table.delete().status == 200
        assert wire.reply().status == 410


def test_accept_may_have_media_type_parameters(server: Server) -> None:
    table = begin(server)
    with server.wire() as wire:
        accept = "Accept: text/event-stream;charset=utf-8"
        wire.send(request("GET", f"{table.at}/events", None, accept))
        assert b"text/event-stream" in wire.file.readline() + wire.file.readline()
