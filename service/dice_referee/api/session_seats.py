"""Seats of a session, arrivals and nudges of players. Neither changes the version."""

from math import ceil
from typing import Any

import orjson
from flask import Blueprint

from dice_referee.api.message import Answer
from dice_referee.api.problems import ProblemError, retry_after
from dice_referee.api.session_access import Opened, session_view
from dice_referee.sessions.session import Status, encode
from dice_referee.telemetry.metrics import count_change

blueprint = Blueprint("session_seats", __name__, url_prefix="/v1/sessions")


@session_view(blueprint, "GET", "/<session_id>/seats")
def list_seats(opened: Opened) -> Answer:
    return Answer(orjson.dumps({"seats": _seats(opened)}))


@session_view(blueprint, "POST", "/<session_id>/seats/<number>/arrival")
def arrive(opened: Opened) -> Answer:
    """Records the arrival of the seat's player. The host's token records nothing."""
    session = opened.session
    who = opened.actor()
    opened.body()
    seat = opened.seat()
    if who.seat is not None:
        if who.seat != seat:
            raise ProblemError("forbidden", "other-seat")
        _note(opened, session.seats[seat])
    return Answer(orjson.dumps({"by": who.by, "seats": _seats(opened)}))


@session_view(blueprint, "POST", "/<session_id>/seats/<number>/nudge")
def nudge(opened: Opened) -> Answer:
    """Calls the player of a seat once a minute, by the streams of the session alone."""
    session = opened.session
    who = opened.actor()
    opened.body()
    seat = opened.seat()
    if session.status is not Status.RUNNING:
        raise ProblemError("session-ended")
    if who.seat == seat:
        raise ProblemError("cannot-nudge", "nudge-own-seat")
    if session.bots and session.bots[seat] is not None:
        raise ProblemError("cannot-nudge", "nudge-bot")
    seconds = ceil(opened.store.nudge(session.id, seat) / 1_000_000)
    if seconds:
        later = retry_after(seconds)
        raise ProblemError("rate-limited", "nudged", {"seconds": seconds}, headers=later)
    count_change(session.game, "nudge")
    return Answer(orjson.dumps({"seats": _seats(opened)}))


def _note(opened: Opened, secret: str) -> None:
    """Records the arrival. Before the first entry it extends the session to its full time."""
    session = opened.session
    extension: tuple[int, bytes, int] | tuple[()] = ()
    if session.until is not None:
        after = encode(session.after_arrival(opened.request.services.now()))
        extension = session.version, after, session.ttl
    if opened.store.arrive(session.id, secret, *extension):
        count_change(session.game, "arrival")


def _seats(opened: Opened) -> list[dict[str, Any]]:
    """A player has arrived if their current token was used.

    The lease of a seat may outlast its transfer to a bot by some seconds.
    """
    session = opened.session
    bots = session.bots or (None,) * len(session.seats)
    arrivals, connected = opened.store.attendance(session.id, session.seats)
    return [
        {
            "seat": seat,
            "name": name,
            "bot": bot,
            "arrived": bot is not None or come,
            "connected": bot is None and seat in connected,
        }
        for seat, (name, bot, come) in enumerate(zip(session.players, bots, arrivals, strict=True))
    ]
