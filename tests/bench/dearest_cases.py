"""The operations of the contract, each in its most expensive legal forms."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import orjson

from dice_referee.api.contract import contract, operations
from dice_referee.api.i18n import rulebook
from dice_referee.api.problems import STATUSES
from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.games.line import write_line
from dice_referee.rulebook.bots import Level
from dice_referee.sessions import fairness
from dice_referee.settings import Constants
from dice_referee.web.assets import files, version
from dice_referee.web.guides import ORDER

TEXT = {b"accept": b"text/plain", b"accept-language": b"fr"}
LOG = 2000
"""Number of events of long games, and of entries of the long session."""
BATCHED = 1000
"""Number of positions of a batch."""
SEED, SEEDS = bytes(32), (None,) * 10


@dataclass(frozen=True)
class DearRequest:
    """A request and its name."""

    name: str
    method: str
    path: str
    document: Any = None
    """The body: bytes, a document, or a function that returns a new body for each request."""
    query: str = ""
    headers: Mapping[bytes, bytes] = field(default_factory=dict)
    creates: bool = False
    """True if the store counts the request as a new session."""
    fresh: "Callable[[], DearRequest] | None" = None
    """Returns the request to send, if a request can be sent only once."""
    effort: float = 1.0
    """Part of the bench's effort for a case."""

    def body(self) -> bytes:
        """Returns the body to send."""
        document = self.document() if callable(self.document) else self.document
        if isinstance(document, bytes):
            return document
        return b"" if document is None else orjson.dumps(document)


def log_of_bots(game: AnyGame, setup: dict[str, Any], level: Level, most: int) -> list[Any]:
    """Returns the log of a game between bots, with fair dice and at most ``most`` events."""
    state, hidden, log, draws = game.new_state(setup), None, list[Any](), 0
    key = fairness.dice_key(SEED, SEEDS[: len(setup["players"])])
    while game.player_of(state) is not None and len(log) < most:
        question = game.question_at(state.turn, game.public_of(hidden))
        event: Any = game.event_document(game.advise(question, level))
        if event["type"] in game.chance_events:
            event, hidden = game.deal(state, event, hidden, fairness.FairRandom(key, draws))
            draws += 1
        log.append(orjson.loads(orjson.dumps(event)))
        state = game.advance(state, event).state
    return log


def query_of_line(game: AnyGame, log: dict[str, Any]) -> str:
    """Returns the longest query with the line of a log, which may lack the last events."""
    line = write_line(game, log).replace(", ", ",").replace(": ", ":").replace(" ", "_")
    query = f"line={line}_"[: Constants().query_limit]
    return query[: query.rindex("_")]


POSITIONS: dict[str, list[dict[str, Any]]] = {
    "tutto": [
        {"card": "bonus-200", "roll": [1, 1, 1, 5, 5, 5]},
        {"card": "double", "roll": [1, 2, 3, 4, 5, 5], "scores": [0] * 10, "player": 9},
        {"card": "firework", "roll": [2, 2, 2, 1, 1, 5], "ruleset": "volle-lotte"},
    ],
    "yatzee": [
        {"roll": [1, 2, 3, 4, 5, 6], "rolls_made": 1},
        {"roll": [1, 1, 2, 2, 3, 3], "rolls_made": 2},
        {"roll": [6, 6, 6, 6, 6, 6], "rolls_made": 3},
    ],
    "pot": [
        {"roll": [1, 2, 3], "rolls_made": 1, "coins": [9] * 5, "pot": 4, "bank": 6, "player": 1},
        {
            "roll": [1, "P", "O"],
            "rolls_made": 2,
            "coins": [9] * 5,
            "pot": 4,
            "bank": 6,
            "player": 1,
            "holder": 0,
            "to_beat": 7,
        },
    ],
}
STARTS: dict[str, list[dict[str, Any]]] = {
    "tutto": [{}],
    "yatzee": [{}, {"aim": "game"}, {"aim": "game", "roll": [1, 2, 3, 4, 5, 6], "rolls_made": 1}],
    "pot": [],
}
"""Positions for odds alone."""
LONG_AIMS = {"yatzee": ("game",)}
EVENTS: dict[str, Any] = {
    "tutto": {"type": "keep", "dice": [1, 5]},
    "yatzee": {"type": "roll", "held": [1], "dice": [1, 2, 3, 4, 5]},
    "pot": {"type": "roll", "held": [1], "dice": [2, 3]},
}
QUERIES = {
    "tutto": "card=bonus-200&roll=111555",
    "yatzee": "roll=123456&rolls_made=1",
    "pot": "roll=123&rolls_made=1&coins=9,9,9,9,9&pot=4&bank=6&player=1",
}
HOUSE: dict[str, Any] = {
    "tutto": {"double_scope": "card", "firework_keep": "any"},
    "yatzee": {"throw_bonus": [7, 7, 0]},
    "pot": {},
}


