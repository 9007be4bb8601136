"""The virtual table's page: a person's drags and taps become hands at work on the table."""

import io

import numpy as np
import pytest
from flask import Flask

from companion.errors import CommandRefused
from companion.games import game
from companion.pieces import KHET_FACINGS
from companion.simulator.carry import Tempo
from companion.simulator.design import TableDesign
from companion.simulator.errands import Errands
from companion.simulator.setting import Setting
from companion.simulator.table_page import page_state, table_pages
from companion.simulator.world import VirtualTable

QUICK = Tempo(1, 1, 1, 1)
DESIGN = TableDesign(seed=2_000_103, width=400, height=300, clutter=False, fps=500.0)


@pytest.fixture
def table():
    khet = game("khet")
    table = VirtualTable(DESIGN)
    table.show(Setting(table.furniture).state(khet.layout(khet.start({"layout": "classic-1.0"}))))
    return table


@pytest.fixture
def errands(table):
    return Errands(table, tempo=QUICK)


@pytest.fixture
def client(table, errands):
    app = Flask("test")
    app.register_blueprint(table_pages(table, lambda: b"\xff\xd8picture", errands))

    @app.errorhandler(CommandRefused)
    def refused(error):
        return {"error": error.name, "text": error.text}, error.status

    return app.test_client()


def pixels(table, cell):
    col, row = ord(cell[0]) - 97, int(cell[1:]) - 1
    x, y = table.furniture.board.cell_centre(col, row)
    z = table.furniture.board.thickness_mm
    return [float(v) for v in table.furniture.scene.camera.project(np.array([[x, y, z]]))[0]]


def empty_cell(table):
    return next(c for c in (f"{f}{r}" for r in (3, 6) for f in "cdefgh") if table.state.on_cell(c) is None)


def piece_of(table, kind, colour="silver"):
    return next(s for s in table.state.standing if (s.piece.kind, s.piece.colour) == (kind, colour))


def test_a_dragged_piece_is_carried_by_a_hand_to_the_cell_under_the_finger(table, errands, client):
    pharaoh = piece_of(table, "pharaoh")
    cell = empty_cell(table)
    x, y = pixels(table, cell)
    hands = []
    change = table.change
    table.change = lambda how: (state := change(how), hands.append(len(state.hands)))[0]
    assert client.post("/table/move", json={"name": pharaoh.name, "x_px": x, "y_px": y}).status_code == 200
    errands.wait()
    assert table.state.on_cell(cell).name == pharaoh.name
    assert max(hands) == 1
    assert not table.state.hands


def test_a_piece_is_turned_taken_off_and_put_back(table, errands, client):
    pyramid = piece_of(table, "pyramid")
    facings = ("NE", "SE", "SW", "NW")
    expected = facings[(facings.index(pyramid.piece.facing) + 1) % 4]
    client.post("/table/turn", json={"name": pyramid.name, "quarters": 1})
    errands.wait()
    turned = table.state.piece(pyramid.name)
    assert turned.piece.facing == expected
    assert abs((turned.heading_deg - pyramid.heading_deg + 90 + 180) % 360 - 180) < 1e-6
    client.post("/table/take-off", json={"name": pyramid.name})
    errands.wait()
    assert table.state.piece(pyramid.name).cell is None
    assert client.post("/table/take-off", json={"name": pyramid.name}).status_code == 409
    client.post("/table/move", json={"name": pyramid.name, "cell": pyramid.cell})
    errands.wait()
    assert table.state.piece(pyramid.name).cell == pyramid.cell


