"""Path of Chromium, and the options that keep it from asking other servers."""

import subprocess

from tests.programs import NODE_MODULES, path_of, program

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FROM_NPM = (
    "import('@sparticuz/chromium').then(async m => console.log(await m.default.executablePath()))"
)


def executable() -> str:
    """Returns the path of this machine's browser, or of npm's."""
    if any(map(path_of, CHROMIUM)) or not (NODE_MODULES / "@sparticuz" / "chromium").is_dir():
        return program(*CHROMIUM)
    result = subprocess.run(
        ["node", "-e", FROM_NPM],
        cwd=NODE_MODULES.parent,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    return result.stdout.strip()
