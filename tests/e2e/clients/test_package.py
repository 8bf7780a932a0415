"""Packed TypeScript client: installed into an empty folder, compiled and used."""

import re
import shutil
from contextlib import AbstractContextManager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import sync_playwright

from tests.e2e.browser.chromium import QUIET, executable
from tests.e2e.clients.building import HERE
from tests.e2e.clients.checking import SESSIONS
from tests.e2e.clients.faulty_line import faulty
from tests.e2e.clients.strange_line import ALWAYS, ONCE, strange
from tests.e2e.guides.snippets import GUIDES, SERVICE, blocks
from tests.programs import NODE_MODULES, run
from tests.tools.typescript_client import ELEMENT_TYPES, SOURCES, pack
from tests.wire import listening

PROGRAMS = HERE / "package"
GUIDE = GUIDES / "client.md"
MOST_LINES, MOST_BYTES = 575, 16 * 1024
TSC = NODE_MODULES / ".bin" / "tsc"
STRICT = ("--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes")
SETTINGS = (*STRICT, "--target", "es2022", "--module", "nodenext", "--jsx", "preserve")
COMMENT = r"^ *(//(?! @ts)|/?\*).*$"
CAST = re.compile(
    r"\bas (?!const\b|Docs\b)[\w\[<]|(?<!\.)\bany\b|@ts-(?!expect-error)|[\w)\]]![.;,)]"
)
"""Casts and other type escapes."""
REFUSALS = r"""412 precondition-failed : \w.+
422 impossible-position (?P<rule>T\d\S*): \w.+
(?P=rule): \w.+
"""
VERBS = """\
18 writable
true written
true
P1.1
true
2 2 true
abandoned
true
true
1
true 2
Ada,Ben 0
seeded,draw,abandoned,rematch
precondition-failed
undone
draw,undone
true
gone LogReset
"""
FAULTS = """\
8
1,2,3,4,5,6,7,8
true
Unanswered,busy,rate-limited
left
Unanswered
"""
RETRIES = (
    "".join(
        f"{fate}: answered,answered,answered,answered,answered,{status},{status}\n"
        for fate, status in ((fate, "null" if fate == "drop" else fate) for fate in ONCE)
    )
    + """\
page 0 200 null the address answered 200 text/html: is this a Dice Referee?
empty 0 200 null the address answered 200 application/json: is this a Dice Referee?
login 0 200 null the address answered 200 text/html: is this a Dice Referee?
400 0 400 null the address answered 400 text/html: is this a Dice Referee?
401 0 401 null the address answered 401 text/html: is this a Dice Referee?
403 0 403 null the address answered 403 text/html: is this a Dice Referee?
404 0 404 null the address answered 404 text/html: is this a Dice Referee?
json 0 404 null the address answered 404 application/json: is this a Dice Referee?
foreign 0 404 null the address answered 404 application/problem+json: is this a Dice Referee?
503 3600 the address answered 503 text/html
Error: left
null 0 no answer to GET http://nowhere.test/v1/pot/rules: ENOTFOUND
"""
    + " ".join(["TypeError"] * 14)
    + "\n"
)
REACTIONS = """\
1,2,3,4.1=4,5 1 0+1 0,0,2 7.25 s busy,0.75 s silence
1,2,3,4 stream?state=true Bearer secret
events?after=1&wait=30&state=true null
events?after=3&wait=30&state=true null
events?after=3&wait=30&state=true null
events?after=4&wait=30&state=true null
1 stream?state=true Bearer secret
events?after=0&wait=30&state=true null
events?after=1&wait=30&state=true null
unauthorized
 stream?state=true Bearer secret
"""
CALLS = """\
seat false,true
403 forbidden
points win
en ours Basic gate,en ours Bearer
0
true
abacus-2013
P1.1
3
reissued
points
substituted best best, substituted null
hosted 1
Invalid request: The request does not fit the schema: 1 error, see `errors`.
/roll/0: The value must be from 1 to 6.
Illegal move: The rules do not allow this move now: 1 reason, see `findings`.
T2.5: Banking is not possible now: it is time to draw a card
Set(1) { 'left' }
true
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installs the packed client, compiles our programs against it and returns the folder."""
    packed = pack(tmp_path_factory.mktemp("packed"))
    home = tmp_path_factory.mktemp("installed")
    run("npm", "install", "--offline", "--silent", packed, cwd=home)
    run("npm", "pkg", "set", "type=module", cwd=home)
    shutil.copy(HERE / "typescript" / "chosen.ts", home)
    for program in PROGRAMS.iterdir():
        shutil.copy(program, home)
    (home / "node_modules" / ".bin").symlink_to(TSC.parent)
    run(TSC, *SETTINGS, *sorted(path.name for path in home.glob("*.ts*")), cwd=home)
    return home


def hosted(home: Path) -> AbstractContextManager[str]:
    """Serves a folder to a browser and gives its origin."""
    handler = partial(Quiet, directory=str(home))
    return listening(ThreadingHTTPServer(("127.0.0.1", 0), handler))


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def test_client_is_short_and_contains_no_cast() -> None:
    sources = [ELEMENT_TYPES, *(SOURCES / "src").iterdir()]
    texts = [path.read_text("utf-8") for path in sources]
    lines = [line for text in texts for line in text.splitlines() if line.strip()]
    assert len(lines) <= MOST_LINES
    for text in (*texts, *(path.read_text("utf-8") for path in PROGRAMS.glob("*.ts*"))):
        code = re.sub(COMMENT, "", text, flags=re.MULTILINE)
        assert not CAST.search(code), CAST.findall(code)


