"""<dice-referee> on another origin under a strict policy, and on our own page about the element."""

import re

import pytest
from playwright.sync_api import expect

from dice_referee.web.assets import integrity
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control, put, tab_to, verdict
from tests.e2e.browser.elsewhere import elsewhere, page_at
from tests.e2e.browser.listening import listen, wait_heard
from tests.wire import Server

REGION = "dice-referee [role=status]"
TWOS = "crypto.getRandomValues = (numbers) => numbers.fill(1);"
"""Script that makes every die of the browser show its second face, a 2."""


def test_element_on_another_origin_judges_and_fires_events(at: Opener, origin: str) -> None:
    with elsewhere(origin, "tutto", 'position="card=bonus-300&amp;roll=115556"') as address:
        page = at(address, also=(address,))
        expect(verdict(page)).to_have_text("Bis zu 700 in diesem Wurf")
        control(page, "bank").click()
        expect(verdict(page)).to_have_text("aufgehört")
        heard = page.evaluate("window.heard")
    assert [kind for kind, _ in heard] == ["verdict", "change", "step"]
    assert heard[0][1]["bank"]["turn_points"] == 700
    assert heard[1][1]["position"] == "card=bonus-300&roll=115556&event=bank"
    assert heard[2][1]["event"] == {"type": "bank"}
    assert heard[2][1]["answer"]["legal"] is True


def test_element_posts_after_a_cors_preflight(at: Opener, server: Server, origin: str) -> None:
    with elsewhere(origin, "tutto") as address:
        page = at(address, also=(address,))
        control(page, "card-bonus-200").click()
        put(page, "123466")
        expect(verdict(page)).to_be_visible()
    logged = [line for line in server.log().splitlines() if '"/v1/tutto/transitions"' in line]
    assert any('"OPTIONS"' in line and "204" in line for line in logged)


@pytest.mark.parametrize("game", ["yatzee", "pot"])
def test_element_on_another_site_is_played_by_keyboard(at: Opener, origin: str, game: str) -> None:
    with elsewhere(origin, game) as address:
        page = at("/livez", also=(address,))
        page.add_init_script(TWOS)
        page.goto(address)
        expect(control(page, "face-1")).to_be_visible()
        tab_to(page, "roll")
        page.keyboard.press("Enter")
        expect(control(page, "roll")).to_have_count(0)
        expect(page.locator(".refusal")).to_have_count(0)


def test_rule_note_is_styled_in_the_shadow_root(at: Opener, origin: str) -> None:
    with elsewhere(origin, "tutto", 'lang="en" position="card=bonus-300&amp;roll=1"') as address:
        page = at(address, also=(address,), refused=True)
        page.locator(".refusal .rule").first.focus()
        note = page.get_by_role("tooltip")
        expect(note).to_contain_text("six ordinary dice")
        assert note.evaluate("(note) => getComputedStyle(note).position") == "fixed"
        assert page.evaluate("window.heard")[0][0] == "refusal"


def test_changed_attribute_shows_another_table(at: Opener, origin: str) -> None:
    with elsewhere(origin, "tutto", 'lang="it"') as address:
        page = at(address, also=(address,))
        expect(control(page, "draw")).to_contain_text("Pesca per me")
        page.locator("dice-referee").evaluate(
            "(element) => { element.setAttribute('game', 'pot'); element.lang = 'en'; }"
        )
        expect(verdict(page)).to_have_text("Player 1 to play")
        page.locator("dice-referee").evaluate("(element) => { element.setAttribute('game', 'x'); }")
        expect(page.locator(".referee")).to_have_text("There is no such game here.")


def test_element_announces_the_sentences_of_the_service(at: Opener, origin: str) -> None:
    with elsewhere(
        origin, "tutto", 'lang="en" position="phase=roll&amp;card=double&amp;dice_to_roll=6"'
    ) as address:
        page = at(address, also=(address,))
        put(page, "115")
        listen(page, REGION)
        put(page, "246")
        expect(control(page, "bank")).to_be_visible()
        # Each die but the last was announced with the number of dice on the table.
        assert wait_heard(page, REGION, least=3)[2:] == [
            "You roll 1 1 2 4 5 6. Scoring dice: 1 1 for 200, 5 for 50 (T1.2). Your choices: "
            "Set aside 1 1 5 and roll 3 dice: 250 at stake. Bank 250. Set aside 1 1 and roll 4 "
            "dice: 200 at stake. Set aside 1 5 and roll 4 dice: 150 at stake. Set aside 1 and "
            "roll 5 dice: 100 at stake. And one more."
        ]
        control(page, "bank").click()
        assert wait_heard(page, REGION) == ["You set aside 1 1 5 for 250. You bank 250."]


def test_compact_form_shows_only_the_verdict(at: Opener, origin: str) -> None:
    position = 'lang="de" compact position="card=bonus-300&amp;roll=234566"'
    with elsewhere(origin, "tutto", position) as address:
        page = at(address, also=(address,), refused=True)
        element = page.locator("dice-referee")
        expect(element).to_have_text(
            re.compile(r"Bonus 300\. Du .*2 3 4 5 6 6.* 5 für 50 \(T1\.2\)\.$")
        )
        expect(element.get_by_role("status")).to_be_visible()
        expect(element.locator("button")).to_have_count(0)
        assert page.evaluate("window.heard")[0][1]["status"] == "scoring"
        element.evaluate("(one) => (one.position = { card: 'double', roll: [1] })")
        expect(element).to_contain_text("Unmögliche Stellung.")
        assert element.get_attribute("position") == "card=double&roll=1"
        element.evaluate("(one) => (one.compact = false)")
        expect(element.locator(".refusal")).to_be_visible()


