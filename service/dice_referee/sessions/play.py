"""Changes of a session, each of which is an entry of its log.

Pure: the clock, ids, secrets and the seed are arguments. Of the rules this module knows only that
chance decides some events. Times of a session never decrease, even if the clocks of two services
differ.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from dice_referee.games.game import AnyGame
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.game import AnyQuestion, AnyState, Document, Played
from dice_referee.sessions.change import Actor, Begun, Change, LastEvent, SessionRuleError
from dice_referee.sessions.fairness import FairRandom, dice_key
from dice_referee.sessions.log import Entry, timestamp
from dice_referee.sessions.replay import state_fields, state_of
from dice_referee.sessions.session import DiceSource, Session, Status
from dice_referee.sessions.store import CorruptSession

MOST_SEEDS = 16
"""Maximum texts that a seat may add to the seed, each replacing the last."""

Prepare = Callable[[AnyQuestion, Level], None]
"""Prepares a bot's decision, from its question and level. Its exception aborts the change."""


def begin(game: AnyGame, session: Session, prepare: Prepare) -> Begun:
    """Begins a session: creates its game, and plays the bots whose turn comes first.

    Raises Unanswerable for impossible options.
    """
    state = game.new_state(session.setup)
    laid = replace(session, **state_fields(game, state))
    begun, state, entries = _bots_turns(game, laid, state, session.created_at, prepare)
    return Begun(begun.unused(), state, entries)


def act(
    game: AnyGame, session: Session, event: Document, actor: Actor, now: int, prepare: Prepare
) -> Change:
    """Plays an event of the game, by the player whose turn it is, or by the host.

    With the service's dice the event has no dice or card, and this function deals them. Raises
    SessionRuleError.
    """
    _check_not_abandoned(session)
    if session.player is not None and actor.seat not in (None, session.player):
        raise SessionRuleError("forbidden", "not-your-turn")
    state = state_of(game, session)
    findings = game.objections(state, event, "")
    if findings:
        raise SessionRuleError("illegal-event", findings=findings, players=session.players)
    changed, state, entry = _happens(game, session, state, event, actor, now)
    changed, state, following = _bots_turns(game, changed, state, now, prepare)
    return Change(changed, state, entry, following, entry["version"])


def _happens(
    game: AnyGame, session: Session, state: AnyState, event: Document, actor: Actor, now: int
) -> tuple[Session, AnyState, Entry]:
    hidden, draws = session.hidden, session.draws
    if session.seed is not None and event["type"] in game.chance_events:
        chance = FairRandom(dice_key(session.seed, session.seeds), draws)
        try:
            event, hidden = game.deal(state, event, hidden, chance)
        except ValueError as error:
            raise CorruptSession(session.id) from error
        draws += 1
    played = game.advance(state, event)
    fields = state_fields(game, played.state)
    changed = _advance(session, now, hidden=hidden, draws=draws, **fields)
    return changed, played.state, _entry(session, changed, actor, event, played)


def _bots_turns(
    game: AnyGame, session: Session, state: AnyState, now: int, prepare: Prepare
) -> tuple[Session, AnyState, tuple[Entry, ...]]:
    entries = list[Entry]()
    while session.player is not None and session.bots and (level := session.bots[session.player]):
        question = game.question_at(state.turn, game.public_of(session.hidden))
        prepare(question, Level(level))
        event = game.event_document(game.advise(question, Level(level)))
        bot = Actor(session.player, bot=True)
        session, state, entry = _happens(game, session, state, event, bot, now)
        entries.append(entry)
    return session, state, tuple(entries)


