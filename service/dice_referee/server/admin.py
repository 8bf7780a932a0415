"""The second address: metrics and probes, for operators only.

It is an application of its own, with its own threads and connections, so that it answers while
clients keep all others busy.
"""

from flask import Blueprint

from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import operation
from dice_referee.api.services import Services
from dice_referee.telemetry.metrics import CONTENT_TYPE, metrics_page

ADMIN_CONNECTIONS = 64
"""Connections that this address holds; they are not taken from the public."""


blueprint = Blueprint("admin", __name__)
"""The operations of the second address, besides the probes."""


@operation(
    blueprint,
    "GET",
    "/metrics",
    rate=None,
    offers=(),
    any_origin=False,
    any_host=True,
    counted=False,
)
def metrics(request: Request, services: Services) -> Answer:
    """Shows the counts of all processes."""
    return Answer(metrics_page(), media_type=CONTENT_TYPE)
