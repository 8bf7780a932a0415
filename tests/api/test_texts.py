"""All texts are in memory before the first request."""

import subprocess
import sys

from tests.programs import SOURCES

PROGRAM = """
import sys
from dice_referee.api.message import Operation
from dice_referee.app import create_app
from dice_referee.games import catalogue

app = create_app()
app.add_url_rule("/fault", "fault", Operation(lambda *_: 1 / 0))
client, opened = app.test_client(), []
client.get("/livez")
sys.addaudithook(lambda event, details: opened.append(details[0]) if event == "open" else None)
for path in ("/fault", "/no-such-page", *(f"/v1/{game}/adjudications" for game in catalogue())):
    answer = client.get(path, headers={"Accept-Language": "fr"})
    assert answer.mimetype == "application/problem+json", answer
# A traceback opens source files to quote their lines.
print([name for name in opened if not str(name).endswith('.py')])
"""


def test_faults_and_refusals_open_no_files() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=SOURCES, capture_output=True, text=True
    )
    assert run.stdout == "[]\n", run