@pytest.mark.long
def test_package_is_small_and_has_no_dependencies(home: Path, tmp_path: Path) -> None:
    package = home / "node_modules" / "dice-referee"
    assert {path.name for path in package.parent.glob("[!.]*")} == {"dice-referee"}
    scripts = sorted(package.glob("*.js"))
    bare = ("--allowJs", "--removeComments", "--target", "es2022", "--module", "nodenext")
    shutil.copy(package / "package.json", tmp_path)
    run(TSC, *bare, "--outDir", tmp_path / "bare", *scripts, cwd=tmp_path)
    stripped = [path.read_bytes() for path in (tmp_path / "bare").glob("**/*.js")]
    assert len(stripped) == len(scripts)
    assert sum(map(len, stripped)) <= MOST_BYTES


@pytest.mark.long
def test_package_types_match_the_served_contract(home: Path, served: Path, tmp_path: Path) -> None:
    run(TSC.parent / "openapi-typescript", served, "--output", "contract.d.ts", cwd=tmp_path)
    packed = home / "node_modules" / "dice-referee" / "contract.d.ts"
    assert packed.read_text("utf-8") == (tmp_path / "contract.d.ts").read_text("utf-8")


def test_package_plays_each_game_in_node(home: Path, address: str) -> None:
    script = "import('./games.js').then(({ games }) => games(process.argv[1], console.log))"
    output = run("node", "-e", script, address, cwd=home).stdout
    assert re.fullmatch(SESSIONS + REFUSALS, output), output


def test_package_has_the_verbs_of_games_and_sessions(home: Path, address: str) -> None:
    assert run("node", "verbs.js", address, cwd=home).stdout == VERBS


def test_calls_share_headers_signals_and_all_operations(home: Path, address: str) -> None:
    assert run("node", "calls.js", address, cwd=home).stdout == CALLS


def test_package_retries_only_safe_requests(home: Path) -> None:
    with strange() as (address, requests):
        output = run("node", "retries.js", address, ",".join(ONCE), ",".join(ALWAYS), cwd=home)
    assert output.stdout == RETRIES
    harmless = {
        *("GET pot/rules", "POST tutto/adjudications", "DELETE sessions/one"),
        *("POST sessions/one/events", "POST sessions/one/seats/1/arrival"),
    }
    harmful = {"POST sessions", "POST sessions/one/seats/1/token"}
    for fate in ONCE:
        counts = {
            request.replace(f"/{fate}/v1/", ""): count
            for request, count in requests.items()
            if f" /{fate}/" in request
        }
        assert counts == {**dict.fromkeys(harmless, 2), **dict.fromkeys(harmful, 1)}
    for fate in (*ALWAYS, "hour"):
        assert requests[f"GET /{fate}/v1/pot/rules"] == 1 + (fate == "hour")
    assert not any("unsent" in request for request in requests)


def test_package_yields_entries_once_over_streams_and_polls(home: Path) -> None:
    assert run("node", "reactions.js", cwd=home).stdout == REACTIONS


@pytest.mark.long
@pytest.mark.parametrize(
    ("document", "ending"),
    [(SOURCES / "README.md", "[ '5: 50' ]\n1 draw\n"), (GUIDE, "illegal-event\n")],
    ids=("readme", "guide"),
)
def test_program_in_a_document_plays_a_game(
    document: Path, ending: str, home: Path, address: str
) -> None:
    """Follows the guide except its installation."""
    text = document.read_text("utf-8")
    program = next(block for language, block in blocks(text) if language == "ts")
    (home / "table.ts").write_text(program.replace(f"http://{SERVICE}", address), "utf-8")
    steps = next(block for _, block in blocks(GUIDE.read_text("utf-8")) if "table.js" in block)
    steps = "".join(line for line in steps.splitlines(True) if line.startswith(("npx ", "node ")))
    assert run("bash", "-ec", steps, cwd=home).stdout.endswith(ending)


@pytest.mark.long
def test_served_element_types_compile_alone(address: str, tmp_path: Path) -> None:
    with urlopen(f"{address}/dice-referee.d.ts") as answer:
        (tmp_path / "dice-referee.d.ts").write_bytes(answer.read())
    (tmp_path / "page.ts").write_text(
        """import type { DiceReferee } from "./dice-referee.js";
        export const found: DiceReferee | null = document.querySelector("dice-referee");
        found?.addEventListener("over", ({ detail }) => console.log(detail));
        // @ts-expect-error: a detail is unknown without the types of the contract
        found?.addEventListener("verdict", ({ detail }) => console.log(detail.ruleset));
        """
    )
    run(TSC, *SETTINGS, "page.ts", cwd=tmp_path)


@pytest.mark.long
def test_broken_connection_loses_and_repeats_nothing(home: Path, address: str) -> None:
    with faulty(address) as line:
        assert run("node", "faults.js", line, cwd=home, seconds=120).stdout == FAULTS


@pytest.mark.long
def test_package_plays_each_game_in_a_browser(home: Path, address: str) -> None:
    (home / "index.html").write_text(
        """<!doctype html><html lang="en"><title>Games</title><link rel="icon" href="data:,">
        <script type="importmap">
          { "imports": { "dice-referee": "./node_modules/dice-referee/index.js" } }
        </script>
        <pre></pre>
        <script type="module">
          import { games } from "./games.js";
          const place = document.querySelector("pre");
          const say = (text) => place.append(`${text}\\n`);
          await games(location.hash.slice(1), say).catch((error) => say(`failed: ${error.stack}`));
          document.title = "Over";
        </script></html>"""
    )
    with hosted(home) as origin, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=[*QUIET])
        page = browser.new_page()
        page.goto(f"{origin}/#{address}")
        page.wait_for_function("() => document.title === 'Over'", timeout=240_000)
        output = page.locator("pre").inner_text()
        browser.close()
    assert re.fullmatch(SESSIONS + REFUSALS, f"{output.strip()}\n"), output