@pytest.mark.parametrize(("kind", "parts", "turns"), [("pyramid", 4, 0), ("pyramid", 6, 1), ("scarab", 6, 1)])
def test_a_piece_on_a_board_is_turned_little_by_little_and_looks_the_nearest_way(
    table, errands, client, kind, parts, turns
):
    piece = piece_of(table, kind)
    for _ in range(parts):
        assert client.post("/table/turn", json={"name": piece.name, "quarters": 1 / 9}).status_code == 200
        errands.wait()
    turned, facings = table.state.piece(piece.name), KHET_FACINGS[kind]
    assert turned.heading_deg == pytest.approx(piece.heading_deg - 10 * parts)
    assert turned.piece.facing == facings[(facings.index(piece.piece.facing) + turns) % len(facings)]


def test_the_top_of_a_stack_is_taken_and_put_on_another_obelisk(table, errands, client):
    stack = next(s for s in table.state.standing if s.count == 2 and s.piece.colour == "silver")
    cell = empty_cell(table)
    client.post("/table/move", json={"name": stack.name, "cell": cell})
    errands.wait()
    assert table.state.piece(stack.name).count == 1
    top = table.state.on_cell(cell)
    assert (top.piece.kind, top.count) == ("obelisk", 1)
    client.post("/table/move", json={"name": top.name, "cell": stack.cell})
    errands.wait()
    assert table.state.piece(stack.name).count == 2
    assert table.state.on_cell(cell) is None


def test_a_taken_cell_and_nonsense_are_refused_in_words(table, client):
    pharaoh, other = piece_of(table, "pharaoh"), piece_of(table, "pyramid")
    answer = client.post("/table/move", json={"name": pharaoh.name, "cell": other.cell})
    assert answer.status_code == 409
    assert answer.json["text"] == f"there is a piece on {other.cell}: take that one off first"
    assert client.post("/table/move", json={"name": "nobody", "cell": "a1"}).status_code == 404
    assert client.post("/table/move", json={"name": pharaoh.name, "cell": "z99"}).status_code == 400
    assert client.post("/table/move", json={"name": pharaoh.name, "x_px": True, "y_px": 1}).status_code == 400
    assert client.post("/table/turn", json={"name": pharaoh.name, "quarters": 7}).status_code == 400
    assert client.post("/table/move", json={"name": pharaoh.name, "x_px": 10**400, "y_px": 1}).status_code == 400
    assert client.post("/table/move", json={"name": pharaoh.name, "x_px": float("nan"), "y_px": 1}).status_code == 400
    assert client.post("/table/move", json={"name": pharaoh.name, "x_mm": -1e5, "y_mm": 1e5}).status_code == 409
    assert client.post("/table/move", json={"name": pharaoh.name, "x_mm": 3}).status_code == 400
    assert client.post("/table/bring", json={"piece": 0}).status_code == 400
    assert client.post("/table/bring", json={"piece": "silver pharaoh"}).status_code == 409
    assert client.post("/table/move", data=io.BytesIO(b"[1"), content_type="application/json").status_code == 400


def test_outlines_of_the_pieces_lie_in_the_picture_where_they_are_seen(table, client):
    state = client.get("/table/state").json
    assert len(state["pieces"]) == len(table.state.standing)
    one = next(p for p in state["pieces"] if p["cell"] == "e1")
    assert np.hypot(*(np.array([one["x_px"], one["y_px"]]) - pixels(table, "e1"))) < 6
    hull = np.array(one["hull_px"])
    assert np.all(hull.min(axis=0) < [one["x_px"], one["y_px"]])
    assert np.all(hull.max(axis=0) > [one["x_px"], one["y_px"]])


def test_a_knock_moves_the_outlines_with_the_camera(table, client):
    before = page_state(table)["pieces"][0]
    client.post("/table/nudge", json={})
    after = page_state(table)["pieces"][0]
    assert before["name"] == after["name"]
    assert np.hypot(before["x_px"] - after["x_px"], before["y_px"] - after["y_px"]) > 0.5


def test_the_picture_is_the_cameras_newest(client):
    answer = client.get("/table/picture.jpg")
    assert (answer.data, answer.mimetype) == (b"\xff\xd8picture", "image/jpeg")
