"""Sentences of the service: equal to the proofread texts, and sound for every request."""

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given

from dice_referee.api.i18n import LANGUAGES
from dice_referee.games import catalogue
from dice_referee.games.tutto.cards import PLAYABLE
from dice_referee.games.tutto.speech import promise
from dice_referee.sentences import speech
from dice_referee.sentences.findings import common_words
from dice_referee.sentences.speech import text
from dice_referee.voice import MOST_CHOICES
from tests.application import CLIENT
from tests.games.test_laws import RANDOM_GAMES, SEEDS, every_game, long_run, short_run
from tests.games.test_words import gaps, texts
from tests.tools.spoken import Spoken, as_text, languages, stored_text, told_log

PARAGRAPHS = [spoken for game in catalogue() for spoken in stored_text(game)]
RESOURCES = [*dict.fromkeys((spoken.game, spoken.resource) for spoken in PARAGRAPHS)]
LONGEST = 130
"""Maximum characters of a line about a player without a finding. Most have fewer than 80."""


def sentences_from(
    path: str, document: Any, language: str = "en", accept: str = "text/plain"
) -> str:
    headers = {"Accept": accept, "Accept-Language": language}
    response = CLIENT.post(path, json=document, headers=headers)
    assert response.status_code == 200, (document, response.get_data(as_text=True))
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    # Languages with terms alone use English sentences.
    assert response.headers["Content-Language"] == (language if language in LANGUAGES else "en")
    assert response.headers["Vary"] == "Accept, Accept-Language"
    return response.get_data(as_text=True)


def assert_sound(sentences: str) -> None:
    """Expects whole lines of whole sentences, without traces of the program."""
    assert sentences.endswith("\n")
    # Only paragraphs are separated by empty lines.
    assert not re.search(r"^\n|\n\n\n|\n\n$", sentences), sentences
    for line in filter(None, sentences.splitlines()):
        assert line.endswith((".", ":")), sentences
        assert not re.search(r"[{}\[\]]|None|True|False|  |\b(\w+)\1:|\.\.| \.", line), sentences
        assert line[0] not in " .,:;", sentences
        unlisted = re.sub(r"(, [A-Za-z ]+ \d+)+", "", line)
        assert len(unlisted) <= LONGEST or re.search(r"[(][TPY]\d", line[:40]), line
    assert (
        len(re.findall(r"^(?:Set aside \d|Write|Accept|Strike)", sentences, re.M)) <= MOST_CHOICES
    )


@pytest.mark.parametrize(("game", "resource"), RESOURCES)
def test_sentences_equal_the_proofread_texts(game: str, resource: str) -> None:
    paragraphs = [
        paragraph
        for paragraph in PARAGRAPHS
        if (paragraph.game, paragraph.resource) == (game, resource)
    ]
    for paragraph in paragraphs:
        assert set(paragraph.sentences) == set(languages(game)), paragraph.title
        sentences = {language: paragraph.say(language) for language in paragraph.sentences}
        assert sentences == paragraph.sentences, paragraph.title
    first = paragraphs[0]
    assert f"# {first.title}\n" in as_text(first)
    if resource in ("adjudications", "transitions", "audits", "odds"):
        for language, text_of_language in first.sentences.items():
            answer = sentences_from(f"/v1/{game}/{resource}", first.document, language)
            assert answer == text_of_language


def unproofread(sentences: Any, paragraphs: list[Spoken]) -> list[str]:
    """Returns the places of templates that no paragraph shows."""
    read_out = "".join(paragraph.sentences["en"] for paragraph in paragraphs)
    patterns = {
        place: ".+?".join(map(re.escape, re.split(r"\{\w+\}", template["en"])))
        for place, template in texts(sentences)
    }
    return [place for place, pattern in patterns.items() if not re.search(pattern, read_out)]


@every_game
def test_every_sentence_of_a_game_was_proofread(game: str) -> None:
    own = [paragraph for paragraph in PARAGRAPHS if paragraph.game == game]
    assert not unproofread(catalogue()[game].words["sentences"], own)


