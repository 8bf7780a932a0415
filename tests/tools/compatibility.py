"""Checks that a contract keeps the promises of an older contract, as defined in compatibility.md.

Promises have two directions. Requests that were accepted must still be accepted. Answers may
contain only what the guide announces to clients. Names of schemas and operations are no promise.

``python -m tests.tools.compatibility old.yaml new.yaml`` prints the broken promises.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from tests import quick_yaml

Schema = Mapping[str, Any]

METHODS = ("get", "put", "post", "delete", "patch")
AT_LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
AT_MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
DRAFTS = {"ratelimit", "ratelimit-policy"}
"""Headers of a draft, which the guide does not promise."""
NOTES = {"description", "title", "example", "examples", "deprecated"}
"""Keys beside a reference that change no meaning."""


class Direction(Enum):
    """The side that must cope with a change."""

    SENT = "by clients"
    ANSWERED = "by the service"


class Break(NamedTuple):
    """A broken promise."""

    place: str
    """An operation or schema, and the changed part: `addEvent If-Match`, `TuttoPosition.card`."""
    change: str

    def __str__(self) -> str:
        return f"{self.place}: {self.change}"


def breaks(old: Schema, new: Schema) -> list[Break]:
    """Returns every promise of the old contract that the new contract breaks."""
    comparison = _Comparison(old, new)
    comparison.contract()
    return list(comparison.found)


class _Read(NamedTuple):
    """A schema as used in a place: references are followed, and parts of `allOf` joined."""

    name: str | None
    schema: Schema
    nullable: bool


def _read(contract: Schema, schema: Schema) -> _Read:
    name, nullable = None, False
    while True:
        schema = dict(schema)
        if "$ref" in schema:
            target, component = _component(contract, schema.pop("$ref"))
            name = name or target
            schema = {**component, **schema}
        elif "allOf" in schema:
            for part in schema.pop("allOf"):
                schema = _joined(schema, _read(contract, part).schema)
        else:
            either = next((key for key in ("oneOf", "anyOf") if key in schema), None)
            kinds = schema.get(either, []) if either else []
            rest = [kind for kind in kinds if kind.get("type") != "null"]
            nullable |= len(rest) < len(kinds)
            if len(rest) != 1 or len(rest) == len(kinds):
                break
            notes = {key: value for key, value in schema.items() if key != either}
            schema = {**rest[0], **notes}
    if either:
        schema = {**schema, either: rest}
    if isinstance(schema.get("type"), list):
        nullable |= "null" in schema["type"]
        schema = {**schema, "type": [kind for kind in schema["type"] if kind != "null"]}
    return _Read(name, schema, nullable)


def _component(contract: Schema, reference: str) -> tuple[str, Schema]:
    node: Any = contract
    *_, name = path = reference.removeprefix("#/").split("/")
    for step in path:
        node = node[step]
    return name, node


def _joined(first: Schema, second: Schema) -> dict[str, Any]:
    return {
        **first,
        **second,
        "properties": {**first.get("properties", {}), **second.get("properties", {})},
        "required": [*first.get("required", []), *second.get("required", [])],
    }


def _is_union(schema: Schema) -> bool:
    return "oneOf" in schema or "anyOf" in schema


def _as_object(contract: Schema, schema: Schema) -> Schema:
    """Returns a discriminated union as the object that a client of no union reads."""
    if "discriminator" not in schema:
        return schema
    kinds = [_read(contract, kind).schema for kind in _kinds(schema)]
    selector = schema["discriminator"]["propertyName"]
    values = [value for kind in kinds for value in _values(kind["properties"][selector]) or ()]
    fields = {name: field for kind in kinds for name, field in kind["properties"].items()}
    return {
        "type": "object",
        "properties": fields | {selector: {"type": "string", "enum": values}},
        "required": [*set.intersection(*(set(kind["required"]) for kind in kinds))],
    }


def _types(schema: Schema) -> set[str] | None:
    """Returns the allowed types of a value, or none if any type is allowed."""
    kinds = schema.get("type")
    if kinds is None:
        return None
    types = {kinds} if isinstance(kinds, str) else set(kinds)
    return types | {"integer"} if "number" in types else types


def _values(schema: Schema) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    values: list[Any] | None = schema.get("enum")
    return values


class _Comparison:
    """Two contracts and the broken promises."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self.old = old
        self.new = new
        self.found: dict[Break, None] = {}
        self._outcome_for = set[tuple[str, str, Direction, str]]()

    def tell(self, place: str, change: str) -> None:
        self.found[Break(place, change)] = None

    # The contract --------------------------------------------------------------------------------

    def contract(self) -> None:
        """Compares all parts of the contracts."""
        new = dict(_operations(self.new))
        for at, operation in _operations(self.old):
            if at in new:
                self.operation(operation, new[at])
            else:
                self.tell(operation["operationId"], f"is gone ({at[0].upper()} {at[1]})")
        kinds = self.new["components"].get("securitySchemes", {})
        for name, scheme in self.old["components"].get("securitySchemes", {}).items():
            for key in ("type", "scheme", "in", "name"):
                if scheme.get(key) != kinds.get(name, {}).get(key):
                    self.tell(name, f"is another way to identify oneself (`{key}`)")

    def operation(self, old: Schema, new: Schema) -> None:
        name = old["operationId"]
        self._parameters(name, old, new)
        self._body(name, old, new)
        self._responses(name, old, new)
        self._security(name, old, new)

    def _parameters(self, name: str, old: Schema, new: Schema) -> None:
        had = _parameters_of(self.old, old)
        has = _parameters_of(self.new, new)
        for key, each in had.items():
            place = f"{name} {each['name']}"
            if key not in has:
                self.tell(place, "is gone")
                continue
            if has[key].get("required") and not each.get("required"):
                self.tell(place, "is required now")
            for way in ("style", "explode"):
                if each.get(way) != has[key].get(way):
                    self.tell(place, f"is written in another way (`{way}`)")
            self.schema(place, each["schema"], has[key]["schema"], Direction.SENT)
        for key, each in has.items():
            if key not in had and each.get("required"):
                self.tell(f"{name} {each['name']}", "is new and required")

    def _body(self, name: str, old: Schema, new: Schema) -> None:
        had = _followed(self.old, old.get("requestBody", {}))
        has = _followed(self.new, new.get("requestBody", {}))
        if has.get("required") and not had.get("required"):
            self.tell(name, "needs a body now")
        for kind, media in had.get("content", {}).items():
            if kind in has.get("content", {}):
                schema = has["content"][kind]
                self.schema(f"{name} body", media["schema"], schema["schema"], Direction.SENT)
            else:
                self.tell(name, f"does not take {kind} any more")

    def _responses(self, name: str, old: Schema, new: Schema) -> None:
        for status, response in old["responses"].items():
            if status in new["responses"]:
                had = _followed(self.old, response)
                has = _followed(self.new, new["responses"][status])
                self._response(f"{name} {status}", had, has)
            else:
                self.tell(f"{name} {status}", "is gone")
        for status in new["responses"]:
            if status not in old["responses"] and status.startswith("2"):
                self.tell(f"{name} {status}", "is a new way to succeed")

    def _response(self, place: str, old: Schema, new: Schema) -> None:
        for kind, media in old.get("content", {}).items():
            if kind in new.get("content", {}):
                schema = new["content"][kind]
                self.schema(place, media["schema"], schema["schema"], Direction.ANSWERED)
            else:
                self.tell(place, f"is not offered as {kind} any more")
        has = {name.lower(): header for name, header in new.get("headers", {}).items()}
        for name, header in old.get("headers", {}).items():
            if name.lower() in DRAFTS:
                continue
            if name.lower() not in has:
                self.tell(f"{place} {name}", "is gone")
                continue
            had, now = _followed(self.old, header), _followed(self.new, has[name.lower()])
            if had.get("required") and not now.get("required"):
                self.tell(f"{place} {name}", "may be absent now")
            at = f"{place} {name}"
            self.schema(at, had.get("schema", {}), now.get("schema", {}), Direction.ANSWERED)

    def _security(self, name: str, old: Schema, new: Schema) -> None:
        had = old.get("security", self.old.get("security", [])) or [{}]
        has = new.get("security", self.new.get("security", [])) or [{}]
        for way in had:
            # Weaker requirements break nothing.
            if not any(
                scheme.keys() <= way.keys()
                and all(set(scopes) <= set(way[key]) for key, scopes in scheme.items())
                for scheme in has
            ):
                self.tell(name, "asks for more to identify oneself")

    # Schemas -------------------------------------------------------------------------------------

    def schema(self, place: str, old: Schema, new: Schema, direction: Direction) -> None:
        had, has = _read(self.old, old), _read(self.new, new)
        if direction is Direction.SENT and had.nullable and not has.nullable:
            self.tell(place, "may not be null any more")
        if direction is Direction.ANSWERED and has.nullable and not had.nullable:
            self.tell(place, "may be null now")
        if had.name:
            beside = repr(
                [{k: v for k, v in each.items() if k not in NOTES} for each in (old, new)]
            )
            key = (had.name, has.name or place, direction, beside)
            if key in self._outcome_for:
                return
            self._outcome_for.add(key)
            place = had.name if had.name == has.name else place
        before, after = had.schema, has.schema
        if direction is Direction.ANSWERED and _is_union(before) != _is_union(after):
            before, after = _as_object(self.old, before), _as_object(self.new, after)
        if _is_union(before) or _is_union(after):
            self._either(place, before, after, direction)
        else:
            self._plain(place, before, after, direction)

    def _either(self, place: str, old: Schema, new: Schema, direction: Direction) -> None:
        had, has = _kinds(old), _kinds(new)
        left = list(has)
        for kind in had:
            partner = next((each for each in left if self._same(kind, each, direction)), None)
            if partner is None:
                self.tell(place, f"has one kind less ({_name(kind)})")
            else:
                left.remove(partner)
                self.schema(place, kind, partner, direction)
        if left and len(had) == 1 and direction is Direction.ANSWERED:
            self.tell(place, f"may be something else now ({', '.join(map(_name, left))})")
        mapped = new.get("discriminator", {}).get("mapping", {})
        for value, target in old.get("discriminator", {}).get("mapping", {}).items():
            if value not in mapped or not self._same(
                {"$ref": target}, {"$ref": mapped[value]}, direction
            ):
                self.tell(place, f"has another meaning or none for `{value}`")

    def _same(self, old: Schema, new: Schema, direction: Direction) -> bool:
        """Tells if these kinds match by their names, or by their structure without names."""
        if "$ref" in old and "$ref" in new and old["$ref"] == new["$ref"]:
            return True
        trial = _Comparison(self.old, self.new)
        trial.schema("", old, new, direction)
        return not trial.found

    def _plain(self, place: str, old: Schema, new: Schema, direction: Direction) -> None:
        is_sent = direction is Direction.SENT
        wide, narrow = (_types(new), _types(old)) if is_sent else (_types(old), _types(new))
        if wide is not None and (narrow is None or not narrow <= wide):
            self.tell(place, f"is {_told(new)} now, was {_told(old)}")
            return
        self._value(place, old, new, is_sent)
        if is_sent:
            self._limits(place, old, new)
        if "items" in old or "items" in new:
            self.schema(f"{place}[]", old.get("items", {}), new.get("items", {}), direction)
        self._fields(place, old, new, direction)

    def _value(self, place: str, old: Schema, new: Schema, is_sent: bool) -> None:
        had, has = _values(old), _values(new)
        for value in had or ():
            if has is not None and value not in has:
                self.tell(place, f"has the value `{value}` no more")
        if had is not None and has is None and not is_sent:
            self.tell(place, "may have any value now, had those of a list")
        if had is None and has is not None and is_sent:
            self.tell(place, "takes only the values of a list now")
        for rule in ("pattern", "format"):
            # No program can compare the sets of two patterns.
            if old.get(rule) != new.get(rule) and rule in (new if is_sent else old):
                self.tell(place, f"has another `{rule}`")
        default = old.get("default")
        # A default beside a `const` breaks nothing. No other value is accepted, so that the default
        # only spares users of generated clients from naming the constant.
        meant = is_sent and "const" not in old and default not in (None, [], {})
        if meant and new.get("default") != default:
            self.tell(place, f"means `{new.get('default')}` if absent, meant `{default}`")

    def _limits(self, place: str, old: Schema, new: Schema) -> None:
        for limit in AT_LEAST:
            least = old.get(limit, 0 if limit.startswith("min") and limit != "minimum" else None)
            if limit in new and (least is None or new[limit] > least):
                self.tell(place, f"takes less (`{limit}`)")
        for limit in AT_MOST:
            if limit in new and (limit not in old or new[limit] < old[limit]):
                self.tell(place, f"takes less (`{limit}`)")
        for rule in ("multipleOf", "uniqueItems"):
            if new.get(rule, False) and new[rule] != old.get(rule):
                self.tell(place, f"takes less (`{rule}`)")

    def _fields(self, place: str, old: Schema, new: Schema, direction: Direction) -> None:
        is_sent = direction is Direction.SENT
        had, has = old.get("properties", {}), new.get("properties", {})
        must, must_now = set(old.get("required", ())), set(new.get("required", ()))
        for name, schema in had.items():
            if name in has:
                self.schema(f"{place}.{name}", schema, has[name], direction)
            else:
                self.tell(f"{place}.{name}", "is gone")
        for name in sorted(must_now - must if is_sent else (must - must_now) & has.keys()):
            self.tell(f"{place}.{name}", "is required now" if is_sent else "may be absent now")
        extras, others_now = (each.get("additionalProperties", True) for each in (old, new))
        if isinstance(extras, Mapping) and isinstance(others_now, Mapping):
            self.schema(f"{place}.*", extras, others_now, direction)
        elif is_sent and extras is not False and others_now not in (True, extras):
            self.tell(f"{place}.*", "takes less than any further field")
        elif not is_sent and isinstance(extras, Mapping) and others_now is True:
            self.tell(f"{place}.*", "may be anything now")


