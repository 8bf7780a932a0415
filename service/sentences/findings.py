"""Findings in words, and the texts that all games share."""

from functools import cache
from typing import Any

from service.games.game import AnyGame
from service.rules.findings import Finding
from service.rules.texts import toml
from service.sentences.voice import in_language, param_text, term


@cache
def common_words() -> dict[str, Any]:
    """Returns the texts of all games, as ``words.toml`` holds them."""
    return toml("service.sentences", "words.toml")


def finding_document(game: AnyGame, finding: Finding, language: str) -> dict[str, str]:
    """Returns a finding with its sentence."""
    params = {
        # What is expected is given as it has to be sent: an id, not the table's word for it.
        name: term(game.words["vocabulary"], value, language)
        if isinstance(value, str) and name != "expected"
        else param_text(value)
        for name, value in finding.params.items()
    }
    sentences = game.words["findings"][finding.code]
    if (times := finding.params.get("times")) is not None:
        # Either no die of this face lies there, or fewer than so many.
        sentences = sentences["fewer" if times else "none"]
        params["times"] = term(common_words()["numbers"], str(times), language)
    text = in_language(sentences, language).format(**params)
    return {"code": finding.code, "rule": finding.rule, "detail": text, "pointer": finding.pointer}
