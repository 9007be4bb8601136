"""Every answer carries the headers that keep a page safe."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_fakes import FakeTable
from web_helpers import urls

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
