"""The settings: what an environment may say, and what is only said by mistake."""

import pytest

from service.settings import Settings, misspelt


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("REDIS_ULR", "REDIS_URL"),
        ("SESSION_LIMIT", "SESSIONS_LIMIT"),
        ("RATE_EVENT", "RATE_EVENTS"),
    ],
)
def test_a_variable_that_looks_like_a_setting_is_noticed(name: str, meant: str) -> None:
    assert misspelt({name: "1"}) == [f"{name} is no setting; {meant} is"]


def test_settings_and_other_variables_are_not_misspelt() -> None:
    settings = {name.upper(): "1" for name in Settings.__dataclass_fields__}
    others = ("PATH", "HOSTNAME", "PWD", "OTEL_SERVICE_NAME", "REFEREE_PORT", "VALKEY_PASSWORD")
    assert misspelt(settings | dict.fromkeys(others, "1")) == []
