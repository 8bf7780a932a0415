"""A game in a line: every log survives the round trip, and each mistake has its place."""

import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import chain, combinations_with_replacement, product
from random import Random
from typing import Any
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dice_referee.api.i18n import LANGUAGES, error_document, service_words
from dice_referee.games import catalogue, verbs
from dice_referee.games.game import AnyGame
from dice_referee.games.line import LogTooLong, game_of_line, read_line, write_line
from dice_referee.games.pot.documents import FaceField
from dice_referee.games.schemas import RequestSchemas
from dice_referee.rulebook.findings import MOST_ERRORS, SchemaError
from dice_referee.rulebook.ruleset import Option
from dice_referee.validation.fields import Boolean, Enumerated, Integer, ListOf, Text
from dice_referee.validation.schema import Nested, OneOf, RequestSchema
from dice_referee.validation.shapes import option_field
from tests.games.test_laws import RANDOM_GAMES, long_run, short_run

GAMES = [*catalogue()]
every_game = pytest.mark.parametrize("name", GAMES)
HOSTILE = "aÅ Z\t\n\r\x00\x7f\x85\xa0\u2003\u200b\u200d\u202e\u2066\ufeff\u2028\u212a\u017f"
HOSTILE += "_:,;.\\\"'“”„«»’$%+&=#/0שר😀"
NAMES = st.text(HOSTILE, min_size=1, max_size=12) | st.sampled_from(["tutto", "bank", "stop", "1"])


def values(field: Any) -> st.SearchStrategy[Any]:
    """Draws values that fit a field."""
    match field:
        case Integer():
            steps = st.integers(-(-field.minimum // field.step), field.maximum // field.step)
            return steps.map(lambda number: number * field.step)
        case Boolean():
            return st.booleans()
        case Enumerated():
            return st.sampled_from([*field.choices])
        case Text():
            return NAMES
        case FaceField():
            return st.sampled_from(field.choices)
        case ListOf():
            most = 8 if field.maximum is None else field.maximum
            return st.lists(values(field.item), min_size=field.minimum, max_size=most)
        case Nested():
            return documents(field.schema)
        case OneOf():
            return st.one_of([documents(kind) for kind in field.kinds.values()])
    raise TypeError(field)


def documents(schema: RequestSchema) -> st.SearchStrategy[Any]:
    """Draws documents of a schema, without the line that session logs also contain."""
    fields = {name: values(one) for name, one in schema.wire_fields.items() if name != "line"}
    required = {name: fields.pop(name) for name in [*fields] if schema.wire_fields[name].required}
    return st.fixed_dictionaries(required, optional=fields)


LOGS = {name: documents(game.schemas.log) for name, game in catalogue().items()}


def canonical(game: AnyGame, document: Any) -> Any:
    """Returns a log with its defaults filled in."""
    rules = game.rulesets[document.get("ruleset", game.default.id)]
    own = {name: value for name, value in document.items() if name != "game"}
    return {
        **game.line.DEFAULTS,
        **own,
        "ruleset": rules.id,
        "options": rules.house(document.get("options", {})).house_rules,
        "log": [
            {n: v for n, v in event.items() if v or n not in ("held", "players")}
            for event in document["log"]
        ],
    }


def parsed(game: AnyGame, line: str) -> Any:
    document, errors = read_line(game, line)
    assert not errors, (line, errors)
    return document


@pytest.mark.long
@every_game
@long_run
@given(data=st.data())
def test_every_log_survives_the_round_trip(name: str, data: st.DataObject) -> None:
    game, document = catalogue()[name], data.draw(LOGS[name])
    ends = data.draw(st.sets(st.integers(0, 8)))
    line = write_line(game, document, ends)
    assert game_of_line(line) == name
    assert canonical(game, parsed(game, line)) == canonical(game, document)
    assert write_line(game, parsed(game, line), ends) == line
    for spelling in spellings(line):
        assert canonical(game, parsed(game, spelling)) == canonical(game, document), spelling


INVISIBLE = [
    character
    for character in map(chr, range(0x10000))
    if category(character) in ("Cc", "Zl", "Zp", "Zs") and character != " "
]
"""Control characters, line ends and blanks of Unicode."""


def test_quoted_name_shows_invisible_characters() -> None:
    game = catalogue()["tutto"]
    for character in INVISIBLE:
        document = {"players": [f"A{character}", "Ben"], "log": []}
        line = write_line(game, document)
        assert line.isprintable(), ascii(character)
        assert parsed(game, line)["players"] == document["players"]


def spellings(line: str) -> Iterator[str]:
    """Yields other spellings of a line: outside quotation marks, blanks and capitals differ."""
    pieces = re.split(r'("(?:[^"\\]|\\.)*")', line)

    def outside(change: Any) -> str:
        return "".join(piece if piece.startswith('"') else change(piece) for piece in pieces)

    yield outside(lambda text: text.replace(", ", ",").replace(": ", ":").replace(" ", "_"))
    yield outside(lambda text: text.replace(" ", "\r\n  \t\xa0\u202f"))
    head, colon, events = line.rpartition(":")
    yield f"\ufeff{head}{colon}{events.upper()}.;,"
    yield f"{head}{colon}{events.replace(',', ' ,  , ')}"
    yield head + colon + re.sub(r"(keep|strike)-(?=[1-6a-z])", r"\1  ", events)


def events_of(name: str) -> Iterator[Any]:
    """Yields every event that a log may hold, for Yatzee only a permutation of each dice set."""
    kinds = catalogue()[name].schemas.reported_event.kinds
    for kind, schema in kinds.items():
        fields = {name_: field for name_, field in schema.wire_fields.items() if name_ != "type"}
        for chosen in product(*(choices(name, field) for field in fields.values())):
            yield {"type": kind, **dict(zip(fields, chosen, strict=True))}


def choices(name: str, field: Any) -> list[Any]:
    if isinstance(field, Enumerated):
        return [*field.choices]
    item = field.item
    faces = item.choices if isinstance(item, FaceField) else range(item.minimum, item.maximum + 1)
    draw = combinations_with_replacement if name == "yatzee" else lambda f, n: product(f, repeat=n)
    return [list(dice) for n in range(field.maximum + 1) for dice in draw(faces, n)]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("tutto", 111_986),
        pytest.param("yatzee", 853_812, marks=pytest.mark.long),
        pytest.param("pot", 346_131, marks=pytest.mark.long),
    ],
)
def test_every_event_has_a_different_word(name: str, number: int) -> None:
    words, tokens = catalogue()[name].line, catalogue()[name].line.TOKENS
    seen = set[str]()
    for event in events_of(name):
        word = words.word(event)
        lower = word.lower()
        assert tokens.fullmatch(lower), word
        assert read_back(words.event(lower)) == read_back(event)
        seen.add(word)
    assert len(seen) == number
    assert all(re.fullmatch("[A-Za-z0-9-]+", word) for word in seen)


