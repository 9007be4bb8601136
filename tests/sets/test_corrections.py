"""Pictures that a host corrected: kept only when every cell is known, readable by `companion teach`, within a cap."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
from drawn_tables import LENS, camera

from companion.commands.teach_command import _in_folders
from companion.games import chaos, kaxxt, khet
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import Corrected
from companion.referee.settings import Settings
from companion.sets.corrections import WAIT_S, Corrections
from companion.view import BoardPose, Sighting, TableView
from companion.vision.files import read_truth
from hardware.frames import Frame
from hardware.pictures import frame_of

LAYOUT = khet.layout(khet.start({}))
WRONG = Piece("scarab", "red", facing="/")  # what the eye takes the anubis on d1 for
RIGHT = cells_of(LAYOUT)["d1"]
SURE = 0.995


def word(cell: str, piece: Piece, **place: float) -> Corrected:
    """What the host says."""
    return Corrected(cell, piece.kind, piece.colour, piece.facing, piece.size, piece.pose, **place)


class Bench:
    """Corrections over views made by hand, with a clock that only the test moves."""

    def __init__(self, folder: Path, most_mb: int = 5, guessed: bool = False) -> None:
        self.now, self.folder = 0.0, folder
        self.kept = Corrections(folder, "600,380,40", most_mb, Settings(), lambda: self.now)
        self.look = SimpleNamespace(place=SimpleNamespace(pose=camera(), lens_guessed=guessed))

    def see(self, *, picture: Frame | None = None, **changes: Piece) -> Path | None:
        """The table with the misread piece, but for these cells."""
        return self.kept.see("khet", picture or noise(), seen({"d1": WRONG, **changes}), self.look, LAYOUT)


def corrected(folder: Path, **how: Any) -> Bench:
    """A bench whose host has put the misread piece right."""
    bench = Bench(folder, **how)
    bench.kept.told(word("d1", RIGHT))
    return bench


def seen(changes: dict[str, Piece]) -> TableView:
    cells = {**cells_of(LAYOUT), **changes}
    sightings = tuple(Sighting(((cells.get(c, EMPTY), SURE),), cell=c) for c in LAYOUT.board.cells())
    return TableView(0.0, sightings, shape=LAYOUT.board, board=BoardPose(4.0, -6.0, 1.5))


def noise(seed: int = 0, side: int = 200) -> Frame:
    return frame_of(np.random.default_rng(seed).integers(0, 255, (side, side, 3), np.uint8), 0.0, seed)


def test_a_correction_is_kept_with_every_cell_and_can_be_taught(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert bench.see() is None  # nobody corrected anything
    bench.kept.told(word("d1", RIGHT))
    picture = bench.see()
    assert picture == tmp_path / "khet/000001.jpg"
    assert cv2.imread(str(picture)).shape == (200, 200, 3)
    truth = read_truth(picture.with_suffix(".json"))
    assert truth.cells == cells_of(LAYOUT)
    assert truth.lens == LENS
    assert truth.board == BoardPose(4.0, -6.0, 1.5)
    assert (truth.markers.width_mm, truth.shape) == (600.0, LAYOUT.board)
    assert picture.stat().st_mode & 0o777 == 0o600
    assert bench.see() is None  # once for each correction
    assert _in_folders((tmp_path / "khet",)) == (picture, picture.with_suffix(".json"))


def test_a_correction_of_a_free_piece_is_kept_with_every_piece_where_it_lies(tmp_path: Path) -> None:
    bench, table = Bench(tmp_path), "2/10 1 roll - 555/555/345/555/555/555/555/555/555/555 -/- {} 0 -"
    position = chaos.read_position(table.format("r3^-80.0,40.0,0.0;r2^40.0,30.0,0.0;r3>140.0,25.0,90.0"))
    standing = chaos.layout(position)
    red = [replace(lying.piece, colour="red") for lying in standing.pieces]
    ways = (None, None, 90.0)  # no way is seen that an upright one faces
    seen = [
        Sighting(((piece, SURE),), p.x_mm, p.y_mm, way)
        for piece, p, way in zip(red, standing.pieces, ways, strict=True)
    ]
    seen[1] = replace(seen[1], beliefs=((replace(red[1], colour="orange"), SURE),), x_mm=41.5)
    view = TableView(0.0, tuple(seen))
    bench.kept.told(word("", red[1], x_mm=40.0, y_mm=30.0))
    picture = bench.kept.see("chaos", noise(), view, bench.look, standing)
    truth = read_truth(picture.with_suffix(".json"))
    assert {(s.piece, s.x_mm, s.heading_deg) for s in truth.free} == {
        (red[0], -80.0, None),
        (red[1], 41.5, None),
        (red[2], 140.0, 90.0),
    }


def test_of_a_stack_it_is_kept_which_lies_on_which(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    position = kaxxt.read_position(
        "shields=18,21 kaxxt=30 turn=north target=north phase=act "
        "bag=r2r3b1b2b3g1y1y2y3k1k2k3 area.south=r1@0.1,-117.0>180.1 area.north=g3g2@0.8,70.1>90.0"
    )
    standing = kaxxt.layout(position)
    seen = tuple(
        Sighting(((p.piece, SURE),), p.x_mm, p.y_mm, p.heading_deg, nested_on=p.nested_on) for p in standing.pieces
    )
    pyramids = [number for number, lying in enumerate(standing.pieces) if lying.piece.kind == "pyramid"]
    first = standing.pieces[pyramids[0]]
    assert first.x_mm is not None
    assert first.y_mm is not None
    bench.kept.told(word("", first.piece, x_mm=first.x_mm, y_mm=first.y_mm))
    view = TableView(0.0, tuple(seen))
    picture = bench.kept.see("kaxxt", noise(), view, bench.look, standing)
    free = read_truth(picture.with_suffix(".json")).free
    carriers = {s.piece.size: free[s.nested_on].piece for s in free if s.nested_on is not None}
    assert carriers == {"medium": Piece("pyramid", "green", size="large", pose="lying")}


def test_what_a_person_put_beside_kept_pictures_is_left_alone(tmp_path: Path) -> None:
    bench = Bench(tmp_path, most_mb=1)
    (tmp_path / "khet").mkdir()
    own = [tmp_path / "khet" / name for name in ("000001 (1).jpg", "2026-11-25.jpg", "7.jpg", "holiday.jpg")]
    for path in own:
        path.write_bytes(b"mine")
    for number in range(12):
        bench.kept.told(word("d1", RIGHT))
        picture = bench.see(picture=noise(number, 400))
        assert picture == tmp_path / f"khet/{number + 1:06}.jpg"
    assert all(path.read_bytes() == b"mine" for path in own)


def test_a_guessed_lens_is_not_written_down(tmp_path: Path) -> None:
    picture = corrected(tmp_path, guessed=True).see()
    assert read_truth(picture.with_suffix(".json")).lens is None


def test_a_slip_of_the_finger_teaches_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.kept.told(word("d1", WRONG))
    assert bench.see(d1=RIGHT) is None
    bench.now += WAIT_S + 1.0
    assert bench.see(d1=RIGHT) is None
    assert bench.see() is None  # given up
    assert list(tmp_path.iterdir()) == []


def test_a_table_in_between_is_waited_out(tmp_path: Path) -> None:
    bench = corrected(tmp_path)
    assert bench.see(h2=EMPTY) is None
    bench.now += 5.0
    assert bench.see() is not None


def test_a_piece_that_has_gone_since_it_was_named_is_not_labelled(tmp_path: Path) -> None:
    bench = corrected(tmp_path)
    assert bench.see(h2=EMPTY) is None
    assert bench.see(d1=EMPTY) is None
    assert bench.see() is not None  # and is back


def test_a_free_piece_that_has_gone_since_it_was_named_is_not_labelled(tmp_path: Path) -> None:
    bench, table = Bench(tmp_path), "2/10 1 roll - 555/555/345/555/555/555/555/555/555/555 -/- {} 0 -"
    standing = chaos.layout(chaos.read_position(table.format("r3^-80.0,40.0,0.0;r2^40.0,30.0,0.0;r3^140.0,25.0,0.0")))
    there = [Sighting(((replace(p.piece, colour="red"), SURE),), p.x_mm, p.y_mm) for p in standing.pieces]
    misread = replace(there[1], beliefs=((replace(there[1].piece, colour="orange"), SURE),))
    bench.kept.told(word("", there[1].piece, x_mm=40.0, y_mm=30.0))
    for sightings in ((there[0], misread), (there[0], there[2])):
        view = TableView(0.0, tuple(sightings))
        assert bench.kept.see("chaos", noise(), view, bench.look, standing) is None


def test_a_word_of_long_ago_labels_nothing(tmp_path: Path) -> None:
    bench = corrected(tmp_path)
    bench.now += WAIT_S + 1.0
    assert bench.see() is None


def test_nothing_is_kept_when_it_is_switched_off(tmp_path: Path) -> None:
    assert corrected(tmp_path, most_mb=0).see() is None
    assert list(tmp_path.iterdir()) == []


def test_the_oldest_pictures_make_room_below_the_cap(tmp_path: Path) -> None:
    bench = Bench(tmp_path, most_mb=1)
    for number in range(12):
        bench.kept.told(word("d1", RIGHT))
        assert bench.see(picture=noise(number, 400)) is not None
    files = sorted(path.name for path in (tmp_path / "khet").iterdir())
    assert sum(path.stat().st_size for path in (tmp_path / "khet").iterdir()) <= 2**20
    assert files[-1] == "000012.json"
    assert "000001.jpg" not in files
    assert {name.split(".")[0] for name in files if name.endswith("jpg")} == {n.split(".")[0] for n in files}


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    assert corrected(blocked).see() is None
