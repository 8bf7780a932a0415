"""Answers that all games share: adjudications, transitions, audits, public states."""

from collections.abc import Mapping, Sequence

from dice_referee.games.fields import ruleset_fields
from dice_referee.games.game import AnyGame
from dice_referee.games.line import write_line
from dice_referee.rulebook.findings import cited_rules
from dice_referee.rulebook.game import AnyState, Document, Json
from dice_referee.rulebook.pauses import pause


def adjudication(game: AnyGame, document: Document) -> Json:
    return game.adjudication(game.position_of(document))


def step(game: AnyGame, document: Document) -> Json:
    """Returns the consequences of this transition's ``event``, or every finding against it."""
    position, event = game.position_of(document), game.event_of(document["event"])
    findings = game.objections_in(position, event, "/event")
    step = None if findings else event.play(position)
    turn, effects = (position, ()) if step is None else (step.turn, step.effects)
    return {
        **ruleset_fields(position.rules),
        "legal": step is not None,
        "turn": None if step is None else game.turn_document(turn),
        "findings": findings,
        "legal_events": turn.legal_events,
        "effects": [game.effect_document(each) for each in effects],
        **game.sheet_document(turn),
        "rules": sorted(cited_rules(findings) if step is None else step.rules),
    }


def audit(game: AnyGame, document: Document) -> Json:
    state, cites = game.new_state(document), frozenset[str]()
    first_illegal, ends = None, set[int]()
    for index, reported in enumerate(document["log"]):
        pause()
        findings = game.objections(state, reported, f"/log/{index}")
        if findings:
            # Events after the first illegal event are ignored.
            first_illegal = {"index": index, "findings": findings}
            cites |= cited_rules(findings)
            break
        step = game.event_of(reported).play(state.turn)
        turns = len(state.sheet)
        state, cites = state.after(step), cites | step.rules
        if len(state.sheet) > turns:
            ends.add(index)
    player = game.player_of(state)
    return {
        **ruleset_fields(game.rules_of(document)),
        "legal": first_illegal is None,
        "first_illegal": first_illegal,
        **game.state_document(state),
        **_last_round(state),
        "over": player is None,
        "winners": state.winners,
        "losers": state.losers,
        "player": player,
        "turn": None if player is None else game.turn_document(state.turn),
        "legal_events": state.turn.legal_events,
        "rules": sorted(cites | state.rules),
        "line": write_line(game, document, ends),
    }


def public_state(game: AnyGame, state: AnyState) -> Json:
    """Returns the public state of a game.

    ``player`` and ``turn`` are None when the game is over, ``adjudication`` while the dice leave no
    choice. ``standings`` rank every player, best first. ``table`` has the sheet or the coins.
    """
    turn, holdings, player = state.turn, game.state_document(state), game.player_of(state)
    chooses = turn.phase == game.decision_phase
    return {
        "player": player,
        "turn": None if player is None else game.turn_document(turn),
        "legal_events": turn.legal_events,
        "adjudication": game.adjudication(turn) if chooses else None,
        **_last_round(state),
        "winners": list(state.winners),
        "losers": list(state.losers),
        "standings": _standings(game, holdings, state.winners),
        "table": {name: value for name, value in holdings.items() if name not in game.history},
    }


def _last_round(state: AnyState) -> Json:
    """Returns no field before the last round."""
    return {"last_round": True} if state.last_round else {}


def _standings(
    game: AnyGame, holdings: Mapping[str, Sequence[int]], winners: Sequence[int]
) -> list[Json]:
    field, unit = game.ranking_field
    counts = holdings[field]
    merits = [(player in winners, count) for player, count in enumerate(counts)]
    # Equal players share a place, and the following places are skipped.
    places = [1 + sum(other > merit for other in merits) for merit in merits]
    return [
        {"player": player, "place": places[player], unit: counts[player]}
        for player in sorted(range(len(counts)), key=places.__getitem__)
    ]
