"""What a person asks of the virtual table of any game: turn over, stand up, stack, take off, bring in."""

import contextlib
import math

import numpy as np
import pytest
from flask import Flask

from companion.errors import CommandRefused
from companion.games import game
from companion.pieces import Piece
from companion.referee.thrown import ThrownSettings
from companion.simulator.box import die_faces
from companion.simulator.carry import Tempo
from companion.simulator.demo_page import demo_pages, shelf
from companion.simulator.designs import design_for
from companion.simulator.errands import Errands
from companion.simulator.playbook import load
from companion.simulator.setting import Setting
from companion.simulator.table_page import near_view, page_state, table_pages
from companion.simulator.world import VirtualTable

QUICK = Tempo(1, 1, 1, 1)
KAXXT = (
    "shields=30,30 kaxxt=30 turn=south target=south phase=act bag=r1r2r3b1b2b3g1y1y2y3k1k2k3 "
    "area.south=g3@-60.0,-100.0^;g2@60.0,-100.0^"
)


def table_with(name, text=None, tempo=QUICK):
    rules = game(name)
    position = rules.read_position(text) if text else rules.start({})
    layout = rules.layout(position)
    table = VirtualTable(design_for(name, layout, width=400, height=300, fps=500.0))
    table.show(Setting(table.furniture).state(layout))
    return table, Person(table, tempo=tempo)


class Person(Errands):
    """Somebody at the virtual table; `done.turn_over(name)` is an errand that is waited for."""

    @property
    def done(self):
        return Waited(self)


class Waited:
    def __init__(self, errands):
        self.errands = errands

    def __getattr__(self, name):
        def errand(*what, **how):
            getattr(self.errands, name)(*what, **how)
            self.errands.wait()

        return errand


def pixels(table, piece):
    return (float(v) for v in table.furniture.scene.camera.project([[piece.x_mm, piece.y_mm, 0.0]])[0])


def until_refused(errands, asked):
    """How many errands were done, and what refused the next one."""
    for done, ask in enumerate(asked):
        try:
            ask()
        except CommandRefused as refused:
            return done, refused
        errands.wait()
    pytest.fail("nothing was refused")


def test_a_disc_is_turned_over_where_it_lies_and_leaves_the_table():
    table, errands = table_with("ataxx")
    corner = table.state.on_cell("a1")
    errands.done.turn_over(corner.name)
    turned = table.state.on_cell("a1")
    assert (turned.name, {turned.piece.colour, corner.piece.colour}) == (corner.name, {"black", "white"})
    errands.done.take_off(corner.name)
    assert table.state.on_cell("a1") is None
    assert corner.name not in {s.name for s in table.state.standing}


def test_discs_come_from_the_box_to_a_cell():
    table, errands = table_with("ataxx")
    white = next(piece for piece in errands.reserve() if piece.colour == "white")
    errands.done.bring(white, "d4")
    assert table.state.on_cell("d4").piece.colour == "white"
    with pytest.raises(CommandRefused, match="there is a piece on"):
        errands.bring(white, "d4")
    with pytest.raises(CommandRefused, match="no such piece"):
        errands.bring(Piece("die"))


def test_a_tile_shows_the_same_face_whenever_it_is_turned_up():
    table, errands = table_with("kdak")
    tiles = [s for s in table.state.standing if s.piece.kind == "tile"][:3]
    for tile in tiles:
        errands.done.turn_over(tile.name)
    shown = [table.state.piece(tile.name).piece for tile in tiles]
    assert {piece.face for piece in shown} == {"front"}
    assert len(set(shown)) == 3
    for _ in range(2):
        errands.done.turn_over(tiles[0].name)
    assert table.state.piece(tiles[0].name).piece == shown[0]


