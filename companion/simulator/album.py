"""A scripted game as a folder of photographs: one picture of every still table, as a person would take them."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import cv2

from companion.simulator.arrays import Pixels
from companion.simulator.design import Furniture, TableDesign, furnish, scene_of
from companion.simulator.script import Beat
from companion.simulator.solids import rests_flat
from companion.simulator.source import ScriptedTable
from companion.simulator.state import TableState
from companion.simulator.truth import truth_json

JPEG_QUALITY = 92
Photograph = Callable[[int, TableState], Pixels]  # number and table to (h, w, 3) BGR


def write_album(
    beats: Iterable[Beat], design: TableDesign, folder: Path, game: str = "khet", photograph: Photograph | None = None
) -> list[str]:
    """NNN.jpg and NNN.json for every still beat, and game.json that tells what each shows; gives the beats' words.

    `folder` is made when it is not there. The truth files have the format of single tables. Without `photograph`, the
    simulated camera takes the pictures.
    """
    folder.mkdir(parents=True, exist_ok=True)
    furniture = furnish(design)
    stills = [beat for beat in beats if beat.still]
    camera = ScriptedTable(design, [beat.state for beat in stills])
    if photograph is None:
        camera.open()
    for number, beat in enumerate(stills):
        pixels = photograph(number, beat.state) if photograph else camera.read(1.0).pixels
        name = folder / f"{number:03d}.jpg"
        cv2.imwrite(str(name), pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        truth = _truth(furniture, beat, game, number)
        (folder / f"{number:03d}.json").write_text(json.dumps(truth), encoding="utf-8")
    camera.close()
    pictures = [{"picture": i, "file": f"{i:03d}.jpg", "text": beat.what} for i, beat in enumerate(stills)]
    (folder / "game.json").write_text(json.dumps({"format": "game/1", "pictures": pictures}), encoding="utf-8")
    return [beat.what for beat in stills]


def _truth(furniture: Furniture, beat: Beat, game: str, number: int) -> dict[str, Any]:
    """Everything that a picture shows: solids, and what lies flat."""
    data = truth_json(scene_of(furniture, beat.state), game, number)
    for flat in filter(rests_flat, beat.state.standing):
        place = {"x_mm": round(flat.x_mm, 3), "y_mm": round(flat.y_mm, 3), "z_mm": 0.0}
        turn = {"heading_deg": round(flat.heading_deg % 360, 3) if flat.piece.face != "back" else None}
        entry = {**flat.piece.to_json(), "pose": "flat", **place, **turn, "index": len(data["pieces"])}
        data["pieces"].append(entry)
    return data
