"""The service's own texts: each text has a use, and each key in the code has a text."""

import ast
from collections.abc import Iterator
from functools import cache
from string import Formatter

import pytest

from dice_referee.api.i18n import LANGUAGES, service_words
from dice_referee.api.problems import STATUSES
from dice_referee.rulebook.errors import Refusal
from dice_referee.validation.fields import Text
from tests.games.test_words import texts as texts_in
from tests.programs import PACKAGE
from tests.trees import tree_of

CODED = ("ProblemError", "SessionRuleError")
"""Exceptions whose first argument is the code of a problem."""
KEYED = {
    **dict.fromkeys(CODED, 1),
    "NotJson": 0,
    "_require": 0,
    "_unauthorized": 0,
    "check_number": 2,
    "unknown": 0,
}
"""Index of the key of a sentence among the arguments of a function."""


@cache
def nodes() -> list[ast.AST]:
    """Returns every node of the code of the service."""
    trees = [tree_of(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")]
    return [node for tree in trees for node in ast.walk(tree)]


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def calls(*of: str, within: ast.AST | None = None) -> Iterator[ast.Call]:
    """Yields the calls of these functions, in all the code or in a part."""
    for node in nodes() if within is None else ast.walk(within):
        if isinstance(node, ast.Call) and name_of(node) in of:
            yield node


def arguments(of: str, place: int) -> Iterator[str]:
    """Yields the constants in the argument at this index of every call of this function.

    The code of a refusal without a key is the key.
    """
    for call in calls(of):
        keyless = of in CODED and len(call.args) == 1
        for argument in call.args[0 if keyless else place :][:1]:
            constants = (node for node in ast.walk(argument) if isinstance(node, ast.Constant))
            yield from (str(constant.value) for constant in constants)


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


def test_every_key_in_the_code_has_a_text() -> None:
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


def refusals() -> Iterator[type[Refusal]]:
    """Yields the classes of refusals that name a problem."""
    kinds = [Refusal]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if hasattr(kind, "code"):
            yield kind


def test_refusals_and_their_sentences_match() -> None:
    keys = {key for function, place in KEYED.items() for key in arguments(function, place)}
    keys |= {kind.key or kind.code for kind in refusals()}
    assert keys == set(service_words()["details"])


def test_functions_that_forward_keys_are_listed() -> None:
    functions = (node for node in nodes() if isinstance(node, ast.FunctionDef))
    for function in functions:
        parameters = {argument.arg for argument in function.args.args}
        for call in calls(*KEYED, within=function):
            for argument in call.args[KEYED[name_of(call)] :][:1]:
                if isinstance(argument, ast.Name) and argument.id in parameters:
                    assert function.name in KEYED


def test_refusals_and_their_statuses_match() -> None:
    codes = {code for function in CODED for code in arguments(function, 0)}
    assert codes | {kind.code for kind in refusals()} == set(STATUSES)


def test_every_detail_has_a_sentence_in_every_language() -> None:
    for key, sentences in texts_in(service_words()["details"]):
        assert set(sentences) == set(LANGUAGES), key
        assert all(sentence.strip() for sentence in sentences.values()), key


@pytest.mark.parametrize("kind", ["details", "errors", "hints"])
def test_text_has_the_same_placeholders_in_every_language(kind: str) -> None:
    for place, texts in texts_in(service_words()[kind]):
        blanks = {
            language: sorted(name for _, name, _, _ in Formatter().parse(text) if name)
            for language, text in texts.items()
        }
        assert all(names == blanks["en"] for names in blanks.values()), (place, blanks)
