"""Text mode: whole games by typing alone, in the service's own sentences."""

import re
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from service.web.assets import version
from tests.e2e.browser.accessibility import assert_accessible_everywhere
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import FOCUSED, control
from tests.e2e.browser.gathering import Gathering, acts, connection, gathered, told
from tests.e2e.browser.test_live import SOURCES, reset_stream
from tests.server.serving import Server

ENOUGH = 350
"""Points for which a player of Tutto stops."""
TARGETS = {"tutto": 2000, "pot": 5}
MOST = 600
"""Maximum number of commands in a game."""

Table = dict[str, Any]


USUAL: dict[str, Any] = {"refused": True}


def opened(at: Opener, gathering: Gathering, seat: int | str, **how: Any) -> Page:
    """Opens the text mode of this seat."""
    page = at(gathering.link(seat).replace("#", "?text#"), **how)
    expect(connection(page)).to_have_class("connection live")
    expect(page.locator(".told")).to_have_attribute("data-version", re.compile(r"\d+"))
    return page


def typed(page: Page, line: str) -> None:
    """Types a command into the focused line."""
    assert page.evaluate(FOCUSED) == "command"
    page.keyboard.type(line)
    page.keyboard.press("Enter")


def lines(page: Page) -> list[str]:
    """Returns the lines of the log."""
    return page.locator(".told p:not(.asked)").all_text_contents()


def expect_last(page: Page, text: str) -> None:
    """Expects this last line of the log."""
    expect(page.locator(".told p").last).to_have_text(text)


def expect_version(page: Page, number: int) -> None:
    """Waits until the log tells this version."""
    expect(page.locator(".told")).to_have_attribute("data-version", str(number))


# The parser -------------------------------------------------------------------------------------

TUTTO: Table = {
    "game": "tutto",
    "language": "en",
    "legal_events": ["keep", "bank"],
    "dice": "service",
    "players": ["Ada", "Ben", "Bea Day"],
    "deck": [
        {"id": "bonus-300", "title": "Bonus 300"},
        {"id": "plus-minus", "title": "Plus/Minus"},
    ],
    "categories": [],
    "choices": [],
}
YATZEE: Table = {
    **TUTTO,
    "game": "yatzee",
    "legal_events": ["throw", "write", "strike"],
    "categories": [
        {"id": "large-straight", "title": "Große Straße"},
        {"id": "house", "title": "Haus"},
        {"id": "one-pair", "title": "1 Paar"},
        {"id": "ones", "title": "Einsen"},
    ],
}
POT: Table = {**TUTTO, "game": "pot", "legal_events": ["throw", "accept"]}
PEOPLE = {"dice": "client"}
GERMAN = {"language": "de"}

