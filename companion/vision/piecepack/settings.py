"""When something counts as a piece of a piecepack, and how large the set is."""

from dataclasses import dataclass

from companion.pieces import (
    COIN_DIAMETER_MM,
    COIN_THICKNESS_MM,
    DIE_SIDE_MM,
    PAWN_HEIGHT_MM,
    PAWN_WIDTH_MM,
    TILE_SIDE_MM,
    TILE_THICKNESS_MM,
)


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
    beyond_mm: float = 10.0  # ... and so far beyond them what it finds may be a piece: farther off coins are money
    peak: float = 0.1  # of the finding network's heat, from which the reading network is asked
    piece: float = 0.5  # joint probability from which something is called a piece
    sure_label: float = 0.5  # a less probable best label is told as unknown
    sure_die: float = 0.9  # ... of a die, which decides a throw
    second_look: float = 0.9  # a less sure answer is asked for again
    no_piece: float = 0.97  # ... unless it is surer than this that there is no piece
    least_share: float = 1e-6  # of an answer, when several looks are brought together
    one_deck: bool = True  # a single set lies there: each tile's front at most once
    least_tile: float = 0.3  # probability by itself from which a place may have a tile
    faint: float = 0.02  # from this probability a place is at least not called empty
    joined_to: float = 0.75  # ... when it lies flush with one as sure as this, else from `piece`
    sure_face: float = 0.95  # a face that is less sure may be a gap that has the table's tone
    flush_mm: float = 4.0
    askew_mm: float = 10.0  # tiles side to side that slipped along each other by more are staggered ...
    askew_deg: float = 8.0  # ... if they are turned by less than this
    staggered: float = 2.0  # log odds against two that are ...
    cornered: float = 1.0  # ... and for two that are corner to corner
    stayed_mm: float = 3.0  # so near to where a tile lay it lies still ...
    stays: float = 2.0  # ... by so much of log odds rather than half a tile on
    blur_px: int = 3  # coarse pixels over which two pictures are averaged that are compared
    grey: float = 3.0  # grey levels that are noise
    differs: float = 0.1  # of the logarithm differs what has changed: a tile that is not made out lies there still ...
    still: float = 0.06  # ... if so much of it has changed at most ...
    one_tone: float = 0.03  # ... and its tone by no more than this, beside that of what is around it ...
    around_mm: float = 10.0  # ... so far
    face_hue: float = 0.12  # of the logarithm: what has changed its colour by more is no shadow ...
    rim_mm: float = 2.0  # ... off the rims of a tile and of what stands on it
    least_face: float = 0.4  # share of a face that is seen beside what stands on it, to be compared with before ...
    same_face: float = 0.02  # ... and it is the same face if no more of that has changed
    expected: float = 0.5  # heat of a place that completes a square of tiles
    same_tile: float = 0.4  # shares of a tile's pitch, within which two places are of one tile
    looked_at_mm: float = 2.0  # a place that was looked at so near is not looked at again
    overlap: float = 0.25  # shared part of two tiles, above which only one of them is there
    apart_mm: float = 9.0  # small pieces nearer than this are one
    printed_mm: float = 6.0  # a die so near the middle of a tile's front may be its digit ...
    no_print: float = 0.99  # ... and is one only if it is as sure as this
    least_lean_mm: float = 4.0  # from a pawn's foot to its head, from which one may be taken for the other ...
    leans: tuple[float, ...] = (0.35, 0.7, 1.0)  # ... and by which shares of it its foot is looked for nearer
    least_belief: float = 1e-3
    lesson_slip_mm: float = 1.0
    lesson_cuts: int = 4
    picture_px: int = 96  # side of the pictures of taught classes

    def rise_mm(self, kind: str) -> float:
        """From what a small piece stands on to where it is looked at: its top, or a pawn's foot."""
        return {"coin": self.coin_thickness_mm, "pawn": 0.0, "die": self.die_mm}[kind]