def _operations(contract: Schema) -> Iterator[tuple[tuple[str, str], Schema]]:
    for path, item in contract["paths"].items():
        for method in METHODS:
            if method in item:
                operation = item[method]
                # Parameters of a path belong to each of its operations.
                shared = [*item.get("parameters", []), *operation.get("parameters", [])]
                yield (method, path), {**operation, "parameters": shared}


def _followed(contract: Schema, value: Schema) -> Schema:
    while "$ref" in value:
        _, value = _component(contract, value["$ref"])
    return value


def _parameters_of(contract: Schema, operation: Schema) -> dict[tuple[str, str], Schema]:
    parameters = {}
    for each in (_followed(contract, each) for each in operation["parameters"]):
        name = each["name"]
        parameters[each["in"], name.lower() if each["in"] == "header" else name] = each
    return parameters


def _kinds(schema: Schema) -> list[Schema]:
    kinds: list[Schema] = schema.get("oneOf") or schema.get("anyOf") or [schema]
    return kinds


def _told(schema: Schema) -> str:
    kinds = schema.get("type", "anything")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _name(kind: Schema) -> str:
    return str(kind["$ref"]).rpartition("/")[2] if "$ref" in kind else str(kind.get("type", "any"))


# Releases ---------------------------------------------------------------------------------------