def undo(
    game: AnyGame,
    session: Session,
    last_event: Callable[[], LastEvent | None],
    actor: Actor,
    now: int,
    prepare: Prepare,
) -> Change:
    """Undoes the last kept event, which ``last_event`` reads.

    With the service's dice, only the last decision before a roll can be undone, by its player
    or by the host, and not after the end, when the seed is revealed. At a table with its own dice
    the host may undo any event. A bot that plays the seat now decides anew. Raises
    SessionRuleError.
    """
    served = session.dice is DiceSource.SERVICE
    if not served:
        _check_host(actor)
    _check_not_abandoned(session)
    found = last_event()
    if found is None:
        raise SessionRuleError("cannot-undo", "nothing-to-undo")
    last = found.entry
    if last["by"] == "bot":
        raise SessionRuleError("cannot-undo", "bots-event")
    if served and session.status is Status.OVER:
        raise SessionRuleError("cannot-undo", "seed-is-out")
    if served and last["event"]["type"] in game.chance_events:
        raise SessionRuleError("cannot-undo", "past-chance")
    # Checked last, because it applies only to events that can be undone.
    if not actor.hosts and actor.seat != last["player"]:
        raise SessionRuleError("forbidden", "not-your-event")
    state = found.state()
    changed = _advance(session, now, **state_fields(game, state))
    entry = _entry(session, changed, actor, {"type": "undone", "version": last["version"]})
    changed, state, following = _bots_turns(game, changed, state, now, prepare)
    return Change(changed, state, entry, following, found.before)


def add_seed(
    game: AnyGame,
    session: Session,
    log: Callable[[], Iterable[Entry]],
    body: Document,
    actor: Actor,
    now: int,
) -> Change:
    """Adds a seat's own text, ``body["seed"]``, to the seed, before any chance event.

    ``log`` reads the log. Raises SessionRuleError.
    """
    if actor.seat is None:
        raise SessionRuleError("forbidden", "seat-only")
    _check_not_abandoned(session)
    if session.dice is DiceSource.CLIENT:
        raise SessionRuleError("seeds-closed", "no-service-dice")
    if session.draws:
        raise SessionRuleError("seeds-closed")
    authors = [entry["player"] for entry in log() if entry["event"]["type"] == "seeded"]
    if authors.count(actor.seat) >= MOST_SEEDS:
        raise SessionRuleError("seeds-closed", "no-more-seeds")
    event = {"type": "seeded", "player": actor.seat, **body}
    return _record(game, session.with_seed(actor.seat, body["seed"]), event, actor, now)


def reissue(
    game: AnyGame, session: Session, seat: int, hashed_token: str, actor: Actor, now: int
) -> Change:
    """Gives a seat a new token, which invalidates the old token.

    Raises SessionRuleError.
    """
    _check_host(actor)
    seats = (*session.seats[:seat], hashed_token, *session.seats[seat + 1 :])
    event = {"type": "reissued", "player": seat}
    return _record(game, replace(session, seats=seats), event, actor, now)


def substitute(
    game: AnyGame,
    session: Session,
    seat: int,
    level: Level | None,
    actor: Actor,
    now: int,
    prepare: Prepare,
) -> Change:
    """Lets a bot of this level play a seat. Without a level, its token plays the seat again.

    The seat's own token may do both, and any seat's token may give an idle seat to a bot. A bot
    whose turn it is plays at once. Raises SessionRuleError.
    """
    own = actor.hosts or actor.seat == seat
    if not own and (level is None or session.idle_seconds is None):
        raise SessionRuleError("forbidden", "other-seat")
    if session.status is not Status.RUNNING:
        raise SessionRuleError("session-ended")
    if not own and not _is_idle(session, seat, now):
        raise SessionRuleError("seat-unchanged", "seat-not-idle")
    played = None if level is None else game.bot_level(session.setup, level).value
    seated = session.with_bot(seat, played)
    if played == (session.bots[seat] if session.bots else None):
        raise SessionRuleError("seat-unchanged")
    if session.dice is DiceSource.CLIENT:
        raise SessionRuleError("seat-unchanged", "bot-needs-dice")
    if None not in seated.bots:
        raise SessionRuleError("seat-unchanged", "last-person")
    event = {"type": "substituted", "player": seat, "level": played}
    noted = _record(game, seated, event, actor, now)
    changed, state, following = _bots_turns(game, noted.session, noted.state, now, prepare)
    return Change(changed, state, noted.entry, following)


