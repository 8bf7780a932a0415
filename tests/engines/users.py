"""Users of ``deploy/valkey`` from ``users.sh``, for test servers."""

import os
import subprocess
from pathlib import Path

from dice_referee.server.local_redis import RedisBinary
from tests.engines.servers import Node
from tests.programs import ROOT

SCRIPT = ROOT / "deploy/valkey/users.sh"
PASSWORDS = {
    "VALKEY_PASSWORD": "service-1",
    "VALKEY_ADMIN_PASSWORD": "admin_2",
    "VALKEY_BACKUP_PASSWORD": "backup-3",
    "VALKEY_EXPORTER_PASSWORD": "exporter-4",
}
ADMIN = ("admin", PASSWORDS["VALKEY_ADMIN_PASSWORD"])


def users(home: Path, **passwords: str) -> "subprocess.CompletedProcess[str]":
    """Runs the script with these passwords and writes its file into a directory."""
    environment = {"PATH": os.environ["PATH"], **PASSWORDS, **passwords}
    command = ["sh", str(SCRIPT), str(home / "users.acl")]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def with_users(home: Path) -> tuple[str, str]:
    """Writes these users into a directory and returns the options of a server with them."""
    (home / "users.conf").write_text(users(home).stdout)
    return ("--include", str(home / "users.conf"))


def configured(engine: RedisBinary, home: Path) -> RedisBinary:
    """Returns the engine with these users and a configuration file that it can rewrite."""
    with_users(home)
    (home / "redis.conf").write_text(f"include {home}/users.conf\n")
    start = home / "start"
    start.write_text(f'#!/bin/sh\nexec {engine.program} {home}/redis.conf "$@"\n')
    start.chmod(0o755)
    return RedisBinary(start, engine.version)


def url(node: Node) -> str:
    """Returns the URL with which the service logs in."""
    return f"redis://referee:{PASSWORDS['VALKEY_PASSWORD']}@127.0.0.1:{node.port}"