def test_every_common_sentence_was_proofread() -> None:
    assert not unproofread(common_words()["sentences"], PARAGRAPHS)


def test_common_sentences_have_the_same_gaps_in_every_language() -> None:
    for place, template in texts(common_words()):
        assert set(template) == set(LANGUAGES), place
        assert len({frozenset(gaps(sentence)) for sentence in template.values()}) == 1, place


@every_game
@long_run
@given(seed=SEEDS)
def test_every_position_gets_sound_sentences(game: str, seed: int) -> None:
    rng = Random(seed)
    document = RANDOM_GAMES[game].random_position(rng)
    sentences = sentences_from(f"/v1/{game}/adjudications", document, rng.choice(LANGUAGES))
    assert_sound(sentences)


@every_game
@short_run
@given(seed=SEEDS)
def test_odds_get_sound_sentences(game: str, seed: int) -> None:
    rng = Random(seed)
    position = RANDOM_GAMES[game].random_position(rng)
    # House rules need their own tables, which take long to build.
    position = {name: position[name] for name in position if name not in ("options", "ruleset")}
    if CLIENT.post(f"/v1/{game}/odds", json=position).status_code == 200:
        assert_sound(sentences_from(f"/v1/{game}/odds", position, rng.choice(LANGUAGES)))


@every_game
@short_run
@given(seed=SEEDS)
def test_every_event_gets_sound_sentences(game: str, seed: int) -> None:
    rng = Random(seed)
    document = RANDOM_GAMES[game].random_position(rng)
    answer = CLIENT.post(f"/v1/{game}/adjudications", json=document).get_json()
    legal, illegal = RANDOM_GAMES[game].events_at(document, answer)
    for event in [
        *rng.sample(legal, min(3, len(legal))),
        *rng.sample(illegal, min(3, len(illegal))),
    ]:
        step = {**document, "event": event}
        assert_sound(sentences_from(f"/v1/{game}/transitions", step, rng.choice(LANGUAGES)))


@every_game
@short_run
@given(seed=SEEDS)
def test_every_game_gets_sound_sentences(game: str, seed: int) -> None:
    rng = Random(seed)
    document = RANDOM_GAMES[game].random_log(rng)
    cut = rng.randint(0, len(document["log"]))
    for log in (document["log"], document["log"][:cut]):
        sentences = sentences_from(
            f"/v1/{game}/audits", {**document, "log": log}, rng.choice(LANGUAGES)
        )
        assert_sound(sentences)


@pytest.mark.long
@every_game
@short_run
@given(seed=SEEDS)
def test_log_entries_get_sound_sentences_for_every_listener(game: str, seed: int) -> None:
    rng = Random(seed)
    document = RANDOM_GAMES[game].random_log(rng)
    events, seats = document.pop("log"), range(-1, len(document["players"]))
    first = rng.randrange(len(events))
    rules = catalogue()[game]
    state, log = told_log(rules, {**document, "events": events[: first + 12]})
    for seat in seats:
        language = rng.choice(LANGUAGES)
        for lines in (
            speech.events(rules, state, log[first:], seat, language),
            speech.session(rules, state, seat, language),
        ):
            assert_sound(text(lines).decode())


def test_names_lose_control_characters() -> None:
    names = ["A\nda\x1b[31m", "\t", "{name}"]
    document = {"players": names, "log": []}
    lines = sentences_from("/v1/pot/audits", document).splitlines()
    assert "Coins: A da [31m 3, Player 2 3, {name} 3; on the POT 1, in the bank 45." in lines


def test_right_to_left_names_are_isolated() -> None:
    document = {"players": ["\u05d3\u05e0\u05d4", "\u0639\u0644\u064a 2", "Ada"], "log": []}
    lines = sentences_from("/v1/pot/audits", document).splitlines()
    apart = [f"\u2068{name}\u2069" for name in document["players"][:2]]
    counts = f"Coins: {apart[0]} 3, {apart[1]} 3, Ada 3; on the POT 1, in the bank 45."
    assert counts in lines


