"""What a host corrected, kept as labelled pictures that `companion teach` can learn from; old ones make room."""

import json
import logging
import re
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2

from calibration.errors import CalibrationError
from calibration.table import parse_markers
from companion.games.base import Layout
from companion.pieces import Piece
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.laid import Laid
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import Corrected
from companion.referee.settings import Settings
from companion.referee.views.corrected import corrected_piece, corrected_place
from companion.referee.views.told import Lasting, corrected_view, told_view
from companion.sets.teaching import on_plan, shows
from companion.storage import write_safely
from companion.view import Sighting, TableView
from companion.vision.pipeline import Look
from hardware.frames import Frame

log = logging.getLogger(__name__)

MEGABYTE = 2**20
WAIT_S = 60.0  # after a correction for a picture that shows the whole table as the record has it
LEAST_FREE = 64 * MEGABYTE  # the last room on a disk belongs to the games
JPEG_QUALITY = 95
KEPT = re.compile("[0-9]{6,}", re.ASCII)  # the names of kept pictures


class Corrections:
    """Waits after a correction for a picture whose every cell is known, and keeps it. Nothing is kept with `most_mb` 0.

    A picture is labelled with the table as the record has it, once the view (with what the host said) surely shows
    exactly that: so a slip of the host's finger teaches nothing. What looks otherwise than when it was named may have
    been moved since: the host's word is not of that.
    """

    def __init__(
        self,
        folder: Path,
        markers: str,
        most_mb: int,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder, self._markers, self._most = folder, markers, most_mb * MEGABYTE
        self._settings, self._clock = settings, clock
        self._lock = threading.Lock()
        self._told: dict[str, Corrected] = {}
        self._told_s = 0.0
        self._said = Lasting(settings.sure_seen, settings.told_mm)

    def told(self, word: Corrected) -> None:
        """The host said what stands on a cell or at a place."""
        if self._most:
            with self._lock:
                self._told[word.cell or f"{word.x_mm}, {word.y_mm}"], self._told_s = word, self._clock()

    def see(self, game: str, frame: Frame, view: TableView, look: Look | None, standing: Layout | None) -> Path | None:
        """One more picture; where it was kept, None when it was not."""
        told = self._waiting()
        if not told:
            self._said.forget()
        if not told or look is None or standing is None:
            return None
        known = self._known(view, told, standing)
        self._said.unseen()  # a hand may come between any two pictures
        if not known:
            return None
        self._forget()
        try:
            labels = {"corrected": sorted(told), "pieces": [{**piece, "game": game} for piece in known]}
            return self._keep(game, frame, label(game, view, look, self._markers) | labels)
        except (OSError, CalibrationError) as error:
            log.warning("a corrected picture cannot be kept: %s", error)
            return None

    def _waiting(self) -> dict[str, Corrected]:
        """What was said so lately that a picture for it is waited for."""
        with self._lock:
            if self._clock() - self._told_s > WAIT_S:
                self._told = {}
            return dict(self._told)

    def _known(self, view: TableView, told: Mapping[str, Corrected], standing: Layout) -> list[dict[str, Any]]:
        """The pieces whose looks and places are certain, [] while the view does not surely show the table."""
        if standing.plan is not None:
            return self._on_plan(view, told, standing)
        if all(word.cell == "" for word in told.values()):
            return self._free_pieces(view, told, standing)
        return self._cells(view, told, standing)

    def _on_plan(self, view: TableView, told: Mapping[str, Corrected], standing: Layout) -> list[dict[str, Any]]:
        """What lies on the spots of a plan, where it is seen."""
        seen = Laid().read(view, standing, settled=True)
        said = self._said.cells(seen, {cell: corrected_piece(word) for cell, word in told.items()})
        return [_lying(lying.piece, lying) for lying in on_plan(standing, seen, self._settings, said)]

    def _cells(self, view: TableView, told: Mapping[str, Corrected], standing: Layout) -> list[dict[str, Any]]:
        """The pieces of a board, [] while the view does not surely show them all."""
        said = self._said.cells(view, {cell: corrected_piece(word) for cell, word in told.items()})
        if view.board is None or not shows(standing, corrected_view(view, said), self._settings):
            return []
        return [{**piece.to_json(), "cell_name": cell} for cell, piece in cells_of(standing).items()]

    def _free_pieces(self, view: TableView, told: Mapping[str, Corrected], standing: Layout) -> list[dict[str, Any]]:
        """The pieces of a free table where they are seen, [] while the view does not surely show them all."""
        said = self._said.places(view, map(corrected_place, told.values()))
        seen = FreeEvidence(told_view(view, said, self._settings.told_mm), self._settings)
        found = seen.matching(standing)
        if found.missing or seen.differences(standing):
            return []
        numbers = {id(pair.lying): number for number, pair in enumerate(found.pairs)}
        labels = []
        for pair in found.pairs:
            on = pair.lying.nested_on
            below = None if on is None else numbers.get(id(standing.pieces[on]))
            labels.append(_lying(pair.lying.piece, pair.sighting) | {"nested_on": below})
        return labels

    def _forget(self) -> None:
        with self._lock:
            self._told = {}

    def _keep(self, game: str, frame: Frame, labels: Mapping[str, Any]) -> Path | None:
        done, data = cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        folder = self._folder / game
        folder.mkdir(parents=True, exist_ok=True)
        if not done or len(data) > self._most or shutil.disk_usage(folder).free < LEAST_FREE:
            return None
        self._make_room(len(data))
        number = max((int(path.stem) for path in self._kept(game)), default=0) + 1
        picture = folder / f"{number:06}.jpg"
        write_safely(picture, data.tobytes(), 0o600)
        write_safely(picture.with_suffix(".json"), json.dumps({"image": picture.name, **labels}).encode(), 0o600)
        log.info("a corrected picture was kept: %s", picture)
        return picture

    def _make_room(self, wanted: int) -> None:
        """Remove the oldest pictures, with their labels, until there is room below the cap."""
        pictures = sorted(self._kept(), key=lambda path: (path.stat().st_mtime_ns, path.name))
        both = [file for path in pictures for file in (path, path.with_suffix(".json")) if file.exists()]
        size = sum(file.stat().st_size for file in both)
        for path in pictures:
            if size + wanted <= self._most:
                return
            for old in (path, path.with_suffix(".json")):
                size -= old.stat().st_size if old.exists() else 0
                old.unlink(missing_ok=True)

    def _kept(self, game: str = "*") -> list[Path]:
        """The pictures that were kept here; what a person put beside them is none of them."""
        return [path for path in self._folder.glob(f"{game}/*.jpg") if KEPT.fullmatch(path.stem)]


def _lying(piece: Piece, seen: Sighting) -> dict[str, Any]:
    return {**piece.to_json(), "x_mm": seen.x_mm, "y_mm": seen.y_mm, "heading_deg": seen.heading_deg}


def label(game: str, view: TableView, look: Look, markers: str) -> dict[str, Any]:
    """Where the picture shows it, in the format of `companion look`: all that is needed to read it again."""
    shape, pose, places = view.shape, view.board, parse_markers(markers)
    labels: dict[str, Any] = {
        "game": game,
        "markers": {"W_mm": places.width_mm, "H_mm": places.height_mm, "side_mm": places.side_mm},
    }
    if shape is not None and pose is not None:
        sizes = ("cols", "rows", "cell_mm", "border_mm", "thickness_mm", "kind")
        labels["board"] = {name: getattr(shape, name) for name in sizes}
        labels["board"] |= {name: getattr(pose, name) for name in ("x_mm", "y_mm", "rotation_deg")}
    if not look.place.lens_guessed:
        labels["camera"] = look.place.pose.lens.to_json()
    return labels
