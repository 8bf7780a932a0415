"""Signals that stop the service.

A process defers them while it cannot end in order: the command until gunicorn's master listens, a
worker from its fork to its handlers.
"""

import signal
import sys

STOP_SIGNALS = frozenset({signal.SIGINT, signal.SIGQUIT, signal.SIGTERM})


def defer_stops() -> None:
    """Blocks the signals in this thread and in all threads that it starts."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)


def deliver_stops() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def exit_if_stopped() -> None:
    if not STOP_SIGNALS.isdisjoint(signal.sigpending()):
        sys.exit(0)


def ignore_stops() -> None:
    """Ignores further signals. Python's own exit restores defaults that kill the process."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
