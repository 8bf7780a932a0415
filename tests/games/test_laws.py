"""Laws that hold in every game of the catalogue and under every ruleset."""

import json
from importlib import import_module
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from dice_referee.api.i18n import rulebook
from dice_referee.games import catalogue
from tests.application import CLIENT, answered

SEEDS = st.integers(0, 2**32 - 1)
RANDOM_GAMES = {game: import_module(f"tests.games.{game}.random_games") for game in catalogue()}
"""Generators of random positions and games, a module per game."""

every_game = pytest.mark.parametrize("game", RANDOM_GAMES)
long_run = settings(max_examples=400, deadline=None, derandomize=True)
medium_run = settings(max_examples=120, deadline=None, derandomize=True)
"""Settings for laws that play dozens of events from each position."""
short_run = settings(max_examples=40, deadline=None, derandomize=True)


def ask(game: str, resource: str, document: dict[str, Any]) -> TestResponse:
    return CLIENT.post(f"/v1/{game}/{resource}", json=document)


def shuffled(rng: Random, value: Any) -> Any:
    """Returns the document with its keys shuffled, and with those dice whose order is free."""
    if isinstance(value, dict):
        items = list(value.items())
        rng.shuffle(items)
        return {
            key: shuffled(rng, nested) if key in ("roll", "dice", "keeps", "options") else nested
            for key, nested in items
        }
    if isinstance(value, list) and value and not isinstance(value[0], list):
        return rng.sample(value, len(value))
    if isinstance(value, list):
        return [shuffled(rng, nested) for nested in value]
    return value


@every_game
@long_run
@given(seed=SEEDS)
def test_possible_position_gets_a_verdict_that_cites_its_rules(game: str, seed: int) -> None:
    document = RANDOM_GAMES[game].random_position(Random(seed))
    answer = answered(game, "adjudications", document)
    assert answer["rules"] == sorted(set(answer["rules"]))
    cited = set(answer["rules"])
    assert cited <= set(rulebook(game).rules)
    assert rules_inside(answer) <= cited
    assert answer["ruleset_hash"] == catalogue()[game].rulesets[answer["ruleset"]].hash


def rules_inside(value: Any) -> set[str]:
    if isinstance(value, list):
        return set[str]().union(*map(rules_inside, value))
    if isinstance(value, dict):
        own = {value["rule"]} if "rule" in value else set()
        return own.union(*map(rules_inside, value.values()))
    return set()


@every_game
@long_run
@given(seed=SEEDS)
def test_order_of_dice_and_keys_leaves_the_answer_unchanged(game: str, seed: int) -> None:
    rng = Random(seed)
    document = RANDOM_GAMES[game].random_position(rng)
    first = ask(game, "adjudications", document).data
    assert ask(game, "adjudications", shuffled(rng, document)).data == first
    assert orjson.dumps(json.loads(first)) == first


@every_game
@medium_run
@given(seed=SEEDS)
def test_transitions_accept_exactly_the_listed_moves(game: str, seed: int) -> None:
    source = RANDOM_GAMES[game]
    document = source.random_position(Random(seed))
    legal, illegal = source.events_at(document, answered(game, "adjudications", document))
    for event in legal:
        step = answered(game, "transitions", {**document, "event": event})
        assert step["legal"], (document, event, step)
        assert step["findings"] == []
    for event in illegal:
        step = answered(game, "transitions", {**document, "event": event})
        assert not step["legal"], (document, event)
        assert step["turn"] is None
        assert step["findings"]
        assert set(step["rules"]) == {finding["rule"] for finding in step["findings"]}
        assert all(finding["pointer"].startswith("/event") for finding in step["findings"])


@every_game
@medium_run
@given(seed=SEEDS)
def test_transition_leads_to_the_next_of_the_adjudication(game: str, seed: int) -> None:
    source, rng = RANDOM_GAMES[game], Random(seed)
    document = source.random_position(rng)
    for event, promised in source.documents_after(answered(game, "adjudications", document)):
        step = answered(game, "transitions", {**document, "event": event})
        assert step["turn"] == promised
        following = None if promised["phase"] == "over" else source.next_event(rng, promised)
        if following is not None:
            repeat = answered(game, "transitions", {**promised, "event": following})
            assert repeat["legal"], (promised, following, repeat)


@every_game
@short_run
@given(seed=SEEDS)
def test_random_games_end_and_audit_as_legal(game: str, seed: int) -> None:
    document = RANDOM_GAMES[game].random_log(Random(seed))
    answer = answered(game, "audits", document)
    assert answer["legal"], answer["first_illegal"]
    assert answer["over"]
    assert answer["winners"]
    assert answer["turn"] is None
    more = {**document, "log": [*document["log"], document["log"][0]]}
    refused = answered(game, "audits", more)
    assert refused["first_illegal"]["index"] == len(document["log"])
    assert refused["winners"] == answer["winners"]


@every_game
@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_transitions_agree_with_the_audit_of_each_prefix(game: str, seed: int) -> None:
    document = RANDOM_GAMES[game].random_log(Random(seed))
    log = document["log"][:60]
    before = answered(game, "audits", {**document, "log": []})
    for index, event in enumerate(log):
        after = answered(game, "audits", {**document, "log": log[: index + 1]})
        step = answered(game, "transitions", {**before["turn"], "event": event})
        assert step["legal"]
        if step["turn"]["phase"] == "over":
            assert after["over"] or after["player"] is not None
        else:
            assert step["turn"] == after["turn"]
        if after["over"]:
            break
        before = after


@every_game
@short_run
@given(seed=SEEDS)
def test_batch_equals_single_questions(game: str, seed: int) -> None:
    rng = Random(seed)
    documents = [RANDOM_GAMES[game].random_position(rng) for _ in range(5)]
    singles = [ask(game, "adjudications", document).get_json() for document in documents]
    batch = answered(game, "adjudications/batch", {"positions": documents})
    assert batch == {"answers": singles}
