"""Commands of a unit in ``deploy/systemd``, expanded as systemd expands them."""

import re
import shlex
from collections.abc import Mapping

from tests.programs import ROOT

UNITS = ROOT / "deploy/systemd"
BACKUP = UNITS / "referee-backup.service"
NODE_EXPORTER = "/var/lib/prometheus/node-exporter"


def unit_commands(unit: str, key: str, environment: Mapping[str, str]) -> list[list[str]]:
    """Returns the commands under a key of a unit's text, ready to run."""
    lines = re.findall(rf"^{key}=[-+]*(.*)$", unit, re.MULTILINE)
    return [[_word(word, environment) for word in shlex.split(line)] for line in lines]


def _word(word: str, environment: Mapping[str, str]) -> str:
    """Expands escapes, specifiers and variables of a word by systemd.service(5)."""
    word = word.replace("\\\\", "\\").replace("%%", "%")
    filled = re.sub(r"(?<!\$)\$\{(\w+)\}", lambda match: environment[match[1]], word)
    return filled.replace("$$", "$")
