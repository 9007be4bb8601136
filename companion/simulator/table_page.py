"""The virtual table's own page: its live picture, with pieces to drag, turn, throw, take off and put back.

What is done here reaches the referee through the camera's frames alone.
"""

import secrets
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from flask import Blueprint, Response, jsonify, render_template, request
from werkzeug.exceptions import NotFound

from companion.errors import CommandRefused
from companion.pieces import Piece, spoken
from companion.simulator.box import die_faces, turning_words
from companion.simulator.design import camera_of
from companion.simulator.errands import Errands
from companion.simulator.solids import standing_thing
from companion.simulator.state import Standing, TableState
from companion.simulator.world import VirtualTable

NAME = "virtual_table"
BESIDE_MM = 80.0  # shown left and right of the board: where pieces stand that were taken off
AROUND_MM = 25.0  # shown above and below it
FARTHEST = 1e5  # no pixel and no millimetre of a table is farther out


def table_pages(table: VirtualTable, picture: Callable[[], bytes | None], errands: Errands | None = None) -> Blueprint:
    """A blueprint for /table. `picture` gives the newest frame as JPEG (the read model's `picture`)."""
    pages = Blueprint(NAME, __name__, url_prefix="/table", static_folder="static", template_folder="templates")
    hand = errands or Errands(table)
    token = secrets.token_hex(4)  # tells this table from those of demonstrations before and after it

    @pages.get("/")
    def page() -> str:
        design = table.design
        view = " ".join(str(value) for value in near_view(table))
        cells = table.furniture.scene.board is not None
        return render_template("virtual_table.html", width=design.width, height=design.height, view=view, cells=cells)

    @pages.get("/picture.jpg")
    def newest() -> Response:
        data = picture()
        if data is None:
            raise NotFound("the camera above the virtual table has not delivered a picture yet")
        return Response(data, mimetype="image/jpeg")

    @pages.get("/state")
    def state() -> Response:
        box = [{"words": _words(piece), "over": turning_words(piece)} for piece in hand.reserve()]
        told = {"table": token, "others": hand.others_at_work, "reserve": box}
        return jsonify({**page_state(table), **told})

    _for_pieces(pages, hand)
    _for_dice(pages, hand)
    return pages


def _for_pieces(pages: Blueprint, hand: Errands) -> None:
    @pages.post("/move")
    def move() -> Response:
        body = _body()
        if "cell" in body:
            hand.move_to_cell(_text(body, "name"), _text(body, "cell"))
        elif "x_mm" in body:
            hand.move_to_place(_text(body, "name"), *_place(body), _heading(body))
        else:
            hand.move(_text(body, "name"), _number(body, "x_px"), _number(body, "y_px"))
        return jsonify({})

    @pages.post("/turn")
    def turn() -> Response:
        body = _body()
        hand.turn(_text(body, "name"), _number(body, "quarters"))
        return jsonify({})

    @pages.post("/turn-over")
    def turn_over() -> Response:
        hand.turn_over(_text(_body(), "name"))
        return jsonify({})

    @pages.post("/bring")
    def bring() -> Response:
        body = _body()
        wanted = _text(body, "piece")
        piece = next((piece for piece in hand.reserve() if _words(piece) == wanted), None)
        if piece is None:
            raise CommandRefused("no-piece", f"there is no {wanted} left in the box")
        cell = _text(body, "cell") if body.get("cell") else None
        hand.bring(piece, cell, _place(body) if "x_mm" in body else None, _heading(body), body.get("over") is True)
        return jsonify({})

    @pages.post("/take-off")
    def take_off() -> Response:
        hand.take_off(_text(_body(), "name"))
        return jsonify({})

    @pages.post("/nudge")
    def nudge() -> Response:
        hand.nudge()
        return jsonify({})


