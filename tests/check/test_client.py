"""The client handles any server, however it behaves."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from socket import create_server, socket

import pytest

from dice_referee.check import client
from dice_referee.check.client import Answer, CannotAskError, Client

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@contextmanager
def answering(*connections: list[bytes], drip: bool = False) -> Iterator[str]:
    """Runs a server that sends these answers, a list for each connection, and closes it.

    With ``drip`` the last connection gets a space every 20 ms until the client disconnects.
    """

    def serve() -> None:
        for answers in connections:
            connection, _ = listening.accept()
            with connection:
                for answer in answers:
                    read_request(connection)
                    connection.sendall(answer)
        if drip:
            connection, _ = listening.accept()
            with connection:
                read_request(connection)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                while not over.wait(0.02):
                    try:
                        connection.sendall(b" ")
                    except OSError:
                        break

    with create_server(("127.0.0.1", 0)) as listening:
        over = threading.Event()
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        over.set()
        thread.join(10)
        assert not thread.is_alive(), "some answers were never requested"


def read_request(connection: socket) -> None:
    """Reads a request that ends with the body ``{}``."""
    read = b""
    while not read.endswith(b"\r\n\r\n{}"):
        more = connection.recv(4096)
        assert more, read
        read += more


def post(url: str, seconds: float = 10, path: str = "/") -> Answer:
    with closing(Client(url, seconds)) as requester:
        return requester.post(path, {})


def test_client_reconnects_after_a_closed_connection() -> None:
    with answering([OK, OK], [OK]) as url, closing(Client(url, 10)) as requester:
        assert [requester.post("/", {}) for _ in range(3)] == [Answer(200, {})] * 3


def test_closed_connection_is_an_error() -> None:
    with answering([b""]) as url, pytest.raises(CannotAskError, match="/x: Remote end closed"):
        post(url, path="/x")


def test_truncated_answer_is_an_error() -> None:
    short = OK.replace(b"Length: 2", b"Length: 3")
    with answering([short]) as url, pytest.raises(CannotAskError, match="IncompleteRead"):
        post(url)


def test_endless_answer_is_an_error_after_the_timeout() -> None:
    with answering(drip=True) as url, pytest.raises(CannotAskError, match=r"within 0\.3 s"):
        post(url, 0.3)


def test_too_large_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LARGEST", 1)
    with answering([OK]) as url, pytest.raises(CannotAskError, match="more than 1 bytes"):
        post(url)


BUSY = b"HTTP/1.1 503 \r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n"
LIMITED = b"HTTP/1.1 429 \r\nContent-Length: 0\r\n\r\n"


def test_client_retries_after_retry_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(client, "sleep", slept.append)
    with answering([BUSY, LIMITED, OK]) as url:
        assert post(url) == Answer(200, {})
    assert slept == [7, 1]


AT_ONCE = BUSY.replace(b"7", b"0")


@pytest.mark.parametrize(("answer", "most"), [(BUSY, 3), (AT_ONCE, 15), (LIMITED, 15)])
def test_client_gives_up_after_some_retries(
    answer: bytes, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "sleep", lambda seconds: None)
    monkeypatch.setattr(client, "PATIENCE", 14)
    with answering([answer] * most) as url, pytest.raises(CannotAskError, match="Retry-Aft"):
        post(url)


def test_answer_without_json_is_its_text() -> None:
    with answering([b"HTTP/1.1 404 \r\nContent-Length: 5\r\n\r\n<p>\xff\n"]) as url:
        assert post(url) == Answer(404, "<p>\ufffd\n")


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://localhost", "http://localhost:x"])
def test_invalid_address_is_refused(url: str) -> None:
    with pytest.raises(CannotAskError, match="not an address like"):
        Client(url, 10)


@pytest.mark.parametrize("url", ["http://", "http://127.0.0.1:1"])
def test_unreachable_server_is_an_error(url: str) -> None:
    with pytest.raises(CannotAskError):
        post(url)
