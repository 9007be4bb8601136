"""Piecepack tiles, coins, pawns and dice anywhere on a table: places, headings, suits, values."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import balanced
from companion.pieces import SUITS, VALUES, Piece
from companion.view import Sighting
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.piecepack.memory import ReadBefore, Told
from companion.vision.piecepack.networks import KINDS, QUESTIONS, Layer, Networks, Singles, agreed, bent
from companion.vision.piecepack.patches import (
    DIE_PX,
    DIE_SPAN_MM,
    FIND_CELLS,
    FIND_MM,
    FIND_REACH,
    FIND_STRIDE,
    SMALL_PX,
    SMALL_SPAN_MM,
    TILE_PX,
    TILE_SPAN_MM,
    cut,
)
from companion.vision.piecepack.places import Place, Spot, piece_name
from companion.vision.piecepack.settings import PiecepackSettings
from companion.vision.piecepack.small import feet_of, small_among
from companion.vision.piecepack.stayed import near_one, tiles_before, with_still
from companion.vision.piecepack.tiles import completing, tiles_among, toned
from companion.vision.piecepack.trodden import with_faces_before
from companion.vision.taught_looks import TaughtLooks, taught_now

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

LOOKS = TaughtLooks("piecepack", "a piecepack", format=3)
SPANS_MM = {"tile": TILE_SPAN_MM, "small": SMALL_SPAN_MM}  # of the windows that are read
SIDES = 4  # from which a die is looked at
TAUGHT = {"tile": ("tile",), "small": ("coin", "pawn", "die"), "die": ("die",)}  # kinds that a network learns from


@dataclass
class PiecepackFinder:
    """The family of the piecepack: see `companion.vision.finders.FamilyFinder`."""

    settings: PiecepackSettings = field(default_factory=PiecepackSettings)
    networks: Networks = field(default_factory=Networks)
    _taught_at: str | None = None
    _pictures: dict[str, Pixels] = field(default_factory=dict)
    _before: ReadBefore = field(default_factory=ReadBefore)

    def find(self, ground: Ground) -> list[Found]:
        """Every piece, tiles first."""
        s = self.settings
        picture, spots = self._looked(ground)
        before = tiles_before(ground, s)
        spots += [spot for spot in before if not near_one(ground, spot, spots, s.looked_at_mm)]
        places = self._read(ground, picture, spots, "tile")
        compared = toned(ground, places, s)
        if more := self._read(ground, picture, list(completing(ground, compared, s)), "tile"):
            compared = toned(ground, [*places, *more], s)
        tiles = with_still(ground, tiles_among(ground, compared, s, before), s)
        small = self._read(ground, picture, spots, "small")
        small = [*small, *self._read(ground, picture, list(feet_of(ground, spots, small, s)), "small")]
        standing = small_among(ground, sorted(small, key=lambda place: -place.sure), tiles, s)
        return with_faces_before(ground, tiles, standing, s) + standing

    def rated(self, ground: Ground) -> Iterator[tuple[Spot, float]]:
        """Every place that was looked at, and what the reading network says of a piece of that kind there."""
        picture, spots = self._looked(ground)
        for name in ("tile", "small"):
            for place in self._read(ground, picture, spots, name):
                yield place.spot, place.read

    def _looked(self, ground: Ground) -> tuple[Pixels, list[Spot]]:
        self._before.look(ground, SPANS_MM)
        picture = balanced(ground.colours, ground.gains)
        return picture, self.spots(ground, picture)

    def _read(self, ground: Ground, picture: Pixels, spots: Sequence[Spot], name: str) -> list[Place]:
        """What the reading network says of the spots of tiles, or of the others; the surest first."""
        own = [spot for spot in spots if (KINDS[spot.kind] == "tile") == (name == "tile")]
        if not own:
            return []
        places = []
        for spot, told in zip(own, self._answers(ground, picture, own, name), strict=True):
            kinds = told["kind"]
            reads = {0: float(1 - kinds[0])} if name == "tile" else {k: float(kinds[k]) for k in range(1, len(KINDS))}
            sures = {kind: self.networks.sure(kind, spot.heat, read) for kind, read in reads.items()}
            kind = max(sures, key=lambda k: sures[k])  # what was proposed as a die may be read as a pawn
            places.append(Place(replace(spot, kind=kind), reads[kind], sures[kind], told))
        if name == "small":
            self._look_closely(ground, picture, places)
        return sorted(places, key=lambda place: -place.sure)

    def _answers(self, ground: Ground, picture: Pixels, spots: Sequence[Spot], name: str) -> list[Told]:
        """What the reading network says of each spot, or has said where nothing has changed."""
        answers = {spot: self._before.of(ground, name, spot) for spot in spots}
        if asked := [spot for spot, told in answers.items() if told is None]:
            size, span = (TILE_PX if name == "tile" else SMALL_PX), SPANS_MM[name] / ground.settings.fine_mm
            turned = [(spot, spot.heading_deg if name == "tile" else 90.0) for spot in asked]
            told = self._told(name, np.stack([cut(picture, spot.x, spot.y, turn, span, size) for spot, turn in turned]))
            now = {spot: {q: v[i] for q, v in told.items()} for i, spot in enumerate(asked)}
            self._before.keep(name, now)
            answers |= now
        return [dict(answers[spot] or {}) for spot in spots]

    def _look_closely(self, ground: Ground, picture: Pixels, places: Sequence[Place]) -> None:
        """What dice show, from near and from four sides: one look is too sure of a throw."""
        fine, dice = ground.settings.fine_mm, list[Place]()
        for place in sorted(places, key=lambda place: -place.sure):
            if KINDS[place.spot.kind] != "die" or place.sure < self.settings.faint:
                continue
            apart = (math.hypot(place.spot.x - d.spot.x, place.spot.y - d.spot.y) * fine for d in dice)
            if all(far >= self.settings.apart_mm for far in apart):  # else it is the same die, less surely found
                dice.append(place)
        if not dice:
            return
        span = DIE_SPAN_MM / fine
        turned = [(d.spot, d.spot.heading_deg + 90.0 * side) for side in range(SIDES) for d in dice]
        patches = np.stack([cut(picture, spot.x, spot.y, turn, span, DIE_PX) for spot, turn in turned])
        told = self.networks.told("die", self.networks.embed("die", patches))
        for question, shares in told.items():
            views = shares.reshape(SIDES, len(dice), -1)
            for die, answer in zip(dice, agreed(views, self.settings.least_share), strict=True):
                die.told[question] = answer

    def spots(self, ground: Ground, picture: Pixels) -> list[Spot]:
        """Peaks of the finding network inside the part of the table round the markers."""
        s, fine = self.settings, ground.settings.fine_mm
        left, top, right, bottom = self.extent(ground)
        step = FIND_MM / fine
        pitch = step * FIND_STRIDE
        cells = [math.ceil((b - a) / pitch / FIND_CELLS) * FIND_CELLS for a, b in ((top, bottom), (left, right))]
        rows, cols = cells[0] * FIND_STRIDE, cells[1] * FIND_STRIDE
        part = picture[top:bottom, left:right]
        size = (round(part.shape[1] / step), round(part.shape[0] / step))
        small = np.zeros((rows, cols, 3), np.uint8)
        small[: size[1], : size[0]] = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
        ys, xs = (((np.arange(n) + 0.5) * step - 0.5 + start) for n, start in ((rows, top), (cols, left)))
        under = ground.fine_px(ground.camera[:2])
        lean = np.empty((rows, cols, 2), np.float32)  # across and down, as pixels go
        lean[..., 0] = (xs - under[0]) * fine / ground.camera[2]
        lean[..., 1] = ((ys - under[1]) * fine / ground.camera[2])[:, None]
        up, down, first, last = _cells_round(ground, (left, top), pitch, (cells[0], cells[1]))
        part_px = np.s_[up * FIND_STRIDE : down * FIND_STRIDE, first * FIND_STRIDE : last * FIND_STRIDE]
        heat = self.networks.heat(small[part_px], lean[part_px])
        peaks = self.peaks(heat, left + first * pitch, top + up * pitch, pitch, s.peak)
        papers = [ground.fine_px(paper).astype(np.float32) for paper in ground.covered_mm]
        first_x, first_y, last_x, last_y = self.extent(ground, s.beyond_mm)
        near = (p for p in peaks if first_x <= p.x <= last_x and first_y <= p.y <= last_y)
        return [p for p in near if all(cv2.pointPolygonTest(paper, (p.x, p.y), False) < 0 for paper in papers)]

    def peaks(self, answer: Singles, left: float, top: float, pitch: float, least: float) -> Iterator[Spot]:
        """Peaks of the finding network's answer; its first cell begins at pixel (left, top), `pitch` pixels a cell."""
        kinds = len(KINDS)
        heat = 1 / (1 + np.exp(-answer[:kinds]))
        for kind in range(kinds):
            highest = cv2.dilate(heat[kind], np.ones((3, 3), np.uint8))
            for row, col in np.argwhere((heat[kind] >= highest) & (heat[kind] > least)):
                dx, dy = answer[kinds + 2 * kind : kinds + 2 * kind + 2, row, col].clip(-1.5, 1.5)
                first = 3 * kinds + (2 if kind == 3 else 0)
                cosine, sine = answer[first : first + 2, row, col]
                heading = math.degrees(math.atan2(float(sine), float(cosine))) / 4 if kind in (0, 3) else 90.0
                x, y = (col + float(dx) + 0.5) * pitch - 0.5 + left, (row + float(dy) + 0.5) * pitch - 0.5 + top
                yield Spot(kind, x, y, heading, float(heat[kind, row, col]))

    def extent(self, ground: Ground, beyond_mm: float | None = None) -> tuple[int, int, int, int]:
        """Left, top, right, bottom in fine pixels of the table round the markers, by default as far as is looked."""
        high, wide = ground.colours.shape[:2]
        reach = (self.settings.drawn_mm if beyond_mm is None else beyond_mm) / ground.settings.fine_mm
        if not ground.covered_mm:
            return 0, 0, wide, high
        at = ground.fine_px(np.concatenate(ground.covered_mm))
        low, top = np.maximum(at.min(axis=0) - reach, 0), np.minimum(at.max(axis=0) + reach, (wide, high))
        return int(low[0]), int(low[1]), int(top[0]), int(top[1])

    def _told(self, name: str, patches: Pixels) -> dict[str, Singles]:
        """The reading network's answers; places that it is in two minds about it also sees turned by quarters."""
        told = self.networks.told(name, self.networks.embed(name, patches))
        asked = [question for question in told if question != "heading"]
        surest = np.min([told[q].max(axis=1) for q in asked if q != "turn"], axis=0)
        doubtful = surest < self.settings.second_look
        again = np.flatnonzero(doubtful & (told["kind"][:, 0] < self.settings.no_piece))
        if len(again):
            turned = np.concatenate([np.rot90(patches[again], quarters, (1, 2)) for quarters in (1, 2, 3)])
            others = self.networks.told(name, self.networks.embed(name, turned))
            for question in asked:
                views = [told[question][again], *np.split(others[question], 3)]
                if question == "turn":
                    views = [np.roll(view, quarters, axis=1) for quarters, view in enumerate(views)]
                told[question][again] = agreed(np.stack(views), self.settings.least_share)
        return told

    # --- learning ---------------------------------------------------------------------------------------------

    def learn(self, ground: Ground, sightings: Sequence[Sighting]) -> None:
        """Bend the reading networks' last layers to this set's faces."""
        picture = balanced(ground.colours, ground.gains)
        rng = np.random.default_rng(0)
        for name in QUESTIONS:
            patches, labels = self._lesson(ground, picture, sightings, name, rng)
            if not patches:
                continue
            embeddings = self.networks.embed(name, np.stack(patches))
            asked = [q for q in labels[0] if q != "kind"]  # a lesson shows nothing that is no piece
            wanted = {q: np.array([label[q] for label in labels], np.int64) for q in asked}
            self.networks.taught({name: bent(self.networks.layers[name], embeddings, wanted, name)})
            self._taught_at = taught_now()

    def _lesson(
        self, ground: Ground, picture: Pixels, sightings: Sequence[Sighting], name: str, rng: np.random.Generator
    ) -> tuple[list[Pixels], list[dict[str, int]]]:
        s, fine = self.settings, ground.settings.fine_mm
        tiles = [p for p in sightings if p.piece.kind == "tile" and p.x_mm is not None]
        patches: list[Pixels] = []
        labels: list[dict[str, int]] = []
        for sighting in sightings:
            piece = sighting.piece
            if piece.kind not in TAUGHT[name] or sighting.x_mm is None:
                continue
            place = np.array([sighting.x_mm, sighting.y_mm])
            height = s.thickness_mm if piece.kind == "tile" else self._height(piece, place, tiles)
            x, y = ground.fine_px(ground.seen_at(np.array([*place, height])))
            shown = _answers(piece)
            if not (0 <= x < picture.shape[1] and 0 <= y < picture.shape[0]):
                continue
            shown_mm = TILE_SPAN_MM if piece.kind == "tile" else 0.9 * SMALL_SPAN_MM  # with the sign in a tile's corner
            self._pictures[_file_name(piece)] = cut(picture, x, y, 90.0, shown_mm / fine, s.picture_px)
            if piece.kind == "tile" and sighting.heading_deg is None:
                continue  # a back tells no turn, and its place in the picture no angle
            for number in range(s.lesson_cuts):
                dx, dy = rng.normal(0, s.lesson_slip_mm / fine / 2, 2)
                if name == "tile":
                    heading = float(sighting.heading_deg or 0.0) + 90.0 * number
                    patch = cut(picture, x + dx, y + dy, heading + rng.normal(0, 1), TILE_SPAN_MM / fine, TILE_PX)
                    labels.append(shown | {"turn": number % 4})
                else:
                    turn = float(rng.uniform(0, 360))
                    if name == "die" and sighting.heading_deg is not None:
                        turn = sighting.heading_deg + 90.0 * number  # as dice are looked at
                    span, size = (DIE_SPAN_MM, DIE_PX) if name == "die" else (SMALL_SPAN_MM, SMALL_PX)
                    patch = cut(picture, x + dx, y + dy, turn, span / fine, size)
                    labels.append(shown)
                patches.append(patch)
        return patches, labels

    def _height(self, piece: Piece, place: Floats, tiles: Sequence[Sighting]) -> float:
        """Of a labelled piece's top, a pawn's foot: it stands on a tile when one is near."""
        s = self.settings
        half = s.tile_mm / 2
        near = (
            np.abs(place - (t.x_mm, t.y_mm)).max() < half for t in tiles if t.x_mm is not None and t.y_mm is not None
        )
        return s.rise_mm(piece.kind) + (s.thickness_mm if any(near) else 0.0)

    # --- taught looks on disk ---------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """Write piecepack.json, its arrays and a picture of each taught class."""
        if self._taught_at is None:
            return
        about = {"taught": self._taught_at, "networks": self.networks.version}  # whose last layers these are
        layers = {name: layer.weight for name, layer in self.networks.layers.items()}
        LOOKS.write(folder, about, layers, self._pictures)

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; nothing there is no error."""
        if not LOOKS.there(folder):
            return
        with LOOKS.opened(folder) as (about, arrays):
            if about["networks"] != self.networks.version:
                raise ValueError(f"taught to networks {about['networks']}, these are {self.networks.version}")
            self.networks.taught({name: Layer(arrays[name]) for name in self.networks.layers})
            self._pictures = LOOKS.pictures(folder, about)
        self._taught_at = about.get("taught")


def _file_name(piece: Piece) -> str:
    """Of a taught class's picture, without ".png"."""
    return f"piecepack-{piece_name(piece)}".replace(" ", "-")