READ: list[tuple[str, Table, Any]] = [
    ("keep 1 5", TUTTO, {"type": "keep", "dice": [1, 5]}),
    ("k15", TUTTO, {"type": "keep", "dice": [1, 5]}),
    ("KEEP 5, 1", TUTTO, {"type": "keep", "dice": [5, 1]}),
    ("1 1", TUTTO, {"type": "keep", "dice": [1, 1]}),
    ("5", TUTTO | {"legal_events": ["keep"]}, {"type": "keep", "dice": [5]}),
    ("4,2", TUTTO | GERMAN, {"type": "keep", "dice": [4, 2]}),
    ("behalten 1", TUTTO | GERMAN, {"type": "keep", "dice": [1]}),
    ("keep 1", TUTTO | GERMAN, {"type": "keep", "dice": [1]}),
    ("bank", TUTTO, {"type": "bank"}),
    ("aufhören", TUTTO | GERMAN, {"type": "bank"}),
    ("aufhoren", TUTTO | GERMAN, {"type": "bank"}),
    ("roll", TUTTO, {"type": "roll"}),
    ("roll", TUTTO | {"legal_events": ["draw"]}, {"type": "draw"}),
    ("r", YATZEE, {"type": "throw"}),
    (
        "draw plus",
        TUTTO | PEOPLE | {"legal_events": ["draw"]},
        {"type": "draw", "card": "plus-minus"},
    ),
    ("roll 115", TUTTO | PEOPLE | {"legal_events": ["roll"]}, {"type": "roll", "dice": [1, 1, 5]}),
    ("hold 2 2", YATZEE, {"type": "throw", "held": [2, 2]}),
    (
        "h 2 2 roll 1 3 4 6",
        YATZEE | PEOPLE,
        {"type": "throw", "held": [2, 2], "dice": [1, 3, 4, 6]},
    ),
    ("write grosse straße", YATZEE, {"type": "write", "category": "large-straight"}),
    ("w ones", YATZEE, {"type": "write", "category": "ones"}),
    ("streichen Haus", YATZEE | GERMAN, {"type": "strike", "category": "house"}),
    ("hold p t", POT, {"type": "throw", "held": ["P", "T"]}),
    ("throw 3P4", POT | PEOPLE, {"type": "throw", "dice": [3, "P", 4]}),
    ("accept", POT, {"type": "accept"}),
    ("accept", POT | {"choices": [{"players": [1]}]}, {"type": "accept", "players": [1]}),
    ("a ben 3", POT, {"type": "accept", "players": [1, 2]}),
    ("accept Bea Day, Ben", POT, {"type": "accept", "players": [2, 1]}),
]
ASKED: list[tuple[str, Table, Any]] = [
    ("?", TUTTO, {"ask": "what", "about": ""}),
    ("was", TUTTO | GERMAN, {"ask": "what", "about": ""}),
    ("rules t5.4", TUTTO, {"ask": "rules", "about": "t5.4"}),
    ("s", POT, {"ask": "score", "about": ""}),
    ("write house", TUTTO, {"unknown": "write house"}),
    ("bank", YATZEE, {"unknown": "bank"}),
    ("42", YATZEE, {"unknown": "42"}),
    ("5", TUTTO | {"legal_events": ["roll"]}, {"unknown": "5"}),
    ("1 x", TUTTO, {"unknown": "1 x"}),
    ("was", TUTTO, {"unknown": "was"}),
]
LACKING: list[tuple[str, Table, str]] = [
    ("keep", TUTTO, "which_dice"),
    ("keep all", TUTTO, "which_dice"),
    ("hold 2 2", YATZEE | PEOPLE, "which_dice"),
    ("write o", YATZEE, "which_category"),
    ("draw", TUTTO | PEOPLE | {"legal_events": ["draw"]}, "which_card"),
    ("accept b", POT, "which_player"),
]

PARSE = """async ([path, asked]) => {
  const { parse } = await import(path);
  return asked.map(([line, table]) => parse(line, table));
}"""
WORDS = """async ([path, game, language]) => {
  const { commandsOf } = await import(path);
  return commandsOf(game, language).flatMap(({ words }) => words);
}"""
COMMANDS = f"/static/{version()}/commands.js"


def test_commands_are_read_as_they_are_meant(at: Opener) -> None:
    page = at("/table")
    inputs = [(line, table) for line, table, _ in [*READ, *ASKED, *LACKING]]
    read = page.evaluate(PARSE, [COMMANDS, inputs])
    assert read[: len(READ)] == [{"event": event} for _, _, event in READ]
    assert read[len(READ) : -len(LACKING)] == [meant for _, _, meant in ASKED]
    assert [answer["needs"] for answer in read[-len(LACKING) :]] == [
        needs for _, _, needs in LACKING
    ]


def test_no_word_is_two_commands(at: Opener) -> None:
    page = at("/table")
    for game in ("tutto", "yatzee", "pot"):
        for language in ("en", "de", "fr", "it"):
            words = page.evaluate(WORDS, [COMMANDS, game, language])
            assert len(words) == len(set(words)), (game, language)


# Playing ----------------------------------------------------------------------------------------


