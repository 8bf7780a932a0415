"""A client of the service that asks for sentences and keeps the tokens of sessions it begins."""

import asyncio
import math
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx2

from dice_referee.sentences.problems import problem_lines

TIMEOUT = 60
"""Seconds until an answer is given up."""
ATTEMPTS = 3
"""Number of times that a request is sent while its answer is lost or says when to come back."""
LONGEST_WAIT = 5
"""Seconds between two attempts; an agent is told of a longer wait."""

RESOURCES = {
    "adjudicate": "adjudications",
    "transition": "transitions",
    "odds": "odds",
    "audit": "games",
}
"""Tools that ask about a game, and where they ask."""

Document = dict[str, Any]
Headers = dict[str, str]


class RefusedError(Exception):
    """A request that is not answered; the message says why."""


class Referee:
    """The service at one address."""

    def __init__(self, url: str, language: str | None) -> None:
        self._url, self._language = url.rstrip("/"), language
        self._client = httpx2.AsyncClient(timeout=TIMEOUT)
        self._tokens: dict[str, str] = {}

    async def answer(self, tool: str, tool_input: Document) -> str:
        """Returns what the service says to the arguments of a tool. Raises RefusedError."""
        arguments = dict(tool_input)
        headers = {"Accept": "text/plain, application/json;q=0.5"}
        if language := arguments.pop("language", self._language):
            headers["Accept-Language"] = quote(language, safe="-,;=*. ")
        if tool == "begin":
            return await self._begin(arguments, headers)
        game, session, number = (
            quote(arguments.pop(name, ""), safe="") for name in ("game", "session", "number")
        )
        document: Document | None = None
        if tool in RESOURCES:
            path = f"/{game}/{RESOURCES[tool]}"
            document = arguments.pop("position", {}) | arguments
        elif tool == "rule":
            path = f"/games/{game}/rules/{number}".rstrip("/")
        elif tool == "look":
            path = f"/sessions/{session}"
        elif session in self._tokens:
            path, document = f"/sessions/{session}/events", arguments["event"]
            headers["Authorization"] = f"Bearer {self._tokens[session]}"
            # A move that is sent again with its key happens once.
            headers["Idempotency-Key"] = str(uuid4())
        else:
            raise RefusedError(f"This process has begun no session {session}: begin one.")
        return (await self._send(path, document, headers)).text

    async def _begin(self, arguments: Document, headers: Headers) -> str:
        """Returns the id of a new session, the page that shows it, and its first turn."""
        created = (await self._send("/sessions", arguments, headers)).json()
        session = created["session"]["id"]
        self._tokens[session] = created["host_token"]
        turn = await self._send(f"/sessions/{session}/events", None, headers)
        return f"session: {session}\ntable: {self._url}/table/{session}\n\n{turn.text}"

    async def _send(
        self, path: str, document: Document | None, headers: Headers, attempts: int = ATTEMPTS
    ) -> httpx2.Response:
        """Returns the answer to a request. Raises RefusedError."""
        method, url = "GET" if document is None else "POST", f"{self._url}/v1{path}"
        wait: float = 1
        try:
            reply = await self._client.request(method, url, json=document, headers=headers)
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            refusal = f"{self._url} does not answer: {error or type(error).__name__}"
        else:
            media_type = reply.headers.get("Content-Type", "").partition(";")[0]
            if reply.is_success and media_type in ("text/plain", "application/json"):
                return reply
            refusal = _refusal(reply, media_type)
            after = reply.headers.get("Retry-After", "")
            wait = int(after) if after.isdecimal() else math.inf
        if attempts == 1 or wait > LONGEST_WAIT:
            raise RefusedError(refusal)
        await asyncio.sleep(wait)
        return await self._send(path, document, headers, attempts - 1)


def _refusal(reply: httpx2.Response, media_type: str) -> str:
    """Returns a problem in sentences; an operation that has none sends it as JSON."""
    after = reply.headers.get("Retry-After")
    retry = f"\nRetry-After: {after}" if after else ""
    match media_type:
        case "text/plain":
            return reply.text + retry
        case "application/problem+json":
            lang = reply.headers.get("Content-Language", "")
            return "\n".join(problem_lines(reply.json(), lang)) + retry
        case _:
            return f"{reply.url} is no Dice Referee: {reply.status_code} {media_type}"
