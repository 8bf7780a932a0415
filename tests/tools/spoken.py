"""Sentences of the service for reading: requests and their answers in every language.

Each game has a file ``spoken.txt``. A paragraph has a title (``# ...``), a request (``> resource
document``) and the sentences in each language (``[en]``). After an intended change, ``python -m
tests.tools.spoken`` updates the sentences. Then read the diff.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from flask.testing import FlaskClient

from dice_referee.api.i18n import LANGUAGES
from dice_referee.app import create_app
from dice_referee.games import catalogue, verbs
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.game import AnyState, Document
from dice_referee.sentences import speech
from dice_referee.sessions import play, view
from dice_referee.sessions.change import Actor, Change, LastEvent
from dice_referee.sessions.log import Entry, kept_entries
from dice_referee.sessions.session import DiceSource, Session, decode, encode
from dice_referee.voice import EVERYBODY

CATALOGUE = ("catalogue", "rules", "cases")
"""Resources of the catalogue, beginning with the game itself. All other resources are verbs."""

GAMES = Path(__file__).resolve().parents[1] / "games"
PREFACE = (
    "Requests and what is answered to them in sentences. Made by `python -m tests.tools.spoken`.\n"
)


def unprepared(*_: object) -> None:
    """Makes no value tables. Bots make the tables that they need."""


class Spoken(NamedTuple):
    """A request, and its sentences by language."""

    game: str
    title: str
    resource: str
    document: dict[str, Any]
    sentences: dict[str, str]

    def say(self, language: str) -> str:
        """Returns the service's current sentences."""
        if self.resource not in SAYING:
            return self.answered(language)
        lines = SAYING[self.resource](catalogue()[self.game], self.document, language)
        return speech.text(lines).decode()

    def answered(self, language: str) -> str:
        """Returns the service's current answer. The catalogue takes a query."""
        headers = {"Accept": "text/plain", "Accept-Language": language}
        if self.resource.partition("/")[0] in CATALOGUE:
            path = f"/v1/{self.game}/{self.resource}".removesuffix("/catalogue")
            answer = client().get(path, query_string=self.document, headers=headers)
        else:
            path = f"/v1/{self.game}/{self.resource}"
            answer = client().post(path, json=self.document, headers=headers)
        assert answer.status_code == 200, answer.get_data(as_text=True)
        assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        return answer.get_data(as_text=True)


@cache
def client() -> FlaskClient:
    """Returns a client of the service itself."""
    return create_app().test_client()


def adjudicated(game: AnyGame, document: dict[str, Any], language: str) -> list[str]:
    return speech.adjudication(game, document, language)[1]


def applied(game: AnyGame, document: dict[str, Any], language: str) -> list[str]:
    return speech.transition(game, document, verbs.step(game, document), language)


def audited(game: AnyGame, document: dict[str, Any], language: str) -> list[str]:
    return speech.audit(game, document, verbs.audit(game, document), language)


def weighed(game: AnyGame, document: dict[str, Any], language: str) -> list[str]:
    question = game.question_of(document)
    return speech.odds(game, question, game.odds(question, game.bot_of(document)), language)


def shown(game: AnyGame, document: dict[str, Any], language: str) -> list[str]:
    """Describes a session after these events, for the player in ``seat``."""
    state, _ = told_log(game, document)
    return speech.session(game, state, document.get("seat", EVERYBODY), language)


def created(game: AnyGame, document: dict[str, Any], language: str) -> list[str]:
    """Describes a new session with known tokens."""
    state, _ = told_log(game, {**document, "events": []})
    secrets = {"host_token": "host", "seat_tokens": ["first", "second"]}
    return speech.created(game, {"session": state, **secrets}, language)


def turn_after(game: AnyGame, document: dict[str, Any], language: str) -> list[str]:
    """Returns the log of a session after a version, for the player in ``seat``."""
    state, log = told_log(game, document)
    entries, listener = log[document["after"] :], document.get("seat", EVERYBODY)
    return speech.events(game, state, entries, listener, language)


HOST = Actor(None)


