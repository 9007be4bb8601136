"""Requests as the page sends them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desks import at_ten, desk_over
from flask import Flask
from flask.testing import FlaskClient

from companion.exports import EXPORTS
from companion.journal.restore import restorer
from companion.referee.readmodel import Desk
from companion.web import WebSettings, build_app
from companion.web.parts import parts

PIN = "2580"
GOOD = {"X-Companion": "1", "Content-Type": "application/json"}
SAMPLES = {"number": "1", "game_id": "7", "form": "text", "name": "undo", "filename": "style.css"}


def urls(app: Flask) -> list[tuple[str, str, str]]:
    """(endpoint, method, URL) of every route there is."""
    found = []
    for rule in app.url_map.iter_rules():
        url = rule.rule
        for name in rule.arguments:
            for pattern in (f"<{name}>", f"<int:{name}>", f"<path:{name}>"):
                url = url.replace(pattern, SAMPLES[name])
        assert "<" not in url, f"give a sample for {rule}"
        found.append((rule.endpoint, "POST" if "POST" in (rule.methods or ()) else "GET", url))
    return found


def ask(client: FlaskClient, name: str, expects: int | None = None, key: str | None = None, **arguments: Any) -> Any:
    """A command as the page sends it."""
    body: dict[str, Any] = {"arguments": arguments}
    if expects is not None:
        body["expects"] = expects
    if key is not None:
        body["key"] = key
    return client.post(f"/api/commands/{name}", json=body, headers=GOOD)


@contextmanager
def real_house(folder: Path) -> Iterator[tuple[FlaskClient, Desk]]:
    """The host's phone, and a real referee over a journal in this folder."""
    with desk_over(folder / "j.sqlite3", exports=EXPORTS, restorer=restorer, wall_clock=at_ten) as desk:
        app = build_app(desk, desk, WebSettings(folder, changes_per_s=1e6))
        parts(app).pins.set(PIN)
        client = app.test_client()
        assert client.post("/api/login", json={"pin": PIN}, headers=GOOD).status_code == 200
        yield client, desk


def sit(app: Flask, seat: int, player: str = "Grace") -> FlaskClient:
    """A phone that has claimed a seat with the host's PIN."""
    client = app.test_client()
    client.get("/game")
    answer = ask(client, "join", seat=seat, player=player, pin=PIN)
    assert answer.status_code == 200, answer.text
    return client
