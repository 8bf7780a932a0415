"""HTTP client of the service that requests sentences and stores the tokens of its sessions."""

import asyncio
import json
import math
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import uuid4

import httpx2

from dice_referee.agents.tools import TABLE
from dice_referee.sentences.problems import problem_lines

TIMEOUT = 60
"""Timeout of an answer in seconds."""
ATTEMPTS = 3
"""Maximum attempts of a request that gets no answer or a ``Retry-After``."""
LONGEST_WAIT = 5
"""Maximum seconds between two attempts. The agent receives a longer wait as the answer."""

MOST_BYTES = 4096
"""Maximum size of a structured answer in bytes."""

Document = dict[str, Any]
Headers = dict[str, str]


class RefusedError(Exception):
    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class Reply(NamedTuple):
    text: str
    document: Document | None = None


class Referee:
    def __init__(self, url: str, language: str | None) -> None:
        self._url, self._language = url.rstrip("/"), language
        self._client = httpx2.AsyncClient(timeout=TIMEOUT)
        self._tokens: dict[str, str] = {}

    async def answer(self, tool: str, tool_input: Document) -> Reply:
        """Returns the service's answer to the arguments of a tool. Raises RefusedError."""
        arguments = dict(tool_input)
        headers = {"Accept": "text/plain, application/json;q=0.5"}
        if language := arguments.pop("language", self._language):
            headers["Accept-Language"] = quote(language, safe="-,;=*. ")
        if tool == "begin":
            return await self._begin(arguments, headers)
        if tool in ("adjudicate", "audit"):
            return await self._verdict(tool, arguments, headers)
        if tool == "rule":
            game, number = (quote(arguments.get(name, ""), safe="") for name in ("game", "number"))
            path = f"/{game}/rules/{number}".rstrip("/")
            return Reply((await self._send(path, None, headers)).text)
        try:
            return await self._of_session(tool, arguments, headers)
        except RefusedError as error:
            if error.status not in (404, 410):
                raise
            session = arguments["session"]
            raise RefusedError(f"No session {session}, or no longer: begin starts one.") from None

    async def _verdict(self, tool: str, arguments: Document, headers: Headers) -> Reply:
        game, as_document = arguments.pop("game"), arguments.pop("all", False)
        # Models also put the event, the aim and the bot into the position.
        document = arguments.pop("position", {}) | arguments
        if tool == "audit":
            resource = "reviews" if "aim" in document else "audits"
        elif "event" in document:
            resource = "transitions"
        else:
            resource = "odds" if document.keys() & {"aim", "reach", "bot"} else "adjudications"
        aim = document.get("aim")
        if resource == "transitions":
            document = {
                name: value for name, value in document.items() if name not in ("aim", "bot")
            }
        better, best = TABLE["better"][game], TABLE["best"][game]
        hint = f"{better}\n" if resource in ("adjudications", "odds") and aim != best else ""
        return await self._sentences(f"/{game}/{resource}", document, headers, as_document, hint)

    async def _of_session(self, tool: str, arguments: Document, headers: Headers) -> Reply:
        session, as_document = arguments["session"], arguments.pop("all", False)
        path = f"/sessions/{quote(session, safe='')}"
        as_json = headers | {"Accept": "application/json"}
        if tool == "look":
            return Reply((await self._send(path, None, as_json if as_document else headers)).text)
        if tool == "review":
            game = (await self._send(path, None, as_json)).json()["game"]
            record = (await self._send(f"{path}/game", None, as_json)).json()
            aim = {"aim": arguments["aim"]} if "aim" in arguments else {}
            reviewed = (f"/{game}/reviews", record | aim, as_json if as_document else headers)
            return Reply((await self._send(*reviewed)).text)
        if session not in self._tokens:
            raise RefusedError(f"This process has begun no session {session}: begin one.")
        headers["Authorization"] = f"Bearer {self._tokens[session]}"
        # With its key, a repeated change happens only once.
        headers["Idempotency-Key"] = str(uuid4())
        change, document = ("events", arguments["event"]) if tool == "move" else ("undo", {})
        return Reply((await self._send(f"{path}/{change}", document, headers)).text)

    async def _sentences(
        self, path: str, document: Document, headers: Headers, as_document: bool, hint: str
    ) -> Reply:
        as_json = headers | {"Accept": "application/json"}
        text = "" if as_document else (await self._send(path, document, headers)).text
        reply = await self._send(path, document, as_json)
        return Reply(reply.text if as_document else text + hint, _within(reply.json()))

    async def _begin(self, arguments: Document, headers: Headers) -> Reply:
        as_json = headers | {"Accept": "application/json"}
        created = (await self._send("/sessions", arguments, as_json)).json()
        session = created["session"]["id"]
        self._tokens[session] = created["host_token"]
        turn = await self._send(f"/sessions/{session}/events", None, headers)
        document = {"session": session, "table": f"{self._url}/table/{session}"}
        lines = "\n".join(f"{name}: {value}" for name, value in document.items())
        return Reply(f"{lines}\n\n{turn.text}", document)

    async def _send(
        self, path: str, document: Document | None, headers: Headers, attempts: int = ATTEMPTS
    ) -> httpx2.Response:
        """Raises RefusedError."""
        method, url = "GET" if document is None else "POST", f"{self._url}/v1{path}"
        wait: float = 1
        status = 0
        try:
            reply = await self._client.request(method, url, json=document, headers=headers)
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            refusal = f"{self._url} does not answer: {error or type(error).__name__}"
        else:
            media_type = reply.headers.get("Content-Type", "").partition(";")[0]
            if reply.is_success and media_type in ("text/plain", "application/json"):
                return reply
            refusal, status = _refusal(reply, media_type), reply.status_code
            after = reply.headers.get("Retry-After", "")
            wait = int(after) if after.isdecimal() else math.inf
        if attempts == 1 or wait > LONGEST_WAIT:
            raise RefusedError(refusal, status)
        await asyncio.sleep(wait)
        return await self._send(path, document, headers, attempts - 1)


def _within(document: Document) -> Document:
    """Returns a document of at most ``MOST_BYTES``, whose ``omitted`` names the removed fields."""
    sizes = {name: len(json.dumps({name: value})) for name, value in document.items()}
    omitted: list[str] = []
    while sum(sizes.values()) + len(json.dumps({"omitted": omitted})) > MOST_BYTES:
        omitted.append(max(sizes, key=sizes.__getitem__))
        del sizes[omitted[-1]]
    return {name: document[name] for name in sizes} | ({"omitted": omitted} if omitted else {})


def _refusal(reply: httpx2.Response, media_type: str) -> str:
    after = reply.headers.get("Retry-After")
    when = f"in {after} s" if after and after.isdecimal() else f"after {after}"
    retry = f"\nTry again {when}." if after else ""
    match media_type:
        case "text/plain":
            return reply.text + retry
        case "application/problem+json":
            lang = reply.headers.get("Content-Language", "")
            return "\n".join(problem_lines(reply.json(), lang)) + retry
        case _:
            return f"{reply.url} is not a Dice Referee: {reply.status_code} {media_type}"
