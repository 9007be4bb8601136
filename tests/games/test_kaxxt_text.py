"""Notation and JSON of Kaxxt on Ice, the view of the table, and what cannot be read."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kaxxt_tables import ADVANCED, position

from companion.errors import IllegalMove, OddPosition, UnreadableText
from companion.games import kaxxt
from companion.games.kaxxt.notation import EXAMPLE
from companion.games.kaxxt.position import Move, Position
from companion.games.kaxxt.pyramids import SET, Pyramid, read_codes
from companion.games.kaxxt.seen import stands_seen
from companion.games.kaxxt.stands import Stand, stand
from companion.pieces import Piece
from companion.view import Sighting, TableView

CODES = "r1r2r3b1b2b3g1g2g3y1y2y3k1k2k3"
FULL = f"shields=30,30 kaxxt=30 turn=south target=south phase=act bag={CODES}"
figures = st.integers(-9999, 9999).map(lambda n: n / 10)


@given(st.floats(-1000, 1000))
def test_headings_are_kept_once_round(given_deg: float) -> None:
    kept = stand((SET[0],), 0.0, 0.0, given_deg).heading_deg
    assert kept is not None
    assert 0.0 <= kept < 360.0
    assert abs((kept - given_deg + 180.0) % 360.0 - 180.0) <= 0.051


@st.composite
def stand_lists(draw: st.DrawFn) -> tuple[Stand, ...]:
    pyramids = draw(st.permutations(SET))
    found, at = [], 0
    for height in draw(st.lists(st.integers(1, 3), max_size=5)):
        heading = draw(st.none() | st.integers(0, 3599).map(lambda n: n / 10))
        found.append(stand(tuple(pyramids[at : at + height]), draw(figures), draw(figures), heading))
        at += height
    return tuple(found)


any_move = st.one_of(
    st.just(Move("roll")),
    st.integers(0, 3).map(lambda pips: Move("draw", pips=pips)),
    st.sampled_from(SET).map(lambda pyramid: Move("drawn", pyramid=pyramid)),
    st.integers(0, 9).map(lambda value: Move("die", value=value)),
    st.integers(0, 3).map(lambda seat: Move("face", seat=seat)),
    stand_lists().map(lambda stands: Move("arrange", stands=stands)),
)


@given(any_move)
def test_moves_survive_text_and_json(move: Move) -> None:
    at = kaxxt.start({"seats": 4})
    assert kaxxt.read_move(at, kaxxt.write_move(at, move)) == move
    assert kaxxt.from_json(json.loads(json.dumps(kaxxt.to_json(move)))) == move
    assert kaxxt.describe(at, move).endswith(".")
    assert hash(move) == hash(kaxxt.read_move(at, kaxxt.write_move(at, move)))


def test_the_first_position_is_written_like_the_example() -> None:
    assert kaxxt.write_position(kaxxt.start({})) == FULL == EXAMPLE
    assert kaxxt.read_position(FULL) == kaxxt.start({})
    shuffled = " ".join(reversed(FULL.split()))
    assert kaxxt.read_position(shuffled) == kaxxt.start({})


def test_everything_that_a_position_holds_is_written() -> None:
    at = position(
        3,
        {0: ADVANCED[:3], 2: (("g3y1", "right", 0, 0),)},
        hands=((Pyramid("red", 2),), (), ()),
        shields=(12, 0, 30),
        kaxxt=7,
        turn=0,
        target=2,
        phase="retarget",
        drawn=True,
        redirect="capacity",
    )
    left = tuple(p for p in at.bag if p.code not in ("r2", "k1"))
    at = Position(**{name: getattr(at, name) for name in Position.__slots__} | {"bag": left})
    text = kaxxt.write_position(at)
    assert "area.south=b1@-50.0,-70.0>270.0;b3@0.0,-70.0>180.0;k3@-50.0,-116.0^" in text
    assert "area.north=g3y1@0.0,70.0>180.0" in text
    assert "hand.south=r2 " in text
    assert kaxxt.read_position(text) == at
    assert kaxxt.from_json(json.loads(json.dumps(kaxxt.to_json(at)))) == at


@pytest.mark.parametrize(
    "text",
    [
        "",
        "shields=30",
        "shields=30,30,30,30,30",
        FULL.replace("30,30", "30,x"),
        FULL.replace("30,30", "30,-1"),
        FULL.replace("south", "up"),
        FULL.replace("act", "dance"),
        FULL + " bag=r1",
        FULL + " colour=red",
        FULL + " drawn=maybe",
        FULL + " wanted=4",
        FULL + " redirect=half",
        FULL + " destroyers=east",
        FULL.replace("bag=r1", "bag=q1"),
        FULL + " area.south=r1",
        FULL + " area.west=r1@0,0^",
        FULL + " area.south=r1@0.0,-99999.0^",
        FULL + " area.south=r1@0.0,-9999.0^",
        FULL + " x",
        FULL + " y=" + "1" * 3000,
    ],
)
def test_unreadable_positions(text: str) -> None:
    with pytest.raises(UnreadableText):
        kaxxt.read_position(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (FULL.replace("30,30", "31,30"), "no shield has more than 30"),
        (FULL.replace("kaxxt=30", "kaxxt=31"), "no shield has more than 30"),
        (FULL.replace("kaxxt=30", "kaxxt=0"), "exactly when somebody destroyed him"),
        (FULL + " destroyers=south", "exactly when somebody destroyed him"),
        (FULL.replace("30,30", "0,30,30"), "South is out and cannot be on turn"),
        (FULL.replace("30,30", "0,30,30"), "South is out and cannot be Kaxxt's target"),
        (FULL.replace("target=south", "target=north"), "faces the player on turn"),
        (FULL.replace("act", "draw") + " drawn=yes", "one pyramid is drawn in a turn"),
        (FULL + " wanted=2", "a size is felt for only"),
        (
            FULL.replace("act", "draw").replace("bag=" + CODES, "bag=r1 hand.south=" + CODES[2:]) + " wanted=3",
            "nothing of",
        ),
        (FULL + " hand.south=r1", "r1 is there more than once"),
        (FULL.replace("r1", ""), "r1 is nowhere"),
        (FULL.replace("30,30", "30,0,30").replace("k3", "") + " hand.west=k3", "West is out and has no pyramids"),
        (FULL.replace("r1", "") + " area.south=r1@0.0,-90.0>45.0", "points diagonally"),
        (FULL.replace("r1", "") + " area.south=r1@0.0,90.0^", "the small red pyramid stands before North"),
        (FULL.replace("r1r2", "") + " area.south=r1r2@0.0,-90.0^", "larger than the small red pyramid below"),
    ],
)
def test_odd_positions_say_why(text: str, reason: str) -> None:
    with pytest.raises(OddPosition, match=reason):
        kaxxt.read_position(text)


@pytest.mark.parametrize("text", ["put r3@0.0,120.0>90.0", "put r1r3@0.0,-120.0>90.0", "put r1r3@0.0,120.0^"])
def test_a_hackish_placement_that_was_let_stand_is_kept_and_played_on(text: str) -> None:
    hands = FULL.replace("r1r2r3", "r2") + " hand.south=r1r3 drawn=yes"
    before = kaxxt.read_position(hands)
    move = kaxxt.read_move(before, text)
    with pytest.raises(IllegalMove):
        kaxxt.play(before, move)
    allowed = kaxxt.carry_out(before, move).position
    assert kaxxt.from_json(kaxxt.to_json(allowed)) == allowed
    assert kaxxt.read_position(kaxxt.write_position(allowed)) == allowed
    rolling = kaxxt.play(allowed, kaxxt.read_move(allowed, "roll")).position
    for face, _ in kaxxt.chance(rolling):
        after = kaxxt.play(rolling, face).position
        assert kaxxt.from_json(kaxxt.to_json(after)) == after
    kept = Move("arrange", stands=allowed.areas[0])
    assert kaxxt.play(allowed, kept).position.areas == allowed.areas  # what lies there is not refused again


def test_pyramids_may_be_nowhere_once_somebody_is_out() -> None:
    at = kaxxt.read_position(FULL.replace("30,30", "30,0,30").replace("k3", ""))
    assert len(at.bag) == 14


def _changed(**changes: Any) -> dict[str, Any]:
    return {**kaxxt.to_json(kaxxt.start({})), **changes}


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"move": "leap"},
        {"move": "drawn"},
        {"move": "drawn", "pyramid": "x1"},
        {"move": "drawn", "pyramid": "r1r2"},
        {"move": "roll", "pyramid": "r1"},
        {"move": "face"},
        {"move": "face", "seat": 4},
        {"move": "draw", "pips": 4},
        {"move": "draw", "pips": "1"},
        {"move": "die", "value": 1e9},
        {"move": "arrange", "stands": [{}]},
        {"move": "arrange", "stands": 5},
        {"move": "arrange", "stands": [{"pyramids": ["r1"], "x_mm": "0", "y_mm": 0, "heading_deg": None}]},
        {"move": "arrange", "stands": [{"pyramids": ["r1"], "x_mm": float("nan"), "y_mm": 0, "heading_deg": None}]},
        {"move": "arrange", "stands": [{"pyramids": [7], "x_mm": 0, "y_mm": 0, "heading_deg": None}]},
        _changed(position="ataxx"),
        _changed(shields=[30]),
        _changed(shields=[30, 31]),
        _changed(shields=[30, True]),
        _changed(shields=[30, 30, 30]),
        _changed(areas=[[]]),
        _changed(hands=[[], ["r1"]]),
        _changed(phase="dance"),
        _changed(redirect="half"),
        _changed(drawn=1),
        _changed(wanted=4),
        _changed(turn=2),
        _changed(target=1),
        _changed(kaxxt=-1),
        _changed(bag=["r1"]),
        _changed(bag="r1"),
        _changed(destroyers=[0]),
    ],
)
def test_json_that_is_none_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(UnreadableText):
        kaxxt.from_json(data)


def test_short_forms_are_read_and_written_in_full() -> None:
    at = position(2, {}, bag=read_codes(CODES[6:]), hands=(read_codes("r1r2r3"), ()))
    assert kaxxt.write_move(at, kaxxt.read_move(at, "PUT r3  left")) == "put r3@0.0,-70.0>180.0"
    at = kaxxt.play(at, kaxxt.read_move(at, "put r3 left")).position
    text = kaxxt.write_move(at, kaxxt.read_move(at, "put r1 up"))
    assert text == "put r3@0.0,-70.0>180.0 r1@0.0,-116.0^"
    assert kaxxt.write_move(at, kaxxt.read_move(at, "put r2 self row 2 col -1")).endswith(" r2@-50.0,-162.0>270.0")
    assert kaxxt.write_move(at, kaxxt.read_move(at, "put r3r2 kaxxt row 0")) == "put r3r2@0.0,-70.0>90.0"
    at = kaxxt.play(at, kaxxt.read_move(at, "put r3r2 kaxxt row 0")).position
    assert kaxxt.write_move(at, kaxxt.read_move(at, "put r2 up")) == "put r3@0.0,-70.0>90.0 r2@0.0,-116.0^"
    for text in (
        "put r2 north",
        "put r2 up row x",
        "put r2 up col 9",
        "put q2 up",
        "draw huge",
        "face 3",
        "=77",
        "=r",
        "=",
    ):
        with pytest.raises(UnreadableText):
            kaxxt.read_move(at, text)
    assert kaxxt.read_move(at, "draw") == Move("draw")
    assert kaxxt.read_move(at, "put -") == Move("arrange")


# --- the table ------------------------------------------------------------------------------------------------


def seen(code: str, x: float, y: float, heading: float | None = None, on: int | None = None) -> Sighting:
    pyramid = read_codes(code)[0]
    pose = "upright" if heading is None else "lying"
    piece = Piece("pyramid", colour=pyramid.colour, size=pyramid.size, pose=pose)
    return Sighting(((piece, 0.99),), x, y, heading, nested_on=on)


def test_the_layout_shows_stacks_and_the_card() -> None:
    at = position(2, {0: (("r3b1", "left", 0, 0), ("g1", "up", 1, 0))})
    card, bottom, top, single = kaxxt.layout(at).pieces
    assert card.piece == Piece("robot_card")
    assert (bottom.nested_on, top.nested_on, single.nested_on) == (None, 1, None)
    assert (bottom.piece.pose, bottom.heading_deg, bottom.x_mm, bottom.y_mm) == ("lying", 180.0, 0.0, -70.0)
    assert (top.piece.colour, top.piece.size) == ("blue", "small")
    assert (single.piece.pose, single.heading_deg) == ("upright", None)
    assert kaxxt.layout(at).board is None


def test_an_arrangement_that_is_seen_becomes_a_candidate() -> None:
    areas = {0: (("r3", "left", 0, 0),), 1: (("g3", "kaxxt", 0, 0),)}
    at = position(2, areas, hands=((Pyramid("blue", 1),), ()))
    at = Position(
        **{n: getattr(at, n) for n in Position.__slots__} | {"bag": tuple(p for p in at.bag if p.code != "b1")}
    )
    view = TableView(
        0.0,
        (
            seen("r3", 4.0, -88.04, 181.0),
            seen("b1", 4.2, -88.0, 181.0, on=0),
            seen("g3", 0.0, 90.0, 10.0),  # before north: not mine
            Sighting(((Piece("die"), 1.0),), 5.0, -60.0),
            Sighting(((Piece("pyramid", colour="purple", size="small", pose="upright"), 1.0),), 5.0, -120.0),
        ),
    )
    assert stands_seen(at, view) == (stand(read_codes("r3b1"), 4.0, -88.0, 181.0),)
    first, meddling = kaxxt.candidates(at, view)
    assert kaxxt.write_move(at, first) == "put r3b1@4.0,-88.0>181.0"
    with pytest.raises(IllegalMove, match="North's, and it is South's turn"):
        kaxxt.play(at, meddling)
    assert first in kaxxt.plausible(at, view)
    during = kaxxt.during(at, first).pieces
    assert [(p.piece.colour, p.heading_deg) for p in during[1:3]] == [("red", 181.0), ("blue", 181.0)]
    assert kaxxt.during(at, Move("roll")) == kaxxt.layout(at)


def test_an_unlawful_arrangement_is_offered_so_that_it_is_explained() -> None:
    at = kaxxt.start({})
    view = TableView(0.0, (seen("r3", 0.0, -88.0, 45.0),))
    assert not list(kaxxt.candidates(at, view))
    assert not list(kaxxt.plausible(at, view))
    ((draw, drawn, only),) = kaxxt.sequences(at, view)
    at = kaxxt.play(kaxxt.play(at, draw).position, drawn).position
    with pytest.raises(IllegalMove):
        kaxxt.play(at, only)
    rolling = kaxxt.play(at, Move("roll")).position
    (late,) = kaxxt.candidates(rolling, view)  # pyramids are placed before the die is thrown
    with pytest.raises(IllegalMove, match="cannot be done now"):
        kaxxt.play(rolling, late)
    hand = TableView(0.0, (seen("r3", 0.0, -88.0, 45.0),), obstacles=("hand",))
    assert not list(kaxxt.candidates(at, hand))


def test_a_pyramid_that_is_hardly_likely_to_be_another_is_thought_of_as_that_too() -> None:
    red, blue, green = (Piece("pyramid", colour=c, size="large", pose="upright") for c in ("red", "blue", "green"))
    new = Sighting(((red, 0.98), (blue, 0.015), (green, 0.005)), 0.0, -70.0)
    at = kaxxt.start({})
    drawn = {kaxxt.write_move(at, moves[1]) for moves in kaxxt.sequences(at, TableView(0.0, (new,)))}
    assert drawn == {"=r3", "=b3"}


def test_positions_are_drawn() -> None:
    text = kaxxt.draw(position(2, {0: ADVANCED}, hands=((), (Pyramid("red", 1),)), shields=(30, 0)))
    lines = text.splitlines()
    assert lines[0] == "Kaxxt 30, facing south"
    assert lines[1] == "* south 30"
    assert lines[2:5] == ["    b1v      b3<", "    k3o      g3<", "    y1^      r3<"]
    assert lines[5] == "  north out, in hand r1"
    assert lines[6].startswith("bag (9): r1 r2 b2")
    assert "bag (0): empty" in kaxxt.draw(position(2, {}, bag=()))


def test_a_finished_game_survives_text_and_json() -> None:
    at = position(3, {}, kaxxt=0, destroyers=(0, 2))
    assert "destroyers=south,north" in kaxxt.write_position(at)
    assert kaxxt.read_position(kaxxt.write_position(at)) == at
    assert kaxxt.from_json(json.loads(json.dumps(kaxxt.to_json(at)))) == at


def test_words_that_are_left_out_have_their_usual_values() -> None:
    assert kaxxt.read_position(f"shields=30,30 bag={CODES}") == kaxxt.start({})


def test_the_table_ends_at_two_metres() -> None:
    at = kaxxt.start({})
    assert kaxxt.read_move(at, "put r1@-2000.0,2000.0^").stands == (stand(read_codes("r1"), -2000.0, 2000.0),)
    for text in ("put r1@2000.1,0.0^", "put r1@0.0,-2000.1^"):
        with pytest.raises(UnreadableText, match="off the table"):
            kaxxt.read_move(at, text)


def test_very_long_texts_are_no_positions() -> None:
    spaces = " " * (2000 - len(FULL))
    assert kaxxt.read_position(FULL + spaces) == kaxxt.start({})
    with pytest.raises(UnreadableText):
        kaxxt.read_position(FULL + spaces + " ")
