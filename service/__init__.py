"""A referee for dice games, over HTTP.

The packages, and what each may import of ours and of third parties; the import contracts in
``pyproject.toml`` enforce this table.

    package         ours                                                                 third party
    rules/          rules                                                                -
    validation/     rules validation                                                     marshmallow orjson
    games/          rules games.<own> validation*                                        marshmallow* orjson*
    sentences/      games rules                                                          -
    sessions/       games rules sessions validation                                      orjson redis*
    limits/         limits                                                               -
    telemetry/      telemetry                                                            prometheus_client orjson opentelemetry*
    check/          check games                                                          -
    agents/         agents                                                               mcp mcp_types httpx2 jsonschema
    http1/          http1                                                                httptools
    api/            games limits rules sentences sessions settings telemetry validation  flask werkzeug orjson yaml
    server/         api http1 limits sessions settings server telemetry                  flask werkzeug gunicorn orjson uvloop segno
    web/            api games rules sentences                                            flask jinja2 markdown_it markupsafe
    library/        api games rules sentences settings validation                        orjson
    settings.py     -                                                                    -
    app.py          anything                                                             anything
    __main__.py     anything                                                             anything
    wsgi.py         anything                                                             anything
    asgi.py         anything                                                             anything

``contract/``, here and in each game, holds the parts of ``openapi.yaml`` and no Python.

A game's ``speech.py`` belongs to ``sentences/``, and no other module of a game imports it. Each
package may import itself; ``api`` also the version that stands here. ``web`` is the pages: files for
browsers, which use the API like any other client. ``library/`` is the same answers without HTTP:
``import dice_referee`` loads no server, so it uses the modules of ``api`` that import none.
(*) Games meet JSON in ``game.py`` and ``schemas.py``, and each of them in its ``game.py``,
``documents.py`` and ``fast_json.py`` only; the rest of it is standard library. ``redis`` is imported
in ``store.py``, ``client.py`` and ``driver.py`` of ``sessions/redis/`` only; ``opentelemetry`` in
``telemetry/tracing.py`` only, and that only where requests are traced.

One request: ``http1/`` parses it; ``server/`` (``asgi.py``, or ``wsgi.py`` as Flask's ``wsgi_app``,
behind any other server) reads it whole, finds its
operation in the routes of the Flask application, and calls ``handle`` in ``api/pipeline.py``. The
operation (``api/verdicts.py``) validates the document by the schema that the game declares; the
game makes a position of it, its rules a verdict, its ``documents.py`` a document. The
pipeline adds headers, counts and logs; the server sends the answer.
"""

__version__ = "0.9.0"
