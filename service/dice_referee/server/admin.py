"""The second address: metrics and probes, only for operators.

It is an application of its own, with its own threads and connections, so it answers even if clients
occupy all others.
"""

from flask import Blueprint

from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import operation
from dice_referee.telemetry.metrics import CONTENT_TYPE, metrics_page

ADMIN_CONNECTIONS = 64
"""Maximum connections of this address, in addition to those of the public address."""


blueprint = Blueprint("admin", __name__)


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
def metrics(request: Request) -> Answer:
    return Answer(metrics_page(), media_type=CONTENT_TYPE)
