"""Tests and programs of the checkout. The package lets ``python -m tests.bench.bench`` run."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "service"))