def _cells_round(
    ground: Ground, corner: tuple[int, int], pitch: float, cells: tuple[int, int]
) -> tuple[int, int, int, int]:
    """Top, low, left and right cell, of so many down and across that begin at a corner (fine pixels), of what the
    finding network has to see to tell what lies in the zone that is looked at.
    """
    if ground.zone is None or not ground.zone.any():
        return 0, cells[0], 0, cells[1]
    span: list[int] = []
    for at, start, count in zip(np.nonzero(ground.zone), corner[::-1], cells, strict=True):
        first, last = ((int(pixel) * ground.settings.coarse - start) / pitch for pixel in (at.min(), at.max() + 1))
        low = int(np.clip(math.floor(first) - FIND_REACH, 0, count - 1)) // FIND_CELLS * FIND_CELLS
        high = -(-int(np.clip(math.ceil(last) + FIND_REACH, low + 1, count)) // FIND_CELLS) * FIND_CELLS
        span += [low, min(high, count)]
    return span[0], span[1], span[2], span[3]


def _answers(piece: Piece) -> dict[str, int]:
    """A labelled piece as the networks' answers; -1 where it has none."""
    suit = SUITS.index(piece.suit) if piece.suit in SUITS else -1
    value = VALUES.index(piece.value) if piece.value in VALUES else -1
    if piece.kind == "tile":
        return {"kind": 2 if piece.face == "front" else 1, "suit": suit, "value": value}
    if piece.kind == "die" and piece.value == "null":
        suit = -1  # a blank face shows none: learned from it, every blank die would be of that suit
    face = -1 if piece.kind != "coin" else int(piece.face == "suit")
    return {"kind": KINDS.index(piece.kind), "face": face, "suit": suit, "value": value}
