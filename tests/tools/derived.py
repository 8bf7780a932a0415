"""Derived schemas: turns by phase, recorded games, events of sessions, nulls, descriptions.

Each fact of the contract is written once in its parts. Generated clients need the fact wherever it
is used.
"""

from collections.abc import Iterator
from typing import Any

from dice_referee.games import catalogue
from dice_referee.rulebook.game import OVER
from dice_referee.validation.fields import Brought

Schemas = dict[str, Any]

PREFIX = "#/components/schemas/"
OWN_RULES = "House rules: the options that differ from the ruleset."
BROUGHT = "Absent with the dice of the service."
"""The last sentence of the description of a field that the service may fill in."""


def derive(schemas: Schemas) -> None:
    """Adds the derived schemas, and completes the others."""
    events: Schemas = {}
    for game in catalogue():
        _add_turns(schemas, game)
        _add_recorded_game(schemas, game)
        events |= _add_posted_events(schemas, game)
    _add_events(schemas, events)
    schemas["SessionOdds"]["discriminator"]["mapping"] = {
        ruleset: f"{PREFIX}{game.title()}Odds"
        for game in catalogue()
        for ruleset in schemas[f"{game.title()}RulesetId"]["enum"]
    }
    for schema in list(_every(schemas)):
        # Generated types would require an optional constant with a default.
        for name in schema.get("required", ()):
            field = schema.get("properties", {}).get(name, {})
            if "const" in field:
                field.setdefault("default", field["const"])
        _spell_null(schema, schemas)
        for field in schema.get("properties", {}).values():
            _describe(field, schemas)


# Turns ------------------------------------------------------------------------------------------


def _add_turns(schemas: Schemas, game: str) -> None:
    """Completes the turn of each phase of a game, and adds the unions of these turns."""
    title, mapping = game.title(), dict[str, str]()
    for phase in schemas[f"{title}Phase"]["enum"]:
        name = f"{title}{phase.title().replace('-', '')}Turn"
        mapping[phase], own = f"{PREFIX}{name}", schemas[name]
        fields: Schemas = {
            "ruleset": {"description": "The ruleset.", "$ref": f"{PREFIX}{title}RulesetId"},
            "options": {"description": OWN_RULES, "$ref": f"{PREFIX}{title}Options"},
            "phase": {"description": f"Always `{phase}`.", "type": "string", "const": phase},
        }
        schemas[name] = {
            "description": own["description"],
            "type": "object",
            "required": [*fields, *own.get("required", ())],
            # Every schema completes its own fields.
            "properties": fields | {key: {**field} for key, field in own["properties"].items()},
        }
    schemas[f"{title}Turn"] |= _either(mapping, "phase")
    running = {phase: turn for phase, turn in mapping.items() if phase != OVER}
    schemas[f"{title}RunningTurn"] |= _either(running, "phase")


# Sessions ---------------------------------------------------------------------------------------


def _add_recorded_game(schemas: Schemas, game: str) -> None:
    """Adds the exported form of the log of a game, which names the game."""
    log, own = (schemas[f"{game.title()}{kind}"] for kind in ("GameLog", "SessionGame"))
    fields = {name: {**field} for name, field in log["properties"].items()}
    own |= {**log, **own, "properties": fields}


def _add_posted_events(schemas: Schemas, game: str) -> Schemas:
    """Adds the posted form of each event of a game, and returns the events by type."""
    title = game.title()
    mapping = schemas[f"{title}Event"]["discriminator"]["mapping"]
    events = {kind: _followed(reference, schemas) for kind, reference in mapping.items()}
    posted: dict[str, str] = {}
    for kind, shape in catalogue()[game].schemas.requested_event.kinds.items():
        event, fields = events[kind], shape.wire_fields
        brought = {name for name, field in fields.items() if isinstance(field, Brought)}
        reference = posted[kind] = mapping[kind].replace(PREFIX, f"{PREFIX}Posted")
        # Flat, because Go does not compile a union of unions. Games share the type `roll`.
        schemas["PostedEvent"].setdefault("anyOf", []).append({"$ref": reference})
        schemas[reference.removeprefix(PREFIX)] = event | {
            "required": [name for name in event["required"] if name not in brought],
            "properties": {
                name: _brought(field, schemas) if name in brought else {**field}
                for name, field in event["properties"].items()
            },
        }
    schemas[f"{title}BotEvent"] |= _either(posted, "type")
    return events


def _add_events(schemas: Schemas, events: Schemas) -> None:
    """Adds the events of all games to the events of a session's log, as open schemas."""
    own = schemas["SessionEvent"]
    mapping = {kind: f"{PREFIX}Session{kind.title()}Event" for kind in events}
    for kind, event in events.items():
        fields = {key: value for key, value in event.items() if key != "additionalProperties"}
        fields["properties"] = {name: {**field} for name, field in event["properties"].items()}
        # A type that two games share is written in the parts, with the dice of both.
        schemas.setdefault(mapping[kind].removeprefix(PREFIX), fields)
    schemas["SessionEvent"] = own | _either(mapping | own["discriminator"]["mapping"], "type")


def _either(mapping: dict[str, str], field: str) -> Schemas:
    """Returns a `oneOf` of these schemas, discriminated by a field."""
    return {
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": field, "mapping": mapping},
    }


# Fields -----------------------------------------------------------------------------------------


def _spell_null(schema: Schemas, schemas: Schemas) -> None:
    """Writes a nullable scalar as `type: [integer, "null"]`, without a choice."""
    match schema:
        case {"oneOf": [{"$ref": reference}, {"type": "null"}]}:
            scalar = _followed(reference, schemas)
            # An enum keeps its name, because generated clients declare a type for each name.
            if scalar.get("type") in ("integer", "number", "string") and "enum" not in scalar:
                del schema["oneOf"]
                nullable = {**scalar, **schema, "type": [scalar["type"], "null"]}
                schema |= nullable


def _brought(field: Schemas, schemas: Schemas) -> Schemas:
    """Returns the field with a note that the service may fill in its value."""
    field = {**field}
    _describe(field, schemas)
    return field | {"description": f"{field['description']} {BROUGHT}"}


def _describe(field: Schemas, schemas: Schemas) -> None:
    """Describes a field that is only a reference by the first paragraph of its target."""
    if "$ref" in field and "description" not in field:
        description = _followed(field["$ref"], schemas)["description"]
        field["description"] = description.partition("\n\n")[0].replace("\n", " ").strip()


def _followed(reference: str, schemas: Schemas) -> Any:
    return schemas[reference.removeprefix(PREFIX)]


def _every(value: Any) -> Iterator[Schemas]:
    """Yields every mapping in a value, the innermost first."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _every(part)
    if isinstance(value, dict):
        yield value