def command(state: Any) -> str:
    """Returns a player's next command: the adjudication's best choice."""
    judged = state["adjudication"]
    if judged is None:
        return "roll"
    match state["game"]:
        case "tutto":
            bank = judged["bank"]
            if bank and (bank["turn_points"] >= ENOUGH or not judged["legal_keeps"]):
                return "bank"
            best = max(judged["legal_keeps"], key=lambda keep: keep["turn_points"])
            return f"keep {' '.join(map(str, best['dice']))}"
        case "yatzee":
            left = [category for category in judged["categories"] if category["open"]]
            best = max(left, key=lambda category: (category["satisfied"], category["points"]))
            return f"{'write' if best['satisfied'] else 'strike'} {best['category']}"
        case _:
            names = [state["players"][player] for player in judged["choices"][0]["players"]]
            return f"accept {', '.join(names)}"


def keep_news(news: list[Response], answer: Response) -> None:
    """Collects answers with new events in sentences."""
    in_words = answer.headers["content-type"].startswith("text/plain")
    if in_words and "/events?after=" in answer.url:
        news.append(answer)


@pytest.mark.long
@pytest.mark.parametrize("game", ["tutto", "yatzee", "pot"])
def test_a_whole_game_is_played_by_typing_alone(at: Opener, server: Server, game: str) -> None:
    options: dict[str, Any] = {"target": TARGETS[game]} if game in TARGETS else {}
    gathering = gathered(server, game, **options)
    pages = [opened(at, gathering, seat) for seat in (0, 1)]
    before = [len(lines(page)) for page in pages]
    news: list[list[Response]] = [[], []]
    for page, heard in zip(pages, news, strict=True):
        page.on("response", partial(keep_news, heard))
    state = told(server, gathering)
    count = 0
    while state["status"] == "running":
        count += 1
        assert count < MOST
        typed(pages[state["player"]], command(state))
        expect(
            pages[state["player"]].locator(f'.told:not([data-version="{state["version"]}"])')
        ).to_be_visible()
        state = told(server, gathering)
        for page in pages:
            expect_version(page, state["version"])
    for page, heard, first in zip(pages, news, before, strict=True):
        reached = [
            (
                int(answer.url.partition("after=")[2].partition("&")[0]),
                int(answer.headers["etag"].strip('"')),
            )
            for answer in heard
        ]
        assert reached[0][0] == 0
        assert reached[-1][1] == state["version"]
        assert all(earlier[1] == later[0] for earlier, later in pairwise(reached))
        assert lines(page)[first:] == [line for answer in heard for line in spoken(answer.text())]
        assert page.evaluate(FOCUSED) == "command"
    print(f"{game}: {count} commands, {state['version']} events, {len(lines(pages[0]))} lines")


def test_the_turns_of_a_bot_are_told_once_and_at_once(at: Opener, server: Server) -> None:
    bots = ({"seat": 1, "level": "bold"},)
    gathering = gathered(server, "tutto", players=("Ada", "Bot"), bots=bots)
    page = opened(at, gathering, 0)
    first, state = len(lines(page)), told(server, gathering)
    responses: list[Response] = []
    page.on(
        "response",
        lambda response: responses.append(response) if "/events?after=" in response.url else None,
    )
    for _ in range(8):
        typed(page, command(state))
        expect(page.locator(f'.told:not([data-version="{state["version"]}"])')).to_be_visible()
        state = told(server, gathering)
        expect_version(page, state["version"])
    heard = [
        response
        for response in responses
        if response.headers["content-type"].startswith("text/plain")
    ]
    assert lines(page)[first:] == [line for response in heard for line in spoken(response.text())]
    afters = [int(response.url.partition("after=")[2].partition("&")[0]) for response in heard]
    reached = [int(response.headers["etag"].strip('"')) for response in heard]
    assert afters == [0, *reached[:-1]]


LISTEN = """() => {
  window.heard = [];
  const said = (one) => one.ariaHidden || window.heard.push(one.textContent);
  const hear = (records) => records.forEach(({ addedNodes }) => addedNodes.forEach(said));
  new MutationObserver(hear).observe(document.querySelector("[role=log]"), { childList: true });
}"""
SCRIPTS = {
    "tutto": ["draw bonus 400", "roll 132651", "keep 1 1", "roll 2346"],
    "yatzee": ["roll 123456", "hold 1 2 3 roll 1 1 1", "roll 111234", "strike royal"],
    "pot": ["roll 223", "hold 2 2 roll 4", "accept"],
}


