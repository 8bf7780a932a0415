"""The command ``dice-referee``, which is also ``python -m service``."""

import argparse
import os
import sys
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any, NoReturn

from dice_referee import __version__

GUNICORN = ("gunicorn", "-c", "python:dice_referee.server.gunicorn_conf")
MISSING = "The packages of the service are not installed: make run installs them, and serves.\n"
EVERY_IPV4 = "0.0.0.0"  # nosec B104


def main(arguments: list[str] | None = None) -> None:
    """Runs the sub-command of the arguments. Exits with 2 if that is impossible."""
    parser = argparse.ArgumentParser(prog="dice-referee", description="A referee for dice games.")
    commands = parser.add_subparsers(dest="command")
    _add_servers(commands)
    _add_clients(commands)
    commands.add_parser("version", help="print the version")
    chosen = parser.parse_args(arguments)
    if chosen.command == "version":
        print(__version__)
        return
    if find_spec("gunicorn" if chosen.command in ("serve", "play") else "orjson") is None:
        parser.exit(2, MISSING)
    if chosen.command is None:
        parser.error(f"a command is needed: {', '.join(commands.choices)}")
    chosen.run(commands.choices[chosen.command], chosen)


def _add_servers(commands: Any) -> None:
    serve = commands.add_parser(
        "serve", help="serve over HTTP", description="Settings are environment variables."
    )
    serve.add_argument("--host", help="address to listen at, or unix:/path (HOST)")
    serve.add_argument("--port", help="port to listen at (PORT)")
    serve.add_argument(
        "--check",
        action="store_true",
        help="print the effective settings instead, or what is wrong",
    )
    serve.set_defaults(run=_serve)
    play = commands.add_parser(
        "play",
        help="serve to the phones of this network",
        description="Prints the address of this machine, and a QR code of it.",
    )
    play.add_argument("--port", help="port to listen at (PORT)")
    play.set_defaults(run=_play)


def _add_clients(commands: Any) -> None:
    check = commands.add_parser(
        "check",
        help="run the numbered cases against a server",
        description="Ends with 0 if every answer is as expected, 1 if some are not, "
        "2 if the server could not be asked.",
    )
    check.add_argument("url", help="address of the server: http://localhost:8000")
    check.add_argument("--format", choices=("tap", "json"), default="tap", help="what is printed")
    check.add_argument("--game", help="only the cases of this game")
    check.add_argument("--rule", help="only the cases about this rule")
    check.add_argument("--seconds", type=float, default=10, help="what a request may take (10)")
    check.set_defaults(run=_check)
    agents = commands.add_parser(
        "mcp",
        help="serve tools to an agent, over standard input and output",
        description="Speaks the Model Context Protocol, and asks a service over HTTP.",
    )
    agents.add_argument(
        "--url", default="http://127.0.0.1:8000", help="address of the service (%(default)s)"
    )
    agents.add_argument("--language", help="language of answers: en, de, fr or it (en)")
    agents.set_defaults(run=_mcp)
    audit = commands.add_parser(
        "audit",
        help="audit a game in a line",
        description="Ends with 0 if every event is legal, 1 if some is not, "
        "2 if the line could not be read.",
    )
    audit.add_argument(
        "line", nargs="?", default="-", help="'tutto: Ada, Ben: stop'; - is standard input"
    )
    audit.add_argument("--language", default="en", help="language of the answer: en, de, fr or it")
    audit.set_defaults(run=_audit)


