"""Findings in words, and the texts that all games share."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from dice_referee.games.game import AnyGame
from dice_referee.rulebook.findings import Finding, Param
from dice_referee.rulebook.texts import toml
from dice_referee.voice import fill, in_language, number_of, param_text, player_name, term


@cache
def common_words() -> dict[str, Any]:
    return toml("dice_referee.sentences", "words.toml")


def finding_document(
    game: AnyGame, finding: Finding, language: str, names: Sequence[str] = ()
) -> dict[str, str]:
    """Returns a finding with its sentence. Players without names are counted from 1."""
    params = {
        name: _filler(game, name, value, language, names) for name, value in finding.params.items()
    }
    sentences = game.words["findings"][finding.code]
    if (times := finding.params.get("times")) is not None:
        # The table has no die of this face, or fewer than ``times``.
        sentences = sentences["fewer" if times else "none"]
        params["times"] = term(common_words()["numbers"], str(times), language)
    elif "many" in sentences:
        expected = finding.params.get("expected", finding.params.get("maximum"))
        last = expected[-1] if isinstance(expected, tuple) else expected
        sentences = sentences[number_of(int(last or 0), language, sentences)]
    text = fill(in_language(sentences, language), language, params)
    return {"code": finding.code, "rule": finding.rule, "detail": text, "pointer": finding.pointer}


def _filler(
    game: AnyGame, name: str, value: Param, language: str, names: Sequence[str]
) -> str | int:
    if name == "expected":
        # Clients must send the id, so the sentence has the id, not the players' term.
        any_of = in_language(common_words()["any-of"], language)
        return any_of.join(map(str, value)) if isinstance(value, tuple) else str(value)
    if name == "due":
        return in_language(game.words["due"][value], language)
    if name == "player" and isinstance(value, int):
        return player_name(names, value, language, common_words()["sentences"]["player"])
    if isinstance(value, str):
        return term(game.words["vocabulary"], value, language)
    return value if isinstance(value, int) else param_text(value)
