"""Every answer carries the headers that keep a page safe."""

from dataclasses import replace

import pytest
from flask import Blueprint, Flask
from flask.testing import FlaskClient
from web_fakes import FakeTable
from web_helpers import GOOD, PIN, urls

from companion.web import ExtraPages, WebSettings, build_app
from companion.web.parts import parts
from companion.web.security import HEADERS


def check(headers: object) -> None:
    for name, value in HEADERS.items():
        assert headers[name] == value, name  # type: ignore[index]
    assert "Access-Control-Allow-Origin" not in headers  # type: ignore[operator]


def test_every_route_answers_with_the_headers(app: Flask, host: FlaskClient, table: FakeTable) -> None:
    table.image = b"\xff\xd8"
    for endpoint, method, url in urls(app):
        answer = host.open(url, method=method, buffered=False)
        check(answer.headers)
        assert answer.status_code < 500, url
        if endpoint != "static":
            assert answer.headers["Cache-Control"] == "no-store"
        answer.close()


@pytest.mark.parametrize("url", ["/nothing", "/api/nothing", "/static/nothing.js", "/games/99", "/api/games/99"])
def test_error_pages_carry_them_too(watcher: FlaskClient, url: str) -> None:
    answer = watcher.get(url)
    assert answer.status_code == 404
    check(answer.headers)


def test_pages_allow_no_inline_script_and_no_foreign_source() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_no_page_holds_inline_script_style_or_foreign_address(app: Flask, host: FlaskClient) -> None:
    for endpoint, method, url in urls(app):
        if not endpoint.startswith("pages."):
            continue
        assert method == "GET"
        text = host.get(url).text.replace("http://localhost", "").replace("http://www.w3.org/2000/svg", "")
        for bad in ("<style", " style=", "onclick", "javascript:", "http://", "https://", "//cdn"):
            assert bad not in text, (url, bad)
        for script in text.split("<script")[1:]:
            assert 'src="/static/' in script.split(">")[0], url


def test_cookie_is_out_of_reach_of_scripts_and_other_sites(app: Flask) -> None:
    cookie = app.test_client().get("/game").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/" in cookie
    token = cookie.split("=", 1)[1].split(";")[0]
    assert len(token) > 40


def test_pages_of_other_parts_have_a_link_and_their_own_role(table: FakeTable, settings: WebSettings) -> None:
    free, guarded = Blueprint("toy", __name__, url_prefix="/toy"), Blueprint("safe", __name__, url_prefix="/safe")
    for pages in (free, guarded):
        pages.add_url_rule("/", "page", lambda: "hello")
        pages.add_url_rule("/push", "push", lambda: "pushed", methods=["POST"])
    extra = (ExtraPages(free, "anyone", "The toy"), ExtraPages(guarded))
    app = build_app(table, table, replace(settings, extra=extra))
    client = app.test_client()
    check(client.get("/toy/").headers)
    assert '<a href="/toy/">The toy</a>' in client.get("/game").text
    assert client.post("/toy/push", headers=GOOD, data="{}").text == "pushed"
    assert client.post("/toy/push").status_code == 415
    assert client.post("/safe/push", headers=GOOD, data="{}").status_code == 403
    parts(app).pins.set(PIN)
    assert client.post("/safe/push", headers=GOOD, data="{}").status_code == 403
    client.post("/api/login", json={"pin": PIN}, headers=GOOD)
    assert client.post("/safe/push", headers=GOOD, data="{}").text == "pushed"