def read_back(event: Any) -> Any:
    return {name: value for name, value in event.items() if value or name == "dice"}


@every_game
@short_run
@given(data=st.data())
def test_mutated_lines_are_refused_or_survive_a_round_trip(name: str, data: st.DataObject) -> None:
    game, rng = catalogue()[name], Random(data.draw(st.integers(0, 2**32)))
    line = write_line(game, data.draw(LOGS[name]))
    for _ in range(25):
        at, mark = rng.randrange(len(line) + 1), rng.choice(HOSTILE + "1234567tpok-")
        mutant = rng.choice([line[:at] + mark, line[:at]]) + line[at + rng.randrange(2) :]
        document, errors = read_line(game, mutant)
        if errors:
            for error in errors[:3]:
                for language in LANGUAGES:
                    assert len(error_document(error, language)["detail"]) < 600
        else:
            line = write_line(game, document)
            assert write_line(game, parsed(game, line)) == line


@every_game
@settings(max_examples=6, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1))
def test_line_has_a_comma_after_each_turn(name: str, seed: int) -> None:
    game, document = catalogue()[name], RANDOM_GAMES[name].random_log(Random(seed))
    answer, log = verbs.audit(game, document), document["log"]
    parts = [{**document, "log": log[:length]} for length in range(len(log) + 1)]
    rows = [len(verbs.audit(game, part)["sheet"]) for part in parts]
    words = [
        game.line.word(event) + ("," if rows[i + 1] > rows[i] and i + 1 < len(log) else "")
        for i, event in enumerate(log)
    ]
    assert answer["line"].endswith(": " + " ".join(words))
    assert verbs.audit(game, parsed(game, answer["line"])) == answer


def test_line_examples_survive_the_round_trip() -> None:
    for line in EXAMPLES:
        game = catalogue()[game_of_line(line)]
        assert verbs.audit(game, parsed(game, line))["line"] == line