def version_of(text: str) -> tuple[int, int, int]:
    """Returns a version as numbers, so that 0.10.0 is above 0.9.0. 0.10.0-dev.0 equals 0.10.0."""
    major, minor, patch = map(int, text.partition("-")[0].split("."))
    return major, minor, patch


def may_break(old: str, new: str) -> bool:
    """Tells if the newer of two versions may break promises of the older version."""
    (old_major, old_minor, _), (new_major, new_minor, _) = version_of(old), version_of(new)
    return new_major > old_major or (old_major == new_major == 0 and new_minor > old_minor)


def told_changes(changelog: str, old: str, new: str) -> str:
    """Returns the tables of breaks between two versions."""
    tables = []
    for release in re.split(r"^## (?=\d)", changelog, flags=re.MULTILINE)[1:]:
        version = release.split(maxsplit=1)[0]
        if version_of(old) < version_of(version) <= version_of(new):
            tables += sections(release, "Breaks")
    return "\n".join(tables)


def sections(changelog: str, name: str) -> list[str]:
    """Returns the text of every section of this name."""
    _, *parts = re.split(r"^##(?:#)? (.*)\n", changelog, flags=re.MULTILINE)
    return [text for title, text in zip(parts[::2], parts[1::2], strict=True) if title == name]


def is_told(broken: Break, changes: str) -> bool:
    """Tells if the changelog names the place, its operation or its schema."""
    name, *_ = re.split(r"[ .\[]", broken.place)
    return f"`{broken.place}`" in changes or f"`{name}`" in changes


