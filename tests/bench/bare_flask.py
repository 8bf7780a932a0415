"""Baseline: a Flask view that returns the same verdict for every question."""

import os
from pathlib import Path
from typing import Any

import orjson
from flask import Flask, Response, jsonify

app = Flask(__name__)
ANSWER: Any = orjson.loads(Path(os.environ["BENCH_ANSWER"]).read_bytes())
"""A real verdict of about average size. ``jsonify`` serializes the verdict at each request."""


@app.post("/v1/tutto/adjudications")
def adjudicate() -> Response:
    return jsonify(ANSWER)