EXAMPLES = (
    "tutto: Ada, Ben:",
    "tutto: Ada, Ben: bonus-300 122246 keep-222 156 bank, stop, double 113466 keep-11",
    "tutto target=1000: Ada, Ben: double 215112 bank",
    'tutto braillespiel target=1000 score-floor=zero: "Smith, John", שרה, 👩\u200d👩\u200d👧:'
    " bonus-500 232332 bank, stop, stop",
    'yatzee distinct-faces=false throw-bonus=20,10,0: "Ada \\"Ace\\" L":'
    " 316442 12346-1 11-1145 ones, 312553 two-pairs",
    "yatzee: Ada, Ben: 113456 11-2235 1122-34 house",
    "pot starter=2: Ada, Ben, Cleo: P34 34-5 accept-1-3",
    'pot: "a_b", "\\"x\\"": accept -2 3-',
)

ERRORS = (
    ("tutto: A, B: stop keep-1722", "/log/1", "Word 2 (character 19), “keep-1722”: ", "dice, each"),
    ("tutto: A, B: x", "/log/0", "Word 1 (character 14), “x”: ", "`keep-DICE` (`keep-222`) or"),
    ("tutto: A, B: 1222467", "/log/0", "Word 1 (character 14), “1222467”: ", "one to six dice"),
    ("tutto: A, B: \u212aeep-1", "/log/0", "Word 1 (character 14), “\u212aeep-1”: ", "a roll"),
    ("pot: A, B: P04", "/log/0", "Word 1 (character 12), “P04”: ", "the letter O, not the digit 0"),
    ("pot: A, B: 1234", "/log/0", "Word 1 (character 12), “1234”: ", "one to three dice"),
    (
        "pot: A, B: accept-6",
        "/log/0",
        "Word 1 (character 12), “accept-6”: ",
        "1 for the first name",
    ),
    ("pot: A, B: hold", "/log/0", "Word 1 (character 12), “hold”: ", "34-5"),
    ("pot: A, B: maybe", "/log/0", "Word 1 (character 12), “maybe”: ", "accept-2-3"),
    ("yatzee: A: keep 11", "/log/0", "Word 1 (character 12), “keep”: ", "11-3456"),
    ("yatzee: A: 1122337", "/log/0", "Word 1 (character 12), “1122337”: ", "one to six dice"),
    ("yatzee: A: full", "/log/0", "Word 1 (character 12), “full”: ", "strike-CATEGORY"),
    ("tutto: A, , B:", "/players/1", "Name 2 (character 11), “,”: ", "a name between commas"),
    ("tutto: A, B,:", "/players/2", "Name 3 (character 13), “:”: ", "a name between commas"),
    ('tutto: A "x", B:', "/players/0", 'Name 1 (character 8), “A "x"”: ', "JSON string"),
    ('tutto: A, "B\\x":', "/players/1", 'Name 2 (character 11), “"B\\x"”: ', "JSON string"),
    ('tutto: A, "\\ud800":', "/players/1", "Name 2 (character 11), ", "JSON string"),
    ("tutto: „A“, B:", "/players/0", "Name 1 (character 8), “„A“”: ", "straight quotation"),
    ('tutto: A, "":', "/players/1", 'Name 2 (character 11), “""”: ', "from 1 to 40"),
    ("tutto: A:", "/players", "", "from 2 to 10"),
    ("tutto: A, B: C: stop", "/line", "Character 15, “: stop”: ", "two colons"),
    ("tutto A B", "/line", "Character 1, “tutto A B”: ", "two colons"),
    ("tutto: stop", "/line", "Character 1, “tutto: stop”: ", "two colons"),
    ("pot: stop", "/line", "Character 1, “pot: stop”: ", "two colons"),
    ("", "/line", "Character 1, “”: ", "two colons"),
    ("yatzee: A, B: x", "/line", "Setting 1 (character 1), “yatzee”: ", "Allowed: tutto."),
    (
        "tutto targt=6000: A, B:",
        "/line",
        "Setting 2 (character 7), “targt=6000”: ",
        "target, ending",
    ),
    ("tutto mine: A, B:", "/ruleset", "Setting 2 (character 7), “mine”: ", "abacus-2013"),
    ("tutto ending=never: A, B:", "/options/ending", "Setting 2 ", "at-once, full-round"),
    ("tutto target=x: A, B:", "/options/target", "Setting 2 ", "an integer"),
    ("tutto target=: A, B:", "/options/target", "Setting 2 ", "empty"),
    ("tutto target=1_target=2: A, B:", "/options/target", "Setting 3 (character 16)", "once"),
    ("tutto target=1: A, B:", "/options/target", "Setting 2 ", "from 50 to 1,000,000"),
    ("tutto aim=x: A, B:", "/aim", "Setting 2 ", "points, win"),
    ("pot starter=0: A, B:", "/starter", "Setting 2 (character 5), “starter=0”: ", "from 1 to 5"),
    ("yatzee throw-bonus=1,2: A:", "/options/throw_bonus", "Setting 2 ", "length must be 3"),
)


