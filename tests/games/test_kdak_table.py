"""K'Dak's Tower as it lies on the table: the set-up, the track, what shows in between, what nobody knows."""

import pytest
from kdak_positions import FULL, NEW, SWITCH, at, duel, played, solo

from companion.errors import IllegalMove
from companion.games import kdak
from companion.games.kdak.position import Move
from companion.games.kdak.table import place_mm
from companion.games.kdak.tower import Place
from companion.games.kdak.track import SQUARES, square_at, square_mm


def test_secrets_stay_face_down() -> None:
    position = duel(f"(A4).S5.?.?.?.?/{NEW}/{NEW}/{NEW}", "1a,-")
    public = kdak.seen_by(position, None)
    assert "A4" not in kdak.write_position(public)
    assert "S5" in kdak.write_position(public)
    assert not any(
        "arms" in (lying.piece.suit or "") and lying.piece.kind == "tile" for lying in kdak.layout(position).pieces
    )


def test_the_track_holds_every_score_once() -> None:
    centres = [square_mm(number) for number in range(SQUARES)]
    assert len(set(centres)) == 61
    assert [square_at(*centre) for centre in centres] == list(range(61))
    assert square_at(1000.0, 0.0) is None
    coins = [
        lying
        for lying in kdak.layout(duel(FULL, "0b,1b", rest="14,60 0,0 - -")).pieces
        if "coin belongs" in lying.words
    ]
    assert [lying.words for lying in coins] == ["Baba's coin belongs on 14", "Kaka's coin belongs on 60"]
    with pytest.raises(ValueError, match="0 to 60"):
        square_mm(61)


def test_everything_lies_where_the_set_up_says() -> None:
    pitch = 2 * 50.8 + 4.0
    assert place_mm(Place(0, 0)) == pytest.approx((-2.5 * pitch - 25.4, -25.4))
    assert place_mm(Place(5, 3)) == pytest.approx((2.5 * pitch + 25.4, 25.4))
    assert square_mm(0) == (-126.0, 42.0)
    assert square_mm(13) == (126.0, 21.0)
    assert square_mm(60) == (42.0, -42.0)
    solitaire = kdak.layout(kdak.start({"variant": "solitaire"})).pieces
    coins = {lying.words: (lying.x_mm, lying.y_mm) for lying in solitaire if lying.piece.kind == "coin"}
    assert coins["the coin of level 0"] == pytest.approx((-2.5 * pitch, 50.8 + 19.1))
    assert coins["the talisman (a coin, suit up)"] == pytest.approx((2.5 * pitch + 1.5 * 50.8, 0.0))
    assert coins["Kaka's coin belongs on 0"] == pytest.approx((-126.0, -140.0 + 42.0))
    found = kdak.layout(solo(f"{FULL} 4a 0 move open 0 1 - -")).pieces
    assert not [lying for lying in found if "talisman" in lying.words]


@pytest.mark.parametrize("level", [None, -1, 6])
def test_a_die_shows_a_level(level: int | None) -> None:
    position = played(duel(SWITCH, "4a,4b"), "5a", "=M5").position
    with pytest.raises(IllegalMove, match="die shows"):
        kdak.play(position, Move("roll", level=level))


def test_during_shows_the_turned_face() -> None:
    entered = played(kdak.start({}), "0b").position
    faces = [p.piece for p in kdak.during(entered, Move("tile", tile="S4")).pieces if p.piece.face == "front"]
    assert [(face.suit, face.value) for face in faces] == [("suns", "4")]
    assert not [p for p in kdak.during(entered, Move("roll", level=1)).pieces if p.piece.face == "front"]


def test_during_shows_the_gap_and_the_pawn() -> None:
    position = duel(FULL, "3a,0b", "take:3", "open")
    tiles = [p for p in kdak.during(position, Move("take", Place(3, 0))).pieces if p.piece.kind == "tile"]
    assert len(tiles) == 23
    walking = kdak.during(duel(FULL, "3a,0b", "move", "open"), Move("go", Place(3, 1)))
    pawn = next(p for p in walking.pieces if p.piece.kind == "pawn")
    assert (pawn.x_mm, pawn.y_mm) == place_mm(Place(3, 1))


@pytest.mark.parametrize(
    ("pawns", "hole", "told"),
    [
        ("0a,0b", "3c", ""),
        ("0c,3c", "3c", ""),  # the one stays, the other falls
        ("4c,0b", "3c", ", with the pawn on them"),
        ("4c,5c", "3c", ", with the pawns on them"),
        ("5c,5c", "4c", ", with the pawns on it"),
    ],
)
def test_hands_are_told_of_pawns_only_where_some_stand_on_the_tiles_that_are_moved(
    pawns: str, hole: str, told: str
) -> None:
    position = at(f"duel {FULL} {pawns} 0 take:{hole[0]} open 0,0 0,0 - -")
    move = kdak.read_move(position, f"x{hole}")
    down, up = kdak.work(position, move), kdak.work_back(position, move)[0]
    assert (down.partition("one level down")[2], up.partition("one level up")[2].partition(", and put")[0]) == (
        told,
        told,
    )
