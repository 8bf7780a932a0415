"""Tests of missing programs are left out with a message; in CI they fail."""

import pytest

from tests.programs import program


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)]
)
def test_a_program_that_is_missing_ends_the_test(
    ci: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="no-such-program"):
        program("no-such-program")
