"""Path of Chromium, and the options that keep it from asking other servers."""

import subprocess

from tests.e2e.clients.running import NODE_MODULES
from tests.programs import CHROMIUM, CHROMIUM_OF_NPM, found, leave_out

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
FROM_NPM = (
    "import('@sparticuz/chromium').then(async m => console.log(await m.default.executablePath()))"
)


def executable() -> str:
    """Returns the path of this machine's browser, else of npm's."""
    here = next(filter(None, map(found, CHROMIUM)), None)
    if here:
        return here
    if not CHROMIUM_OF_NPM.is_dir():
        leave_out("chromium")
    result = subprocess.run(
        ["node", "-e", FROM_NPM],
        cwd=NODE_MODULES.parent,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    return result.stdout.strip()