def verdicts(game: AnyGame) -> Iterator[DearRequest]:
    """Yields the operations of a game, each in its most expensive forms."""
    at, name = f"/v1/{game.name}", game.name
    starts = STARTS[name]
    rolls = POSITIONS[name]
    house = [{"name": f"Haus {n}", "options": HOUSE[name]} for n in range(5)]
    for number, position in enumerate([*rolls, *starts]):
        for accept, headers in (("JSON", {}), ("text", TEXT)):
            label = f"{name} {number} {accept}"
            yield DearRequest(f"odds {label}", "POST", f"{at}/odds", position, headers=headers)
            many = {"positions": [position] * BATCHED}
            batch = f"{at}/odds/batch"
            yield DearRequest(f"batch of odds {label}", "POST", batch, many, headers=headers)
            if position in starts:
                continue
            yield DearRequest(
                f"adjudication {label}", "POST", f"{at}/adjudications", position, "", headers
            )
            batch = f"{at}/adjudications/batch"
            yield DearRequest(f"batch {label}", "POST", batch, many, headers=headers)
            event = {**position, "event": EVENTS[name]}
            yield DearRequest(
                f"transition {label}", "POST", f"{at}/transitions", event, "", headers
            )
            for kind, document in (("roll", position), ("event", event)):
                compared = {**document, "house": house}
                path = f"{at}/comparisons"
                yield DearRequest(
                    f"comparison of {kind} {label}", "POST", path, compared, "", headers
                )
    for resource in ("adjudications", "odds"):
        label = f"{resource} of {name} by query"
        yield DearRequest(label, "GET", f"{at}/{resource}", None, QUERIES[name])
    for accept, headers in (("JSON", {}), ("text", TEXT)):
        bad = {"positions": [{"a": 1, "b": 2, "c": 3}] * BATCHED}
        for kind in ("adjudications", "odds"):
            label = f"batch of {kind} of mistakes {name} {accept}"
            yield DearRequest(label, "POST", f"{at}/{kind}/batch", bad, headers=headers)
    yield from games(game)


def games(game: AnyGame) -> Iterator[DearRequest]:
    """Yields the operations on whole games."""
    at, name = f"/v1/{game.name}", game.name
    players = [f"P{number}" for number in range(game.players[1])]
    setup: dict[str, Any] = {"players": players}
    setup |= {"options": {"target": 1_000_000}} if name == "tutto" else {}
    setup |= {"starter": 0} if name == "pot" else {}
    for level in Level:
        log = {**setup, "log": log_of_bots(game, setup, level, LOG)}
        query = query_of_line(game, log)
        for accept, headers in (("JSON", {}), ("text", TEXT)):
            label = f"{name} {level} {len(log['log'])} {accept}"
            yield DearRequest(f"audit {label}", "POST", f"{at}/audits", log, headers=headers)
            by_query = f"audit by query {name} {level} {accept}"
            yield DearRequest(by_query, "GET", f"{at}/audits", None, query, headers)
            for aim in (None, *LONG_AIMS.get(name, ())):
                question = log if aim is None else {**log, "aim": aim}
                path = f"{at}/reviews"
                yield DearRequest(f"review {aim} {label}", "POST", path, question, headers=headers)
        seeds = SEEDS[: len(players)]
        proof = {
            "scheme": fairness.SCHEME,
            "commitment": fairness.commitment(SEED),
            "seeds": seeds,
            "draws": sum(event["type"] in game.chance_events for event in log["log"]),
            "seed": SEED.hex(),
        }
        claim = {"game": name, "fairness": proof, "record": {"game": name, **log}}
        yield DearRequest(
            f"verify {name} {level} {len(log['log'])}", "POST", "/v1/fairness/verify", claim
        )