def test_properties_reflect_attributes_and_accept_objects(at: Opener, origin: str) -> None:
    early = """(service) => {
      const wanted = Object.assign(document.createElement("dice-referee"), {
        service, game: "tutto", lang: "en", players: ["Ada", "B, the 2nd"],
        options: { target: 1000 }, token: "secret",
      });
      document.querySelector("main").replaceChildren(wanted);
      const { game, ruleset, session, seat, compact, options, players, token } = wanted;
      return { game, ruleset, session, seat, compact, options, players, token };
    }"""
    with elsewhere(origin, "tutto", 'lang="en"') as address:
        page = at(address, also=(address,))
        expect(control(page, "draw")).to_be_visible()
        assert page.evaluate(early, origin) == {
            "game": "tutto",
            "ruleset": None,
            "session": None,
            "seat": None,
            "compact": False,
            "options": {"target": 1000},
            "players": ["Ada", "B, the 2nd"],
            "token": "secret",
        }
        element = page.locator("dice-referee")
        assert element.get_attribute("options") == "target=1000"
        assert element.get_attribute("players") == "Ada,B%2C%20the%202nd"
        assert element.get_attribute("token") is None
        expect(element.locator(".standings")).to_contain_text("B, the 2nd")
        element.evaluate(
            """(one) => {
              one.players = null;
              one.position = { card: "double", roll: [1, 1, 1, 5, 5, 5], carried: 400 };
            }"""
        )
        expect(verdict(page)).to_have_text("Tutto")
        assert element.evaluate("(one) => one.position") == (
            "target=1000&card=double&roll=111555&carried=400"
        )


def test_properties_set_before_the_script_are_applied(at: Opener, origin: str) -> None:
    text = f"""<!doctype html><html lang="en"><title>Early</title><link rel="icon" href="data:,">
      <dice-referee></dice-referee>
      <script type="module">Object.assign(document.querySelector("dice-referee"),
        {{ game: "tutto", position: {{ card: "double", roll: [1, 1, 1, 5, 5, 5] }} }})</script>
      <script type="module" src="{origin}/dice-referee.js"></script></html>"""
    with page_at(text, {}) as address:
        page = at(address, also=(address,))
        expect(verdict(page)).to_have_text("Tutto")


def test_whole_game_on_a_single_device_ends(at: Opener, origin: str) -> None:
    attributes = 'lang="en" players="Ada,Ben" options="target=1000"'
    with elsewhere(origin, "tutto", attributes) as address:
        page = at(address, also=(address,))
        control(page, "card-bonus-300").click()
        put(page, "111234")
        control(page, "bank").click()
        expect(page.locator(".winners")).to_have_text("Ada won")
        listened = page.evaluate("window.heard.filter(([kind]) => kind === 'over')")
        assert [audit["winners"] for _, audit in listened] == [[0]]
        expect(page.locator(REGION)).to_contain_text("Ada wins.")


def test_element_is_a_single_file_with_checked_integrity(at: Opener, origin: str) -> None:
    text = """<!doctype html><html lang="en"><title>Pinned</title><link rel="icon" href="data:,">
      <script type="module" crossorigin src="{}/dice-referee.js" integrity="{}"></script>
      <dice-referee game="tutto" position="card=double&amp;roll=111555"></dice-referee></html>"""
    paths: list[str] = []
    with page_at(text.format(origin, integrity()), {}) as address:
        page = at("/livez", also=(address,))
        page.on("request", lambda request: paths.append(request.url.removeprefix(origin)))
        page.goto(address)
        expect(verdict(page)).to_be_visible()
    assert [path for path in paths if not path.startswith(("/v1/", "http", "data:"))] == [
        "/dice-referee.js"
    ]


def test_element_page_shows_every_form(at: Opener, origin: str) -> None:
    page = at("/embedding")
    expect(page.locator("#events li").first).to_contain_text("verdict")
    control(page, "bank").click()
    expect(page.locator("#events")).to_contain_text("bank, legal")
    expect(page.locator("#brief")).to_contain_text("You bank")
    expect(page.locator(".code").first).to_contain_text(f'src="{origin}/dice-referee.js"')
    expect(page.locator(".code", has_text="integrity")).to_contain_text(f'src="{origin}/static/')
    copies = page.locator(".code").get_by_role("button", name="Copy")
    expect(copies).to_have_count(page.locator(".code").count())
    assert copies.count() == 6
    page.get_by_role("button", name="Open a table for two").click()
    ada, ben, watcher = (page.locator("#seats dice-referee").nth(number) for number in range(3))
    # A watcher that opens after the event sees only the position.
    expect(watcher).to_contain_text("Ada to play")
    ada.locator("[data-key=draw]").click()
    expect(page.locator("#events")).to_contain_text("version 1")
    # A press causes both events, and the watcher may receive both at once.
    expect(watcher).to_contain_text(re.compile("Ada (draws|rolls)"))
    page.reload()
    expect(ada.locator(".strip")).to_be_visible()
    expect(ben.locator(".felt")).to_be_visible()
    # The card may have ended Ada's turn: either player has a control to press.
    expect(page.locator("#seats .dock button").first).to_be_visible()
