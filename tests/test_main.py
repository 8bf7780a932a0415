"""The command ``dice-referee``."""

import os
import sys
from collections.abc import Iterator

import pytest
from gunicorn.app import wsgiapp

from dice_referee import __version__
from dice_referee.__main__ import main
from dice_referee.server.stop_signals import deliver_stops
from tests.engines.servers import free_port


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """Delivers the signals that a command has deferred for its server."""
    yield
    deliver_stops()


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Returns the arguments of each start of gunicorn. Gives back variables and arguments."""
    starts: list[list[str]] = []
    monkeypatch.setattr(wsgiapp, "run", lambda: starts.append(sys.argv))
    monkeypatch.setattr(os, "environ", {**os.environ})
    monkeypatch.setattr(sys, "argv", [])
    return starts


def test_command_prints_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    main(["version"])
    assert capsys.readouterr().out == f"{__version__}\n"


def test_serve_becomes_gunicorn_with_the_packaged_configuration(
    served: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORT", port := str(free_port()))
    main(["serve", "--host", "::1"])
    assert served == [["gunicorn", "-c", "python:dice_referee.server.gunicorn_conf"]]
    assert os.environ["HOST"] == "::1"
    assert os.environ["PORT"] == port, "settings are environment variables"


@pytest.mark.parametrize(
    ("host", "listening", "name"),
    [
        ("", "0.0.0.0", "192.168.1.7"),
        ("0.0.0.0", "0.0.0.0", "192.168.1.7"),
        ("::", "::", "192.168.1.7"),
        ("[::]", "::", "192.168.1.7"),
        ("10.1.2.3", "0.0.0.0", "10.1.2.3"),
        ("den.example", "0.0.0.0", "den.example"),
        ("2001:db8::7", "::", "[2001:db8::7]"),
        ("[2001:db8::7]", "::", "[2001:db8::7]"),
    ],
)
def test_play_opens_the_network_and_prints_its_address(
    host: str,
    listening: str,
    name: str,
    served: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("dice_referee.server.local_network.local_address", lambda: "192.168.1.7")
    monkeypatch.setenv("HOST", host)
    monkeypatch.setenv("HOSTS", "den.local")
    main(["play", "--port", port := str(free_port())])
    assert len(served) == 1
    settings = {name: os.environ[name] for name in ("HOST", "PORT", "HOSTS", "PUBLIC_URL")}
    assert settings == {
        "HOST": listening,
        "PORT": port,
        "HOSTS": f"den.local,{name}",
        "PUBLIC_URL": f"http://{name}:{port}",
    }
    assert f"http://{name}:{port}/table\n" in capsys.readouterr().out


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "[::1]", "localhost", "unix:/x"])
def test_play_refuses_an_address_that_phones_cannot_reach(
    host: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wsgiapp, "run", lambda: pytest.fail("it serves"))
    monkeypatch.setenv("HOST", host)
    with pytest.raises(SystemExit) as ended:
        main(["play"])
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.err.endswith("is an address of this machine only: no phone reaches it\n")
    assert "http://" not in printed.out


def test_play_reports_a_missing_network(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("dice_referee.server.local_network.local_address", lambda: None)
    monkeypatch.delenv("HOST", raising=False)
    with pytest.raises(SystemExit) as ended:
        main(["play"])
    assert ended.value.code == 2
    assert "in no network" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "text"), [("HOST", "192.168.1.7:8000"), ("PORT", "abc")])
def test_invalid_setting_is_refused_before_the_address_is_shown(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wsgiapp, "run", lambda: pytest.fail("it serves"))
    monkeypatch.setenv(name, text)
    with pytest.raises(SystemExit) as ended:
        main(["play"])
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert f"{name} must be " in printed.err
    assert "http://" not in printed.out


@pytest.mark.parametrize("arguments", [[], ["dance"], ["serve", "now"]])
def test_unknown_command_exits_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: dice-referee" in capsys.readouterr().err


@pytest.mark.parametrize("setting", ["BODY_LIMIT", "LOG_FORMAT", "METRICS_BIND"])
def test_serve_exits_with_2_and_a_line_on_a_bad_setting(
    setting: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wsgiapp, "run", lambda: pytest.fail("it serves"))
    monkeypatch.setenv(setting, "q")
    with pytest.raises(SystemExit) as ended:
        main(["serve"])
    assert ended.value.code == 2
    printed = capsys.readouterr()
    (line,) = printed.err.splitlines()
    assert line.startswith(f"{setting} ")
    assert printed.out == ""
