"""How well the referee sees, in one word and one sentence: the sooner it says so, the less it is mistrusted."""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from companion.pieces import EMPTY, Piece
from companion.referee.happenings import Sight
from companion.view import BoardShape, Sighting, TableView

# obstacle -> (state, what to do about it); the first of these that is there is told
OBSTACLES = {
    "frozen": ("frozen", "The camera sends the same picture again and again: it is being restarted"),
    "dark": ("dark", "It is too dark to see the table: more light, please"),
    "bright": ("dark", "The picture is blown out: less light, please"),
    "blurred": ("lost", "The picture is blurred: focus the camera, or hold it still"),
    "blank": ("dark", "The picture shows one tone only: is the lens covered?"),
    "picture": ("lost", "The picture cannot be used: check the camera"),
    "moved": ("moved", "The camera or the table has moved: finding it again"),
    "markers": ("lost", "Not all four corner markers are in view: uncover them"),
    "board": ("lost", "The board is not found: lay it between the markers, or drag its corners on the page"),
    "hand": ("hand", "A hand is in view: waiting until it is gone"),
    "moving": ("hand", "Something is moving: waiting until the table is still"),
    "settling": ("hand", "Waiting until the table is still"),
}
TAKEN_FOR = {"cyan": ("blue", "green"), "orange": ("red", "yellow"), "purple": ("blue", "red", "black")}
LEAST_LIKE = 0.002  # weight of a colour of the set that the eye does not think of, where it names one like it
OWN_SHARE = 0.25  # of what is believed of a piece, from which it is one of the set
SEEING = Sight("seeing", "The table is seen")
STARTING = Sight("starting", "Waiting for the first picture")
NO_CAMERA = Sight("no camera", "No camera: the page, manual entry and the record work on")
BLIND = Sight("lost", "No picture for some time: is the camera connected?")


def sight_of(view: TableView, board: BoardShape | None = None) -> Sight:
    """What one view says about seeing; `board` is the one that is played on."""
    if view.clear:
        if board is not None and view.shape is not None and not alike(view.shape, board):
            return other_board(view.shape, board)
        return SEEING
    for obstacle, (state, text) in OBSTACLES.items():
        if obstacle in view.obstacles:
            return Sight(state, text)
    return Sight("lost", f"The table cannot be read: {', '.join(view.obstacles)}")


def alike(one: BoardShape, other: BoardShape) -> bool:
    """True if both boards have the same cells, of whatever size."""
    return (one.kind, one.cols, one.rows) == (other.kind, other.cols, other.rows)


def other_board(seen: BoardShape, played: BoardShape) -> Sight:
    """The eye was told of a board on which this game cannot be played."""
    cells = f"{seen.cols}x{seen.rows} cells, and this game is played on {played.cols}x{played.rows}"
    return Sight("lost", f"The board is said to have {cells}: name the right board file, or choose another game")


def told_view(view: TableView, told: Iterable[Sighting], near_mm: float) -> TableView:
    """The view of a free table with what the host said: what lies within `near_mm` of the place is that piece.

    EMPTY means that nothing lies there; where nothing is seen, the piece is added. Indices stay what they were.
    """
    sightings = list(view.sightings)
    for word in told:
        places = [(_apart(word, seen), index) for index, seen in enumerate(sightings)]
        apart, index = min(places, default=(math.inf, -1))
        if apart <= near_mm:
            heading = sightings[index].heading_deg if word.heading_deg is None else word.heading_deg
            heading = None if word.piece.pose == "upright" else heading
            sightings[index] = replace(
                sightings[index], beliefs=word.beliefs, heading_deg=heading, why=None, faint=False
            )
        elif word.piece != EMPTY:
            sightings.append(word)
    return replace(view, sightings=tuple(sightings))


def unstacked(view: TableView) -> TableView:
    """The view of a game without stacks: what seems to stand on a piece is part of it, unless of another colour."""
    carriers = dict(enumerate(view.sightings))
    return replace(
        view,
        sightings=tuple(
            replace(s, faint=True)
            if s.nested_on is not None and s.piece.colour in (carriers[s.nested_on].piece.colour, None)
            else s
            for s in view.sightings
        ),
    )


def of_the_set(view: TableView, looks: Collection[Piece], stacks: bool = True) -> TableView:
    """The view of a game with a set of pieces: what seems to be of a colour that the set lacks is of one like it.

    So is what may well be of one of its colours. What looks like none of them stays what it seems to be. `stacks`:
    pieces may stand on one another, and what seems to be of a colour between two of the set may be both.
    """
    colours, kinds = {piece.colour for piece in looks}, {piece.kind for piece in looks}
    if not colours:
        return view
    told = (_of_colours(sighting, colours, stacks) for sighting in view.sightings)
    return replace(view, sightings=tuple(_of_its_own(sighting, colours, kinds) for sighting in told))


def _of_its_own(sighting: Sighting, colours: Collection[str | None], kinds: Collection[str]) -> Sighting:
    """Without the belief in colours that the set lacks, where enough is left."""
    own = {piece: p for piece, p in sighting.beliefs if piece.kind not in kinds or piece.colour in colours}
    everything, left = sum(p for _, p in sighting.beliefs), sum(own.values())
    if left < OWN_SHARE * everything or len(own) == len(sighting.beliefs):
        return sighting
    return replace(sighting, beliefs=tuple((piece, p * everything / left) for piece, p in own.items()))


def _of_colours(sighting: Sighting, colours: Collection[str | None], stacks: bool) -> Sighting:
    beliefs: dict[Piece, float] = {}
    for piece, p in sighting.beliefs:
        like = [c for c in TAKEN_FOR.get(piece.colour or "", ()) if c in colours and piece.colour not in colours]
        meant = [replace(piece, colour=c) for c in like] or [piece]
        weights = [1.0 if stacks else LEAST_LIKE + sighting.belief(one) for one in meant]
        for one, weight in zip(meant, weights, strict=True):
            beliefs[one] = beliefs.get(one, 0.0) + p * weight / sum(weights)
    return replace(sighting, beliefs=tuple(beliefs.items()))


def _apart(one: Sighting, other: Sighting) -> float:
    if one.x_mm is None or one.y_mm is None or other.x_mm is None or other.y_mm is None:
        return math.inf
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def corrected_view(view: TableView, overrides: Mapping[str, Piece]) -> TableView:
    """The view with what the host said of some cells."""
    if not overrides:
        return view
    told = {cell: Sighting(((piece, 1.0),), cell=cell) for cell, piece in overrides.items()}
    return replace(view, sightings=tuple(told.get(s.cell or "", s) for s in view.sightings))
