"""Piecepack tiles, coins, pawns and dice anywhere on a table: places, headings, suits, values."""

import datetime
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import balanced
from companion.pieces import (
    COIN_DIAMETER_MM,
    COIN_THICKNESS_MM,
    DIE_SIDE_MM,
    PAWN_HEIGHT_MM,
    PAWN_WIDTH_MM,
    SUITS,
    TILE_SIDE_MM,
    TILE_THICKNESS_MM,
    VALUES,
    Piece,
)
from companion.view import Sighting
from companion.vision.choice import heaviest, margins
from companion.vision.finders import Found, shared
from companion.vision.foreground import Ground
from companion.vision.piecepack_networks import KINDS, Layer, Networks, Singles, bent, log_odds
from companion.vision.piecepack_patches import (
    FIND_MM,
    FIND_STRIDE,
    SMALL_PX,
    SMALL_SPAN_MM,
    TILE_PX,
    TILE_SPAN_MM,
    cut,
)
from companion.vision.piecepack_tones import tone_odds

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Beliefs = tuple[tuple[Piece, float], ...]

FORMAT = 1  # of the taught looks
FILE = "piecepack"


@dataclass(frozen=True, slots=True)
class PiecepackSettings:
    """Sizes of the set, and when something counts as a piece."""

    tile_mm: float = TILE_SIDE_MM
    thickness_mm: float = TILE_THICKNESS_MM
    coin_mm: float = COIN_DIAMETER_MM
    coin_thickness_mm: float = COIN_THICKNESS_MM
    die_mm: float = DIE_SIDE_MM
    pawn_mm: float = PAWN_WIDTH_MM
    pawn_high_mm: float = PAWN_HEIGHT_MM
    drawn_mm: float = 70.0  # so far beyond the papers of the table markers the finding network looks ...
    beyond_mm: float = 30.0  # ... and so far beyond them what it finds may be a piece
    peak: float = 0.1  # of the finding network's heat, from which the reading network is asked
    piece: float = 0.5  # joint probability from which something is called a piece
    sure_label: float = 0.5  # a less probable best label is told as unknown
    sure_die: float = 0.9  # ... of a die, which decides a throw
    blank_die: float = 2.0  # a blank face shows no suit but what its body's colour tells: temperature of that
    second_look: float = 0.9  # a less sure answer is asked for again
    no_piece: float = 0.97  # ... unless it is surer than this that there is no piece
    least_share: float = 1e-6  # of an answer, when several looks are brought together
    one_deck: bool = True  # a single set lies there: each tile's front at most once
    least_tile: float = 0.3  # probability by itself from which a place may have a tile
    faint: float = 0.02  # from this probability a place is at least not called empty
    joined_to: float = 0.75  # ... when it lies flush with one as sure as this, else from `piece`
    flush_mm: float = 4.0
    expected: float = 0.5  # heat of a place that completes a square of tiles
    looked_at_mm: float = 2.0  # a place that was looked at so near is not looked at again
    overlap: float = 0.25  # shared part of two tiles, above which only one of them is there
    apart_mm: float = 9.0  # small pieces nearer than this are one
    least_belief: float = 1e-3
    lesson_slip_mm: float = 1.0
    lesson_cuts: int = 4
    picture_px: int = 64


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a piece may lie: its kind, fine pixels of its top (a pawn's foot) as seen, heading, heat."""

    kind: int
    x: float
    y: float
    heading_deg: float
    heat: float


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A spot with what the reading network says of it."""

    spot: Spot
    read: float  # probability of its kind, by the reading network alone
    sure: float  # ... by both networks
    told: dict[str, Singles]


@dataclass
class PiecepackFinder:
    """The family of the piecepack: see `companion.vision.finders.FamilyFinder`."""

    settings: PiecepackSettings = field(default_factory=PiecepackSettings)
    networks: Networks = field(default_factory=Networks)
    _taught_at: str | None = None
    _pictures: dict[str, Pixels] = field(default_factory=dict)

    def find(self, ground: Ground) -> list[Found]:
        """Every piece, tiles first."""
        picture, spots = self._looked(ground)
        places = self._read(ground, picture, spots, "tile")
        places = [*places, *self._read(ground, picture, list(self._completing(ground, places)), "tile")]
        tiles = self._tiles(ground, self._toned(ground, places))
        return tiles + self._small(ground, self._read(ground, picture, spots, "small"), tiles)

    def rated(self, ground: Ground) -> Iterator[tuple[Spot, float]]:
        """Every place that was looked at, and what the reading network says of a piece of that kind there."""
        picture, spots = self._looked(ground)
        for name in ("tile", "small"):
            for place in self._read(ground, picture, spots, name):
                yield place.spot, place.read

    def _looked(self, ground: Ground) -> tuple[Pixels, list[Spot]]:
        picture = balanced(ground.colours, ground.gains)
        return picture, self.spots(ground, picture)

    def _read(self, ground: Ground, picture: Pixels, spots: Sequence[Spot], name: str) -> list[Place]:
        """What the reading network says of the spots of tiles, or of the others; the surest first."""
        own = [spot for spot in spots if (KINDS[spot.kind] == "tile") == (name == "tile")]
        if not own:
            return []
        span, size = (TILE_SPAN_MM, TILE_PX) if name == "tile" else (SMALL_SPAN_MM, SMALL_PX)
        turns = [spot.heading_deg if name == "tile" else 90.0 for spot in own]
        span_px = span / ground.settings.fine_mm
        patches = [cut(picture, spot.x, spot.y, turn, span_px, size) for spot, turn in zip(own, turns, strict=True)]
        told = self._told(name, np.stack(patches))
        places = []
        for i, spot in enumerate(own):
            kinds = told["kind"][i]
            reads = {0: float(1 - kinds[0])} if name == "tile" else {k: float(kinds[k]) for k in range(1, len(KINDS))}
            sures = {kind: self.networks.sure(kind, spot.heat, read) for kind, read in reads.items()}
            kind = max(sures, key=lambda k: sures[k])  # what was proposed as a die may be read as a pawn
            answers = {q: v[i] for q, v in told.items()}
            places.append(Place(replace(spot, kind=kind), reads[kind], sures[kind], answers))
        return sorted(places, key=lambda place: -place.sure)

    def spots(self, ground: Ground, picture: Pixels) -> list[Spot]:
        """Peaks of the finding network inside the part of the table round the markers."""
        s, fine = self.settings, ground.settings.fine_mm
        left, top, right, bottom = self.extent(ground)
        step = FIND_MM / fine
        cells = [math.ceil((b - a) / step / FIND_STRIDE / 8) * 8 for a, b in ((top, bottom), (left, right))]
        rows, cols = cells[0] * FIND_STRIDE, cells[1] * FIND_STRIDE
        part = picture[top:bottom, left:right]
        size = (round(part.shape[1] / step), round(part.shape[0] / step))
        small = np.zeros((rows, cols, 3), np.uint8)
        small[: size[1], : size[0]] = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
        ys, xs = (((np.arange(n) + 0.5) * step - 0.5 + start) for n, start in ((rows, top), (cols, left)))
        at = ground.to_mm(np.stack(np.meshgrid(xs, ys), axis=-1))
        lean = ((at - ground.camera[:2]) / ground.camera[2] * (1, -1)).astype(np.float32)  # down, as pixels go
        peaks = self.peaks(self.networks.heat(small, lean), left, top, step * FIND_STRIDE, s.peak)
        papers = [ground.fine_px(paper).astype(np.float32) for paper in ground.covered_mm]
        first_x, first_y, last_x, last_y = self.extent(ground, s.beyond_mm)
        near = (p for p in peaks if first_x <= p.x <= last_x and first_y <= p.y <= last_y)
        return [p for p in near if all(cv2.pointPolygonTest(paper, (p.x, p.y), False) < 0 for paper in papers)]

    def peaks(self, answer: Singles, left: int, top: int, pitch: float, least: float) -> Iterator[Spot]:
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
        if name == "small":
            doubtful |= told["kind"].argmax(axis=1) == KINDS.index("die")  # one look is too sure of a throw
        again = np.flatnonzero(doubtful & (told["kind"][:, 0] < self.settings.no_piece))
        if len(again):
            turned = np.concatenate([np.rot90(patches[again], quarters, (1, 2)) for quarters in (1, 2, 3)])
            others = self.networks.told(name, self.networks.embed(name, turned))
            for question in asked:
                views = np.log(np.split(np.maximum(others[question], self.settings.least_share), 3))
                if question == "turn":
                    views = np.stack([np.roll(view, q, axis=1) for q, view in enumerate(views, start=1)])
                own = np.log(np.maximum(told[question][again], self.settings.least_share))
                mean = np.exp((own + views.sum(axis=0)) / 4)
                told[question][again] = mean / mean.sum(axis=1, keepdims=True)
        return told

    # --- tiles ------------------------------------------------------------------------------------------------

    def _tiles(self, ground: Ground, places: Sequence[Place]) -> list[Found]:
        s = self.settings
        threshold = float(log_odds(np.array(s.least_tile)))
        likely = [(place, self._square(ground, place.spot)) for place in places if place.sure >= s.least_tile]
        weights = [float(log_odds(np.array(place.sure))) - threshold for place, _ in likely]
        excludes = np.zeros((len(likely), len(likely)), bool)
        for i, (_, one) in enumerate(likely):
            for j, (_, other) in enumerate(likely[:i]):
                excludes[i, j] = excludes[j, i] = shared(one, other) >= s.overlap
        stand = heaviest(weights, excludes)
        sure = 1 / (1 + np.exp(-np.array(margins(weights, excludes, stand)) - threshold))
        kept = [(replace(likely[i][0], sure=float(p)), likely[i][1]) for i, p in zip(stand, sure, strict=True)]
        kept = [pair for pair in kept if pair[0].sure >= s.piece or self._joins(ground, pair[0], kept)]
        kept = sorted(kept, key=lambda pair: -pair[0].sure)[: len(FACES) - 1] if s.one_deck else kept
        firm = len(kept)
        for place in places:
            outline = self._square(ground, place.spot)
            if place.sure >= s.faint and all(shared(outline, other) < s.overlap for _, other in kept):
                kept.append((place, outline))
        shares = np.array([_faces(place.told) for place, _ in kept]).reshape(-1, len(FACES))
        if s.one_deck:
            shares[:firm] = one_of_each(shares[:firm])
        return [self._tile(ground, place, shares[i], outline, i >= firm) for i, (place, outline) in enumerate(kept)]

    def _joins(self, ground: Ground, place: Place, among: Sequence[tuple[Place, Floats]]) -> bool:
        """True if it lies flush with a tile that is surely there.

        However many it lies flush with, a place where little is seen is no tile: it may have been taken from there.
        """
        s, at = self.settings, ground.to_mm(np.array([place.spot.x, place.spot.y]))
        a = math.radians(place.spot.heading_deg)
        for other, _ in among:
            if other is place or other.sure < s.joined_to:
                continue
            dx, dy = ground.to_mm(np.array([other.spot.x, other.spot.y])) - at
            along = sorted((abs(dx * math.cos(a) + dy * math.sin(a)), abs(dy * math.cos(a) - dx * math.sin(a))))
            if along[0] < s.flush_mm and abs(along[1] - s.tile_mm) < s.flush_mm:
                return True
        return False

    def _completing(self, ground: Ground, places: Sequence[Place]) -> Iterator[Spot]:
        """Where a tile would lie flush with two that are surely there: the fourth of a square, hidden by what is on it.

        Tiles are as far apart as they seem, which is a little more than their size.
        """
        s, fine = self.settings, ground.settings.fine_mm
        high = float(ground.camera[2])
        pitch = s.tile_mm / fine * high / (high - s.thickness_mm)
        firm = [place.spot for place in places if place.sure >= s.joined_to]
        beside: list[tuple[float, float, float, int]] = []
        for number, spot in enumerate(firm):
            for quarter in range(4):
                a = math.radians(spot.heading_deg + 90.0 * quarter)
                beside.append((spot.x + pitch * math.cos(a), spot.y - pitch * math.sin(a), spot.heading_deg, number))
        taken = [(spot.x, spot.y) for spot in firm]
        looked = [(place.spot.x, place.spot.y) for place in places]
        for i, (x, y, heading, one) in enumerate(beside):
            for u, v, _, other in beside[:i]:
                if other == one or math.hypot(x - u, y - v) * fine > s.flush_mm:
                    continue
                at = (x + u) / 2, (y + v) / 2
                if any(math.dist(at, there) < 0.6 * pitch for there in taken):
                    continue
                taken.append(at)
                if all(math.dist(at, there) * fine > s.looked_at_mm for there in looked):
                    yield Spot(0, *at, heading, s.expected)

    def _toned(self, ground: Ground, places: Sequence[Place]) -> list[Place]:
        """The places of tiles, the surest first; where a tile may be missing beside others its tone was compared."""
        found = [(place, self._square(ground, place.spot)) for place in places]
        odds = tone_odds(ground, [outline for _, outline in found], [place.sure for place in places])
        toned = [
            replace(place, sure=float(1 / (1 + math.exp(-float(log_odds(np.array(place.sure))) - more))))
            if more and self._joins(ground, place, found)
            else place
            for place, more in zip(places, odds, strict=True)
        ]
        return sorted(toned, key=lambda place: -place.sure)

    def _square(self, ground: Ground, spot: Spot) -> Floats:
        h = self.settings.tile_mm / 2
        a = math.radians(spot.heading_deg)
        along, across = np.array([math.cos(a), math.sin(a)]) * h, np.array([-math.sin(a), math.cos(a)]) * h
        middle = ground.to_mm(np.array([spot.x, spot.y]))
        return np.array(
            [middle + along + across, middle - along + across, middle - along - across, middle + along - across]
        )

    def _tile(self, ground: Ground, place: Place, shares: Floats, outline: Floats, faint: bool) -> Found:
        beliefs = [(piece, float(p)) for piece, p in zip(FACES, shares, strict=True)]
        heading = None
        if shares[1:].sum() > 0.5:
            heading = (place.spot.heading_deg - 90.0 * int(place.told["turn"].argmax())) % 360
        found = self._found(ground, place.spot, self.settings.thickness_mm, beliefs, place.sure, heading, outline, None)
        return replace(found, sighting=replace(found.sighting, faint=faint))

    # --- coins, pawns, dice -----------------------------------------------------------------------------------

    def _small(self, ground: Ground, places: Sequence[Place], tiles: Sequence[Found]) -> list[Found]:
        s = self.settings
        found: list[Found] = []
        taken: list[Floats] = []
        for place in places:
            at = ground.to_mm(np.array([place.spot.x, place.spot.y]))
            if place.sure < s.faint or any(float(np.hypot(*(at - other))) < s.apart_mm for other in taken):
                continue
            taken.append(at)
            little = self._little(ground, place.spot, place.told, place.sure, tiles)
            found.append(replace(little, sighting=replace(little.sighting, faint=place.sure < s.piece)))
        return found

    def _little(
        self, ground: Ground, spot: Spot, told: dict[str, Singles], sure: float, tiles: Sequence[Found]
    ) -> Found:
        s, kind = self.settings, KINDS[spot.kind]
        seen = ground.to_mm(np.array([spot.x, spot.y]))
        rise = {"coin": s.coin_thickness_mm, "pawn": 0.0, "die": s.die_mm}[kind]
        foot = self._on_table(ground, seen, s.thickness_mm + rise)
        firm = ((i, tile) for i, tile in enumerate(tiles) if not tile.sighting.faint)
        below = next((i for i, tile in firm if self._carries(ground, tile, foot)), None)
        height = rise + (0.0 if below is None else s.thickness_mm)
        angle = math.degrees(math.atan2(float(told["heading"][1]), float(told["heading"][0]))) % 360
        heading = None if kind == "pawn" else angle
        beliefs: list[tuple[Piece, float]] = []
        if kind == "pawn":
            beliefs = [(Piece("pawn", suit=suit), float(told["suit"][i])) for i, suit in enumerate(SUITS)]
        elif kind == "die":
            beliefs = [(Piece("die", suit=suit, value=value), p) for suit, value, p in _thrown(told, s.blank_die)]
        else:
            by_value, by_suit = (float(p) for p in told["face"])
            beliefs = [
                (Piece("coin", value=v, face="value"), by_value * float(told["value"][i])) for i, v in enumerate(VALUES)
            ]
            beliefs += [
                (Piece("coin", suit=u, face="suit"), by_suit * float(told["suit"][i])) for i, u in enumerate(SUITS)
            ]
        radius = {"coin": s.coin_mm / 2, "pawn": s.pawn_mm / 2, "die": s.die_mm * 0.6}[kind]
        turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        outline = seen + radius * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        return self._found(ground, spot, height, beliefs, sure, heading, outline, below)

    def _on_table(self, ground: Ground, seen: Floats, z: float) -> Floats:
        """Where a point at height z is that is seen there in the table's plane."""
        return np.asarray(ground.camera[:2] + (seen - ground.camera[:2]) * (1 - z / ground.camera[2]))

    def _carries(self, ground: Ground, tile: Found, at: Floats) -> bool:
        corners = self._on_table(ground, tile.outline_mm, self.settings.thickness_mm).astype(np.float32)
        return cv2.pointPolygonTest(corners, (float(at[0]), float(at[1])), False) >= 0

    def _found(
        self,
        ground: Ground,
        spot: Spot,
        height: float,
        beliefs: Sequence[tuple[Piece, float]],
        sure: float,
        heading: float | None,
        outline: Floats,
        below: int | None,
    ) -> Found:
        s = self.settings
        told = sorted(((piece, p * sure) for piece, p in beliefs if p >= s.least_belief), key=lambda b: -b[1])
        why = None
        if told[0][1] < (max(s.sure_die, s.sure_label) if told[0][0].kind == "die" else s.sure_label):
            why = f"between {_words(told[0][0])} and {_words(told[1][0])}" if len(told) > 1 else "not clearly a piece"
        at = self._on_table(ground, ground.to_mm(np.array([spot.x, spot.y])), height)
        pixel = ground.pose.project(np.array([[*at, height]]))[0]
        sighting = Sighting(
            beliefs=tuple(told),
            x_mm=float(at[0]),
            y_mm=float(at[1]),
            heading_deg=heading,
            x_px=float(pixel[0]),
            y_px=float(pixel[1]),
            why=why,
        )
        return Found(sighting, sure, outline, below)

    # --- learning ---------------------------------------------------------------------------------------------

    def learn(self, ground: Ground, sightings: Sequence[Sighting]) -> None:
        """Bend the reading networks' last layers to this set's faces."""
        picture = balanced(ground.colours, ground.gains)
        rng = np.random.default_rng(0)
        for name in ("tile", "small"):
            patches, labels = self._lesson(ground, picture, sightings, name, rng)
            if not patches:
                continue
            embeddings = self.networks.embed(name, np.stack(patches))
            asked = [
                question for question in labels[0] if question != "kind"
            ]  # a lesson shows nothing that is no piece
            wanted = {q: np.array([label[q] for label in labels], np.int64) for q in asked}
            self.networks.taught({name: bent(self.networks.layers[name], embeddings, wanted, name)})
            self._taught_at = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")

    def _lesson(
        self, ground: Ground, picture: Pixels, sightings: Sequence[Sighting], name: str, rng: np.random.Generator
    ) -> tuple[list[Pixels], list[dict[str, int]]]:
        s, fine = self.settings, ground.settings.fine_mm
        tiles = [p for p in sightings if p.piece.kind == "tile" and p.x_mm is not None]
        patches: list[Pixels] = []
        labels: list[dict[str, int]] = []
        for sighting in sightings:
            piece = sighting.piece
            if piece.kind not in KINDS or (piece.kind == "tile") != (name == "tile") or sighting.x_mm is None:
                continue
            place = np.array([sighting.x_mm, sighting.y_mm])
            height = s.thickness_mm if piece.kind == "tile" else self._height(piece, place, tiles)
            x, y = ground.fine_px(ground.seen_at(np.array([*place, height])))
            shown = _answers(piece)
            if not (0 <= x < picture.shape[1] and 0 <= y < picture.shape[0]):
                continue
            self._pictures.setdefault(_words(piece), cut(picture, x, y, 90.0, 0.9 * SMALL_SPAN_MM / fine, s.picture_px))
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
                    patch = cut(picture, x + dx, y + dy, turn, SMALL_SPAN_MM / fine, SMALL_PX)
                    labels.append(shown)
                patches.append(patch)
        return patches, labels

    def _height(self, piece: Piece, place: Floats, tiles: Sequence[Sighting]) -> float:
        """Of a labelled piece's top, a pawn's foot: it stands on a tile when one is near."""
        s = self.settings
        rise = {"coin": s.coin_thickness_mm, "pawn": 0.0, "die": s.die_mm}[piece.kind]
        half = s.tile_mm / 2
        near = (
            np.abs(place - (t.x_mm, t.y_mm)).max() < half for t in tiles if t.x_mm is not None and t.y_mm is not None
        )
        return rise + (s.thickness_mm if any(near) else 0.0)

    # --- taught looks on disk ---------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """Write piecepack.json, piecepack.npz and a picture of each taught class."""
        if self._taught_at is None:
            return
        pictures = {f"piecepack-{name.replace(' ', '-')}.png": p for name, p in self._pictures.items()}
        about = {"format": FORMAT, "taught": self._taught_at, "pictures": sorted(pictures)}
        (folder / f"{FILE}.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        with (folder / f"{FILE}.npz").open("wb") as file:
            np.savez(file, **{name: layer.weight for name, layer in self.networks.layers.items()})  # type: ignore[arg-type]
        for name, picture in pictures.items():
            cv2.imwrite(str(folder / name), picture)

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; nothing there is no error."""
        if not (folder / f"{FILE}.json").exists():
            return
        try:
            about = json.loads((folder / f"{FILE}.json").read_text(encoding="utf-8"))
            if about["format"] != FORMAT:
                raise ValueError(f"its format is {about['format']}, this program writes {FORMAT}")
            with np.load(folder / f"{FILE}.npz") as arrays:
                self.networks.taught({name: Layer(arrays[name]) for name in self.networks.layers})
            self._taught_at = about.get("taught")
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{folder} holds no taught looks of a piecepack ({error}): teach the set anew") from error


FACES = (
    Piece("tile", face="back"),
    *(Piece("tile", suit=suit, value=value, face="front") for suit in SUITS for value in VALUES),
)
ROUNDS = 12


def _faces(told: dict[str, Singles]) -> Floats:
    """Probabilities of a tile's faces, in the order of `FACES`."""
    front = float(told["kind"][2]) / max(1e-9, float(told["kind"][1] + told["kind"][2]))
    return np.array([1 - front, *(front * p for _, _, p in _products(told))])


def one_of_each(shares: Floats) -> Floats:
    """(n, faces) probabilities of tiles of which each front lies there at most once; the back counts freely.

    What several tiles claim goes to the surest: columns are brought to a sum of at most one, rows to one, in turns.
    """
    told = shares + 1e-12
    for _ in range(ROUNDS):
        told[:, 1:] /= np.maximum(1.0, told[:, 1:].sum(axis=0))
        told /= told.sum(axis=1, keepdims=True)
    return told


def _products(told: dict[str, Singles]) -> Iterator[tuple[str, str, float]]:
    """Every suit and value with the probability of both."""
    for i, suit in enumerate(SUITS):
        for j, value in enumerate(VALUES):
            yield suit, value, float(told["suit"][i] * told["value"][j])


def _thrown(told: dict[str, Singles], blank: float) -> Iterator[tuple[str, str, float]]:
    """The same of a die: of a blank face nothing but the body's colour tells the suit."""
    bare = np.maximum(told["suit"], 1e-7) ** (1 / blank)
    bare = bare / bare.sum()
    for i, suit in enumerate(SUITS):
        for j, value in enumerate(VALUES):
            yield suit, value, float((bare if value == "null" else told["suit"])[i] * told["value"][j])


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


def _words(piece: Piece) -> str:
    return " ".join(w for w in (piece.kind, piece.face, piece.suit, piece.value) if w)