def pass_host(game: AnyGame, session: Session, seat: int, actor: Actor, now: int) -> Change:
    """Makes a seat's token the host's token, and ends the present one.

    Raises SessionRuleError.
    """
    _check_host(actor)
    if session.host_seat == seat:
        raise SessionRuleError("seat-unchanged", "already-host")
    if session.bots and session.bots[seat] is not None:
        raise SessionRuleError("seat-unchanged", "bot-no-host")
    event = {"type": "hosted", "player": seat}
    return _record(game, session.with_host(seat), event, actor, now)


def abandon(game: AnyGame, session: Session, actor: Actor, now: int) -> Change:
    """Abandons the game: no event can follow, and the seed is revealed.

    Raises SessionRuleError.
    """
    _check_host(actor)
    if session.status is not Status.RUNNING:
        raise SessionRuleError("session-ended")
    return _record(game, session.abandon(), {"type": "abandoned"}, actor, now)


def rematch(
    game: AnyGame,
    session: Session,
    new_id: str,
    new_seed: bytes,
    starter: int | None,
    actor: Actor,
    now: int,
    prepare: Prepare,
) -> Change:
    """Begins another session of the same players, once this game has ended. Tokens stay valid.

    Without a starter the seat after the present starter begins. Raises SessionRuleError, and
    Unanswerable for a starter without a seat.
    """
    if session.status is Status.RUNNING:
        raise SessionRuleError("session-running")
    if session.rematch is not None:
        raise SessionRuleError("session-ended", "rematch-begun")
    now = max(now, session.updated_at)
    if starter is None:
        starter = (session.starter + 1) % len(session.seats)
    blank = replace(
        session,
        id=new_id,
        setup=session.setup_with(starter),
        created_at=now,
        updated_at=now,
        version=0,
        seed=None if session.seed is None else new_seed,
        seeds=(None,) * len(session.seeds),
        draws=0,
        hidden=None,
    )
    event = {"type": "rematch", "session": new_id}
    change = _record(game, replace(session, rematch=new_id), event, actor, now)
    return change._replace(begun=begin(game, blank, prepare))


def _is_idle(session: Session, seat: int, now: int) -> bool:
    """Tells if a person's seat has to move, and nothing has happened for the idle time."""
    person = not session.bots or session.bots[seat] is None
    waited = now - session.updated_at
    return person and session.player == seat and waited >= 1000 * (session.idle_seconds or 0)


def _check_host(actor: Actor) -> None:
    if not actor.hosts:
        raise SessionRuleError("forbidden", "host-only")


def _check_not_abandoned(session: Session) -> None:
    if session.status is Status.ABANDONED:
        raise SessionRuleError("session-ended")


def _entry(
    before: Session,
    after: Session,
    actor: Actor,
    event: Document,
    played: Played[AnyState] | None = None,
) -> Entry:
    return {
        "version": after.version,
        "at": timestamp(after.updated_at),
        "player": before.player if played else actor.seat,
        "by": actor.by,
        "event": event,
        "effects": played.effects if played else [],
        "outcome": played.outcome if played else None,
        "over": after.status is not Status.RUNNING,
        "rules": sorted(played.rules) if played else [],
    }


def _advance(session: Session, now: int, **fields: Any) -> Session:
    updated_at = max(now, session.updated_at)
    return replace(
        session, version=session.version + 1, updated_at=updated_at, until=None, **fields
    )


def _record(game: AnyGame, session: Session, event: Document, actor: Actor, now: int) -> Change:
    state = state_of(game, session)
    changed = _advance(session, now)
    return Change(changed, state, _entry(session, changed, actor, event))
