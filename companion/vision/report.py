"""A reading of one picture as the JSON of `companion look`, and as lines for people."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from calibration.lens import Lens
from companion.pieces import UNKNOWN, spoken
from companion.view import Sighting, TableView
from companion.vision.table_watch import Place

TOLD_OF = {  # what is told of a piece of no board, null where it cannot be seen
    "tile": ("face", "suit", "value"),
    "coin": ("face", "suit", "value"),
    "pawn": ("suit",),
    "die": ("suit", "value"),
}
UNEXPLAINED = "nothing known fits"  # of a piece that is unknown for no named reason


def look_json(
    view: TableView,
    place: Place | None,
    game: str,
    seconds: float,
    lens_from: str,
    size: tuple[int, int] | None = None,
) -> dict[str, Any]:
    """The object that stands for one picture; `error` is there when the table could not be read.

    `size` is the width and height of the picture as it came, in pixels; None if it was read at that size.
    """
    answer: dict[str, Any] = {
        "image": view.image,
        "markers_found": view.markers_found,
        "camera": _camera(place, lens_from, size) if place else None,
        "board": _board(view),
        "seconds": round(seconds, 4),
        "stages": {name: round(value, 4) for name, value in view.stages.items()},
        "warnings": list(view.warnings),
        "pieces": [_piece(sighting, game) for sighting in pieces_told(view)],
    }
    if not view.clear:
        answer["error"] = view.obstacles[0]
    return answer


def pieces_told(view: TableView) -> list[Sighting]:
    """The pieces in a list of their own: what carries each is named by its number there, not in the view."""
    pieces = view.pieces()
    numbers = {id(sighting): number for number, sighting in enumerate(pieces)}
    below = [None if s.nested_on is None else numbers.get(id(view.sightings[s.nested_on])) for s in pieces]
    return [replace(sighting, nested_on=on) for sighting, on in zip(pieces, below, strict=True)]


def failure_json(image: str, text: str) -> dict[str, Any]:
    """The object for a file that is no picture at all."""
    nothing: dict[str, Any] = {"image": image, "markers_found": 0, "camera": None, "board": None, "seconds": 0.0}
    return nothing | {"stages": {}, "warnings": [text], "pieces": [], "error": "picture"}


def people_lines(answer: Mapping[str, Any]) -> list[str]:
    """What a person at a terminal is told."""
    count = len(answer["pieces"])
    head = f"{answer['image']}: {count} piece{'' if count == 1 else 's'}, {answer['seconds'] * 1000:.0f} ms"
    if answer["board"]:
        board = answer["board"]
        head += f", board at {board['x_mm']:.1f}, {board['y_mm']:.1f} mm, turned {board['rotation_deg']:.1f} degrees"
    lines = [head] + [f"  ! {text}" for text in answer["warnings"]]
    for piece in answer["pieces"]:
        names = ("colour", "size", "pose", "kind", "face", "suit", "value")
        words = [spoken(str(piece[name])) for name in names if piece.get(name)]
        if piece.get("heading_deg") is not None:
            words.append(f"heading {piece['heading_deg']:.0f}")
        if piece.get("nested_on") is not None:
            words.append(f"on the one at {_place(answer['pieces'][piece['nested_on']])}")
        if piece.get("facing"):
            words.append(f"facing {piece['facing']}")
        if piece.get("why"):
            words.append(f"({piece['why']})")
        lines.append(f"  {_place(piece):>16}  {piece.get('confidence', 0):4.0%}  {' '.join(words)}")
    stages = ", ".join(f"{name} {1000 * value:.0f} ms" for name, value in answer["stages"].items() if value >= 0.0005)
    return [*lines, f"  stages: {stages}"] if stages else lines


def _place(piece: Mapping[str, Any]) -> str:
    """The cell, else millimetres on the table, else pixels of the picture."""
    if piece.get("cell_name"):
        return str(piece["cell_name"])
    if piece.get("x_mm") is not None and piece.get("y_mm") is not None:
        return f"{piece['x_mm']:.1f}, {piece['y_mm']:.1f}"
    if piece.get("x_px") is not None and piece.get("y_px") is not None:
        return f"px {piece['x_px']:.0f}, {piece['y_px']:.0f}"
    return "?"


def _camera(place: Place, lens_from: str, size: tuple[int, int] | None) -> dict[str, Any]:
    """Pose and lens, in pixels of the picture as it came, as x_px and y_px are."""
    pose = place.pose
    lens = pose.lens.scaled(*size) if size else pose.lens
    return {
        **_lens(lens),
        "R": [[round(float(v), 9) for v in row] for row in pose.rotation],
        "t": [round(float(v), 4) for v in pose.translation],
        "from": "guess" if place.lens_guessed else lens_from,
    }


def _lens(lens: Lens) -> dict[str, float]:
    pixels = {name: round(getattr(lens, name), 2) for name in ("fx", "fy", "cx", "cy")}
    return pixels | {name: round(getattr(lens, name), 9) for name in ("k1", "k2", "p1", "p2", "k3")}


def _board(view: TableView) -> dict[str, float] | None:
    if view.board is None:
        return None
    pose = view.board
    return {"x_mm": round(pose.x_mm, 3), "y_mm": round(pose.y_mm, 3), "rotation_deg": round(pose.rotation_deg, 3)}


def _piece(sighting: Sighting, game: str) -> dict[str, Any]:
    piece = sighting.piece
    answer: dict[str, Any] = {**dict.fromkeys(TOLD_OF.get(piece.kind, ())), **piece.to_json()}
    if sighting.cell is not None:
        answer |= {"game": game, "cell_name": sighting.cell}
    for name, digits in (("x_mm", 2), ("y_mm", 2), ("heading_deg", 1), ("x_px", 1), ("y_px", 1)):
        value = getattr(sighting, name)
        answer[name] = None if value is None else round(float(value), digits)
    if sighting.heading_deg is not None:
        answer["heading_deg"] %= 360  # 359.98 was rounded to 360
    answer["nested_on"] = sighting.nested_on
    answer["confidence"] = round(float(sighting.confidence), 4)
    if piece == UNKNOWN:
        answer["why"] = sighting.why or UNEXPLAINED
    return answer