def told_log(game: AnyGame, document: dict[str, Any]) -> tuple[Document, list[Entry]]:
    """Returns the state of a session after ``events`` by the host, and its log.

    With ``dice: "service"`` the seed is known.
    """
    setup: Document = {
        name: document[name] for name in game.schemas.setup.fields if name in document
    }
    served, count = document.get("dice") == "service", len(setup["players"])
    session = Session(
        id="told",
        game=game.name,
        setup=game.normalized_setup(setup),
        dice=DiceSource.SERVICE if served else DiceSource.CLIENT,
        created_at=0,
        updated_at=0,
        ttl=1,
        host="",
        seats=("",) * count,
        seed=bytes(32) if served else None,
        seeds=(None,) * count if served else (),
    )
    session, state, _ = play.begin(game, session, unprepared)
    log: list[Entry] = []
    for event in document["events"]:
        # Equals the document read from the store.
        session = decode(encode(session), session.id, session.version)
        change = _change(game, session, event, log)
        session, state = change.session, change.state
        log.append(change.entry)
    return view.session_document(game, session, state), log


def last_event(game: AnyGame, session: Session, log: Sequence[Entry]) -> LastEvent | None:
    """Returns the last kept event of a log, by the whole log."""
    kept = kept_entries(log)
    if not kept:
        return None
    *earlier, last = kept

    def state() -> AnyState:
        state = game.new_state(session.setup)
        for entry in earlier:
            state = game.advance(state, entry["event"]).state
        return state

    return LastEvent(last, earlier[-1]["version"] if earlier else 0, state)


def _change(game: AnyGame, session: Session, event: Document, log: list[Entry]) -> Change:
    match event["type"]:
        case "undone":
            actor = Actor(event["player"]) if "player" in event else HOST
            last = partial(last_event, game, session, log)
            return play.undo(game, session, last, actor, 0, unprepared)
        case "seeded":
            return play.add_seed(
                game, session, list, {"seed": event["seed"]}, Actor(event["player"]), 0
            )
        case "reissued":
            return play.reissue(game, session, event["player"], "", HOST, 0)
        case "substituted":
            level = event["level"] and Level(event["level"])
            return play.substitute(game, session, event["player"], level, HOST, 0, unprepared)
        case "hosted":
            return play.pass_host(game, session, event["player"], HOST, 0)
        case "abandoned":
            return play.abandon(game, session, HOST, 0)
        case "rematch":
            actor = Actor(event["player"]) if "player" in event else HOST
            new = event["session"]
            return play.rematch(game, session, new, bytes(32), None, actor, 0, unprepared)
        case _:
            return play.act(game, session, event, HOST, 0, unprepared)


SAYING = {
    "adjudications": adjudicated,
    "transitions": applied,
    "audits": audited,
    "odds": weighed,
    "session": shown,
    "new-session": created,
    "events": turn_after,
}


def languages(game: str) -> tuple[str, ...]:
    """Returns the languages of the service, and the additional languages of this game's words."""
    return tuple(dict.fromkeys((*LANGUAGES, *catalogue()[game].languages)))


def stored_text(game: str) -> Iterator[Spoken]:
    """Yields every paragraph of a game's file."""
    _, *paragraphs = (GAMES / game / "spoken.txt").read_text("utf-8").split("\n# ")
    for paragraph in paragraphs:
        head, *texts = paragraph.strip().split("\n\n[")
        title, request = head.split("\n> ")
        resource, _, document = request.partition(" ")
        texts_by_language = dict(text.split("]\n", 1) for text in texts)
        sentences = {language: f"{text}\n" for language, text in texts_by_language.items()}
        yield Spoken(game, title, resource, json.loads(document), sentences)


def as_text(paragraph: Spoken) -> str:
    """Formats the paragraph with the service's current sentences."""
    request = f"> {paragraph.resource} {json.dumps(paragraph.document)}"
    parts = [f"[{language}]\n{paragraph.say(language)}" for language in languages(paragraph.game)]
    return "\n".join([f"# {paragraph.title}\n{request}\n", *parts])


if __name__ == "__main__":
    for name in catalogue():
        page = "\n".join([PREFACE, *map(as_text, stored_text(name))])
        (GAMES / name / "spoken.txt").write_text(page, "utf-8")
