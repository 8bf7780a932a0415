"""Runs the command in a checkout: ``python -m service serve``. It is not part of the package."""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# Ctrl-C during the imports ends the process without a traceback.
interrupt = signal.getsignal(signal.SIGINT)
if interrupt is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from dice_referee.__main__ import main  # noqa: E402

signal.signal(signal.SIGINT, interrupt)

if __name__ == "__main__":
    main()
