"""Laws of a table of Yatzee beyond those of every game: holds, totals, whole games."""

from functools import partial
from random import Random

from tests.application import answered
from tests.games.yatzee.random_games import SHEET, events_at, random_log, random_position

ROLL, WRITE, STRIKE = "roll", "write", "strike"


ask = partial(answered, "yatzee")


def test_holds_are_exactly_the_subsets_of_the_dice() -> None:
    for seed in range(30):
        position = random_position(Random(seed))
        answer = ask("adjudications", position)
        legal, illegal = events_at(position, answer, holds=64)
        promised = sorted({event["type"] for event in legal})
        for event in legal:
            step = ask("transitions", position | {"event": event})
            assert step["legal"], (position, event, step)
            if event["type"] == ROLL:
                dice = sorted([*event["held"], *event["dice"]])
                assert step["turn"]["roll"] == dice, (position, event)
                assert step["turn"]["rolls_made"] == position["rolls_made"] + 1, (position, event)
                assert step["totals"] == answer["totals"], (position, event)
        for event in illegal:
            step = ask("transitions", position | {"event": event})
            assert not step["legal"], (position, event)
            assert step["legal_events"] == promised, (position, event)
            assert step["totals"] == answer["totals"], (position, event)
            assert step["effects"] == [], (position, event)


def test_filling_a_category_scores_the_promised_points() -> None:
    for seed in range(100):
        position = random_position(Random(seed))
        answer = ask("adjudications", position)
        sheet = position.get("scorecard", {})
        for entry in answer["categories"]:
            category = entry["category"]
            assert entry["open"] is (category not in sheet), (position, category)
            if not entry["open"]:
                assert entry["totals"] is None, (position, category)
                continue
            kind = WRITE if entry["satisfied"] else STRIKE
            step = ask("transitions", position | {"event": {"type": kind, "category": category}})
            filled = sheet | {category: entry["points"]}
            lines = [(line, filled[line]) for line in SHEET if line in filled]
            assert [*step["turn"]["scorecard"].items()] == lines, (position, category)
            assert step["totals"] == entry["totals"], (position, category)
            gained = sum(effect["points"] for effect in step["effects"])
            assert step["totals"]["total"] - answer["totals"]["total"] == gained, position
        writable = any(entry["open"] and entry["satisfied"] for entry in answer["categories"])
        assert answer["status"] == ("writable" if writable else "strike-only"), position


def test_totals_of_a_whole_game_are_consistent() -> None:
    for seed in range(12):
        log = random_log(Random(seed))
        audit = ask("audits", log)
        assert audit["over"], seed
        assert len(audit["sheet"]) == 18 * len(log["players"]), seed
        assert audit["sheet"][-1] == audit["scores"], seed
        best = max(audit["scores"])
        winners = [player for player, score in enumerate(audit["scores"]) if score == best]
        assert audit["winners"] == winners, seed
        bonus = log["options"].get("upper_bonus", 50)
        threshold = log["options"].get("upper_threshold", 84)
        rows = zip(audit["scorecards"], audit["totals"], audit["scores"], strict=True)
        for sheet, totals, score in rows:
            assert list(sheet) == list(SHEET), seed
            upper = sum(sheet[category] for category in SHEET[:6])
            lower = sum(sheet[category] for category in SHEET[6:])
            added = bonus if upper >= threshold else 0
            expected = {"upper": upper, "upper_bonus": added, "lower": lower, "total": score}
            assert totals == expected, seed
            assert score == upper + added + lower, seed
