"""Reader of the TOML files in packages: words and rules."""

from importlib.resources import files
from tomllib import loads
from typing import Any


def toml(package: str, name: str) -> dict[str, Any]:
    return loads(files(package).joinpath(name).read_text("utf-8"))