def table_cases() -> Iterator[DearRequest]:
    """Yields questions whose value tables are missing: each needs its own tables."""
    for ruleset in catalogue()["tutto"].rulesets:
        for firework in ("all", "any"):
            for double in ("card", "turn"):
                options = {"firework_keep": firework, "double_scope": double}
                name = f"table of tutto {ruleset} {firework} {double}"
                aims = count(50, 50)
                yield DearRequest(
                    name,
                    "POST",
                    "/v1/tutto/odds",
                    lambda aims=aims, ruleset=ruleset, options=options: {
                        "ruleset": ruleset,
                        "options": options,
                        "reach": next(aims),
                    },
                )
    for pays in ("beside", "exactly"):
        targets = count(1_000_000, -50)
        yield DearRequest(
            f"table of tutto {pays}",
            "POST",
            "/v1/tutto/odds",
            lambda pays=pays, targets=targets: {
                "options": {"plus_minus_pays": pays, "target": next(targets)}
            },
        )
    for faces in (False, True):
        bonuses = count(1)
        yield DearRequest(
            f"table of yatzee {faces}",
            "POST",
            "/v1/yatzee/odds",
            lambda faces=faces, bonuses=bonuses: {
                "options": {"throw_bonus": [next(bonuses), 0, 0], "distinct_faces": faces}
            },
        )


