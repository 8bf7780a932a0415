"""The linter of docstrings finds those that say nothing new, and a service with too many words."""

import pytest

from tests.tools import docstrings

NEW = {
    "unit": 'SPAN = 3\n"""Seconds between two pings."""\n',
    "rule": 'def best(dice: Dice) -> Keep:\n    """Returns the keep of every scoring die."""\n',
    "reason": 'class Full(Error):\n    """Nothing was written."""\n',
    "module": '"""Pages."""\n',
}
EMPTY = {
    "name": 'def gzip_files() -> bytes:\n    """Returns the gzip of a file."""\n',
    "parameter": 'def score(roll: Dice) -> int:\n    """Returns the score of these dice."""\n',
    "base": 'class Full(StoreError):\n    """Full error of the store."""\n',
    "constant": 'MOST_WORDS = 3\n"""Most words."""\n',
    "attribute": 'class Move:\n    mover: Player\n    """Player, which is the mover."""\n',
    "one new word of four": 'def close_open(feeds: Feeds):\n    """Closes open feeds now."""\n',
}


@pytest.mark.parametrize("source", NEW.values(), ids=NEW)
def test_docstring_with_new_words_is_accepted(source: str) -> None:
    assert not [*docstrings.findings({"a.py": source})]


@pytest.mark.parametrize("source", EMPTY.values(), ids=EMPTY)
def test_docstring_without_new_words_is_found(source: str) -> None:
    [finding] = docstrings.findings({"a.py": source})
    assert "adds no word" in finding


def test_copies_are_found_across_modules_and_line_breaks() -> None:
    sources = {"a.py": 'A = 1\n"""Points of\na Tutto."""\n', "b.py": '"""Points of a Tutto."""\n'}
    assert [*docstrings.findings(sources)] == ["a.py:2 b.py:1: copies: Points of a Tutto."]


def test_words_of_docstrings_and_comments_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    source = '"""Two words."""\n\nX = 1  # three more words\n"""Not # a comment."""\n'
    assert docstrings.words_of(source) == 2 + 3 + 4
    monkeypatch.setattr(docstrings, "MOST_WORDS", 8)
    [finding] = docstrings.findings({"a.py": source})
    assert finding == "9 words of docstrings and comments, at most 8"
