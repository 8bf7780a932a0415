"""Comparison of rulesets on a question: groups that agree, and the options that decide."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any, NamedTuple

from dice_referee.games.fields import ruleset_fields
from dice_referee.games.game import AnyGame
from dice_referee.games.verbs import adjudication, step
from dice_referee.rulebook.errors import Unanswerable
from dice_referee.rulebook.findings import Finding, cited_rules
from dice_referee.rulebook.game import Document
from dice_referee.rulebook.pauses import pause
from dice_referee.rulebook.ruleset import Ruleset

ADJUDICATIONS, TRANSITIONS = "adjudications", "transitions"
VERBS: dict[str, Callable[[AnyGame, Document], Document]] = {
    ADJUDICATIONS: adjudication,
    TRANSITIONS: step,
}
RULESET_FIELDS = frozenset({"ruleset", "ruleset_hash", "options"})


class Judgement(NamedTuple):
    """Answer to a question under some rules: a verdict, or findings if it is impossible."""

    verdict: Document | None
    refusal: Unanswerable | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every reason why the question is impossible, none if it has a verdict."""
        return () if self.refusal is None else self.refusal.findings

    @property
    def meaning(self) -> tuple[Any, ...]:
        """Verdict without the names of the rules, and the findings. Equal if rules agree."""
        return _strip_ruleset(self.verdict), self.findings


class Compared(NamedTuple):
    name: str | None
    """Name of these house rules in the request, or None for other rules."""
    rules: Ruleset
    at: str = ""


class Agreement(NamedTuple):
    members: list[Compared]
    judgement: Judgement


def judge(game: AnyGame, resource: str, question: Document, rules: Ruleset) -> Judgement:
    """Judges a question of this verb by these rules, instead of the rules that it names."""
    pause()
    document = {**question, "ruleset": rules.id, "options": rules.house_rules}
    try:
        return Judgement(VERBS[resource](game, document))
    except Unanswerable as error:
        return Judgement(None, error)


def with_options_of(rules: Ruleset, model: Ruleset, names: Sequence[str]) -> Ruleset:
    changed = {name: model.options[name] for name in names}
    return (rules.base or rules).house({**rules.house_rules, **changed})


def causes(
    game: AnyGame, rules: Ruleset, model: Ruleset, judged: Callable[[Ruleset], Judgement]
) -> list[dict[str, Any]]:
    """Returns the options that set ``rules`` apart from ``model``, in the game's order.

    Each option ``alone`` changes the verdict of ``model`` into that of ``rules``. If no option
    does, the list is the smallest set that does so together. It is empty if the verdicts agree.
    """

    def meaning(names: Sequence[str]) -> tuple[Any, ...]:
        return judged(with_options_of(model, rules, names)).meaning

    different = [
        option.name
        for option in game.options
        if rules.options[option.name] != model.options[option.name]
    ]
    before, after = meaning([]), meaning(different)
    if before == after:
        return []
    sets = chain.from_iterable(combinations(different, n) for n in range(2, len(different) + 1))
    decisive = [name for name in different if meaning([name]) == after]
    needed = decisive or next(list(names) for names in sets if meaning(names) == after)
    return [
        {
            "option": option.name,
            "rule": option.rule,
            "value": rules.options[option.name],
            "instead_of": model.options[option.name],
            "alone": bool(decisive),
        }
        for option in game.options
        if option.name in needed
    ]


def compare(game: AnyGame, document: Document) -> dict[str, Any]:
    """Groups the rules that agree, the request's own rules first.

    The document has the game's shape ``compared_roll`` or, with an event, ``compared_event``.
    Raises Unanswerable if the question is impossible under some of the rules.
    """
    resource = TRANSITIONS if "event" in document else ADJUDICATIONS
    question = {name: value for name, value in document.items() if name != "house"}

    def judged(rules: Ruleset) -> Judgement:
        return judge(game, resource, question, rules)

    agreements: list[Agreement] = []
    for compared in _list_rulesets(game, document):
        judgement = judged(compared.rules)
        like = [
            agreement
            for agreement in agreements
            if agreement.judgement.meaning == judgement.meaning
        ]
        if like:
            like[0].members.append(compared)
        else:
            agreements.append(Agreement([compared], judgement))
    [own, *_], judgement = agreements[0]
    if judgement.refusal and all(agreement.judgement.refusal for agreement in agreements):
        raise judgement.refusal
    groups = [
        _group(resource, agreement, causes(game, agreement.members[0].rules, own.rules, judged))
        for agreement in agreements
    ]
    return {"groups": groups, "rules": sorted({rule for group in groups for rule in _rules(group)})}


def _list_rulesets(game: AnyGame, document: Document) -> Iterator[Compared]:
    def house(rules_document: Document) -> Ruleset:
        published: Ruleset = game.rulesets[rules_document.get("ruleset", game.default.id)]
        return published.house(rules_document.get("options", {}))

    own = house(document)
    yield Compared(None, own)
    for published in game.rulesets.values():
        if published.id != own.id or own.house_rules:
            yield Compared(None, published)
    for index, rules_document in enumerate(document.get("house", ())):
        yield Compared(rules_document["name"], house(rules_document), f"/house/{index}")


def _group(resource: str, agreement: Agreement, different: Sequence[Document]) -> dict[str, Any]:
    verdict, findings = agreement.judgement.verdict, agreement.judgement.findings
    first = agreement.members[0]
    return {
        "rulesets": [
            {"name": member.name, **ruleset_fields(member.rules)} for member in agreement.members
        ],
        "adjudication": verdict if resource == ADJUDICATIONS else None,
        "transition": verdict if resource == TRANSITIONS else None,
        "findings": [
            # Findings about house rules point at the house rules.
            finding._replace(pointer=first.at + finding.pointer)
            if finding.pointer.startswith("/options")
            else finding
            for finding in findings
        ],
        "differences": different,
    }


def _rules(group: Document) -> frozenset[str]:
    verdict = group["adjudication"] or group["transition"] or {"rules": ()}
    options = (difference["rule"] for difference in group["differences"])
    return cited_rules(group["findings"]).union(verdict["rules"], options)


def _strip_ruleset(value: Any) -> Any:
    """Returns a part of an answer without the fields that name the rules.

    `null` becomes `false`, because an answer that a position cannot have is not a difference.
    `true` stays a difference.
    """
    if isinstance(value, dict):
        return {
            name: _strip_ruleset(part) for name, part in value.items() if name not in RULESET_FIELDS
        }
    if value is None:
        return False
    # Findings and other named tuples do not contain the names of the rules.
    return [_strip_ruleset(part) for part in value] if type(value) in (list, tuple) else value
