"""The settings: valid values, and names that look like misspelt settings."""

from dataclasses import fields
from pathlib import Path

import pytest

from dice_referee.server.checked_settings import read_settings
from dice_referee.settings import CONSTANTS, BadSetting, Settings, misspelt, obsolete
from tests.unlimited import MOST

NUMBERS = {
    name: field.default
    for field in fields(Settings)
    if (name := field.name.upper()) not in CONSTANTS and type(field.default) is int
}
"""The defaults of all numeric settings."""


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("REDIS_ULR", "REDIS_URL"),
        ("SESSIONS_TTL", "SESSION_TTL"),
        ("RATE_EVENT", "RATE_EVENTS"),
        ("ODDS_LIMIT", "BODY_LIMIT"),
    ],
)
def test_misspelt_setting_is_reported(name: str, meant: str) -> None:
    assert misspelt({name: "1"}) == [f"{name} is not a setting; {meant} is"]


def test_settings_and_foreign_variables_are_not_reported() -> None:
    settings = {field.name.upper() for field in fields(Settings)} - CONSTANTS
    foreign = {"PATH", "HOSTNAME", "PWD", "OTEL_SERVICE_NAME", "REFEREE_PORT", "VALKEY_PASSWORD"}
    assert misspelt(dict.fromkeys(settings | foreign, "1")) == []


def test_constant_in_the_environment_is_ignored_and_reported() -> None:
    environment = dict.fromkeys(CONSTANTS, "1")
    assert Settings.read(environment) == Settings()
    assert len(obsolete(environment)) == len(CONSTANTS) == 10
    assert obsolete({"THREADS": "many"}) == ["THREADS is no longer a setting; it is 8"]


def test_removed_settings_are_ignored_and_reported() -> None:
    (line,) = obsolete({"SESSIONS_LIMIT": "6000"})
    assert line == "SESSIONS_LIMIT is no longer a setting; maxmemory of Redis is the limit"
    (line,) = obsolete({"RATE_TABLES": "30"})
    assert line.startswith("RATE_TABLES is no longer a setting; tables of odds count for")


@pytest.mark.parametrize(
    ("name", "text", "right"),
    [
        ("PORT", "0", "a whole number from 1 to 65535"),
        ("PORT", "65536", "a whole number from 1 to 65535"),
        ("SESSION_TTL", "300000000000", "a whole number from 1 to 315360000"),
        ("REDIS_TIMEOUT_MS", "30001", "a whole number from 1 to 30000"),
        ("REQUEST_SECONDS", "3601", "a whole number from 1 to 3600"),
        ("RATE_EVENTS", "-1", "a whole number from 0 to 60000000"),
        ("RATE_EVENTS", "60000001", "a whole number from 0 to 60000000"),
        ("WORKERS", "20000", "a whole number from 1 to 1024"),
        ("WORKERS", "0", "a whole number from 1 to 1024"),
        ("LOG_ANSWERS", "yes", "0 or 1"),
        *(
            ("PUBLIC_URL", text, "an origin like http://192.0.2.2:8000")
            for text in (
                "192.0.2.2",
                "http://",
                "http://a.example/",
                "ftp://a.example",
                "http://a b",
            )
        ),
        *(
            ("HOST", text, "an address without a port or unix:/path")
            for text in ("unix:", "[::1", "[127.0.0.1]", "[]", "localhost:8000", "[::1]:8000")
        ),
    ],
)
def test_invalid_setting_is_refused_with_the_valid_values(name: str, text: str, right: str) -> None:
    with pytest.raises(BadSetting) as bad:
        Settings.read({name: text})
    assert str(bad.value) == f"{name} must be {right}, not {text!r}"


def test_every_mistake_is_reported_at_once() -> None:
    environment = {"PORT": "x", "WORKERS": "4", "REDIS_URL": "http://a", "LOG_FORMAT": "xml"}
    with pytest.raises(BadSetting) as bad:
        read_settings(environment | {"TRUSTED_PROXIES": "300.0.0.1", "HOST": "[]"})
    lines = str(bad.value).splitlines()
    names = ["HOST", "PORT", "LOG_FORMAT", "REDIS_URL", "TRUSTED_PROXIES"]
    assert [line.partition(" ")[0] for line in lines] == names
    assert lines[1] == "PORT must be a whole number from 1 to 65535, not 'x'"


def test_every_number_has_a_bound_and_a_default_within_it() -> None:
    assert MOST.keys() == NUMBERS.keys()
    assert all(default <= MOST[name] for name, default in NUMBERS.items())


@pytest.mark.parametrize("name", NUMBERS)
def test_number_beyond_its_bound_is_refused(name: str) -> None:
    """Covers numbers of thousands of digits, which Python does not convert."""
    most = str(MOST[name])
    assert getattr(Settings.read({name: most}), name.lower()) == MOST[name]
    for text in (str(MOST[name] + 1), "9" * 20, "9" * 5000):
        with pytest.raises(BadSetting, match=f"^{name} must be .* to {most}, not '") as bad:
            Settings.read({name: text})
        assert len(str(bad.value)) < 100


@pytest.mark.parametrize(
    ("streams", "most", "right"),
    [("", "", 250), ("100", "", 50), ("1", "", 1), ("100", "0", 0), ("100", "7", 7)],
)
def test_client_gets_half_of_the_streams_by_default(streams: str, most: str, right: int) -> None:
    read = Settings.read({"STREAMS": streams, "STREAMS_PER_CLIENT": most})
    assert read.streams_per_client == right


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("[::1]", "::1"),
        ("::", "::"),
        ("fe80::1%eth0", "fe80::1%eth0"),
        ("127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost"),
        ("unix:/run/referee.sock", "unix:/run/referee.sock"),
    ],
)
def test_listen_address_is_validated_before_the_start(text: str, host: str) -> None:
    assert Settings.read({"HOST": text}).host == host


def test_redis_url_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "redis-url"
    file.write_text("redis://referee:secret@localhost\n")
    read = Settings.read({"REDIS_URL": "", "REDIS_URL_FILE": str(file)})
    assert read.redis_url == "redis://referee:secret@localhost"


def test_redis_url_and_its_file_are_mutually_exclusive(tmp_path: Path) -> None:
    with pytest.raises(BadSetting) as bad:
        Settings.read({"REDIS_URL": "redis://localhost", "REDIS_URL_FILE": str(tmp_path)})
    assert str(bad.value) == "REDIS_URL and REDIS_URL_FILE must not both be set"


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xff"])
def test_file_without_a_redis_url_is_refused(content: bytes | None, tmp_path: Path) -> None:
    """A lost secret must never start a second, empty store."""
    file = tmp_path / "redis-url"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadSetting) as bad:
        Settings.read({"REDIS_URL_FILE": str(file)})
    assert str(bad.value) == f"REDIS_URL_FILE must name a file with the secret, not {str(file)!r}"
