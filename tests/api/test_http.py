"""Statuses, headers and conditions of HTTP, through Flask alone."""

import json
from io import BytesIO
from typing import IO

import pytest
from werkzeug.test import TestResponse, create_environ
from werkzeug.wrappers import Request

from dice_referee.api.i18n import LANGUAGES, service_words
from tests.application import (
    ADJUDICATIONS,
    BATCH,
    CLIENT,
    GAMES,
    IMPOSSIBLE,
    JSON,
    NDJSON,
    QUERY,
    ROLL,
    TRANSITIONS,
    assert_dressed,
    get,
    post,
    problem,
)
from tests.unlimited import UNLIMITED

READ = "GET, HEAD, OPTIONS"
WRITE = "OPTIONS, POST"
ALLOWED = {
    ADJUDICATIONS: "GET, HEAD, OPTIONS, POST",
    BATCH: WRITE,
    TRANSITIONS: WRITE,
    GAMES: "GET, HEAD, OPTIONS, POST",
    "/v1": READ,
    "/v1/tutto": READ,
    "/v1/tutto/rulesets/abacus-2013": READ,
    "/v1/tutto/rules": READ,
    "/v1/tutto/rules/T1.1": READ,
    "/livez": READ,
    "/readyz": READ,
    "/version": READ,
    "/openapi.yaml": READ,
    "/openapi.json": READ,
    "/problems/not-found": READ,
}
PAGES = (
    "/",
    "/docs",
    "/embedding",
    "/rules",
    "/rules/tutto/T1.1",
    "/guides",
    "/dice-referee.js",
    "/dice-referee.d.ts",
    "/static/x/shared/dice.js",
)
READABLE = [path for path, allowed in ALLOWED.items() if allowed == READ]
READABLE += [f"{ADJUDICATIONS}?{QUERY}"]
JAVA = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"
"""``Accept`` of ``HttpURLConnection`` up to Java 17.0.11."""
CACHED = [path for path in READABLE if not path.endswith("z") and path != "/version"]

NOWHERE = [
    *[
        "/v1/",
        "/v1/games",
        "/v2/games",
        "/v1//tutto",
        "/v1/tutto/",
        "/livez.",
    ],
    *["/v1/tutto/adjudications/", "/v1/tutto//adjudications", "/v1/Tutto/adjudications"],
    *["/v1/tutto/adjudications/batch/", "/v1/chess/adjudications", "/v1/chess"],
    *["/v1/TUTTO", "/v1/tutto/rulesets", "/v1/tutto/rulesets/none"],
    *["/v1/chess/rulesets/abacus-2013", "/v1/tutto/rules/T99"],
    *["/v1/tutto/rules/t1.1", "/v1/chess/rules", "/v1/chess/rules/T1.1"],
    *["/problems", "/problems/", "/problems/none", "/problems/NOT-FOUND", "/docs/", "/docs/none"],
    *["/docs/schemas/None", "/embedding/", "/static", "/static/x", "/static/x/none.js"],
    *["/static/x/playground/playground.html", "/static/x/../pages.py"],
    *["/static/x/%2e%2e/pages.py", "/v1/%00", "/v1/%ff", "/v1/{name}"],
    *("/v1/" + "x" * 3000, "/../../etc/passwd"),
]


def test_unknown_path_is_a_404_problem() -> None:
    for path in NOWHERE:
        response = get(path)
        assert response.status_code == 404, path
        document = problem(response, "not-found", 404)
        assert "Location" not in response.headers, path
        assert len(document["detail"]) < 500, path


MEANT = {
    "/tutto/adjudications": "/v1/tutto/adjudications",
    "/games/tutto/cases/": "/v1/tutto/cases",
    "/sessions/x/events": "/v1/sessions/x/events",
    "/v1/": "/v1",
    "/v1//games": "/v1",
    "/v1/fairness": "/v1/fairness/verify",
    "/v1/yatzy": "/v1/yatzee",
    "/v1/yams/rules": "/v1/yatzee/rules",
    "/maxi-yatzy/odds": "/v1/yatzee/odds",
    "/v1/docs": "/docs",
    "/v1/tutto/Adjudication": "/v1/tutto/adjudications",
    "/v1/tutto/rulez": "/v1/tutto/rules",
    "/v1/tuto/adjudications": "/v1/tutto/adjudications",
    "/v1/tutto/ruleset/abacus-2013": "/v1/tutto/rulesets/abacus-2013",
    "/v1/sessions/x/evnets": "/v1/sessions/x/events",
    "/yatze/transition": "/v1/yatzee/transitions",
}


