"""The service's own texts: each has a use, and each key in the code has a text."""

import ast
from collections.abc import Iterator
from functools import cache
from string import Formatter

import pytest
from dice_referee.api.i18n import LANGUAGES, service_words
from dice_referee.rulebook.details import Detail
from dice_referee.rulebook.errors import Unanswerable
from dice_referee.validation.fields import Text

from tests.games.test_words import texts as texts_in
from tests.programs import PACKAGE
from tests.trees import tree_of


@cache
def nodes() -> list[ast.AST]:
    """Returns every node of the code of the service."""
    trees = [tree_of(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")]
    return [node for tree in trees for node in ast.walk(tree)]


def arguments(of: str, place: int) -> Iterator[str]:
    """Yields the constant argument at this place of every call of this function."""
    for node in nodes():
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == of
            and len(node.args) > place
        ):
            argument = node.args[place]
            if isinstance(argument, ast.Constant):
                yield str(argument.value)


def expectations() -> Iterator[str]:
    """Yields the expectations that errors name: ``expected="object"``, ``{"expected": "hex"}``."""
    for node in nodes():
        if isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant):
            if node.arg == "expected":
                yield str(node.value.value)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                is_expectation = isinstance(key, ast.Constant) and key.value == "expected"
                if is_expectation and isinstance(value, ast.Constant):
                    yield str(value.value)


def used_keys() -> dict[str, set[str]]:
    """Returns the keys of texts in the code, by kind of text."""
    return {
        "errors": {
            *arguments("SchemaError", 0),
            *arguments("field_error", 0),
        },
        "expected": {
            *expectations(),
            *arguments("Unreadable", 0),
            *arguments("integer_of", 1),
            *Text.patterns,
        },
    }


def test_every_key_that_the_code_uses_has_its_text() -> None:
    for kind, keys in used_keys().items():
        assert len(keys) > 5, f"the search for {kind} finds nothing"
        assert keys <= set(service_words()[kind]), kind


def test_every_text_is_used_somewhere() -> None:
    literals = {
        node.value
        for node in nodes()
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    for kind in used_keys():
        assert set(service_words()[kind]) <= literals, kind


def test_every_detail_has_a_sentence_in_every_language() -> None:
    sentences = service_words()["details"]
    assert set(sentences) == set(Detail)
    for key in Detail:
        assert set(sentences[key]) == set(LANGUAGES), key
        assert all(sentence.strip() for sentence in sentences[key].values()), key


def test_every_detail_is_used_somewhere() -> None:
    used = {
        node.attr
        for node in nodes()
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "Detail"
    }
    unanswerable = {Detail(kind.code).name for kind in Unanswerable.__subclasses__()}
    assert used | unanswerable == set(Detail.__members__)


@pytest.mark.parametrize("kind", ["details", "errors", "hints"])
def test_a_text_has_the_same_blanks_in_every_language(kind: str) -> None:
    for place, texts in texts_in(service_words()[kind]):
        blanks = {
            language: sorted(name for _, name, _, _ in Formatter().parse(text) if name)
            for language, text in texts.items()
        }
        assert all(names == blanks["en"] for names in blanks.values()), (place, blanks)
