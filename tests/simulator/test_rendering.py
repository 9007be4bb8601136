"""Solids stand where the camera model says, hands cover what they should, and only changes are redrawn."""

import dataclasses

import numpy as np
import pytest

from companion.pieces import Piece
from companion.simulator.design import TableDesign, furnish, scene_of
from companion.simulator.hands import hand_thing
from companion.simulator.khet_solids import khet_mesh
from companion.simulator.khet_style import KhetStyle
from companion.simulator.materials import Material
from companion.simulator.mirrors import View, light_seen
from companion.simulator.renderer import Renderer
from companion.simulator.scene import Finish, Thing
from companion.simulator.sensor import Developer
from companion.simulator.setting import Setting
from companion.simulator.shapes import Mesh, prism, square
from companion.simulator.state import TableState

SMALL = TableDesign(seed=2_000_101, width=800, height=600, clutter=False)
GLOW = Finish({"body": Material((9.0, 9.0, 9.0), 0.0, 1.0)})  # far brighter than any table: its cover is its outline


@pytest.fixture(scope="module")
def furniture():
    return furnish(SMALL)


def drawn(scene):
    light, _ = Renderer().draw(scene)
    return light.copy()


def with_things(furniture, *things):
    scene = scene_of(furniture, TableState())
    return dataclasses.replace(scene, things=things)


def with_hand(scene, hand):
    return dataclasses.replace(scene, things=(*scene.things, hand))


def test_a_post_is_seen_exactly_where_the_camera_model_projects_it(furniture):
    post = Thing("post", Mesh((prism(square(30.0), 0.0, 40.0),)), GLOW, 150.0, 90.0, 3.0, 20.0)
    bare = drawn(with_things(furniture))
    change = np.abs(drawn(with_things(furniture, post)) - bare).max(axis=2)
    ys, xs = np.nonzero(change > 2.0)
    pixels = furniture.scene.camera.project(post.vertices)
    assert np.abs([xs.min(), ys.min()] - pixels.min(axis=0)).max() < 1.5
    assert np.abs([xs.max(), ys.max()] - pixels.max(axis=0)).max() < 1.5


def test_high_pieces_lean_away_from_the_camera(furniture):
    camera = furniture.scene.camera
    foot, tip = camera.project(np.array([[180.0, 0.0, 0.0], [180.0, 0.0, 30.0]]))
    below = camera.project(camera.position_mm[None, :2])[0]
    assert np.hypot(*(tip - below)) > np.hypot(*(foot - below)) + 2.0


def test_a_nearer_solid_hides_a_farther_one(furniture):
    low = Thing("low", Mesh((prism(square(20.0), 0.0, 5.0),)), GLOW, 0.0, 0.0)
    lid = Thing("lid", Mesh((prism(square(60.0), 20.0, 30.0),)), Finish({"body": Material((0.0, 0.0, 0.0))}), 0.0, 0.0)
    x, y = np.round(furniture.scene.camera.project(np.array([[0.0, 0.0, 5.0]]))[0]).astype(int)
    assert drawn(with_things(furniture, low))[y, x].min() > 2.0
    assert drawn(with_things(furniture, low, lid))[y, x].max() < 1.0


def test_a_solid_throws_a_shadow_away_from_the_lamp(furniture):
    wall = Thing("wall", Mesh((prism(square(60.0), 0.0, 60.0),)), GLOW, 0.0, 0.0)
    lamp = max(furniture.scene.room.lamps, key=lambda source: sum(source.colour))
    away = -lamp.middle[:2] / np.hypot(*lamp.middle[:2])
    x, y = np.round(furniture.scene.camera.project([away * 52.0])[0]).astype(int)
    share = drawn(with_things(furniture, wall))[y, x] / drawn(with_things(furniture))[y, x]
    assert share.max() < 0.95


def test_a_hand_covers_the_piece_under_it_and_nothing_far_away(furniture):
    setting = Setting(furniture, 1)
    piece = setting.put("red pyramid", Piece("pyramid", "red", facing="NE"), "e4")
    far = setting.put("red scarab", Piece("scarab", "red", facing="/"), "a8")
    scene = scene_of(furniture, TableState((piece, far)))
    hand = hand_thing("hand", piece.x_mm + 60.0, piece.y_mm, 30.0, 0.0)
    before, after = drawn(scene), drawn(with_hand(scene, hand))
    change = np.abs(after - before).max(axis=2)
    camera = scene.camera
    x, y = np.round(camera.project(np.array([[piece.x_mm, piece.y_mm, 20.0]]))[0]).astype(int)
    u, v = np.round(camera.project(np.array([[far.x_mm, far.y_mm, 5.0]]))[0]).astype(int)
    assert change[y - 3 : y + 4, x - 3 : x + 4].mean() > 0.02
    assert change[v - 3 : v + 4, u - 3 : u + 4].max() < 1e-6