def test_pyramids_are_laid_down_stacked_and_carried_with_what_is_on_them():
    table, errands = table_with("kaxxt", KAXXT)
    large, medium = (next(s for s in table.state.standing if s.piece.size == size) for size in ("large", "medium"))
    errands.done.turn_over(medium.name)
    assert table.state.piece(medium.name).piece.pose == "lying"
    errands.done.move(medium.name, *pixels(table, large))
    top = table.state.piece(medium.name)
    assert (top.nested_on, top.piece.pose) == (large.name, "upright")
    assert top.z_mm > 5
    x, y = pixels(table, large)
    errands.done.move(large.name, x + 30, y)
    below, top = table.state.piece(large.name), table.state.piece(medium.name)
    assert below.x_mm > large.x_mm + 20
    assert np.hypot(top.x_mm - below.x_mm, top.y_mm - below.y_mm) < 1
    with pytest.raises(CommandRefused, match="take the pyramid off"):
        errands.turn_over(medium.name)
    box = errands.reserve()
    assert sum(piece.colour == "green" for piece in box) == 1
    errands.done.take_off(large.name)
    assert {s.piece.kind for s in table.state.standing} == {"robot_card"}
    assert sum(piece.colour == "green" for piece in errands.reserve()) == 3


def test_a_piece_is_brought_in_to_the_place_and_in_the_way_it_is_meant_to_lie():
    table, errands = table_with("kaxxt", KAXXT)
    states, change = [], table.change
    table.change = lambda how: (state := change(how), states.append(state))[0]
    errands.done.bring(Piece("pyramid", "red", "large", "upright"), at_mm=(60.0, 90.0), heading_deg=120.0, over=True)
    put = table.state.standing[-1]
    assert (put.x_mm, put.y_mm, put.heading_deg) == pytest.approx((60.0, 90.0, 120.0))
    assert {s.piece.pose for state in states for s in state.standing if s.name == put.name} == {"lying"}
    errands.done.move_to_place(put.name, 80.0, 90.0, -30.0)
    assert table.state.piece(put.name).heading_deg == pytest.approx(-30.0)
    with pytest.raises(CommandRefused, match="in the way"):
        errands.bring(Piece("pyramid", "red", "small", "upright"), at_mm=(80.0, 106.0))
    with pytest.raises(CommandRefused, match="outside the picture"):
        errands.bring(Piece("pyramid", "red", "small", "upright"), at_mm=(8000.0, 90.0))


def test_a_card_is_turned_by_less_than_a_quarter_and_has_no_other_side():
    table, errands = table_with("kaxxt", KAXXT)
    card = next(s for s in table.state.standing if s.piece.kind == "robot_card")
    errands.done.turn(card.name, 0.5)
    assert table.state.piece(card.name).heading_deg == pytest.approx(card.heading_deg - 45)
    with pytest.raises(CommandRefused, match="a robot card has no other side"):
        errands.turn_over(card.name)
    with pytest.raises(CommandRefused, match="no cell"):
        errands.move_to_cell(card.name, "a1")


def test_the_page_of_a_free_table_names_pieces_by_place_and_offers_the_box():
    table, errands = table_with("kaxxt", KAXXT)
    app = Flask("test")
    app.register_blueprint(table_pages(table, lambda: None, errands))
    client = app.test_client()
    state = client.get("/table/state").json
    assert {p["words"] for p in state["pieces"]} >= {"large upright green pyramid at -60, -100"}
    assert len(state["reserve"]) == 14  # and a die
    client.post("/table/bring", json={"piece": state["reserve"][0]["words"]})
    errands.wait()
    assert len(table.state.standing) == len(state["pieces"]) + 1
    client.post("/table/turn-over", json={"name": table.state.standing[-1].name})
    errands.wait()
    assert table.state.standing[-1].piece.pose == "lying"
    x, y, width, height = near_view(table)
    for piece in page_state(table)["pieces"]:
        assert x < piece["x_px"] < x + width
        assert y < piece["y_px"] < y + height


