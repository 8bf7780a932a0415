"""A game in a line: rules, players and events as words that people read and type.

``tutto: Ada, Ben: bonus-300 122246 keep-222 156 bank, stop``
"""

import re
from collections.abc import Collection, Iterator
from itertools import chain, islice
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

import orjson

from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.findings import MOST_ERRORS, Param, SchemaError
from dice_referee.rulebook.game import Document, Json
from dice_referee.validation.fields import Unreadable

INVISIBLE = r"\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
"""Control characters, direction marks and zero-width spaces."""
BLANK = r"\x85\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
TYPOGRAPHIC = "“”„‟«»"
PLAIN = re.compile(rf'(?! )(?!.*  )(?!.* $)[^",:_\\{TYPOGRAPHIC}{INVISIBLE}{BLANK}]+')
"""Pattern of a name that needs no quotation marks."""
ESCAPED = re.compile(f"[{INVISIBLE}{BLANK}]")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""Text between quotation marks. An open mark takes the rest, so that no mark is read twice.

A quantifier that is not possessive would keep 60 bytes for each character.
"""
SPACES = dict.fromkeys(map(ord, "_\t\r\n\xa0\u202f\ufeff"), " ")
"""Characters that count as spaces outside of quotation marks."""
GAME = re.compile(" *([^ :]+)")
LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
"""Case mapping of ASCII only, because ``str.lower`` turns the Kelvin sign into ``k``."""
SHOWN = 40
"""Maximum characters of a part in an error."""


class LogTooLong(ValueError):
    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class Place(NamedTuple):
    part: str
    """``setting``, ``name``, ``word`` or ``line``."""
    number: int
    """Number of the part among parts of its kind, from 1."""
    start: int
    end: int

    def error(self, code: str, at: str, line: str, **params: Param) -> SchemaError:
        """Returns an error at this place of the line and at a pointer of its document."""
        text = line[self.start : min(self.end, self.start + SHOWN)]
        number, character = self.number, self.start + 1
        place: dict[str, Param] = {
            "part": self.part,
            "number": number,
            "character": character,
            "text": text,
        }
        return SchemaError(code, at, {**params, **place})


# Writing ------------------------------------------------------------------------------------------


def write_line(game: AnyGame, document: Document, ends: Collection[int] = ()) -> str:
    """Returns the line of a log. ``ends`` are the indices of events that ended a turn."""
    rules = game.rulesets[document.get("ruleset", game.default.id)]
    house = rules.house(document.get("options", {})).house_rules
    settings = [game.name, *([] if rules is game.default else [rules.id])]
    settings += [f"{name.replace('_', '-')}={option_text(value)}" for name, value in house.items()]
    for name, default in game.line.DEFAULTS.items():
        value = document.get(name, default)
        if value != default:
            settings.append(f"{name}={value + 1 if isinstance(value, int) else value}")
    names = ", ".join(map(_name, document["players"]))
    words = [game.line.word(event) for event in document["log"]]
    ended = (f"{word}," if index in ends else word for index, word in enumerate(words))
    return f"{' '.join(settings)}: {names}: {' '.join(ended).removesuffix(',')}".rstrip(" ")


def option_text(value: object) -> str:
    """Returns an option in the notation of its query parameter."""
    if isinstance(value, tuple | list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _name(name: str) -> str:
    if PLAIN.fullmatch(name):
        return name
    return ESCAPED.sub(lambda char: f"\\u{ord(char[0]):04x}", orjson.dumps(name).decode())


# Reading ------------------------------------------------------------------------------------------


def game_of_line(line: str) -> str:
    first = GAME.match(line.translate(SPACES))
    return first[1].translate(LOWER) if first else ""


def read_line(game: AnyGame, line: str, limit: int | None = None) -> tuple[Json, list[SchemaError]]:
    """Reads the log from a line of this game, and its first errors of form and schema.

    Raises LogTooLong for more than ``limit`` words, before it reads any.
    """
    most = game.players[1]
    # Only names have quotation marks, and a further name is refused.
    masked = QUOTED.sub(lambda quoted: '"' * len(quoted[0]), line, most + 1).translate(SPACES)
    colons = [colon.start() for colon in islice(re.finditer(":", masked), 3)]
    if len(colons) == 1 and masked[: colons[0]].strip(" ").translate(LOWER) not in catalogue():
        colons = [-1, *colons]
    if len(colons) != 2:
        place = Place("line", 1, colons[2] if colons[2:] else 0, len(line))
        return {}, [place.error("malformed-value", "/line", line, expected="two-colons")]
    rules = masked[: max(colons[0], 0)]
    first = GAME.match(rules)
    if first and first[1].translate(LOWER) != game.name:
        place = Place("setting", 1, *first.span(1))
        choices: dict[str, Param] = {"choices": (game.name,), "given": first[1]}
        return {}, [place.error("not-a-choice", "/line", line, **choices)]
    events = masked[colons[1] + 1 :].rstrip(" .,;").translate(LOWER)
    if limit is not None and any(islice(game.line.TOKENS.finditer(events), limit, None)):
        raise LogTooLong(limit)
    document: Json = {"players": [], "log": []}
    places: dict[str, Place] = {}
    reading = chain(
        _read_rules(game, line, rules, document, places),
        _read_names(game, line, masked, colons[0] + 1, colons[1], document, places),
        _read_events(game, line, events, colons[1] + 1, document, places),
    )
    errors = list(islice(reading, MOST_ERRORS))
    if not errors:
        errors = [
            _add_place(game, line, error, places) for error in game.schemas.log.errors(document)
        ]
    return document, errors


def _read_rules(
    game: AnyGame, line: str, rules: str, document: Json, places: dict[str, Place]
) -> Iterator[SchemaError]:
    fields = {
        name.replace("_", "-"): (parent, name, field)
        for name, (parent, field) in game.schemas.log.parameters.items()
        if parent is not None or name in game.line.DEFAULTS
    }
    for number, token in enumerate(re.finditer("[^ ]+", rules), 1):
        place = Place("setting", number, *token.span())
        name, equals, text = line[slice(*token.span())].partition("=")
        name = name.translate(LOWER)
        if number == 1:
            continue
        if equals and name not in fields:
            yield place.error("not-a-choice", "/line", line, choices=tuple(fields), given=name)
            continue
        parent, key, field = fields[name] if equals else (None, "ruleset", None)
        at = f"/{key}" if parent is None else f"/{parent}/{key}"
        inner = document if parent is None else document.setdefault(parent, {})
        if at in places:
            yield place.error("repeated-parameter", at, line)
            continue
        places[at] = place
        if field is None:
            inner[key] = name
        elif not text:
            yield place.error("empty-parameter", at, line)
        else:
            try:
                value = field.read_text(text)
            except Unreadable as refusal:
                yield place.error("malformed-value", at, line, expected=refusal.form)
            else:
                inner[key] = value - 1 if isinstance(game.line.DEFAULTS.get(key), int) else value


def _read_names(
    game: AnyGame,
    line: str,
    masked: str,
    start: int,
    end: int,
    document: Json,
    places: dict[str, Place],
) -> Iterator[SchemaError]:
    least, most = game.players
    if masked.count(",", start, end) >= most:
        yield SchemaError("wrong-length", "/players", {"minimum": least, "maximum": most})
        return
    for number, piece in enumerate(masked[start:end].split(","), 1):
        name = piece.strip(" ")
        first = start + len(piece) - len(piece.lstrip(" "))
        place = Place("name", number, first, first + len(name))
        start += len(piece) + 1
        at = f"/players/{number - 1}"
        places[at] = place
        expected = ""
        if not name:
            place, expected = place._replace(start=start - 1, end=start), "name"
        elif '"' in name:
            try:
                name = orjson.loads(line[place.start : place.end])
            except orjson.JSONDecodeError:
                expected = "quoted-name"
        elif any(mark in name for mark in TYPOGRAPHIC):
            expected = "straight-marks"
        else:
            name = re.sub("  +", " ", name)
        document["players"].append(name)
        if expected:
            yield place.error("malformed-value", at, line, expected=expected)


def _read_events(
    game: AnyGame, line: str, events: str, start: int, document: Json, places: dict[str, Place]
) -> Iterator[SchemaError]:
    for index, token in enumerate(game.line.TOKENS.finditer(events)):
        word = re.sub(" +", "-", token[0])
        place = Place("word", index + 1, start + token.start(), start + token.end())
        event, at = game.line.event(word), f"/log/{index}"
        document["log"].append(event)
        places[at] = place
        if event is None:
            expected: dict[str, Param] = {"expected": game.line.hint(word), "game": game.name}
            yield place.error("malformed-value", at, line, **expected)


def _add_place(
    game: AnyGame, line: str, error: SchemaError, places: dict[str, Place]
) -> SchemaError:
    """Adds its place in the line to an error of the log. Players are counted from 1."""
    at = error.pointer
    while at and at not in places:
        at = at.rpartition("/")[0]
    params: dict[str, Any] = {**error.params}
    if isinstance(game.line.DEFAULTS.get(at[1:]), int):
        params |= {bound: params[bound] + 1 for bound in ("minimum", "maximum") if bound in params}
    return places[at].error(error.code, error.pointer, line, **params) if at else error
