"""Adjudications answered without Flask: only where the answer is a plain yes.

The schema is the component of ``openapi.yaml`` itself, compiled. Whatever is not certain (another
content type, a repeated key, a flaw, an impossible position) is None: Flask decides it.
"""

import asyncio
import gc
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import jsonschema_rs
import orjson

from service.http.message import Answer, Request, cached, fresh
from service.http.metrics import count_verdict
from service.rules.errors import Unanswerable
from service.rules.game import Game
from service.settings import Settings
from service.wire.body import has_plain_keys
from service.wire.query import read_query

PLAIN_TYPE = b"application/json"
PLAIN_ACCEPT = frozenset({None, b"*/*", b"application/json"})
DEEPEST = 5
"""Levels of lists and objects in a batch of good positions: fewer are counted by Flask."""
AT_A_TIME = 100
"""Positions of a batch between two looks at other requests: a millisecond or two."""


class _Target(NamedTuple):
    game: Game
    fits: Callable[[Any], bool]
    all_fit: Callable[[Any], bool]
    """Whether each item of a list fits."""


class Shortcut:
    """The plain questions of every game of the catalogue."""

    def __init__(
        self, games: Mapping[str, Game], contract: Mapping[str, Any], settings: Settings
    ) -> None:
        self._settings = settings
        self._turn = asyncio.Lock()
        self._single: dict[str, _Target] = {}
        self._batch: dict[str, _Target] = {}
        for game in games.values() if settings.nesting_limit >= DEEPEST else ():
            position = {"$ref": f"#/components/schemas/{game.component}"}
            fits = _compiled(contract, position)
            all_fit = _compiled(contract, {"type": "array", "items": position})
            target = _Target(game, fits, all_fit)
            self._single[f"/v1/{game.name}/adjudications"] = target
            self._batch[f"/v1/{game.name}/adjudications/batch"] = target

    def answer(self, request: Request) -> Answer | None:
        """The answer of Flask to a single question, byte for byte, or None."""
        target = self._single.get(request.path)
        if target is None or request.headers.get(b"accept") not in PLAIN_ACCEPT:
            return None
        if request.method == "POST":
            return self._post(target, request)
        return self._get(target, request) if request.method == "GET" else None

    async def answer_batch(self, request: Request) -> Answer | None:
        """The answer of Flask to a batch, or None; other requests get their turn meanwhile."""
        target = self._batch.get(request.path)
        if target is None or request.headers.get(b"accept") not in PLAIN_ACCEPT:
            return None
        if request.method != "POST":
            return None
        # One after the other: many at once would each be slower, and all other requests with them.
        async with self._turn:
            # A batch makes many objects and no garbage: to look for some takes long.
            gc.disable()
            try:
                return await self._post_batch(target, request)
            finally:
                gc.enable()

    def _post(self, target: _Target, request: Request) -> Answer | None:
        if request.headers.get(b"content-type") != PLAIN_TYPE:
            return None
        if len(request.body) > self._settings.body_limit:
            return None
        if len(request.query) > self._settings.query_limit:
            return None
        try:
            document = orjson.loads(request.body)
            if not target.fits(document) or not has_plain_keys(request.body, document):
                return None
            judged = target.game.adjudicate(document)
        except (ValueError, Unanswerable):
            return None
        game = target.game
        count_verdict(game.name, judged.status)
        ruleset = document.get("ruleset", game.default_ruleset)
        return fresh(judged.text.encode(), ruleset=ruleset)

    def _get(self, target: _Target, request: Request) -> Answer | None:
        if len(request.query) > self._settings.query_limit:
            return None
        game = target.game
        document, flaws = read_query(request.query, game.query, game.option_readers)
        if flaws or not target.fits(document):
            return None
        try:
            judged = game.adjudicate(document)
        except Unanswerable:
            return None
        count_verdict(game.name, judged.status)
        held = request.headers.get(b"if-none-match")
        tag = None if held is None else held.decode("latin-1")
        ruleset = document.get("ruleset", game.default_ruleset)
        return cached(judged.text.encode(), tag, ruleset=ruleset)

    async def _post_batch(self, target: _Target, request: Request) -> Answer | None:
        if request.headers.get(b"content-type") != PLAIN_TYPE:
            return None
        if len(request.query) > self._settings.query_limit:
            return None
        try:
            document = orjson.loads(request.body)
        except ValueError:
            return None
        if not _is_batch(document) or not has_plain_keys(request.body, document):
            return None
        positions = document["positions"]
        if len(positions) > self._settings.batch_limit:
            return None
        parts, statuses = [b'{"answers":['], Counter[str]()
        try:
            for start in range(0, len(positions), AT_A_TIME):
                some = positions[start : start + AT_A_TIME]
                if not target.all_fit(some):
                    return None
                judged = target.game.adjudicate_all(some)
                statuses.update(judged.statuses)
                parts += (b"," if start else b"", judged.text.encode())
                await asyncio.sleep(0)
        except Unanswerable:
            return None
        for status, number in statuses.items():
            count_verdict(target.game.name, status, number)
        return fresh(b"".join([*parts, b"]}"]))


def _is_batch(document: Any) -> bool:
    return (
        isinstance(document, dict)
        and document.keys() == {"positions"}
        and isinstance(document["positions"], list)
    )


def _compiled(contract: Mapping[str, Any], schema: dict[str, Any]) -> Callable[[Any], bool]:
    whole = {**schema, "components": {"schemas": contract["components"]["schemas"]}}
    return jsonschema_rs.Draft202012Validator(whole).is_valid
