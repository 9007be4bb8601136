"""What a picture really shows, as JSON: camera, markers, board and every piece."""

from typing import Any

import cv2
import numpy as np

from companion.simulator.places import cell_at
from companion.simulator.prints import BoardPrint
from companion.simulator.scene import Scene, Thing

LETTERS = {"pharaoh": "k", "sphinx": "x", "anubis": "a", "scarab": "s", "pyramid": "p", "obelisk": "o", "eye": "e"}


def truth_json(scene: Scene, game: str, index: int = 0) -> dict[str, Any]:
    """The scene in the format of the sample tables ("scene/1"), millimetres and degrees in the table's frame."""
    camera = scene.camera
    data: dict[str, Any] = {
        "format": "scene/1",
        "set": game,
        "index": index,
        "camera": {
            **camera.lens.to_json(),
            "R": camera.rotation.tolist(),
            "t": camera.translation.tolist(),
            "position_mm": [round(float(v), 3) for v in camera.position_mm],
        },
        "markers": _markers(scene),
        "surface": scene.surface.kind,
        "clutter": list(scene.clutter),
    }
    pieces = [t for t in scene.things if t.piece is not None]
    if scene.board is not None:
        data["board"] = _board(scene.board, game, pieces)
    numbers = {t.name: i for i, t in enumerate(pieces)}
    data["pieces"] = [_piece(t, i, scene, game, numbers) for i, t in enumerate(pieces)]
    return data


def _markers(scene: Scene) -> dict[str, Any]:
    sheets, half = scene.markers, scene.markers.side_mm / 2
    listed = [
        {
            "id": i,
            "side_mm": sheets.side_mm,
            "x_mm": x,
            "y_mm": y,
            "corners_mm": [[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]],
        }
        for i, (x, y) in enumerate(sheets.centres())
        if i not in scene.hidden_markers
    ]
    return {
        "dictionary": "DICT_4X4_50",
        "side_mm": sheets.side_mm,
        "W_mm": sheets.width_mm,
        "H_mm": sheets.height_mm,
        "list": listed,
    }


def _board(board: BoardPrint, game: str, pieces: list[Thing]) -> dict[str, Any]:
    grid = [["." for _ in range(board.cols)] for _ in range(board.rows)]
    for thing in pieces:
        if thing.cell is not None and thing.piece is not None:
            col, row = cell_at(thing.cell, board.kind)
            letter = LETTERS.get(thing.piece.kind, thing.piece.kind[0])
            if thing.piece.kind == "disc":
                letter = (thing.piece.colour or "?")[0]
            letter = (
                letter.upper() if thing.piece.colour in ("silver", "white") or thing.piece.kind == "disc" else letter
            )
            mark = f"{letter}{thing.count if thing.count > 1 else ''}"
            grid[board.rows - 1 - row][col] = f"{mark}:{thing.piece.facing}" if thing.piece.facing else mark
    return {
        "game": game,
        "x_mm": board.x_mm,
        "y_mm": board.y_mm,
        "rotation_deg": board.rotation_deg,
        "kind": board.kind,
        "cell_mm": board.cell_mm,
        "cols": board.cols,
        "rows": board.rows,
        "border_mm": board.border_mm,
        "thickness_mm": board.thickness_mm,
        "outer_mm": list(board.size_mm),
        "marked": [list(m) for m in board.marked],
        "grid_top_row_first": grid,
    }


def _piece(thing: Thing, index: int, scene: Scene, game: str, numbers: dict[str, int]) -> dict[str, Any]:
    assert thing.piece is not None
    data: dict[str, Any] = dict(thing.piece.to_json())
    if game in ("khet", "ataxx", "hexxagon"):
        data["game"] = game
    if thing.cell is not None:
        kind = scene.board.kind if scene.board is not None else "grid"
        data["cell"], data["cell_name"] = list(cell_at(thing.cell, kind)), thing.cell
    data.setdefault("pose", "upright")
    data |= {
        "x_mm": round(thing.x_mm, 3),
        "y_mm": round(thing.y_mm, 3),
        "z_mm": round(thing.z_mm, 3),
        "heading_deg": round(thing.heading_deg % 360, 3),
        "index": index,
    }
    if thing.count > 1:
        data["count"] = thing.count
    if thing.nested_on is not None:
        data["nested_on"] = numbers[thing.nested_on]
    if thing.piece.kind == "pyramid" and game == "khet":
        data["mirror_faces"] = thing.piece.facing
    if thing.piece.kind in ("scarab", "eye"):
        data["diagonal"] = thing.piece.facing
    hull = cv2.convexHull(scene.camera.project(thing.vertices).astype(np.float32))[:, 0]
    data["hull_px"] = [[round(float(x), 1), round(float(y), 1)] for x, y in hull]
    return data