def test_the_demonstrations_of_all_games_are_offered_and_the_chosen_one_is_played():
    chosen = []
    app = Flask("test")
    app.register_blueprint(demo_pages(load("ataxx"), chosen.append))

    @app.errorhandler(CommandRefused)
    def refused(error):
        return {"error": error.name}, error.status

    client = app.test_client()
    assert client.get("/demo/state").json == {"playing": "ataxx_classic"}
    offered = [script["name"] for entry in shelf() for script in entry["scripts"]]
    assert {name.partition("_")[0] for name in offered} == {"khet", "ataxx", "hexxagon", "kaxxt", "chaos", "kdak"}
    assert client.post("/demo/play", json={"script": "chaos_classic"}).status_code == 202
    assert [book.name for book in chosen] == ["chaos_classic"]
    assert client.post("/demo/play", json={"script": "chaos_nothing"}).status_code == 404
    assert client.post("/demo/play", json={"script": 7}).status_code == 400
    assert client.post("/demo/play", json={"script": "nothing"}).status_code == 404


def test_what_is_asked_while_the_hand_is_on_its_way_is_weighed_against_what_it_will_have_done():
    table, errands = table_with("ataxx")
    black, white = table.state.on_cell("a1"), table.state.on_cell("a8")
    errands.move_to_cell(black.name, "d4")
    with pytest.raises(CommandRefused, match="there is a piece on d4"):
        errands.move_to_cell(white.name, "d4")
    errands.done.move_to_cell(white.name, "a1")
    assert [table.state.on_cell(cell).name for cell in ("d4", "a1")] == [black.name, white.name]


def faces_thrown(errands, table, name, times=12):
    """What a die shows after each throw, and where it then lies."""
    found = []
    for _ in range(times):
        errands.done.throw(name)
        die = table.state.piece(name)
        found.append((die.piece.value, (die.x_mm, die.y_mm)))
    return found


@pytest.mark.parametrize(("name", "suit"), [("kdak", "suns"), ("kaxxt", None)])
def test_a_die_from_the_box_is_thrown_and_lies_where_it_fell(name, suit):
    table, errands = table_with(name)
    errands.done.bring(Piece("die", suit=suit))
    die = table.state.standing[-1]
    faces = die_faces(die.piece)
    assert die.piece.value in faces
    assert Piece("die", suit=suit) not in errands.reserve()
    before, others = (die.x_mm, die.y_mm), table.state.without(die.name).standing
    thrown = faces_thrown(errands, table, die.name)
    assert {value for value, _ in thrown} <= set(faces)
    assert len({value for value, _ in thrown}) > 2
    for _, at in thrown:
        assert math.dist(before, at) > ThrownSettings().nudged_mm  # else the same face again would be no throw
        assert all(math.dist(at, (o.x_mm, o.y_mm)) > 50 for o in others)
        before = at
    errands.done.take_off(die.name)
    assert Piece("die", suit=suit) in errands.reserve()


def test_a_die_is_turned_to_a_face_where_it_lies():
    table, errands = table_with("kdak")
    errands.done.bring(Piece("die", suit="moons"))
    die = table.state.standing[-1]
    for value in die_faces(die.piece):
        errands.done.show_face(die.name, value)
        now = table.state.piece(die.name)
        assert (now.piece, now.x_mm, now.y_mm) == (Piece("die", suit="moons", value=value), die.x_mm, die.y_mm)
    with pytest.raises(CommandRefused, match="this die shows null, ace, 2, 3, 4, 5"):
        errands.show_face(die.name, "6")
    for ask in (lambda name: errands.throw(name), lambda name: errands.show_face(name, "2")):
        with pytest.raises(CommandRefused, match="a pawn is no die"):
            ask(next(s.name for s in table.state.standing if s.piece.kind == "pawn"))


def test_the_pawns_and_coins_of_every_suit_are_at_hand():
    _, errands = table_with("kdak")
    assert {(p.kind, p.suit) for p in errands.reserve() if p.kind != "die"} == {
        (kind, suit) for kind in ("pawn", "coin") for suit in ("suns", "crowns")
    }


