"""A referee for dice games, over HTTP.

The rooms, and what each may import of ours and of others; ``tests/test_rooms.py`` reads this table.

    room            ours                            third party
    rules/          rules                           -
    wire/           rules wire                      marshmallow orjson jsonschema_rs
    games/          rules games.<own> wire*         marshmallow* orjson*
    sessions/       sessions rules                  orjson redis*
    http/           http                           structlog prometheus_client orjson opentelemetry*
    doors/          http games sessions wire rules settings  orjson jsonschema_rs gunicorn
    api/            http games sessions wire rules settings  flask werkzeug orjson yaml
    web/            web                             flask
    settings.py     -                               -
    app.py          anything                        anything
    wsgi.py         anything                        anything
    asgi.py         anything                        anything

Each room may import itself; ``api`` also the version that stands here. ``web`` is the pages: files
for browsers, which ask the API like any other client.
(*) in a game's ``wire.py``, ``shapes.py`` and ``answers.py`` only: the rest of a game is standard
library. ``redis`` in ``sessions/redis_store.py`` and ``redis_connections.py`` only, which are
imported only where there is a server to keep sessions in. ``opentelemetry`` in ``http/tracing.py``
only, which is imported only where it is asked for.

One request: a door reads it whole; ``wire`` turns bytes into a document and says whether it has the
shape that the game declares; the game's ``wire.py`` turns the document into a position, and the
pure rules into a verdict; ``answers.py`` writes it down. ``api`` puts refusals into words.
"""

__version__ = "0.4.0"
