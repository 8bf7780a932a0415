"""``make new-ruleset NAME=club-3000 FROM=abacus-2013``: starts a ruleset as a copy of another.

The program writes each place that names a ruleset. The guide ``adding-a-ruleset.md`` continues from
there.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def begin(name: str, model: str, root: Path = ROOT) -> list[str]:
    """Writes the ruleset ``name``, a copy of ``model``, and returns the names of the files.

    Raises ValueError if the id is invalid or taken, or if the model does not exist.
    """
    if not NAME.fullmatch(name):
        raise ValueError(f"NAME has to be small letters, digits and hyphens, not {name!r}")
    homes = [path.parent for path in sorted(root.glob("service/dice_referee/games/*/rulesets.py"))]
    known = {ruleset: home for home in homes for ruleset in _known(home)}
    if model not in known:
        raise ValueError(f"FROM has to be one of {', '.join(known)}, not {model!r}")
    if name in known:
        raise ValueError(f"{name} is there already")
    home, written = known[model], list[str]()

    def edit(path: Path, pattern: str, replacement: str) -> None:
        text, places = re.subn(
            pattern, replacement, path.read_text("utf-8"), count=1, flags=re.MULTILINE | re.DOTALL
        )
        if not places:
            raise ValueError(f"{path} has no place for a ruleset")
        path.write_text(text, "utf-8")
        written.append(path.relative_to(root).as_posix())

    new, old = (text.upper().replace("-", "_") for text in (name, model))
    rulesets, words = home / "rulesets.py", home / "words.toml"
    edit(
        rulesets,
        rf'^{old} = Ruleset\(\s*"{model}"(.*?)\)\n',
        rf'\g<0>{new} = Ruleset("{name}"\1)\n',
    )
    edit(rulesets, rf"^RULESETS = .*?\b{old},", rf"\g<0> {new},")
    table = rf"^\[rulesets\.{model}\.{{}}\]\n(.*?\n)(?=\[|\n)"
    title = re.search(table.format("title"), words.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert title, f"{model} has no title"
    titles = re.sub(r'"[^"]*"', f'"{name}"', title[1])
    named = rf"\g<0>\n[rulesets.{name}.title]\n{titles}[rulesets.{name}.text]\n\1"
    edit(words, table.format("text"), named)
    schemas = home / "contract" / "schemas.yaml"
    edit(schemas, rf"^( +- |      enum: \[.*?){model}\b", _listed(schemas, model, name))
    row = rf"^( *\| )`{model}`( \|[^\n]*)"
    for path in (schemas, root / "service/dice_referee/web/guides/rulesets.md"):
        if re.search(row, path.read_text("utf-8"), re.MULTILINE):
            edit(path, row, rf"\g<0>\n\1`{name}`\2")
    changelog = root / "CHANGELOG.md"
    entry = f"- {home.name.title()}: the ruleset `{name}`.\n"
    added = r"^## Unreleased\n(?:(?!## )[^\n]*\n)*?### Added\n"
    if re.search(added, changelog.read_text("utf-8"), re.MULTILINE):
        edit(changelog, added, rf"\g<0>{entry}")
    else:
        edit(changelog, "^## Unreleased\n", rf"\g<0>\n### Added\n{entry}")
    written.append(_begin_transcript(root / "tests/games" / home.name / "transcripts", name, model))
    return list(dict.fromkeys(written))


def _known(home: Path) -> list[str]:
    """Returns the ids of a game's rulesets."""
    return re.findall(
        r'^[A-Z0-9_]+ = Ruleset\(\s*"([^"]+)"', (home / "rulesets.py").read_text(), re.M
    )


def _listed(schemas: Path, model: str, name: str) -> str:
    """Returns the enum with the new id, in a line or with a line for each id."""
    listed = re.search(rf"^( +- ){model}$", schemas.read_text("utf-8"), re.MULTILINE)
    return rf"\g<0>\n{listed[1]}{name}" if listed else rf"\g<0>, {name}"


def _begin_transcript(folder: Path, name: str, model: str) -> str:
    """Copies the shortest whole game under the model. ``make generate`` writes its answer."""
    games = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
    under = [game for game in games if game["answer"]["ruleset"] == model]
    request = min(under, key=lambda game: len(game["request"]["log"]))["request"]
    title = f"A game under {name}, {len(request['players'])} players"
    game = {"title": title, "request": {**request, "ruleset": name}}
    path = folder / f"{name}.json"
    path.write_text(json.dumps(game, indent=1) + "\n", "utf-8")
    return path.relative_to(folder.parents[3]).as_posix()


if __name__ == "__main__":
    try:
        print(*(f"written: {file}" for file in begin(sys.argv[1], sys.argv[2])), sep="\n")
    except (IndexError, ValueError) as error:
        sys.exit(f"new-ruleset: {error}")