def test_a_piece_from_the_box_is_another_than_those_of_the_set_up():
    table, errands = table_with("ataxx")
    before = {s.name: s.cell for s in table.state.standing}
    for colour in ("black", "white") * 3:
        errands.done.bring(Piece("disc", colour))
    assert {s.name: s.cell for s in table.state.standing}.items() >= before.items()
    assert len(table.state.standing) == len(before) + 6


def test_a_tile_that_was_taken_off_by_mistake_comes_back_as_what_it_was():
    table, errands = table_with("kdak")
    others = set(errands.reserve())
    tiles = [s for s in table.state.standing if s.piece.kind == "tile"][:2]
    errands.done.turn_over(tiles[0].name)
    face = table.state.piece(tiles[0].name).piece
    for tile in tiles:
        errands.done.take_off(tile.name)
    assert set(errands.reserve()) - others == {face, Piece("tile", face="back")}
    errands.done.bring(face)
    assert set(errands.reserve()) - others == {Piece("tile", face="back")}
    errands.turn_over(tiles[0].name)
    errands.done.turn_over(tiles[0].name)
    assert table.state.piece(tiles[0].name).piece == face


def test_whatever_is_brought_in_lies_in_the_picture_until_there_is_no_room():
    table, errands = table_with("chaos")
    brought, refused = until_refused(errands, [lambda p=piece: errands.bring(p) for piece in errands.reserve() * 9])
    assert refused.name == "no-room"
    assert brought > 30
    x, y, width, height = near_view(table)
    for piece in page_state(table)["pieces"]:
        assert x < piece["x_px"] < x + width
        assert y < piece["y_px"] < y + height


def test_a_piece_is_put_neither_into_another_nor_out_of_the_picture():
    table, errands = table_with("kaxxt", KAXXT)
    large, medium = (next(s for s in table.state.standing if s.piece.size == size) for size in ("large", "medium"))
    x, y = pixels(table, large)
    with pytest.raises(CommandRefused, match="another piece is in the way"):
        errands.move_to_place(medium.name, large.x_mm + 15, large.y_mm)
    for outside in ((-3, y), (x, 100_000.0), (table.design.width + 1, y)):
        with pytest.raises(CommandRefused, match="outside the picture"):
            errands.move(medium.name, *outside)
    errands.done.move_to_place(medium.name, large.x_mm + 40, large.y_mm)
    moved = table.state.piece(medium.name)
    assert (moved.x_mm, moved.y_mm) == pytest.approx((large.x_mm + 40, large.y_mm), abs=0.1)


def test_a_third_pyramid_goes_onto_two():
    table, errands = table_with("chaos")
    sizes = [Piece("pyramid", "red", size, "upright") for size in ("large", "medium", "small")]
    for piece in sizes:
        errands.done.bring(piece)
    large, medium, small = table.state.standing
    for above in (medium, small):
        errands.done.move_to_place(above.name, large.x_mm, large.y_mm)
    assert table.state.piece(small.name).nested_on == medium.name


def test_a_coin_that_was_not_turned_shows_its_other_side_the_next_time():
    table, errands = table_with("kdak")
    coin = next(s for s in table.state.standing if s.piece.kind == "coin" and s.piece.face == "value")
    for _ in range(9):
        with contextlib.suppress(CommandRefused):  # the hand is busy
            errands.done.turn_over(coin.name)
    faces = [table.state.piece(coin.name).piece]
    for _ in range(2):
        errands.done.turn_over(coin.name)
        faces.append(table.state.piece(coin.name).piece)
    assert {face.face for face in faces[:2]} == {"suit", "value"}
    assert faces[2] == faces[0]


def test_a_knock_while_the_hand_carries_a_piece_is_not_undone():
    table, errands = table_with("ataxx", tempo=Tempo(1, 1, 40, 1))
    errands.move_to_cell(table.state.on_cell("a1").name, "b2")
    version, state = table.wait(table.version, 10.0)
    while not state.hands:
        version, state = table.wait(version, 10.0)
    errands.done.nudge()
    assert table.state.nudges == 1
