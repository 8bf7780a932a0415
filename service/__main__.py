"""The command ``dice-referee``, which is also ``python -m service``."""

import argparse
import os
import sys

from service import __version__

GUNICORN = ("-m", "gunicorn", "-c", "python:service.server.gunicorn_conf")


def main(arguments: list[str] | None = None) -> None:
    """Runs the sub-command that the arguments name; ends the process with 2 if they name none."""
    parser = argparse.ArgumentParser(prog="dice-referee", description="A referee for dice games.")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser(
        "serve", help="serve over HTTP", description="Settings are environment variables."
    )
    serve.add_argument("--host", help="address to listen at, or unix:/path (HOST)")
    serve.add_argument("--port", help="port to listen at (PORT)")
    commands.add_parser("version", help="print the version")
    chosen = parser.parse_args(arguments)
    if chosen.command == "version":
        print(__version__)
        return
    flags = {"HOST": chosen.host, "PORT": chosen.port}
    given = {name: value for name, value in flags.items() if value is not None}
    # gunicorn replaces this process: supervisors signal it by the id that they know.
    os.execve(sys.executable, [sys.executable, *GUNICORN], {**os.environ, **given})  # nosec B606


if __name__ == "__main__":
    main()