OLD = {
    "/v1/games": "/v1",
    "/healthz": "/readyz",
    **{
        f"/v1/{old.format(game=game)}": f"/v1/{game}{new}"
        for game, ruleset, rule in (
            ("tutto", "abacus-2013", "T2.5"),
            ("yatzee", "yatzee-six", "Y1.1"),
            ("pot", "pot-2020", "P1.1"),
        )
        for old, new in {
            "games/{game}": "",
            f"games/{{game}}/rulesets/{ruleset}": f"/rulesets/{ruleset}",
            "games/{game}/rules": "/rules",
            f"games/{{game}}/rules/{rule}": f"/rules/{rule}",
            "games/{game}/cases": "/cases",
            "{game}/games": "/audits",
            "{game}/games/review": "/reviews",
        }.items()
    },
}
"""Paths of release 0.10.0 with those of today."""


@pytest.mark.parametrize(("path", "now"), OLD.items())
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_404_of_an_old_path_suggests_the_new_path(method: str, path: str, now: str) -> None:
    detail = problem(CLIENT.open(path, method=method), "not-found", 404)["detail"]
    assert detail.endswith(f"Did you mean “{now}”?")


def test_list_of_sessions_is_a_405() -> None:
    answer = get("/v1/sessions")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "OPTIONS, POST")


@pytest.mark.parametrize("language", LANGUAGES)
def test_404_suggests_the_nearest_path(language: str) -> None:
    words = service_words()
    for path, meant in MEANT.items():
        answer = get(path, Accept_Language=language)
        detail = words["details"]["not-found"][language].format(path=path)
        hint = words["hints"]["near"][language].format(near=meant)
        assert problem(answer, "not-found", 404, language)["detail"] == f"{detail} {hint}"


@pytest.mark.parametrize(
    "path", ["/nowhere", "/v1/chess", "/v1/chess/adjudications", "/v1/" + "/" * 100]
)
def test_404_without_a_near_path_names_the_docs(path: str) -> None:
    detail = problem(get(path), "not-found", 404)["detail"]
    assert "/docs and /openapi.yaml" in detail
    assert "mean" not in detail


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/rule", "/rules"),
        ("/rules/tuto", "/rules/tutto"),
        ("/rules/Yatze/Y1.1", "/rules/yatzee/Y1.1"),
        ("/play/pott", "/play/pot"),
    ],
)
def test_html_404_suggests_the_nearest_path(path: str, near: str) -> None:
    answer = get(path, Accept="text/html")
    assert answer.status_code == 404
    assert f"Did you mean “{near}”?" in answer.get_data(as_text=True)


def test_html_404_without_a_near_path_suggests_nothing() -> None:
    assert "Did you mean" not in get("/rules/chess", Accept="text/html").get_data(as_text=True)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_unknown_path_is_a_404_for_every_method(method: str) -> None:
    problem(CLIENT.open("/nowhere", method=method), "not-found", 404)
    double_slash = CLIENT.open("/", method=method, environ_overrides={"PATH_INFO": "//v1"})
    problem(double_slash, "not-found", 404)


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "TRACE", "BREW"])
def test_wrong_method_is_a_405_with_sorted_allow(method: str) -> None:
    for path, allowed in (ALLOWED | dict.fromkeys(PAGES, READ)).items():
        response = CLIENT.open(path, method=method)
        assert response.headers.get("Allow") == allowed, path
        assert allowed in problem(response, "method-not-allowed", 405)["detail"]