def spoken(text: str) -> list[str]:
    """Returns the lines of an answer that the page shows, without empty ones."""
    return list(filter(None, text.splitlines()))


def sentences(
    server: Server, gathering: Gathering, path: str, seat: int, language: str = "en"
) -> list[str]:
    """Returns the service's own sentences for this seat."""
    address = f"/v1/sessions/{gathering.id}{path}seat={seat}"
    answer = server.ask("GET", address, b"", "Accept: text/plain", f"Accept-Language: {language}")
    return spoken(answer.body.decode())


@pytest.mark.parametrize("game", SCRIPTS)
def test_the_live_region_says_what_the_service_says(at: Opener, server: Server, game: str) -> None:
    gathering = gathered(server, game, dice="client")
    ada, ben = opened(at, gathering, 0), opened(at, gathering, 1, locale="de-DE")
    for page in (ada, ben):
        page.evaluate(LISTEN)
    for after, line in enumerate(SCRIPTS[game]):
        typed(ada, line)
        for seat, page, language in ((0, ada, "en"), (1, ben, "de")):
            expect_version(page, after + 1)
            path = f"/events?after={after}&"
            heard = page.evaluate("window.heard.splice(0)")
            assert heard == sentences(server, gathering, path, seat, language)


def test_refused_or_unknown_input_is_explained(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    ada, ben = opened(at, gathering, 0), opened(at, gathering, 1)
    watcher = at(gathering.address + "?text")
    typed(ada, "bank")
    event = b'{"type": "bank"}'
    field = f"Authorization: Bearer {gathering.seats[0]}"
    path = f"/v1/sessions/{gathering.id}/events"
    refused = server.ask("POST", path, event, field, "Accept: text/plain").body.decode()
    last = ada.locator(".told p").last
    expect(last).to_contain_text("T2.5: ")
    assert last.inner_text() in refused.splitlines()
    typed(ada, "drow")
    expect(ada.locator(".told")).to_contain_text("There is no command “drow”. There are:")
    expect_last(
        ada, "roll, keep, bank, what, score, last, rules, odds, undo, check, again, table, help"
    )
    typed(ada, "draw b")
    expect(last).to_contain_text("Which card? Lucky Clover Leaf, ")
    typed(ada, "again")
    expect_last(ada, "The game is not over yet.")
    typed(ben, "draw stop")
    expect_last(ben, "That is not yours to do now.")
    expect(watcher.locator(".told")).to_have_attribute("data-version", "0")
    typed(watcher, "draw stop")
    expect_last(watcher, "You are watching.")
    assert told(server, gathering)["version"] == 0


@pytest.mark.parametrize(
    ("locale", "draw", "roll", "keep"),
    [
        ("en-GB", "Draw a card.", "Roll 6 dice.", "Set dice aside first: 1, or 1 1."),
        ("de-DE", "Zieh eine Karte.", "6 Würfel werfen.", "Leg zuerst etwas heraus: 1 oder 1 1."),
    ],
)
def test_early_input_is_told_the_next_event(
    at: Opener, server: Server, locale: str, draw: str, roll: str, keep: str
) -> None:
    gathering = gathered(server, "tutto", dice="client")
    page = opened(at, gathering, 0, locale=locale)
    typed(page, "keep 1")
    expect_last(page, draw)
    acts(server, gathering, {"type": "draw", "card": "bonus-400"})
    expect_version(page, 1)
    typed(page, "keep 1")
    expect_last(page, roll)
    acts(server, gathering, {"type": "roll", "dice": [1, 1, 2, 3, 4, 6]})
    expect_version(page, 2)
    before = len(lines(page))
    typed(page, "roll 1")
    expect_last(page, keep)
    assert told(server, gathering)["version"] == 2
    assert len(lines(page)) == before + 1
    typed(page, "1 1")
    expect_version(page, 3)


@pytest.mark.parametrize("game", ["yatzee", "pot"])
def test_text_mode_tells_the_next_event(at: Opener, server: Server, game: str) -> None:
    gathering = gathered(server, game, dice="client")
    page = opened(at, gathering, 0)
    typed(page, "write chance" if game == "yatzee" else "accept")
    expect_last(page, "Roll.")
    dice = {"yatzee": [1, 2, 3, 4, 5, 6], "pot": [2, 2, 3]}[game]
    acts(server, gathering, {"type": "throw", "dice": dice})
    for number in (2, 3):
        acts(server, gathering, {"type": "throw", "held": dice[:-1], "dice": dice[-1:]})
        expect_version(page, number)
    typed(page, f"roll {' '.join(map(str, dice))}")
    expect_last(page, "Write a category." if game == "yatzee" else "Accept.")


def test_a_reason_is_told_once(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    page = opened(at, gathering, 0)
    acts(server, gathering, {"type": "draw", "card": "bonus-400"})
    acts(server, gathering, {"type": "roll", "dice": [1, 1, 2, 3, 4, 5]})
    expect_version(page, 2)
    for line, reason in (
        ("keep 6 6", "T2.2: There is no 6 in this roll."),
        ("5 5", "T2.2: There are not two 5s in this roll."),
    ):
        before = len(lines(page))
        typed(page, line)
        expect_last(page, reason)
        assert len(lines(page)) == before + 1


def test_help_does_not_mention_the_drawn_table(at: Opener, server: Server) -> None:
    page = opened(at, gathered(server, "tutto"), 0)
    typed(page, "help")
    expect_last(page, "help: hear this list")
    expect(page.locator(".told")).not_to_contain_text("drawn table:")


def test_questions_are_answered_in_the_service_s_words(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = opened(at, gathering, 0)
    typed(page, "r")
    expect_version(page, 1)
    questions = {
        "what": "/events?after=1&",
        "last": "/events?after=0&",
        "odds": "/odds?",
    }
    for line, path in questions.items():
        before = lines(page)
        typed(page, line)
        answer = sentences(server, gathering, path, 0)
        expect(page.locator(".told p:not(.asked)")).to_have_count(len(before) + len(answer))
        assert lines(page)[len(before) :] == answer
    typed(page, "s")
    expect_last(page, sentences(server, gathering, "?", 0)[0])
    typed(page, "rules y3.2")
    expect(page.locator(".told p").last).to_contain_text("Y3.2: ")
    typed(page, "rules t5.4")
    expect_last(page, "There is no such rule. For example: rules T5.4.")
    typed(page, "write chance")
    expect_version(page, 2)
    typed(page, "undo")
    expect_version(page, 3)
    assert told(server, gathering)["table"]["scores"] == [0, 0]


def test_arrow_keys_recall_typed_lines(at: Opener, server: Server) -> None:
    page = opened(at, gathered(server, "pot"), 0)
    typed(page, "score")
    typed(page, "help")
    for key, text in (
        ("ArrowUp", "help"),
        ("ArrowUp", "score"),
        ("ArrowUp", "score"),
        ("ArrowDown", "help"),
        ("ArrowDown", ""),
    ):
        page.keyboard.press(key)
        expect(page.locator("#command")).to_have_value(text)


def test_the_choice_is_remembered_and_taken_back_by_a_command(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    page = at(gathering.link(0))
    expect(control(page, "draw")).to_be_visible()
    control(page, "text").check()
    expect(page.locator("#command")).to_be_focused()
    expect(control(page, "draw")).to_be_hidden()
    page.reload()
    expect(page.locator("#command")).to_be_focused()
    typed(page, "table")
    expect(control(page, "draw")).to_be_visible()
    expect(control(page, "text")).not_to_be_checked()
    page.reload()
    expect(control(page, "draw")).to_be_visible()
    expect(page.locator("#command")).to_have_count(0)


def test_the_same_people_play_again_by_typing(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    page, ada = opened(at, gathering, "host"), opened(at, gathering, 0)
    field = f"Authorization: Bearer {gathering.host}"
    for part in ("/seats/0/token", "/abandon"):
        path = f"/v1/sessions/{gathering.id}{part}"
        assert server.ask("POST", path, b"", field).status == 200
    for tab in (page, ada):
        expect_version(tab, 2)
    dead = "This link is not valid any more. Ask the host for another one."
    expect(ada.locator(".told p").get_by_text(dead)).to_have_count(1)
    typed(ada, "again")
    expect_last(ada, "You are watching.")
    typed(page, "again")
    expect(page).not_to_have_url(re.compile(gathering.id))
    expect(page.locator("#command")).to_be_focused()


def test_the_dice_are_checked_by_typing(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    page = opened(at, gathering, 0)
    typed(page, "check")
    expect_last(page, "The game is not over yet.")
    field = f"Authorization: Bearer {gathering.host}"
    assert server.ask("POST", f"/v1/sessions/{gathering.id}/abandon", b"", field).status == 200
    expect_version(page, 1)
    typed(page, "fair")
    expect_last(page, "None is missing.")
    assert lines(page)[-4:-1] == [
        "Fair: every roll follows from the seed.",
        "The seed has the fingerprint of the beginning.",
        "Recomputed: 0 rolls and draws.",
    ]


def test_after_a_reset_the_text_begins_anew(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    acts(server, gathering, {"type": "draw", "card": "bonus-400"})
    page = at("/livez")
    page.add_init_script(SOURCES)
    page.goto(gathering.link(0).replace("#", "?text#"))
    expect_version(page, 1)
    page.locator("#command").fill("help")
    page.locator("#command").press("Enter")
    expect_last(page, "help: hear this list")
    reset_stream(page)
    told_anew = ["Type help for what you can type.", *sentences(server, gathering, "?", 0)]
    expect(page.locator(".told p")).to_have_text(told_anew)
    typed(page, "roll 132651")
    expect_version(page, 2)


def test_the_text_mode_is_accessible_on_the_smallest_phone(at: Opener, server: Server) -> None:
    page = opened(at, gathered(server, "tutto"), 0, bypass_csp=True)
    typed(page, "help")
    expect(page.locator(".told")).to_contain_text("rules T5.4")
    assert_accessible_everywhere(page)


# Keys of the drawn table ------------------------------------------------------------------------


def test_the_drawn_table_has_keys(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    page = at(gathering.link(0))
    status = page.locator("#status")
    acts(server, gathering, {"type": "draw", "card": "bonus-400"})
    acts(server, gathering, {"type": "roll", "dice": [1, 1, 2, 3, 5, 6]})
    dice = page.locator(".felt .die-button")
    expect(control(page, "die-5")).to_be_visible()
    expect(dice).to_have_count(6)
    chosen = page.locator(".felt .die-button[aria-pressed=true]")
    for key, number in (("1", 1), ("1", 2), ("5", 3), ("1", 1), ("5", 0), ("4", 0), ("1", 1)):
        page.keyboard.press(key)
        expect(chosen).to_have_count(number)
    for _ in range(2):
        page.keyboard.press("?")
        expect(status).to_contain_text("Bank 250.")
        page.keyboard.press("s")
        expect(status).to_have_text("Points: you 0, Ben 0.")
    control(page, "keys").uncheck()
    page.keyboard.press("b")
    control(page, "keys").check()
    assert told(server, gathering)["version"] == 2
    page.locator("#heading").click()
    page.keyboard.press("r")
    entry = page.locator('.log li[data-version="3"] .log-said')
    expect(entry).to_have_text("You set aside")
    expect(entry.get_by_role("img", name="1", exact=True)).to_have_count(1)
    acts(server, gathering, {"type": "roll", "dice": [1, 1, 2, 3, 4]})
    expect(control(page, "bank")).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator('.log li[data-version="5"]')).to_contain_text("You bank")


def test_keys_throw_and_draw_but_not_while_something_is_typed(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = at(gathering.link(0))
    expect(control(page, "throw")).to_be_visible()
    control(page, "seed").focus()
    page.keyboard.type("rrr")
    expect(control(page, "seed")).to_have_value("rrr")
    assert told(server, gathering)["version"] == 0
    page.locator("#heading").click()
    page.keyboard.press("r")
    expect(page.locator(".felt .die-button")).to_have_count(6)
    for key, controls in (("x", ".strikes button"), ("w", "[data-key^=best-]")):
        page.keyboard.press(key)
        expect(page.locator(controls).first).to_be_focused()
