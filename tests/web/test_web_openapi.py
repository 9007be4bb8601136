"""The description of the requests is whole, and requests made from it, or nearly, are answered without a fault."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from web_helpers import GOOD, PIN

from companion.exports import EXPORTS
from companion.journal.archive import MemoryArchive
from companion.referee.commands import COMMANDS
from companion.referee.happenings import SetUp
from companion.referee.readmodel import Desk
from companion.web import WebSettings, build_app
from companion.web import pin as pins
from companion.web.openapi import describe
from companion.web.parts import parts

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=6,
)
SENSIBLE = {  # words that mean something at the table, beside those that the shapes merely allow
    "cell": ["a1", "e1", "h5", "j8", "k9"],
    "move": ["h2h3", "c5-", "e1e9", "x"],
    "game": ["khet", "chaos", "kaxxt", "ataxx", "hexxagon", "kdak"],
    "kind": ["pyramid", "scarab", "empty", "disc", "sphinx"],
    "question": ["which", "undo-1"],
    "choice": ["yes", "no", "0"],
    "layout": ["classic-2.0", "8 x"],
}


def values(schema: dict[str, Any], root: dict[str, Any], name: str = "") -> st.SearchStrategy[Any]:
    """Values that fit a JSON schema as pydantic writes them."""
    if "$ref" in schema:
        return values(root["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], root, name)
    if "anyOf" in schema:
        return st.one_of([values(part, root, name) for part in schema["anyOf"]])
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    match schema.get("type"):
        case "object":
            return objects(schema, root)
        case "array":
            inner = values(schema["items"], root)
            return st.lists(inner, min_size=schema.get("minItems", 0), max_size=schema.get("maxItems", 4))
        case "string":
            fitting = st.from_regex(schema["pattern"], fullmatch=True) if "pattern" in schema else st.text(max_size=20)
            return st.sampled_from(SENSIBLE[name]) | fitting if name in SENSIBLE else fitting
        case "integer":
            return st.integers(schema.get("minimum", -9), min(schema.get("maximum", 9), 9))
        case "number":
            return st.floats(schema.get("minimum", -9), schema.get("maximum", 9))
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
    return JUNK


def objects(schema: dict[str, Any], root: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    parts_ = {name: values(part, root, name) for name, part in schema.get("properties", {}).items()}
    needed = {name: part for name, part in parts_.items() if name in schema.get("required", ())}
    fixed = st.fixed_dictionaries(needed, optional={n: p for n, p in parts_.items() if n not in needed})
    more = schema.get("additionalProperties")
    if not isinstance(more, dict):
        return fixed
    return st.dictionaries(st.sampled_from(["layout", "swap_into_reserved", "seats", "variant"]), values(more, root))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Flask, Desk]]:
    """A page over a real referee, in the middle of a game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(pins.SCRYPT, "n", 2)
        desk = Desk(MemoryArchive(), exports=EXPORTS)
        app = build_app(desk, desk, WebSettings(tmp_path_factory.mktemp("state"), changes_per_s=1e6, pin_tries=10**6))
        app.testing = False
        parts(app).pins.set(PIN)
        yield app, desk


def logged_in(app: Flask) -> FlaskClient:
    client = app.test_client()
    assert client.post("/api/login", json={"pin": PIN}, headers=GOOD).status_code == 200
    return client


def test_every_route_is_described(house: tuple[Flask, Desk]) -> None:
    app, _ = house
    document = logged_in(app).get("/api/openapi.json").json
    assert document == json.loads(json.dumps(describe(app)))
    described = {path.split("{")[0].rstrip("/") for path in document["paths"]}
    routes = {rule.rule.split("<")[0].rstrip("/") for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")}
    assert described >= routes - {"/api/commands"}
    assert {p.rsplit("/", 1)[1] for p in document["paths"] if p.startswith("/api/commands/")} == set(COMMANDS)
    assert document["paths"]["/api/commands/undo"]["post"]["x-role"] == "host"


FUZZ = settings(max_examples=25, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


@FUZZ
@given(data=st.data())
def test_requests_made_from_the_description_never_fail(house: tuple[Flask, Desk], data: st.DataObject) -> None:
    ask_around(*house, data)


@pytest.mark.long
@pytest.mark.timeout(600)
@settings(FUZZ, max_examples=500)
@given(data=st.data())
def test_many_requests_made_from_the_description_never_fail(house: tuple[Flask, Desk], data: st.DataObject) -> None:
    ask_around(*house, data)


def ask_around(app: Flask, desk: Desk, data: st.DataObject) -> None:
    document = describe(app)
    client = logged_in(app)
    if desk.snapshot().phase == "idle":
        client.post("/api/commands/new_game", json={"arguments": {"game": "khet"}}, headers=GOOD)
        desk.table.record(SetUp())
    for _ in range(6):
        path, actions = data.draw(st.sampled_from(sorted(document["paths"].items())))
        if path in ("/api/stream", "/api/pin", "/api/logout-all", "/api/logout"):  # endless, or they end the session
            continue
        method, action = next(iter(actions.items()))
        if method == "get":
            url = path
            for parameter in action["parameters"]:
                schema = parameter["schema"]
                value = data.draw(st.integers(0, 99) if schema["type"] == "integer" else st.text("abc.%<", min_size=1))
                url = url.replace(f"{{{parameter['name']}}}", str(value))
            answer = client.get(url)
        else:
            answer = client.post(path, json=data.draw(body(action, document)), headers=GOOD)
        assert answer.status_code < 500, (path, answer.text)
        assert answer.status_code < 400 or answer.json is None or {"error", "text"} <= answer.json.keys()


def body(action: dict[str, Any], document: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Mostly what is asked for; now and then anything."""
    schema = action["requestBody"]["content"]["application/json"]["schema"]
    if "allOf" not in schema:
        return values(schema, document) | JUNK
    arguments = values(schema["allOf"][1]["properties"]["arguments"], document)
    return st.fixed_dictionaries({"arguments": arguments | arguments | arguments | JUNK}) | JUNK