def test_what_is_redrawn_after_a_change_equals_a_picture_drawn_afresh(furniture):
    setting = Setting(furniture, 2)
    one = setting.put("silver pyramid", Piece("pyramid", "silver", facing="SW"), "d3")
    two = setting.put("red anubis", Piece("anubis", "red", facing="S"), "e3")
    moved = setting.put("silver pyramid", Piece("pyramid", "silver", facing="NW"), "d4")
    hand = hand_thing("hand", 30.0, -20.0, 20.0, 100.0)
    renderer = Renderer()
    developer = None
    for scene in (
        scene_of(furniture, TableState((one, two))),
        with_hand(scene_of(furniture, TableState((one, two))), hand),
        scene_of(furniture, TableState((two, moved))),
    ):
        light, box = renderer.draw(scene)
        developer = developer or Developer(furniture.sensor, SMALL.width, SMALL.height, 1, fields=1)
        developer.update(light, box)
    afresh = drawn(scene)
    assert np.abs(light - afresh).max() < 1e-4
    anew = Developer(furniture.sensor, SMALL.width, SMALL.height, 1, fields=1)
    anew.update(afresh, (0, 0, SMALL.width, SMALL.height))
    assert np.abs(developer.picture(7).astype(int) - anew.picture(7)).max() <= 2


def test_noise_differs_from_frame_to_frame_and_is_the_same_for_the_same_frame(furniture):
    developer = Developer(furniture.sensor, SMALL.width, SMALL.height, 1)
    developer.update(drawn(with_things(furniture)), (0, 0, SMALL.width, SMALL.height))
    assert np.array_equal(developer.picture(3), developer.picture(3))
    assert not np.array_equal(developer.picture(3), developer.picture(4))


@pytest.mark.parametrize("kind", ["pyramid", "scarab", "eye", "anubis", "pharaoh", "sphinx", "obelisk"])
@pytest.mark.parametrize("sculptor", range(3))
def test_every_sculpt_stands_on_its_foot_and_fits_its_cell(kind, sculptor):
    style = KhetStyle(sculptor=sculptor, cut=("half", "blunt", "steep")[sculptor])
    mesh = khet_mesh(kind, style)
    assert mesh.vertices[:, 2].min() >= -1e-9
    assert np.abs(mesh.parts[0].vertices[:, :2]).max() <= style.foot_mm * 0.75
    assert mesh.height_mm > style.slab_mm + 8.0
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-6)


@pytest.mark.parametrize("cut", ["half", "blunt", "prism", "steep"])
def test_a_pyramids_mirror_is_upright_and_faces_the_way_the_piece_does(cut):
    mesh = khet_mesh("pyramid", KhetStyle(cut=cut))
    mirror = mesh.materials.index("mirror")
    normal = mesh.normals[np.flatnonzero(mesh.face_part == mirror)[0]]
    assert np.allclose(normal, [1.0, 0.0, 0.0], atol=1e-9)
    body = [p for p in mesh.parts[1:] if p.material == "body"]
    assert max(p.vertices[:, 0].max() for p in body) < 0.26


def test_a_stack_is_higher_than_one_obelisk():
    style = KhetStyle()
    assert khet_mesh("obelisk", style, 2).height_mm > khet_mesh("obelisk", style).height_mm + 10.0


def test_a_mirror_shows_the_piece_that_stands_before_it(furniture):
    setting = Setting(furniture, 3)
    mirror = setting.put("mirror", Piece("pyramid", "silver", facing="NE"), "e4", neat=True)
    guest = setting.put("guest", Piece("obelisk", "red"), "f5", neat=True)
    views = []
    for state in (TableState((mirror,)), TableState((mirror, guest))):
        things = scene_of(furniture, state).things
        view = View(furniture.scene.camera, furniture.scene.room, np.full((600, 800, 3), 0.1, np.float32), 3.0)
        thing = next(t for t in things if t.name == "mirror")
        others = [t for t in things if t.name == "guest"]
        face = int(np.flatnonzero(thing.mesh.face_part == thing.mesh.materials.index("mirror"))[0])
        middle = thing.vertices[thing.mesh.faces[face]].mean(axis=0)[None]
        colours = np.zeros((len(thing.mesh.faces) + 1, 3), np.float32)
        towards = np.array([[np.cos(np.radians(thing.heading_deg)), np.sin(np.radians(thing.heading_deg)), 0.0]])
        views.append(light_seen(middle, towards, thing, view, others, colours)[0])
    alone, with_guest = views
    assert with_guest[2] / with_guest[1] > 2 * alone[2] / alone[1]  # red
