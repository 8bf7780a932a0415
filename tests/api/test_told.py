"""The log of a page and the text answers say the same of every event, with dice as dice."""

import json
import re
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.api.i18n import LANGUAGES, rulebook
from dice_referee.games import catalogue
from dice_referee.games.pot.coins import EffectType
from dice_referee.voice import in_language
from dice_referee.web.words import TEMPLATES, rooms, script_site, script_texts
from tests.api.test_substitutes import give, take_back
from tests.application import TEXT, SessionClient, accepted, begin
from tests.games.test_laws import RANDOM_GAMES
from tests.sentences.live import NAMES
from tests.web.test_linewords import in_node

LOG = """
const place = "%s/web/static/";
const { SITE, TEXTS, nameOf, sayer } = await import(`${place}shared/words.js`);
const { line } = await import(`${place}table/logbook.js`);
const { texts, site, lines } = JSON.parse(await new Response(process.stdin).text());
Object.assign(TEXTS, texts);
Object.assign(SITE, site);
console.log(JSON.stringify(lines.map(({ entry, players, game, language, seat, terms }) => {
  const table = {
    game, say: sayer(language), api: { language }, term: (id) => terms[id] ?? id,
    own: (player) => player === seat, name: (player) => nameOf(players, player),
  };
  const { said, more } = line(table, entry);
  return [said, more].filter(Boolean).join(" ");
})));
"""
EVENTS = {
    "tutto": {"draw", "roll", "keep", "bank"},
    "yatzee": {"roll", "write", "strike"},
    "pot": {"roll", "accept"},
}
EFFECTS = {
    "tutto": {"kept", "bonus", "deducted", "written", "lost", "target-reached"},
    "yatzee": {"written", "struck", "upper-bonus"},
    "pot": {str(kind) for kind in EffectType},
}
ENDINGS = {
    "tutto": {"banked", "niete", "firework", "stop", "sat-out", "clover"},
    "yatzee": {"written", "struck"},
    "pot": {"most-coins", "sudden-death"},
}
LONGEST = 60
"""Maximum events of a random game."""
CITATION = re.compile(r" \([A-Z]\d[^()]*\)")


def kinds(entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields what the sentences of an entry depend on: the event, its effects and the end."""
    event, outcome = entry["event"], entry["outcome"]
    yield "event", event["type"]
    if event["type"] == "roll":
        yield "held", str(bool(event.get("held")))
        yield "ends by itself", str({*event.get("held", ()), *event["dice"]} in ({1}, {*"POT"}))
    if outcome is not None:
        yield "ending", outcome["reason"]
    for effect in entry["effects"]:
        yield "effect", effect["type"]
        if effect["type"] == "kept":
            yield "kept", str(bool(effect["points"]))


def covering_games(game: str, wanted: set[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Yields short random games that have all of these together."""
    own, left = catalogue()[game], set(wanted)
    for seed in count():
        if not left:
            return
        document = RANDOM_GAMES[game].random_log(Random(seed))
        if len(document["log"]) > LONGEST:
            continue
        setup = {name: value for name, value in document.items() if name != "log"}
        state, found = own.new_state(own.normalized_setup(setup)), set[tuple[str, str]]()
        for event in document["log"]:
            state, effects, outcome, _ = own.advance(state, event)
            found |= {("event", event["type"])} | {
                ("effect", str(each["type"])) for each in effects
            }
            found |= {("ending", str(outcome["reason"]))} if outcome else set()
        if found & left:
            left -= found
            yield document


def entries_of(table: SessionClient) -> Iterator[dict[str, Any]]:
    """Yields all entries of a log, with their dice in the order of sentences."""
    after = 0
    while events := table.get(f"/events?after={after}").get_json()["events"]:
        for entry in events:
            for name in {"held", "dice"} & entry["event"].keys():
                entry["event"][name].sort(key=lambda face: "123456POT".index(str(face)))
            yield entry
        after = events[-1]["version"]


def compare(game: str, told: list[tuple[SessionClient, dict[str, Any]]]) -> None:
    """Compares the sentences of these entries to everybody and to the first players."""
    words = rulebook(game).words["vocabulary"]
    lines, spoken = list[dict[str, Any]](), list[str]()
    for language in LANGUAGES:
        terms = {key: in_language(text, language) for key, text in words.items()}
        for table, entry in told:
            players, version = table.state["players"], entry["version"]
            for seat in (None, *range(min(len(players), 3))):
                part = f"/events?after={version - 1}&until={version}"
                part += "" if seat is None else f"&seat={seat}"
                text = table.get(part, Accept=TEXT, Accept_Language=language).get_data(as_text=True)
                spoken.append(CITATION.sub("", " ".join(text.splitlines())))
                lines.append(
                    {"entry": entry, "players": players, "game": game, "language": language}
                    | {"seat": seat, "terms": terms}
                )
    texts = json.loads(script_texts(rooms().keys() - {TEMPLATES}, LANGUAGES))
    site = json.loads(script_site(LANGUAGES))
    said = in_node(LOG, texts=texts, site=site, lines=lines)
    for line, page, text in zip(lines, said, spoken, strict=True):
        assert page == text, line


@pytest.mark.long
@pytest.mark.parametrize("game", RANDOM_GAMES)
def test_log_and_text_tell_each_event_alike(game: str, client: FlaskClient) -> None:
    wanted = {("event", kind) for kind in EVENTS[game]}
    wanted |= {("effect", kind) for kind in EFFECTS[game]}
    wanted |= {("ending", kind) for kind in ENDINGS[game]}
    seen, told = set[tuple[str, str]](), []
    for document in covering_games(game, wanted):
        log, players = document.pop("log"), list(NAMES[: len(document.pop("players"))])
        table = begin(client, game=game, players=players, dice="client", **document)
        for event in log:
            accepted(table.post("events", event))
        for entry in entries_of(table):
            if fresh := set(kinds(entry)) - seen:
                seen |= fresh
                told.append((table, entry))
    assert not wanted - seen
    compare(game, told)


def test_log_and_text_tell_other_entries_alike(client: FlaskClient) -> None:
    table = begin(client, game="yatzee", players=["Émile", "Ada"])
    accepted(table.post("seeds", {"seed": "lucky"}, table.seats[1]))
    accepted(table.post("events", {"type": "roll"}))
    for token in (table.seats[0], table.host):
        accepted(table.post("events", {"type": "write", "category": "chance"}, table.seats[0]))
        accepted(table.post("undo", None, token))
    accepted(table.post("seats/1/token"))
    accepted(give(table, 1))
    accepted(take_back(table, 1))
    accepted(table.post("abandon"))
    accepted(table.post("rematch", {}, table.seats[0]))
    entries = list(entries_of(table))
    compare("yatzee", [(table, entry) for entry in entries])
    others = {"seeded", "undone", "reissued", "substituted", "abandoned", "rematch"}
    assert others <= {entry["event"]["type"] for entry in entries}