@pytest.mark.parametrize(("line", "pointer", "place", "reason"), ERRORS)
def test_line_error_names_part_place_and_reason(
    line: str, pointer: str, place: str, reason: str
) -> None:
    name = game_of_line(line)
    game = catalogue()[name if name in GAMES and "Allowed: tutto" not in reason else "tutto"]
    _, (error,) = read_line(game, line)
    document = error_document(error, "en")
    assert document["pointer"] == pointer
    assert document["detail"].startswith(place)
    assert reason in document["detail"]
    details = {error_document(error, language)["detail"] for language in LANGUAGES}
    assert len(details) == len(LANGUAGES)


def test_error_examples_cover_every_reason() -> None:
    for name, game in catalogue().items():
        met = {e.params.get("expected") for line, *_ in ERRORS for e in read_line(game, line)[1]}
        assert {*game.words["line"]} <= met, name
    assert {*service_words()["places"]} == {"line", "setting", "name", "word"}


def test_settings_of_a_line_are_optional_for_a_known_game() -> None:
    game = catalogue()["tutto"]
    assert parsed(game, "Ada, Ben: stop") == parsed(game, "tutto: Ada, Ben: stop")
    assert parsed(game, "Ada, Ben:")["log"] == []


def test_lone_digits_after_accept_are_players() -> None:
    game = catalogue()["pot"]
    log = parsed(game, "pot: A, B, C: accept 2 3 345 ACCEPT 34 accept -2")["log"]
    assert [game.line.word(event) for event in log] == [
        *("accept-2-3", "345", "accept", "34", "accept", "-2"),
    ]


def test_line_reports_all_its_errors() -> None:
    _, errors = read_line(catalogue()["tutto"], "tutto foo=1: A, , B: x stop y")
    assert [error.pointer for error in errors] == ["/line", "/players/1", "/log/0", "/log/2"]


@every_game
def test_line_with_too_many_names_has_no_error_for_each(name: str) -> None:
    game = catalogue()[name]
    _, errors = read_line(game, f"{name}: {',' * 100_000}: -")
    least, most = game.players
    assert errors == [SchemaError("wrong-length", "/players", {"minimum": least, "maximum": most})]


@every_game
def test_line_stops_at_the_last_error_that_is_listed(name: str) -> None:
    game = catalogue()[name]
    for line in (f"{name}: A, B: {'?x ' * 900}", f"{name} {'a=b ' * 900}: A, B:"):
        assert len(read_line(game, line)[1]) == MOST_ERRORS


@every_game
def test_line_is_too_long_before_its_words_are_read(name: str) -> None:
    game = catalogue()[name]
    assert read_line(game, f"{name}: A, B: ?x ?x ?x", 3)[1]
    with pytest.raises(LogTooLong):
        read_line(game, f"{name}: A, , B: ?x ?x ?x ?x", 3)


def test_new_option_of_a_ruleset_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = deepcopy(catalogue()["tutto"])
    option = Option("lucky_numbers", "T1.1", minimum=0, maximum=9, length=2)
    schemas = RequestSchemas(game.name, game.rulesets, game.shapes)
    options = schemas.log.wire_fields["options"]
    assert isinstance(options, Nested)
    monkeypatch.setitem(options.schema.wire_fields, option.name, option_field(option))
    monkeypatch.setitem(options.schema.fields, option.name, option_field(option))
    game.schemas = schemas
    document = parsed(game, "tutto lucky-numbers=7,3: A, B:")
    assert document["options"] == {"lucky_numbers": [7, 3]}


def test_long_line_is_parsed_in_linear_time() -> None:
    game = catalogue()["tutto"]
    log = [{"type": "roll", "dice": [1, 2, 3, 4, 5, 6]}] * 10_000
    document = {"players": ["A", "B"], "log": log}
    assert parsed(game, write_line(game, document)) == document
    read_line(game, '"' * 200_001)
    read_line(game, '\\"' * 200_001)
    read_line(game, f"tutto: A, B: {'keep ' * 50_000}")
    read_line(game, f"tutto: A, B: keep {'1' * 200_000}")
    assert [*chain(read_line(game, ":" * 100_000)[1])]
