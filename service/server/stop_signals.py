"""The signals that stop the service.

They are deferred where no handler can stop it in order: from the settings to the listening master,
and from the fork of a worker to its handlers. Deferred signals survive an exec, and a fork clears
none that arrive after it.
"""

import signal
import sys

STOP_SIGNALS = frozenset({signal.SIGINT, signal.SIGQUIT, signal.SIGTERM})


def defer_stops() -> None:
    """Blocks the signals, in this thread and in all that it starts."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)


def deliver_stops() -> None:
    """Unblocks the signals; a deferred signal runs its handler at once."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def exit_if_stopped() -> None:
    """Ends the process with 0 if a signal was deferred."""
    if not STOP_SIGNALS.isdisjoint(signal.sigpending()):
        sys.exit(0)


def ignore_stops() -> None:
    """Ignores further signals; Python restores the deadly defaults before a process ends."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
