"""The users of ``deploy/valkey``, as ``users.sh`` makes them for servers of tests."""

import os
import subprocess
from pathlib import Path

from tests.engines.servers import Node
from tests.server.serving import ROOT

SCRIPT = ROOT / "deploy/valkey/users.sh"
PASSWORDS = {"VALKEY_PASSWORD": "service-1", "VALKEY_ADMIN_PASSWORD": "admin_2"}
ADMIN = ("admin", PASSWORDS["VALKEY_ADMIN_PASSWORD"])


def users(**passwords: str) -> "subprocess.CompletedProcess[str]":
    """What the script does with these passwords."""
    environment = {"PATH": os.environ["PATH"], **PASSWORDS, **passwords}
    return subprocess.run(["sh", SCRIPT], env=environment, capture_output=True, text=True)


def with_users(home: Path) -> tuple[str, str]:
    """Options for a server with these users; they are written into a directory."""
    (home / "users.conf").write_text(users().stdout)
    return ("--include", str(home / "users.conf"))


def url(node: Node) -> str:
    """How the service logs in."""
    return f"redis://referee:{PASSWORDS['VALKEY_PASSWORD']}@127.0.0.1:{node.port}"
