"""From a scene to linear light at every pixel; redraws only what changed."""

import cv2
import numpy as np

from companion.simulator.arrays import Floats
from companion.simulator.ground import Ground, make_ground
from companion.simulator.prints import Print
from companion.simulator.relight import Box, light_on
from companion.simulator.scene import Scene, Thing
from companion.simulator.see_through import draw_see_through
from companion.simulator.shadows import REACH_MM, Polygons, shadow_box, thrown
from companion.simulator.sprites import Sprite, View, draw

CONTACT_MM = 7.0  # how far the darkening round a foot reaches
SHINE_IN_SHADOW = 0.25  # share of the table's shine that a shadow leaves: the room is still mirrored


class Renderer:
    """Keeps the still table, the shadows and the drawn pieces of one camera between pictures."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._ground: Ground | None = None
        self._bare: Floats = np.zeros((0, 0, 3), np.float32)
        self._lit: Floats = np.zeros((0, 0, 3), np.float32)
        self._dimmed: Floats = np.zeros((0, 0, 3), np.float32)
        self._light: Floats = np.zeros((0, 0, 3), np.float32)
        self._sprites: dict[str, tuple[tuple[Thing, ...], Sprite | None]] = {}
        self._shadows: dict[Thing, tuple[Polygons, ...]] = {}
        self._outlines: dict[Thing, Floats] = {}

    def draw(self, scene: Scene) -> tuple[Floats, Box | None]:
        """(H, W, 3) float32 linear light, and the box that changed since the last call (None: nothing).

        The picture belongs to the renderer: copy it to keep it.
        """
        before = self._scene
        if before is None or self._ground is None or _still(before) != _still(scene):
            self._forget()
            self._ground = make_ground(scene)
            self._bare = self._ground.bare(scene.room)
            self._lit = np.empty_like(self._ground.albedo)
            self._dimmed = np.ones_like(self._ground.albedo)
            self._light = np.empty_like(self._ground.albedo)
            box: Box | None = (0, 0, scene.camera.lens.width, scene.camera.lens.height)
        else:
            changed = list(set(before.things) ^ set(scene.things))
            box = self._touched(changed, scene) if changed else None
        self._scene = scene
        if box is not None:
            self._relight(scene, box)
            self._compose(scene, box)
        self._tidy(scene)
        return self._light, box

    def _forget(self) -> None:
        self._sprites.clear()
        self._shadows.clear()
        self._outlines.clear()

    def _tidy(self, scene: Scene) -> None:
        there = set(scene.things)
        self._shadows = {t: s for t, s in self._shadows.items() if t in there}
        self._outlines = {t: o for t, o in self._outlines.items() if t in there}
        names = {t.name for t in scene.things}
        self._sprites = {n: s for n, s in self._sprites.items() if n in names}

    def _thrown(self, thing: Thing, scene: Scene) -> tuple[Polygons, ...]:
        if thing not in self._shadows:
            floor = floor_under(thing, scene)
            self._shadows[thing] = tuple(thrown(thing, lamp, scene.camera, floor) for lamp in scene.room.lamps)
        return self._shadows[thing]

    def _outline(self, thing: Thing, scene: Scene) -> Floats:
        """Pixels of the foot: everything lower than a few millimetres above the floor."""
        if thing not in self._outlines:
            points = thing.vertices
            low = points[points[:, 2] < floor_under(thing, scene) + CONTACT_MM]
            self._outlines[thing] = scene.camera.project(low) if len(low) > 2 else np.zeros((0, 2))
        return self._outlines[thing]

    def _touched(self, changed: list[Thing], scene: Scene) -> Box | None:
        """Everything that the changed things, their shadows and their neighbours' shading can alter; None: nothing."""
        boxes: list[Box] = []
        for thing in changed:
            boxes += [shadow_box(p) for p in self._thrown(thing, scene)]
            pixels = scene.camera.project(thing.vertices)
            low, high = pixels.min(axis=0) - 24, pixels.max(axis=0) + 24
            boxes.append((int(low[0]), int(low[1]), int(high[0]), int(high[1])))
            for other in self._near(thing, list(scene.things)):
                kept = self._sprites.get(other.name)
                if kept is not None and kept[1] is not None:
                    boxes.append(kept[1].box)
        x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
        x1, y1 = max(b[2] for b in boxes), max(b[3] for b in boxes)
        width, height = scene.camera.lens.width, scene.camera.lens.height
        x0, y0 = max(0, x0) // 4 * 4, max(0, y0) // 4 * 4
        x1, y1 = min(width, (x1 + 3) // 4 * 4), min(height, (y1 + 3) // 4 * 4)
        return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None

    @staticmethod
    def _near(thing: Thing, others: list[Thing]) -> list[Thing]:
        return [
            o
            for o in others
            if o.name != thing.name
            and not o.passing
            and np.hypot(o.x_mm - thing.x_mm, o.y_mm - thing.y_mm) < REACH_MM * max(0.5, o.mesh.height_mm / 50)
        ]

    def _relight(self, scene: Scene, box: Box) -> None:
        """The table without pieces, with their shadows on it; and how much hands dim what stands there."""
        assert self._ground is not None
        window = (slice(box[1], box[3]), slice(box[0], box[2]))
        feet = [o for t in scene.things if not t.passing and len(o := self._outline(t, scene))]
        contact_px = CONTACT_MM * scene.camera.lens.fx / float(scene.camera.position_mm[2])
        standing, passing = (
            [
                [self._thrown(t, scene)[n] for t in scene.things if t.passing is hand and not t.finish.see_through]
                for n in range(len(scene.room.lamps))
            ]
            for hand in (False, True)
        )
        tinted = [
            (tint, [[self._thrown(t, scene)[n] for t in clear] for n in range(len(scene.room.lamps))])
            for tint, clear in _by_tint(scene.things)
        ]
        light, lamps, dimmed = light_on(self._ground, scene.room, box, feet, contact_px, standing, passing, tinted)
        shine = SHINE_IN_SHADOW + (1 - SHINE_IN_SHADOW) * lamps
        mirrored = np.asarray(cv2.cvtColor(shine, cv2.COLOR_GRAY2BGR), np.float32)
        light *= self._ground.albedo[window]
        mirrored *= self._ground.shine[window]
        np.add(light, mirrored, out=self._lit[window])
        self._dimmed[window] = 1.0 if dimmed is None else dimmed

    def _compose(self, scene: Scene, box: Box) -> None:
        """Pieces over the table, far ones first, then hands over everything."""
        x0, y0, x1, y1 = box
        self._light[y0:y1, x0:x1] = self._lit[y0:y1, x0:x1]
        passing = any(t.passing for t in scene.things)
        for above in (False, True):
            drawn = [(t, s) for t in scene.things if t.passing is above and (s := self._sprite(t, scene)) is not None]
            for _, sprite in sorted(drawn, key=lambda pair: (storey(pair[0], scene), -pair[1].depth)):
                _blend(self._light, sprite, box, self._dimmed if passing and not above else None)

    def _sprite(self, thing: Thing, scene: Scene) -> Sprite | None:
        near = [] if thing.passing else self._near(thing, list(scene.things))
        key = (thing, *near)
        kept = self._sprites.get(thing.name)
        if kept is None or kept[0] != key:
            view = View(scene.camera, scene.room, self._bare, floor_under(thing, scene))
            kept = (key, draw_see_through(thing, view, near) if thing.finish.see_through else draw(thing, view, near))
            self._sprites[thing.name] = kept
        return kept[1]


def floor_under(thing: Thing, scene: Scene) -> float:
    """The height of the table or board below a thing."""
    board = scene.board
    if board is None:
        return max((p.z_mm for p in scene.prints if p.z_mm > 0 and _lies_on(thing, p)), default=0.0)
    c, s = np.cos(np.radians(board.rotation_deg)), np.sin(np.radians(board.rotation_deg))
    dx, dy = thing.x_mm - board.x_mm, thing.y_mm - board.y_mm
    width, height = board.size_mm
    on_board = abs(c * dx + s * dy) < width / 2 and abs(c * dy - s * dx) < height / 2
    return board.thickness_mm if on_board else 0.0


def _lies_on(thing: Thing, sheet: Print) -> bool:
    c, s = np.cos(np.radians(sheet.turn_deg)), np.sin(np.radians(sheet.turn_deg))
    dx, dy = thing.x_mm - sheet.x_mm, thing.y_mm - sheet.y_mm
    return bool(abs(c * dx + s * dy) < sheet.width_mm / 2 and abs(c * dy - s * dx) < sheet.height_mm / 2)


def storey(thing: Thing, scene: Scene) -> int:
    """How many things this one is stacked on."""
    count = 0
    while thing.nested_on is not None:
        thing = scene.thing(thing.nested_on)
        count += 1
    return count


def _by_tint(things: tuple[Thing, ...]) -> list[tuple[tuple[float, ...], list[Thing]]]:
    """Translucent things by the colour of the light that they let pass: it tints their shadows."""
    groups: dict[tuple[float, ...], list[Thing]] = {}
    for thing in things:
        if thing.finish.see_through and not thing.passing:
            groups.setdefault(thing.finish.materials["body"].through or (0.0, 0.0, 0.0), []).append(thing)
    return sorted(groups.items(), key=lambda pair: pair[0])


def _still(scene: Scene) -> tuple[object, ...]:
    """What the cached table depends on."""
    return (scene.camera, scene.room, scene.surface, scene.markers, scene.hidden_markers, scene.board, scene.prints)


def _blend(image: Floats, sprite: Sprite, box: Box, dimmed: Floats | None) -> None:
    x0, y0, x1, y1 = (
        max(box[0], sprite.box[0]),
        max(box[1], sprite.box[1]),
        min(box[2], sprite.box[2]),
        min(box[3], sprite.box[3]),
    )
    if x0 >= x1 or y0 >= y1:
        return
    inner = (slice(y0 - sprite.y, y1 - sprite.y), slice(x0 - sprite.x, x1 - sprite.x))
    target = image[y0:y1, x0:x1]
    target *= 1 - sprite.cover[inner]
    target += sprite.light[inner] if dimmed is None else sprite.light[inner] * dimmed[y0:y1, x0:x1]


def set_threads(count: int) -> None:
    """OpenCV's threads in this process."""
    cv2.setNumThreads(count)
