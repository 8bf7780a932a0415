"""Joins the parts of the contract into ``openapi.yaml``, and writes the same contract as JSON.

``python -m tests.tools.bundle`` (``make generate``) writes both files. A part is a piece of an
OpenAPI document. Mappings are merged, lists are appended without repeating an item, and any other
value may be in a single part only. References are written as published.

``python -m tests.tools.bundle release`` stores the contract as that of the last release.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import yaml

from dice_referee import __version__
from dice_referee.api.contract import (
    JSON_PATH,
    YAML_PATH,
    contract,
    contract_json,
    contract_version,
    operations,
)
from dice_referee.app import create_app
from dice_referee.games import catalogue
from dice_referee.telemetry.logs import ACCESS_LOG
from tests import quick_yaml
from tests.programs import PACKAGE, ROOT
from tests.tools.compatibility import unannounced
from tests.tools.derived import derive
from tests.tools.examples import content, examples
from tests.tools.standard import complete, operations_of
from tests.tools.stores import serving_examples

CONTRACT = PACKAGE / "contract"
PUBLISHED = (YAML_PATH, JSON_PATH)
RELEASED = ROOT / "tests" / "contract" / "released"
FAMILIES = ("sessions", "fairness", "catalogue", "service", "shared")
"""Folders of ``service/dice_referee/contract``, in the order of the published document."""
GAME_PARTS = CONTRACT / "games"
"""Parts shared by all games, with ``<Game>`` and ``<game>`` as placeholders for names."""
NOTICE = (
    "# Joined by `make generate` from contract/ and games/*/contract/ of service/dice_referee.\n\n"
)


class Part(NamedTuple):
    """A file and its parsed content."""

    path: Path
    text: str


def parts() -> Iterator[Part]:
    """Yields the root, the games in the order of the catalogue, and the families."""
    yield _part(CONTRACT / "root.yaml")
    for game in catalogue():
        folder = ROOT / "service/dice_referee/games" / game / "contract"
        files = [*folder.glob("*.yaml"), *GAME_PARTS.glob("*.yaml")]
        for part in map(_part, sorted(files, key=lambda path: path.name)):
            named = part.text.replace("<Game>", game.title()).replace("<game>", game)
            yield part._replace(text=named)
    for family in FAMILIES:
        yield from map(_part, sorted((CONTRACT / family).glob("*.yaml")))


def _part(path: Path) -> Part:
    return Part(path, path.read_text("utf-8"))


def merge(document: dict[str, Any], part: Mapping[str, Any], place: str = "") -> None:
    """Adds a part to the document. Raises ValueError if the document already has a value."""
    for key, value in part.items():
        held = document.get(key)
        if key not in document:
            document[key] = value
        elif isinstance(held, dict) and isinstance(value, dict):
            merge(held, value, f"{place}/{key}")
        elif isinstance(held, list) and isinstance(value, list):
            held += [item for item in value if item not in held]
        else:
            raise ValueError(f"{place}/{key} stands in two parts")


def joined() -> dict[str, Any]:
    """Joins the parts of the contract. Examples that are sent lack their answers."""
    document: dict[str, Any] = {}
    for part in parts():
        try:
            merge(document, quick_yaml.load(part.text))
        except ValueError as error:
            raise ValueError(f"{part.path}: {error}") from None
    document["info"]["version"] = contract_version(__version__)
    complete(document, operations_of(create_app()))
    derive(document["components"]["schemas"])
    return document


def publish() -> dict[str, Any]:
    """Writes the contract twice, because the service that answers the examples reads the contract.

    Restores the files if an example gets an unexpected answer.
    """
    document, before = joined(), [path.read_bytes() for path in PUBLISHED]
    write(document)
    for known in (contract_json, contract, operations):
        known.cache_clear()
    try:
        fill_in(document)
    except BaseException:
        for path, content_before in zip(PUBLISHED, before, strict=True):
            path.write_bytes(content_before)
        raise
    write(document)
    return document


def write(document: dict[str, Any]) -> None:
    """Writes the contract for readers, and as JSON for the service."""
    YAML_PATH.write_text(NOTICE + as_yaml(document), "utf-8")
    JSON_PATH.write_bytes(as_json(document))


def fill_in(document: dict[str, Any]) -> None:
    """Sends the examples and inserts the answers of the service."""
    with serving_examples() as app:
        client = app.test_client()
        for example in examples(document):
            answer = example.answer(client)
            transcript = f"{answer.status_code} {answer.mimetype}\n{answer.get_data(as_text=True)}"
            assert answer.status_code == example.status, f"{example.name}: {transcript}"
            document["components"]["examples"][example.name]["value"] = content(answer)


# Writing ----------------------------------------------------------------------------------------


class _Dumper(quick_yaml.Dumper):
    """Writes text with line breaks as blocks, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: _Dumper, value: str) -> yaml.ScalarNode:
    # YAML 1.2 reads 12e3 as a number. PyYAML reads text, and would write the text unquoted.
    style = "|" if "\n" in value else "'" if re.fullmatch(r"\d+[eE]\d+", value) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style)


_Dumper.add_representer(str, _text)


def as_yaml(document: Mapping[str, Any]) -> str:
    """Returns the document as published."""
    return yaml.dump(
        document,
        Dumper=_Dumper,
        default_flow_style=None,
        sort_keys=False,
        allow_unicode=True,
        width=100,
    )


def as_json(document: Mapping[str, Any]) -> bytes:
    """Returns the document as the service reads and serves it."""
    return orjson.dumps(document)


# Releases ---------------------------------------------------------------------------------------

PROSE = {"description", "summary", "example", "examples"}
NAME_MAPPINGS = {
    "properties",
    "schemas",
    "responses",
    "headers",
    "parameters",
    "links",
    "securitySchemes",
}
"""Mappings whose keys are names."""
UNORDERED = {"enum", "oneOf", "anyOf", "required", "tags"}
"""Lists without an order."""


def meaning(value: Any, key: str = "") -> Any:
    """Returns the contract without prose and examples, in a canonical order."""
    if isinstance(value, dict):
        return {
            name: meaning(value[name], "" if key in NAME_MAPPINGS else name)
            for name in sorted(value)
            if key in NAME_MAPPINGS or name not in PROSE
        }
    if isinstance(value, list):
        items = [meaning(item) for item in value]
        return sorted(items, key=str) if key in UNORDERED else items
    return value


def release(document: dict[str, Any]) -> Path:
    """Stores the meaning of this contract as the last release's. Raises if that would break
    promises."""
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for older in RELEASED.glob("*.yaml"):
        broken = unannounced(quick_yaml.load(older.read_bytes()), document, changelog)
        if broken:
            raise SystemExit("\n".join(map(str, broken)))
        older.unlink()
    path = RELEASED / f"{document['info']['version']}.yaml"
    notice = "# Made by `python -m tests.tools.bundle release`: without prose and examples.\n\n"
    path.write_text(notice + as_yaml(meaning(document)), "utf-8")
    return path


if __name__ == "__main__":
    if sys.argv[1:] == ["release"]:
        print(release(joined()).relative_to(ROOT))
    else:
        ACCESS_LOG.write = lambda _: None  # includes the refusals among the examples
        print(f"{YAML_PATH.name}: {len(publish()['components']['examples'])} examples")
