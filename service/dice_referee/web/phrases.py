"""Phrases of the games' sentences, which the text mode of a table accepts as commands."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from dice_referee.api.i18n import LANGUAGES
from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.sentences.speech import voice_for
from dice_referee.voice import Text, Voice, fill, in_language

SENTENCES = {
    "roll": ("roll", "draw", "deed.roll", "deed.draw"),
    "keep": ("keep-roll", "roll-on", "roll-again", "deed.keep", "deed.hold"),
    "write": ("write.plain", "deed.write"),
    "strike": ("strike", "may-strike", "deed.strike"),
    "accept": ("accept", "odds-accept", "move", "payees", "then-reroll", "coins", "deed.accept"),
    "bank": ("bank", "deed.bank"),
}
"""Sentences that offer a choice, by the command of the choice."""

PIECES = {"keep": ("dice", "held"), "write": ("category",), "strike": ("category",)}
"""Placeholders of what a command needs. A phrase marks their place with ``#``."""

PRICE = re.compile(r"[:;(.]")
"""Beginning of the points, the price or the rule of a choice."""
WORD = re.compile(r"[\w’]+|#")
NEXT = re.compile(r" (?:and|und|et|e) ")
"""Beginning of what follows from a choice that has pieces."""


@cache
def phrases() -> Mapping[str, Text]:
    """Returns the phrases of the commands of each game, by the key of their text.

    ``|`` separates the phrases of a command.
    """
    return {
        f"said_{game.name}_{command}": {
            language: "|".join(dict.fromkeys(_phrases(game, command, language)))
            for language in LANGUAGES
        }
        for game in catalogue().values()
        for command in SENTENCES
        if any(_variants(game, key) for key in SENTENCES[command])
    }


def _phrases(game: AnyGame, command: str, language: str) -> Iterator[str]:
    voice = voice_for(game, language)
    for key in SENTENCES[command]:
        for text in _variants(game, key):
            # Prepositions differ before a number and a name: "dal giocatore 2", "da Ada".
            yield _phrase(voice, command, text, voice.name(1))
            yield _phrase(voice, command, text, "")


def _variants(game: AnyGame, key: str) -> Sequence[Text]:
    """Returns the variants of a sentence in the words of a game, or none without the sentence."""
    name, _, kind = key.partition(".")
    text = game.words["sentences"].get(name, {})
    return [text] if "en" in text else [text[each] for each in text if kind in ("", each)]


def _phrase(voice: Voice, command: str, text: Text, name: str) -> str:
    """Returns the words of a sentence that name a choice, and the place of its pieces.

    Accepting needs all words: players are named behind the colon.
    """
    gaps = defaultdict(str, dict.fromkeys(("name", "names"), name))
    gaps.update(dict.fromkeys(PIECES.get(command, ()), "#"))
    phrase = fill(in_language(text, voice.language), voice.language, gaps).lower()
    if command != "accept":
        phrase = PRICE.split(phrase)[0]
    if "#" in phrase:
        phrase = NEXT.split(phrase)[0]
    return " ".join(WORD.findall(phrase))