@pytest.mark.parametrize(("path", "allowed"), (ALLOWED | dict.fromkeys(PAGES, READ)).items())
def test_options_lists_methods_and_answers_a_preflight(path: str, allowed: str) -> None:
    headers = {
        "Origin": "https://example.org",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    response = CLIENT.options(path, headers=headers)
    assert response.status_code == 204
    assert response.get_data() == b""
    assert response.headers["Allow"] == allowed
    assert response.headers["Access-Control-Allow-Methods"] == allowed
    names = (
        "content-type authorization if-match if-none-match idempotency-key last-event-id "
        "x-request-id cache-control pragma traceparent tracestate baggage"
    )
    assert response.headers["Access-Control-Allow-Headers"].split(", ") == names.split()
    assert int(response.headers["Access-Control-Max-Age"]) > 0
    assert "Content-Type" not in response.headers
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert_dressed(response)


@pytest.mark.parametrize("path", READABLE)
def test_head_has_the_headers_of_get_and_no_body(path: str) -> None:
    full, head = (CLIENT.open(path, method=method) for method in ("GET", "HEAD"))
    assert head.status_code == full.status_code == 200
    assert head.get_data() == b""
    assert int(head.headers["Content-Length"]) == len(full.get_data())
    assert without_id(head) == without_id(full)
    assert_dressed(full)


def test_head_of_a_problem_has_its_headers_and_no_body() -> None:
    response = CLIENT.head("/nowhere")
    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.get_data() == b""


def without_id(response: TestResponse) -> dict[str, str]:
    return {name: value for name, value in response.headers if name != "X-Request-ID"}


@pytest.mark.parametrize("accepted", ["text/html", "image/png, text/css", "application/json;q=0"])
def test_accept_without_the_offered_type_is_a_406(accepted: str) -> None:
    for path in (f"{ADJUDICATIONS}?{QUERY}", "/v1", "/livez"):
        document = problem(get(path, Accept=accepted), "not-acceptable", 406)
        assert "application/json" in document["detail"]
    document = problem(get("/openapi.yaml", Accept=JSON), "not-acceptable", 406)
    assert "application/yaml" in document["detail"]


@pytest.mark.parametrize(
    "accepted",
    [
        "",
        "*/*",
        "application/*",
        "*/*;q=0.1",
        "text/html, application/json;q=0.2",
        "APPLICATION/JSON",
        f"text/html{' ' * 900}; q=0.5,{' ' * 50}application/json",
        JAVA,
        "text/html, */*;q=.2",
        "text/html, application/json ; Q = 1.",
        "text/html;q=1.,application/json;level=1;q=.001",
    ],
)
def test_accept_with_json_gets_json(accepted: str) -> None:
    assert post(ADJUDICATIONS, ROLL, Accept=accepted).status_code == 200
    # Old Java gets every page.
    for path in READABLE if accepted == JAVA else ():
        assert get(path, Accept=JAVA).status_code == get(path).status_code == 200


@pytest.mark.parametrize(
    "accepted",
    [
        *("garbage", "*", "*;q=.2", "*/json", "text/", "/html", "a/b/c", ";q=1", "json, text"),
        *("text/html;q=x", "text/html;q=.", "text/html;q=.5.", "text/html;q=-.5", "text/html;q=2."),
    ],
)
def test_malformed_accept_counts_as_absent(accepted: str) -> None:
    for path in ("/livez", "/v1", "/openapi.yaml"):
        plain, same = get(path), get(path, Accept=accepted)
        assert (same.status_code, same.get_data()) == (200, plain.get_data())


@pytest.mark.parametrize("malformed", ["garbage", "*;q=.2", "application/json;q=x", "*/*;q=."])
def test_malformed_media_range_is_ignored(malformed: str) -> None:
    problem(get("/livez", Accept=f"{malformed}, text/html;q=.5"), "not-acceptable", 406)


@pytest.mark.parametrize(
    ("html", "json"), [(".5", ".4"), ("1.", ".9"), ("0.", ".1"), (".09", ".1"), ("0.2", ".1")]
)
def test_weights_with_bare_points_are_compared_as_numbers(html: str, json: str) -> None:
    accepted = f"application/json;q={json}, text/html;q={html}"
    liked = "text/html" if float(html) > float(json) else "application/json"
    assert get("/problems/busy", Accept=accepted).mimetype == liked


@pytest.mark.parametrize(
    ("coding", "small"), [("gzip;q=.5", True), ("gzip;q=1.", True), ("gzip;q=0.", False)]
)
def test_weights_with_bare_points_choose_the_coding(coding: str, small: bool) -> None:
    response = get("/openapi.json", Accept_Encoding=coding)
    assert (response.headers.get("Content-Encoding") == "gzip") == small


@pytest.mark.parametrize("name", ["Accept", "Accept-Language", "Accept-Encoding"])
def test_negotiation_headers_over_1000_characters_are_ignored(name: str) -> None:
    wish = {"Accept": "text/html", "Accept-Language": "de", "Accept-Encoding": "gzip"}[name]
    for path in (f"{ADJUDICATIONS}?{QUERY}", "/v1/tutto/rules/T1.1", "/docs"):
        plain, same = get(path), get(path, **{name: f"{wish},{'x' * 1000}"})
        assert (same.status_code, same.get_data()) == (200, plain.get_data())


@pytest.mark.parametrize("path", [ADJUDICATIONS, TRANSITIONS, GAMES, BATCH])
def test_missing_content_type_gets_a_hint_for_curl(path: str) -> None:
    document = problem(post(path, ROLL, ""), "unsupported-media-type", 415)
    assert "-H 'Content-Type: application/json'" in document["detail"]


@pytest.mark.parametrize(
    "kind",
    [
        *("application/x-www-form-urlencoded", "application/json5", "application/problem+json"),
        *("text/plain", NDJSON, "json", "*/*", "application/json, application/json"),
        *("application/json; charset=latin-1", "application/json; charset=utf-16"),
        *('application/json; charset=""', 'application/json; a="b;c"; CHARSET = latin-1'),
    ],
)
def test_wrong_media_type_or_charset_is_a_415(kind: str) -> None:
    """An audit accepts a line as text, and a batch accepts lines of JSON."""
    accepting = {"text/plain": GAMES, NDJSON: BATCH}.get(kind)
    for path in {ADJUDICATIONS, TRANSITIONS, BATCH, GAMES} - {accepting}:
        problem(post(path, ROLL, kind), "unsupported-media-type", 415)


@pytest.mark.parametrize(
    "kind",
    [
        *("application/json;charset=utf-8", 'application/json; charset="UTF-8"'),
        *('application/json; a="b"; charset=utf8', "Application/JSON ; Charset=utf8"),
        *("application/json;" + 'a="b";' * 1300, "application/json; version=1"),
    ],
)
def test_json_content_type_may_have_parameters(kind: str) -> None:
    assert post(ADJUDICATIONS, ROLL, kind).status_code == 200


@pytest.mark.parametrize("path", [ADJUDICATIONS, TRANSITIONS, GAMES, BATCH])
def test_body_over_the_limit_is_a_413_with_the_limit(path: str) -> None:
    limit = UNLIMITED.batch_body_limit if path == BATCH else UNLIMITED.body_limit
    document = problem(post(path, b" " * (limit + 1)), "too-large", 413)
    assert f"{limit:,} bytes" in document["detail"]
    problem(post(path, b" " * limit), "malformed-json", 400)


def post_chunked(stream: IO[bytes]) -> TestResponse:
    """Posts a body without a length, as WSGI servers forward a chunked body."""
    environ = create_environ(ADJUDICATIONS, method="POST", content_type=JSON)
    environ.pop("CONTENT_LENGTH", None)
    environ |= {"wsgi.input": stream, "wsgi.input_terminated": True}
    environ["HTTP_TRANSFER_ENCODING"] = "chunked"
    return CLIENT.open(Request(environ))


def test_chunked_body_is_read_up_to_the_limit() -> None:
    assert post_chunked(BytesIO(json.dumps(ROLL).encode())).status_code == 200
    problem(post_chunked(BytesIO(b" " * (UNLIMITED.body_limit + 1))), "too-large", 413)


def test_broken_chunks_are_a_bad_request() -> None:
    class Broken(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError("Invalid chunk size")

        read1 = readline = read

        def readinto(self, buffer: object) -> int:
            raise OSError("Invalid chunk size")

    problem(post_chunked(Broken()), "bad-request", 400)


@pytest.mark.parametrize("host", ["a..b", "x" * 70, "[::", "a b", "ä.example", ""])
def test_malformed_host_is_a_4xx(host: str) -> None:
    response = CLIENT.get("/v1", headers={"Host": host})
    if response.status_code == 400:
        problem(response, "bad-request", 400)
    else:
        problem(response, "misdirected-request", 421)


@pytest.mark.parametrize(
    "identity", ["a", "0", "A-b-C", "x" * 64, "00000000-0000-0000-0000-00000000"]
)
def test_well_formed_request_id_is_returned(identity: str) -> None:
    assert get("/livez", X_Request_ID=identity).headers.getlist("X-Request-ID") == [identity]


def test_trailing_blanks_of_header_values_are_stripped() -> None:
    response = get(
        "/livez", Host="localhost:8000 ", X_Request_ID="abc \t", Accept="text/html; q=x "
    )
    assert (response.status_code, response.headers["X-Request-ID"]) == (200, "abc")


@pytest.mark.parametrize("path", ["/nowhere", f"{ADJUDICATIONS}?card=x"])
def test_request_id_is_absent_from_bodies(path: str) -> None:
    response = get(path, X_Request_ID="find-me")
    assert response.headers["X-Request-ID"] == "find-me"
    assert b"find-me" not in response.get_data()


@pytest.mark.parametrize("path", CACHED)
def test_pages_have_a_strong_etag_and_a_max_age_of_an_hour(path: str) -> None:
    response = get(path)
    tag = response.headers["ETag"]
    assert tag.startswith('"')
    assert tag.endswith('"')
    assert response.headers["Cache-Control"] == "public, max-age=3600"
    assert get(path).headers["ETag"] == tag


@pytest.mark.parametrize(
    "held", ["{tag}", "W/{tag}", '"x", {tag}', '"x",W/{tag} ,"y"', "*", " {tag} "]
)
def test_matching_if_none_match_gets_a_304(held: str) -> None:
    for path in CACHED:
        full = get(path)
        response = get(path, If_None_Match=held.format(tag=full.headers["ETag"]))
        assert (response.status_code, response.get_data()) == (304, b""), path
        for name in {"ETag", "Cache-Control", "Vary"} & {*full.headers.keys()}:
            assert response.headers[name] == full.headers[name], (path, name)
        assert "Content-Type" not in response.headers, path
        assert "Content-Length" not in response.headers, path
        assert_dressed(response)


@pytest.mark.parametrize("held", ['"x"', "", "x", '"', "W/", '"*"', ","])
def test_other_if_none_match_gets_the_page(held: str) -> None:
    assert get(f"{ADJUDICATIONS}?{QUERY}", If_None_Match=held).status_code == 200


def test_etag_comparison_includes_the_last_character() -> None:
    path = f"{ADJUDICATIONS}?{QUERY}"
    beginning, last = get(path).headers["ETag"][:-2], get(path).headers["ETag"][-2]
    held = f'{beginning}{"1" if last == "0" else "0"}"'
    assert get(path, If_None_Match=held).status_code == 200


def test_different_pages_have_different_etags() -> None:
    tags = {get(path).headers["ETag"] for path in CACHED}
    tags |= {get("/v1", Accept_Language=tag).headers["ETag"] for tag in ("de", "fr", "it")}
    assert len(tags) == len(CACHED) + 3


@pytest.mark.parametrize(
    ("path", "document"),
    [
        (ADJUDICATIONS, ROLL),
        (BATCH, {"positions": [ROLL]}),
        (TRANSITIONS, {"event": {"type": "draw", "card": "stop"}}),
        (GAMES, {"players": ["Ada", "Bob"], "log": []}),
    ],
)
def test_answers_to_posts_are_never_stored(path: str, document: object) -> None:
    response = post(path, document, If_None_Match="*")
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Content-Type"] == JSON
    assert "ETag" not in response.headers
    assert_dressed(response)


def test_refused_get_ignores_if_none_match() -> None:
    problem(get(f"{ADJUDICATIONS}?card=x", If_None_Match="*"), "invalid-request", 400)
    response = get(f"{ADJUDICATIONS}?card=bonus-200&roll=123", If_None_Match="*")
    document = problem(response, "impossible-position", 422)
    assert document["findings"] == post(ADJUDICATIONS, IMPOSSIBLE).get_json()["findings"]
