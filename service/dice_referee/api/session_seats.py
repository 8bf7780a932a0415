"""Seats of a session, arrivals and nudges of players. Neither changes the version."""

from math import ceil
from typing import Any

import orjson
from flask import Blueprint

from dice_referee.api import session_access as access
from dice_referee.api.message import Answer
from dice_referee.api.problems import ProblemError, retry_after
from dice_referee.api.services import Services
from dice_referee.api.session_access import Opened, session_view
from dice_referee.sessions.session import Session, Status, encode
from dice_referee.telemetry.metrics import count_change

blueprint = Blueprint("session_seats", __name__, url_prefix="/v1/sessions")


@session_view(blueprint, "GET", "/<session_id>/seats")
def list_seats(opened: Opened) -> Answer:
    """Lists the seats with their names and arrivals."""
    return Answer(orjson.dumps({"seats": _seats(opened.session, opened.services)}))


@session_view(blueprint, "POST", "/<session_id>/seats/<number>/arrival")
def arrive(opened: Opened) -> Answer:
    """Records the arrival of the seat's player. The host's token records nothing."""
    request, services, session = opened.request, opened.services, opened.session
    who = access.actor(session, access.bearer(request))
    access.body_of_change(request, services, access.EMPTY)
    seat = access.seat(request.parameters["number"], session)
    if who.seat is not None:
        if who.seat != seat:
            raise ProblemError("forbidden", "other-seat")
        _note(session, session.seats[seat], services)
    return Answer(orjson.dumps({"by": who.by, "seats": _seats(session, services)}))


@session_view(blueprint, "POST", "/<session_id>/seats/<number>/nudge")
def nudge(opened: Opened) -> Answer:
    """Calls the player of a seat once a minute, by the streams of the session alone."""
    request, services, session = opened.request, opened.services, opened.session
    who = access.actor(session, access.bearer(request))
    access.body_of_change(request, services, access.EMPTY)
    seat = access.seat(request.parameters["number"], session)
    if session.status is not Status.RUNNING:
        raise ProblemError("session-ended")
    if who.seat == seat:
        raise ProblemError("cannot-nudge", "nudge-own-seat")
    if session.bots and session.bots[seat] is not None:
        raise ProblemError("cannot-nudge", "nudge-bot")
    seconds = ceil(access.store_of(services).nudge(session.id, seat) / 1_000_000)
    if seconds:
        later = retry_after(seconds)
        raise ProblemError("rate-limited", "nudged", {"seconds": seconds}, headers=later)
    count_change(session.game, "nudge")
    return Answer(orjson.dumps({"seats": _seats(session, services)}))


def _note(session: Session, secret: str, services: Services) -> None:
    """Records the arrival. Before the first entry it extends the session to its full time."""
    extension: tuple[int, bytes, int] | tuple[()] = ()
    if session.until is not None:
        after = encode(session.after_arrival(services.now()))
        extension = session.version, after, session.ttl
    if access.store_of(services).arrive(session.id, secret, *extension):
        count_change(session.game, "arrival")


def _seats(session: Session, services: Services) -> list[dict[str, Any]]:
    """Returns the seats. A player has arrived if their current token was used."""
    bots = session.bots or (None,) * len(session.seats)
    come = access.store_of(services).arrivals(session.id, session.seats)
    return [
        {"seat": seat, "name": name, "bot": bot, "arrived": bot is not None or here}
        for seat, (name, bot, here) in enumerate(zip(session.players, bots, come, strict=True))
    ]
