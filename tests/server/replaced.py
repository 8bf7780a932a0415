"""The service with replaced constants, which ``REPLACED_CONSTANTS`` names."""

import json
import os
from dataclasses import replace
from typing import Any

from dice_referee.app import asgi_app, configured_app
from dice_referee.settings import Settings

constants = json.loads(os.environ["REPLACED_CONSTANTS"])
values: dict[str, Any] = {name.lower(): int(value) for name, value in constants.items()}
settings = replace(Settings.read(os.environ), **values)
app = asgi_app(configured_app(settings))