def _serve(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> None:
    flags = {"HOST": chosen.host, "PORT": chosen.port}
    if chosen.check:
        _print_settings(parser, flags)
    else:
        _defer_stops()
        _start(parser, flags)


def _play(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> None:
    _defer_stops()
    _start(parser, *_to_this_network(parser, chosen.port))


def _defer_stops() -> None:
    """Defers signals. gunicorn_conf.py delivers them."""
    from dice_referee.server.stop_signals import defer_stops

    defer_stops()


def _check_port(parser: argparse.ArgumentParser, environment: Mapping[str, str]) -> None:
    """Exits with 2 and a line on a bad setting or an address that is in use."""
    from dice_referee.server.bind_address import obstacle
    from dice_referee.server.checked_settings import read_settings
    from dice_referee.settings import BadSetting

    try:
        settings = read_settings(environment)
    except BadSetting as error:
        parser.exit(2, f"{error}\n")
    # systemd has already opened the sockets.
    if "LISTEN_FDS" in environment:
        return
    reason, free_port = obstacle(settings.host, settings.port)
    by_make = f"make {'play' if parser.prog.endswith('play') else 'run'} PORT={free_port}"
    retry_command = by_make if "MAKELEVEL" in environment else f"{parser.prog} --port {free_port}"
    if reason:
        parser.exit(2, f"{reason}{f' Try: {retry_command}' if free_port else ''}\n")


def _print_settings(parser: argparse.ArgumentParser, flags: Mapping[str, str | None]) -> None:
    """Prints the effective settings and the state of Redis. Exits with 2 and a line a fault."""
    from dice_referee.server.checked_settings import read_settings, setting_lines
    from dice_referee.server.deployment_check import faults, redis_state
    from dice_referee.settings import BadSetting, misspelt, obsolete

    environment = _with_flags(flags)
    try:
        settings = read_settings(environment)
    except BadSetting as error:
        parser.exit(2, f"{error}\n")
    wrong, comments = [*misspelt(environment), *faults(settings)], obsolete(environment)
    if settings.redis_url and not any(line.startswith("REDIS_URL") for line in wrong):
        line, refusals = redis_state(settings)
        comments.append(line)
        wrong += refusals
    print(*setting_lines(settings), *(f"# {sentence}" for sentence in comments), sep="\n")
    if wrong:
        parser.exit(2, "".join(f"{line}\n" for line in wrong))


def _with_flags(flags: Mapping[str, str | None]) -> dict[str, str]:
    return {**os.environ, **{name: value for name, value in flags.items() if value is not None}}


def _start(
    parser: argparse.ArgumentParser, flags: Mapping[str, str | None], words: str = ""
) -> None:
    from gunicorn.app.wsgiapp import run

    environment = _with_flags(flags)
    _check_port(parser, environment)
    print(words, end="", flush=True)
    # This process becomes gunicorn's master, because supervisors signal its process id.
    os.environ.update(environment)
    sys.argv = [*GUNICORN]
    run()


def _to_this_network(
    parser: argparse.ArgumentParser, port: str | None
) -> tuple[dict[str, str | None], str]:
    """Returns settings for a service that phones can reach, and words with its address.

    Exits without a network.
    """
    # Imported here, as below, because no other command needs it.
    from dice_referee.server.local_network import (
        is_every_address,
        is_loopback,
        local_address,
        qr_code,
    )
    from dice_referee.settings import BadSetting, Settings

    try:
        settings = Settings.read(os.environ)
    except BadSetting as error:
        parser.error(str(error))
    host = settings.host if os.environ.get("HOST") else EVERY_IPV4
    if is_loopback(host):
        parser.error(f"HOST={host} is an address of this machine only: no phone reaches it")
    address = local_address() if is_every_address(host) else host
    if address is None:
        parser.error("this machine is in no network; HOST=<its address> says otherwise")
    everywhere, name = ("::", f"[{address}]") if ":" in address else (EVERY_IPV4, address)
    listening = host if is_every_address(host) else everywhere
    port = port or str(settings.port)
    origin = f"http://{name}:{port}"
    url = f"{origin}/table"
    code = qr_code(url) if sys.stdout.isatty() else ""
    words = f"{code}Play at {url}\non this machine and on every phone in its network.\n"
    names = [*os.environ.get("HOSTS", "").split(","), name]
    return {
        "HOST": listening,
        "PORT": port,
        "HOSTS": ",".join(filter(None, names)),
        "PUBLIC_URL": os.environ.get("PUBLIC_URL") or origin,
    }, words


def _check(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> None:
    # Imported here, because no other command reads the games at its start.
    from dice_referee.check.report import REPORTS
    from dice_referee.check.runner import check, chosen_cases

    if not 0 < chosen.seconds <= 3600:
        parser.error("argument --seconds: more than 0, and 3600 at most")
    try:
        cases = chosen_cases(chosen.game, chosen.rule)
    except ValueError as error:
        parser.error(str(error))
    write = partial(print, end="", flush=True)
    raise SystemExit(check(chosen.url, cases, REPORTS[chosen.format], chosen.seconds, write))


def _audit(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> NoReturn:
    from dice_referee.library import ImpossiblePosition, InvalidRequest, audit_line

    line = chosen.line
    try:
        if line == "-":
            line = sys.stdin.buffer.read().decode()
        legal, text = audit_line(line, language=chosen.language)
    except (ImpossiblePosition, InvalidRequest, UnicodeDecodeError) as refusal:
        parser.exit(2, f"{refusal}\n")
    sys.stdout.buffer.write(text.encode())
    raise SystemExit(not legal)


def _mcp(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> None:
    """Serves an agent until it disconnects. Exits with 2 without the extra ``mcp``."""
    try:
        from dice_referee.agents.server import serve
    except ModuleNotFoundError as missing:
        install = "pip install --require-hashes -r deploy/requirements/mcp.txt"
        parser.exit(2, f"dice-referee mcp needs {missing.name}: {install}, or the extra mcp\n")
    serve(chosen.url, chosen.language, __version__)


if __name__ == "__main__":
    main()
