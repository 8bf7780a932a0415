"""Phones of the same network are admitted, and get the address."""

import re
import sys
from pathlib import Path

import pytest
import segno

from dice_referee.server.local_network import local_address, qr_code
from tests.engines.stack import Process
from tests.programs import ROOT

URL = "http://192.168.1.7:8000/table"


def test_qr_code_in_a_terminal_has_the_modules_of_the_code() -> None:
    modules = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    rows: list[list[int]] = []
    for line in re.findall(r"\x1b\[97;40m(.*)\x1b\[m\n", qr_code(URL)):
        pairs = [modules[block] for block in line]
        rows += [[upper for upper, _ in pairs], [lower for _, lower in pairs]]
    drawn = [[*row] for row in segno.make(URL, error="l").matrix_iter(border=2)]
    assert rows[: len(drawn)] == drawn


def test_missing_library_means_no_qr_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    assert qr_code(URL) == ""


def test_loopback_address_is_not_the_local_network_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dice_referee.server.local_network.ELSEWHERE", ("127.0.0.1", 9))
    assert local_address() is None


def test_phones_are_admitted_by_the_address_and_no_other_name(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "service", "play"]
    root = str(ROOT)
    # The server listens at all addresses. A foreign address stands for the machine's own.
    with Process(command, tmp_path, HOST="192.0.2.7", PYTHONPATH=root, WORKERS="1") as service:
        for host, status in (("192.0.2.7", 200), ("localhost", 200), ("example.org", 421)):
            request = (
                f"GET /table HTTP/1.1\r\nHost: {host}:{service.port}\r\nConnection: close\r\n\r\n"
            )
            assert service.ask_raw(request.encode())[0].status == status
        origin = f"http://192.0.2.7:{service.port}".encode()
        for host in ("localhost", "192.0.2.7"):
            request = (
                f"GET /table/x HTTP/1.1\r\nHost: {host}:{service.port}\r\nConnection: close\r\n\r\n"
            )
            page, public = service.ask_raw(request.encode())[0].body, b'content="%b"' % origin
            assert (public in page) == (host == "localhost")
