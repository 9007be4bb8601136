"""What phones may ask as JSON: reading, the stream, commands, games brought back; who is the host: `logins`."""

import dataclasses
import json
import logging
from typing import Any

from flask import Blueprint, Response, current_app, g, jsonify, request

from companion.errors import CommandRefused
from companion.referee.commands import COMMANDS, Command
from companion.referee.snapshot import Snapshot
from companion.referee.words import sentence
from companion.web.logins import need_pin
from companion.web.openapi import describe
from companion.web.parts import Parts, parts
from companion.web.roles import WHO_MAY, Role, command_role
from companion.web.seats import keep_seats, players_of, seat_anew, sitting
from companion.web.security import role_of, visitor_role
from companion.web.sessions import Grant
from companion.web.shapes import (
    ARGUMENTS,
    CommandBody,
    Join,
    RestoreBody,
    Shape,
    plain,
    read_body,
)
from companion.web.stream import follow, prune

log = logging.getLogger(__name__)
api = Blueprint("api", __name__, url_prefix="/api")

LEAST_MM, MOST_MM = 50.0, 3000.0  # of a picture from above
EXPORTS = {"text": ("text/plain", "txt"), "json": ("application/json", "json"), "html": ("text/html", "html")}


@api.get("/me")
def me() -> Response:
    """Role and seat of this phone."""
    web = parts()
    role = visitor_role()
    return jsonify(
        {
            "role": role.name.lower(),
            "seat": g.grant.seat,
            "pin_set": web.pins.is_set(),
            "open_seats": web.settings.open_seats,
        }
    )


@api.get("/state")
def state() -> Response:
    """The newest state, with the version that the stream would give it."""
    return _state(parts())