def test_ranking_lists_winners_first() -> None:
    rng, names = Random(3), ["Ada", "Ben", "Cleo", "Dan"]
    voice = speech.voice_for(catalogue()["tutto"], "en", names)
    for _ in range(300):
        counts = [rng.randrange(5) for _ in names]
        winners = rng.sample(range(len(names)), rng.randrange(len(names)))
        parts = map(str.split, voice.ranking(counts, winners).split(", "))
        ranked = [(names.index(name), int(count)) for name, count in parts]
        assert sorted(ranked) == [*enumerate(counts)]
        merits = [(player in winners, count) for player, count in ranked]
        assert merits == sorted(merits, reverse=True)


@pytest.mark.parametrize("ruleset", catalogue()["tutto"].rulesets)
@pytest.mark.parametrize("language", LANGUAGES)
def test_tutto_cards_promise_different_sentences(language: str, ruleset: str) -> None:
    voice = speech.voice_for(catalogue()["tutto"], language)
    rules = {"ruleset": ruleset, "options": {}}
    promised = {
        (card.id, tuttos): "\n".join(promise(voice, {"card": card.id, "tuttos": tuttos, **rules}))
        for card in PLAYABLE.values()
        for tuttos in range(min(card.most_tuttos, 2) + 1)
    }
    first = {card: promised[card, 0] for card in PLAYABLE}
    later = {card: text for (card, _), text in promised.items() if text != first[card]}
    assert list(later) == ["clover"]
    assert len({*first.values(), *later.values()}) == len(PLAYABLE) + 1


def test_json_is_the_default_unless_text_has_more_weight() -> None:
    path = "/v1/tutto/adjudications?card=bonus-300&roll=234566"
    for accept in ("*/*", "application/json, text/plain", "text/plain;q=0.5, */*"):
        answer = CLIENT.get(path, headers={"Accept": accept})
        assert answer.mimetype == "application/json"
        assert answer.headers["Vary"] == "Accept"
    text_answer = CLIENT.get(path, headers={"Accept": "text/plain, application/json;q=0.5"})
    assert text_answer.mimetype == "text/plain"
    assert text_answer.headers["Cache-Control"] == "public, max-age=3600"
    tag = text_answer.headers["ETag"]
    assert tag != CLIENT.get(path).headers["ETag"]
    held = {"Accept": "text/plain", "If-None-Match": tag}
    assert CLIENT.get(path, headers=held).status_code == 304


def test_clients_that_accept_only_text_get_problems_as_text() -> None:
    path = "/v1/tutto/adjudications?card=bonus-300&roll=2345"
    refusal = CLIENT.get(path, headers={"Accept": "text/plain", "Accept-Language": "de"})
    assert (refusal.status_code, refusal.mimetype) == (422, "text/plain")
    problem = CLIENT.get(path, headers={"Accept-Language": "de"}).get_json()
    finding = problem["findings"][0]
    assert refusal.data == text([f"{problem['title']}.", f"{finding['rule']}: {finding['detail']}"])
    known = CLIENT.get("/v1/tutto/odds?pile=", headers={"Accept": "text/plain"})
    assert known.status_code == 400
    malformed = CLIENT.get(f"{path}&x=1", headers={"Accept": "text/*"}).get_data(as_text=True)
    assert "/x: This field is not known here" in malformed
    for accept in ("text/plain, application/json;q=0.1", "text/plain, application/problem+json"):
        answer = CLIENT.get(path, headers={"Accept": accept})
        assert answer.mimetype == "application/problem+json"
        assert json.loads(answer.data)["status"] == 422


def test_french_zero_takes_the_singular() -> None:
    game = catalogue()["pot"]
    phrases = {n: speech.voice_for(game, "fr").count("coins", n) for n in (0, 1, 2)}
    assert phrases == {0: "0 pièce", 1: "1 pièce", 2: "2 pièces"}