def _for_dice(pages: Blueprint, hand: Errands) -> None:
    @pages.post("/throw")
    def throw() -> Response:
        hand.throw(_text(_body(), "name"))
        return jsonify({})

    @pages.post("/face")
    def face() -> Response:
        body = _body()
        hand.show_face(_text(body, "name"), _text(body, "value"))
        return jsonify({})


def near_view(table: VirtualTable) -> tuple[int, int, int, int]:
    """x, y, width and height in picture pixels of the board with the places beside it, or of a free table's middle."""
    board, design = table.furniture.scene.board, table.design
    x, y, half = 0.0, 0.0, np.array(design.room_mm) / 2 + AROUND_MM
    if board is not None:
        x, y, half = board.x_mm, board.y_mm, np.array(board.size_mm) / 2 + (BESIDE_MM, AROUND_MM)
    corners = [(x + sx * half[0], y + sy * half[1]) for sx in (-1, 1) for sy in (-1, 1)]
    pixels = camera_of(table.furniture, table.state).project(corners)
    low = np.maximum(np.floor(pixels.min(axis=0)), 0).astype(int)
    high = np.minimum(np.ceil(pixels.max(axis=0)), (design.width, design.height)).astype(int)
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def page_state(table: VirtualTable) -> dict[str, Any]:
    """Pieces with their outlines in picture pixels, for fingers to find them."""
    state = table.state
    return {
        "version": table.version,
        "busy": bool(state.hands),
        "pieces": [_piece(table, state, standing) for standing in state.standing],
    }


def _piece(table: VirtualTable, state: TableState, standing: Standing) -> dict[str, Any]:
    camera = camera_of(table.furniture, state)
    thing = standing_thing(standing, table.furniture.looks)
    hull = cv2.convexHull(camera.project(thing.vertices).astype(np.float32))[:, 0]
    foot = camera.project([[standing.x_mm, standing.y_mm, standing.z_mm]])[0]
    facing = f", facing {standing.piece.facing}" if standing.piece.facing else ""
    return {
        "name": standing.name,
        "words": f"{_words(standing.piece, standing.count)} {_where(table, standing)}{facing}",
        "cell": standing.cell,
        "over": turning_words(standing.piece),
        "faces": die_faces(standing.piece),
        "shows": standing.piece.value,
        "x_px": round(float(foot[0]), 1),
        "y_px": round(float(foot[1]), 1),
        "hull_px": [[round(float(x), 1), round(float(y), 1)] for x, y in hull],
    }


def _words(piece: Piece, count: int = 1) -> str:
    """ "silver pyramid", "large lying red pyramid", "face-down tile"."""
    kind = "stack of two obelisks" if count > 1 else spoken(piece.kind)
    face = "face-down" if piece.face == "back" else None
    return " ".join(
        word for word in (face, piece.size, piece.pose, piece.colour, piece.suit, piece.value, kind) if word
    )


def _where(table: VirtualTable, standing: Standing) -> str:
    if standing.cell:
        return f"on {standing.cell}"
    if table.furniture.scene.board is not None:
        return "beside the board"
    return f"at {standing.x_mm:.0f}, {standing.y_mm:.0f}"


def _body() -> dict[str, Any]:
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        raise CommandRefused("unreadable", "send a JSON object", 400)
    return body


def _text(body: dict[str, Any], key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or len(value) > 80:
        raise CommandRefused("unreadable", f"{key} should be a short text", 400)
    return value


def _place(body: dict[str, Any]) -> tuple[float, float]:
    return _number(body, "x_mm"), _number(body, "y_mm")


def _heading(body: dict[str, Any]) -> float | None:
    """Degrees counter-clockwise from the table's right; None if the piece may point as it likes."""
    return _number(body, "heading_deg") if "heading_deg" in body else None


def _number(body: dict[str, Any], key: str) -> float:
    value = body.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not -FARTHEST <= value <= FARTHEST:
        raise CommandRefused("unreadable", f"{key} should be a number", 400)
    return float(value)
