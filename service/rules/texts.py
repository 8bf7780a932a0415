"""The files of texts that lie in packages: words and rules."""

from importlib.resources import files
from tomllib import loads
from typing import Any


def toml(package: str, name: str) -> dict[str, Any]:
    """The document of a TOML file of a package."""
    return loads(files(package).joinpath(name).read_text("utf-8"))
