"""The page's requests as an OpenAPI description, made from the routes, their roles and the written shapes."""

import re
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from flask import Flask
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from companion.referee.commands import COMMANDS
from companion.web.roles import CHANGING, READING, Role, command_role
from companion.web.shapes import ARGUMENTS, ChangePinBody, CommandBody, LoginBody, NoArguments, RestoreBody, SetupBody

BODIES: dict[str, type[BaseModel]] = {
    "logins.setup": SetupBody,
    "logins.login": LoginBody,
    "logins.logout": NoArguments,
    "logins.logout_all": NoArguments,
    "logins.change_pin": ChangePinBody,
    "api.restore": RestoreBody,
}
PARAMETERS = {
    "int:": {"type": "integer", "minimum": 0},
    "": {"type": "string"},
}
_PLACE = re.compile(r"<(int:|)(\w+)>")  # of a parameter in a route
_REF = "#/components/schemas/{model}"
_HEADER = {"name": "X-Companion", "in": "header", "required": True, "schema": {"const": "1"}}


def describe(app: Flask) -> dict[str, Any]:
    """The whole description: every route under /api, and every command on its own."""
    shapes: set[type[BaseModel]] = {*BODIES.values(), *ARGUMENTS.values(), CommandBody}
    ordered = sorted(shapes, key=lambda shape: shape.__name__)
    _, schemas = models_json_schema([(shape, "validation") for shape in ordered], ref_template=_REF)
    paths: dict[str, Any] = {}
    for rule in app.url_map.iter_rules():
        if not rule.rule.startswith("/api/"):
            continue
        if rule.endpoint == "api.command":
            paths |= {f"/api/commands/{name}": {"post": _command(name)} for name in COMMANDS}
            continue
        path = _PLACE.sub(r"{\2}", rule.rule)
        view = (app.view_functions[rule.endpoint].__doc__ or "").splitlines()[0]
        if "POST" in (rule.methods or ()):
            paths[path] = {"post": _post(rule.endpoint, view)}
        else:
            paths[path] = {"get": _get(rule.endpoint, view, rule.rule)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tabletop Companion", "version": _version()},
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": schemas["$defs"]},
    }


def _get(endpoint: str, summary: str, rule: str) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": PARAMETERS[kind]}
        for kind, name in _PLACE.findall(rule)
    ]
    return {"summary": summary, "x-role": _word(READING[endpoint]), "parameters": parameters, **_answers()}


def _post(endpoint: str, summary: str) -> dict[str, Any]:
    body = {"$ref": _REF.format(model=BODIES[endpoint].__name__)}
    return _change(summary, CHANGING[endpoint], body)


def _command(name: str) -> dict[str, Any]:
    arguments = {"$ref": _REF.format(model=ARGUMENTS[name].__name__)}
    whole = {"allOf": [{"$ref": _REF.format(model="CommandBody")}, {"properties": {"arguments": arguments}}]}
    return _change(COMMANDS[name][1], command_role(name), whole)


def _change(summary: str, role: Role, body: dict[str, Any]) -> dict[str, Any]:
    content = {"required": True, "content": {"application/json": {"schema": body}}}
    return {
        "summary": summary,
        "x-role": _word(role),
        "parameters": [_HEADER],
        "requestBody": content,
        **_answers(),
    }


def _answers() -> dict[str, Any]:
    refused = {"description": "refused: `error` is a stable name, `text` says why in words"}
    return {"responses": {"200": {"description": "done, or the answer"}, "4XX": refused, "507": refused}}


def _word(role: Role) -> str:
    return role.name.lower()


def _version() -> str:
    try:
        return version("tabletop-companion")
    except PackageNotFoundError:  # run from a folder that was never installed
        return "0"