def catalogue_cases() -> Iterator[DearRequest]:
    """Yields the requests without a body."""
    codes = ["rate-limited"]
    paths = ["/v1", "/v1", "/openapi.yaml", "/openapi.json", "/schemathesis.toml"]
    paths += ["/version", *(f"/problems/{code}" for code in codes)]
    paths += ["/docs", "/guides", "/rules", "/v1/gamez", "/v1/" + "x" * 90, "/v1/a/b/c/d/e/f"]
    for name, game in catalogue().items():
        at, rulesets = f"/v1/{name}", list(game.rulesets)
        paths += [at, f"{at}/rules", f"{at}/cases", f"{at}/rulesets/{rulesets[0]}"]
        paths += [f"/rules/{name}", f"{at}/rulesets/nope", f"{at}/rules/T1.1z"]
    for path in paths:
        refused = " refused" if "z" in path or path.startswith("/v1/") else ""
        for kind, headers in (
            ("any", {}),
            ("gzip", {b"accept-encoding": b"gzip"}),
        ):
            yield DearRequest(f"GET {path[:40]} {kind}{refused}", "GET", path, headers=headers)
    query = "card=bonus-200&roll=123456&" + "&".join(f"a{n}=1" for n in range(800))
    yield DearRequest(
        "query of mistakes refused", "GET", "/v1/tutto/adjudications", None, query[:4000]
    )
    wrong = {f"a{n}": n for n in range(6000)}
    yield DearRequest("body of mistakes refused", "POST", "/v1/tutto/adjudications", wrong)
    wrong_roll: dict[str, Any] = {"card": "double", "roll": [7] * 6000}
    yield DearRequest("roll of mistakes refused", "POST", "/v1/tutto/adjudications", wrong_roll)
    for part in (b"[[[[]]]]", b'{"\\u0061":1,"b":[[]],"c":{}}', b"{}", b"[1,2,3,4,5,6,7,8]"):
        body = b'{"positions":[%s]}' % b",".join([part] * (7_900_000 // (len(part) + 1)))
        label = f"batch of {part.decode()} refused"
        yield DearRequest(label, "POST", "/v1/tutto/adjudications/batch", body, effort=0.1)
    junk = b'{"a":"' + b"x" * (1 << 20)
    yield DearRequest("megabyte refused", "POST", "/v1/tutto/adjudications", junk[: 1 << 20])


def page_cases() -> Iterator[DearRequest]:
    """Yields the pages and their files."""
    html = {b"accept": b"text/html", b"accept-language": b"fr", b"accept-encoding": b"gzip"}
    text = {b"accept": b"text/plain"}
    paths = ["/", "/table", f"/table/{'A' * 22}", "/embedding", "/favicon.ico", "/llms.txt"]
    paths += ["/dice-referee.js", "/dice-referee.d.ts", *(f"/guides/{name}" for name in ORDER)]
    paths += [f"/docs/{name}" for name in operations()]
    paths += [f"/docs/schemas/{name}" for name in contract()["components"]["schemas"]]
    paths += [f"/problems/{code}" for code in STATUSES]
    paths += [f"/static/{version()}/{name}" for name in files() if not name.endswith(".html")]
    for game in catalogue():
        paths += [f"/play/{game}", *(f"/rules/{game}/{rule}" for rule in rulebook(game).rules)]
    for path in paths:
        yield DearRequest(f"GET {path}", "GET", path, headers=html, effort=0.1)
    yield DearRequest("GET / text", "GET", "/", headers=text)
    for path in ("/nothing", "/guides/nothing", "/docs/nothing", "/rules/nothing"):
        yield DearRequest(f"GET {path} refused", "GET", path, headers=html)


LONG = 16_000
"""Bytes of a long field: a server accepts no longer head."""


def field_cases() -> Iterator[DearRequest]:
    """Yields short questions, each with a long field."""

    def repeated(part: str, most: int = LONG) -> bytes:
        return (part * (most // len(part))).encode()

    # The service ignores a longer list of preferences.
    fields = {
        **{f"accept {part}": (b"accept", repeated(part, 1000)) for part in ("a/b,", "*/*;q=.1,")},
        "accept-language": (b"accept-language", repeated("xx-y;q=.1,", 1000)),
        "accept-encoding": (b"accept-encoding", repeated("x;q=.1,", 1000)),
        **{
            name: (name.encode(), repeated(part))
            for name, part in (
                ("accept", "a/b,"),
                ("if-none-match", 'W/"0",'),
                ("authorization", "Bearer "),
                ("content-type", "application/json; a=b;"),
                ("cookie", "a=b; "),
                ("forwarded", "for=a,"),
                ("host", "a."),
                ("idempotency-key", "a"),
                ("if-match", '"0",'),
                ("last-event-id", "1"),
                ("origin", "http://a"),
                ("traceparent", "00-"),
                ("x-forwarded-for", "192.0.2.1, "),
                ("x-request-id", "a"),
            )
        },
    }
    at = "/v1/tutto/adjudications"
    for name, (field_name, value) in fields.items():
        headers = {field_name: value}
        for path in ("/v1", f"/v1/sessions/{'A' * 22}", "/docs", "/static/x/style.css"):
            label = f"GET {path} long {name} refused"
            yield DearRequest(label, "GET", path, headers=headers, effort=0.1)
        label = f"adjudication long {name} refused"
        yield DearRequest(label, "POST", at, POSITIONS["tutto"][0], "", headers, effort=0.1)
    for part in ("roll=1&", "a&", "%31", "keeps=1.1.1&", "&"):
        query = f"card=bonus-200&{repeated(part, 4000).decode()}"
        yield DearRequest(f"query {part} refused", "GET", at, None, query, effort=0.1)
        yield DearRequest(f"page query {part}", "GET", "/docs", None, query, effort=0.1)
    for part in ("a", "/", "a/", "%20"):
        path = "/" + repeated(part, 8000).decode()
        yield DearRequest(f"path {part} refused", "GET", path, effort=0.1)


def session_cases(answer: Callable[..., Any]) -> Iterator[DearRequest]:
    """Yields the operations on sessions with bots, and with a log of ``LOG`` entries.

    ``answer(method, path, document, token)`` is the JSON of an answer.
    """
    players = [f"P{number}" for number in range(10)]
    for game in catalogue().values():
        names = players[: game.players[1]]
        for level in Level:
            bots = [{"seat": seat, "level": level} for seat in range(len(names) - 1)]
            document = {"game": game.name, "players": names, "bots": bots}
            name = f"session of {game.name} {level}"
            yield DearRequest(name, "POST", "/v1/sessions", document, creates=True)
    without_game: dict[str, Any] = {"players": players, "options": {"target": 1_000_000}}
    long = answer("POST", "/v1/sessions", {"game": "tutto", **without_game, "dice": "client"})
    at, token = f"/v1/sessions/{long['session']['id']}", long["host_token"]
    for event in log_of_bots(catalogue()["tutto"], without_game, Level.BEST, LOG):
        answer("POST", f"{at}/events", event, token)
    auth = {b"authorization": f"Bearer {token}".encode()}
    for kind, headers in (("JSON", {}), ("text", TEXT)):
        yield DearRequest(f"session {kind}", "GET", at, None, "", headers)
        yield DearRequest(
            f"odds of a session of {LOG} {kind}", "GET", f"{at}/odds", None, "", headers
        )
        yield DearRequest(f"log of {LOG} {kind}", "GET", f"{at}/events", None, "after=0", headers)
    query = f"after=0&until={LOG}"
    yield DearRequest(f"log of {LOG} until", "GET", f"{at}/events", None, query, TEXT)
    yield DearRequest(f"game of {LOG}", "GET", f"{at}/game")
    yield DearRequest(f"undo of {LOG}", "POST", f"{at}/undo", None, "", auth)
    yield DearRequest("token", "POST", f"{at}/seats/1/token", None, "", auth)
    for name in ("events", "stream"):
        stream = {b"accept": b"text/event-stream"}
        yield DearRequest(f"{name} as a stream", "GET", f"{at}/{name}", None, "after=0", stream)
    yield DearRequest("seats", "GET", f"{at}/seats")
    yield DearRequest("arrival", "POST", f"{at}/seats/1/arrival", None, "", auth)

    def once(name: str, method: str, path: str, document: Any = None, **setup: Any) -> DearRequest:
        def fresh() -> DearRequest:
            begun = answer("POST", "/v1/sessions", {"game": "tutto", "players": players, **setup})
            new, host = f"/v1/sessions/{begun['session']['id']}", begun["host_token"]
            if path == "/rematch":
                answer("POST", f"{new}/abandon", None, host)
            token = begun["seat_tokens"][0] if path == "/seeds" else host
            headers = {b"authorization": f"Bearer {token}".encode()}
            return DearRequest(name, method, new + path, document, "", headers)

        return DearRequest(name, method, at + path, fresh=fresh, creates=path == "/rematch")

    yield once("abandon", "POST", "/abandon")
    yield once("rematch", "POST", "/rematch")
    yield once("delete", "DELETE", "")
    yield once("seed", "POST", "/seeds", {"seed": "a" * 64})
    yield once("nudge", "POST", "/seats/1/nudge")
    yield once("host", "POST", "/host", {"seat": 1})
    bot = {"bots": [{"seat": 0, "level": Level.BEST}]}
    yield once("seat taken back", "DELETE", "/seats/0/bot", **bot)
    # The new bot of seat 0 and the bots behind it play their turns in one answer.
    for game in catalogue().values():
        names = players[: game.players[1]]
        for level in Level:
            bots = [{"seat": seat, "level": level} for seat in range(1, len(names) - 1)]
            setup = {"game": game.name, "players": names, "bots": bots}
            name = f"seat of {game.name} given to {level}"
            yield once(name, "POST", "/seats/0/bot", {"level": level}, **setup)