@api.get("/stream")
def stream() -> Response:
    """Server-sent events; see `companion.web.stream`."""
    web, visitor, token = parts(), g.visitor, g.token
    web.streams.take(visitor)
    last_id = request.headers.get("Last-Event-ID", "")[:64]

    def whose() -> str:
        return _role_and_seat(web.sessions.grant(token))

    messages = follow(web.read_model, web.encoder, web.settings, web.closing, last_id, whose)
    response = Response(messages, mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(lambda: web.streams.give(visitor))
    return response


@api.get("/ply/<int:number>")
def ply(number: int) -> Response:
    """One line of the running game's record, with its pieces and beams."""
    return _ply(parts().read_model.snapshot(), number)


@api.get("/preview")
def preview() -> Response:
    """The set-up of a game: ?game=khet&layout=dynasty-2.0 ..."""
    web, asked = parts(), {name: text[:200] for name, text in list(request.args.items())[:40]}
    snapshot = web.read_model.preview(asked.pop("game", "")[:40], asked)
    return Response(web.encoder.state(snapshot), mimetype="application/json")


@api.get("/choices")
def choices() -> Response:
    """The games that can be started, with their options."""
    return jsonify(parts().read_model.choices())


@api.get("/rule")
def rule() -> Response:
    """A numbered rule in words: ?number=Khet 3b.2"""
    found = parts().read_model.rule(request.args.get("number", "")[:60])
    if found is None:
        raise CommandRefused("no-rule", "there is no rule of this number", 404)
    return jsonify(found)


@api.get("/games")
def games() -> Response:
    """The games in the journal."""
    return jsonify(parts().read_model.games())


@api.get("/games/<int:game_id>")
def recorded(game_id: int) -> Response:
    """A recorded game: the state at its end; with ?ply=N one line with its pieces and beams."""
    web = parts()
    snapshot = web.read_model.recorded(game_id)
    if snapshot is None:
        raise CommandRefused("no-game", "there is no such game in the journal", 404)
    if "ply" in request.args:
        number = request.args.get("ply", type=int)
        return _ply(snapshot, -1 if number is None else number)
    return Response(web.encoder.state(snapshot), mimetype="application/json")


@api.get("/games/<int:game_id>/go-on")
def may_go_on(game_id: int) -> Response:
    """Nothing where a recorded game can be gone on with; else it is refused with the reason."""
    parts().read_model.may_go_on(game_id)
    return jsonify({})


@api.get("/games/<int:game_id>/export.<form>")
def export(game_id: int, form: str) -> Response:
    """A recorded game as a file; in JSON it holds everything, and is the host's alone while something is withheld."""
    if form not in EXPORTS:
        raise CommandRefused("no-form", f"games are exported as {' or '.join(EXPORTS)}", 404)
    if form == "json" and visitor_role() < Role.HOST and parts().read_model.withholds(game_id):
        words = "while this game is on, only the host may save it as JSON: it tells what lies hidden. Save it as text"
        raise CommandRefused("withheld", words, 403)
    mimetype, suffix = EXPORTS[form]
    response = Response(parts().read_model.export(game_id, form), mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="game-{game_id}.{suffix}"'
    return response


@api.get("/openapi.json")
def openapi() -> Response:
    """This description."""
    return jsonify(describe(current_app))


@api.get("/picture.jpg")
def picture() -> Response:
    """The newest picture of the table; never kept anywhere."""
    data = parts().read_model.picture()
    if data is None:
        raise CommandRefused("no-picture", "there is no camera picture now", 404)
    return Response(data, mimetype="image/jpeg")


@api.get("/table.jpg")
def table_picture() -> Response:
    """The table from straight above, `width_mm` by `height_mm` around its middle; never kept anywhere."""
    sides = [request.args.get(name, usual, type=float) for name, usual in (("width_mm", 600.0), ("height_mm", 380.0))]
    if not all(LEAST_MM <= side <= MOST_MM for side in sides):
        words = f"a part of the table is {LEAST_MM:g} to {MOST_MM:g} mm wide and high"
        raise CommandRefused("no-such-part", words, 400)
    data = parts().read_model.above(*sides)
    if data is None:
        raise CommandRefused("no-picture", "the table is not seen now", 404)
    return Response(data, mimetype="image/jpeg")


@api.get("/taught/<name>.png")
def taught(name: str) -> Response:
    """A picture of what was learned of the set; `calibration` names them."""
    data = parts().read_model.taught(name)
    if data is None:
        raise CommandRefused("no-picture", "nothing of that name was learned", 404)
    return Response(data, mimetype="image/png")


@api.get("/calibration")
def calibration() -> Response:
    """Where the guided steps are, the lens and the set in words."""
    return jsonify(parts().read_model.calibration() or {"camera": False})


@api.post("/commands/<name>")
def command(name: str) -> tuple[Response, int] | Response:
    """One command: {"arguments": {...}, "expects": snapshot number, "key": idempotency key}; answers the new state.

    409 = it does not fit the state any more; the answer holds the state that does.
    """
    web = parts()
    if name not in COMMANDS:
        raise CommandRefused("no-command", "there is no such command", 404)
    if visitor_role() < command_role(name):
        raise CommandRefused("not-allowed", WHO_MAY[command_role(name)], 403)
    body = read_body(CommandBody, request.get_data())
    arguments = read_body(ARGUMENTS[name], body.arguments)
    _check_seat(web, name, arguments)
    asked = Command(name, _for_port(arguments), by=_by(), expects=body.expects, key=body.key)
    number, sat = sitting(web)
    try:
        web.commands.submit(asked)
    except CommandRefused as error:
        answer: dict[str, Any] = {"error": error.name, "text": sentence(error.text)}
        if error.status == 409:
            answer["state"] = json.loads(web.encoder.state(web.read_model.snapshot()))
        return jsonify(answer), error.status
    seat_anew(web, number, sat)
    keep_seats(web, arguments)
    log.info("%s asked for %s", asked.by, name)
    return _state(web)


@api.post("/restore")
def restore() -> Response:
    """An exported game in JSON comes back, piece by piece; with the last one its number, and whether it is new here."""
    web = parts()
    content = web.uploads.take(read_body(RestoreBody, request.get_data()))
    if content is None:
        return jsonify({})
    on_table, sat = sitting(web)
    with web.uploads.reading():
        number, now = web.commands.restore_game(content)
    seat_anew(web, on_table, sat)
    log.info("%s brought game %d back", _by(), number)
    return jsonify({"game": number, "new": now})


def _role_and_seat(grant: Grant) -> str:
    return f"{role_of(grant).name.lower()} {grant.seat}"


def _state(web: Parts) -> Response:
    version = web.read_model.version()
    response = Response(web.encoder.state(web.read_model.snapshot()), mimetype="application/json")
    response.headers["X-Version"] = web.encoder.event_id(version)
    return response


def _ply(snapshot: Snapshot, number: int) -> Response:
    for line in (snapshot.beginning, *snapshot.record):
        if line is not None and line.number == number:
            return jsonify(prune(dataclasses.asdict(line)))
    raise CommandRefused("no-ply", "the record has no such line", 404)


def _by() -> str:
    return "host" if g.grant.host else "guest" if g.grant.seat is None else f"seat {g.grant.seat}"


def _for_port(arguments: Shape) -> dict[str, Any]:
    """What the referee needs to know; PIN and claim are the page's own business."""
    return {key: value for key, value in plain(arguments).items() if key not in ("pin", "claim")}


def _check_seat(web: Parts, name: str, arguments: Shape) -> None:
    """A seat speaks for itself alone; a seat is claimed with the host's PIN unless seats are open."""
    if visitor_role() == Role.HOST:
        return
    if isinstance(arguments, Join):
        if not arguments.claim:
            raise CommandRefused("not-allowed", "only the host names others: claim the seat for yourself", 403)
        taken = players_of(web)
        if arguments.pin is not None:
            need_pin(web, arguments.pin)
        elif not web.settings.open_seats:
            raise CommandRefused("pin-needed", "let the host enter the PIN on this phone to claim a seat", 403)
        elif taken.get(arguments.seat) is not None:
            raise CommandRefused("seat-taken", "somebody sits there: the host can free the seat", 403)
        return
    seat = getattr(arguments, "seat", g.grant.seat)
    if seat != g.grant.seat:
        raise CommandRefused("not-your-seat", f"this phone may not {name.replace('_', ' ')} for another seat", 403)
