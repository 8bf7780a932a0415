"""Where Chromium is, and how it is started: quietly, asking nobody for anything."""

import shutil
import subprocess

from tests.clients.running import NODE_MODULES

NAMES = ("chromium", "chromium-browser", "google-chrome")
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
    """The browser of this machine, else the one that npm brings."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found:
        return found
    assert (NODE_MODULES / "@sparticuz").is_dir(), "no Chromium: tests/browser/install.sh gets one"
    told = subprocess.run(
        ["node", "-e", FROM_NPM],
        cwd=NODE_MODULES.parent,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    return told.stdout.strip()
