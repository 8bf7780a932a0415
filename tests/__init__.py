"""Tests and programs of the checkout. ``python -m tests.bench.bench`` finds the package by this."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "service"))