def untold_deprecations(contract: Schema, changelog: str) -> list[str]:
    """Returns the unannounced deprecations.

    An announcement has two parts. A description names the replacement, and the changelog lists the
    name of the operation or component under *Deprecated*.
    """
    deprecations = "".join(sections(changelog, "Deprecated"))
    return [
        name
        for name, marked in _deprecated(contract)
        if f"`{name}`" not in deprecations or not marked.get("description")
    ]


def _deprecated(contract: Schema) -> Iterator[tuple[str, Schema]]:
    """Yields each deprecated element with the name of its operation or component."""
    for path in contract["paths"].values():
        for method in METHODS:
            if method in path:
                yield from (
                    (path[method]["operationId"], element) for element in _marked(path[method])
                )
    for components in contract["components"].values():
        for name, component in components.items():
            yield from ((name, element) for element in _marked(component))


def _marked(value: Any) -> Iterator[Schema]:
    if isinstance(value, Mapping):
        if value.get("deprecated") is True:
            yield value
        for part in value.values():
            yield from _marked(part)
    elif isinstance(value, list):
        for part in value:
            yield from _marked(part)


def unannounced(old: Schema, new: Schema, changelog: str) -> list[Break]:
    """Returns the breaks that the newer version may not have, or that the changelog does not name.

    Unreleased entries belong to the newer version.
    """
    before, after = old["info"]["version"], new["info"]["version"]
    faults = breaks(old, new)
    changelog = changelog.replace("## Unreleased\n", f"## {after} - unreleased\n", 1)
    if not may_break(before, after):
        return faults
    changes = told_changes(changelog, before, after)
    return [each for each in faults if not is_told(each, changes)]


if __name__ == "__main__":
    before, after = (quick_yaml.load(Path(path).read_bytes()) for path in sys.argv[1:])
    print(*breaks(before, after), sep="\n")
