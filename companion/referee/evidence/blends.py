"""The looks of translucent pieces on one another: light passes both, and the colour may be that of neither."""

from collections.abc import Collection

from companion.pieces import Piece
from companion.referee.evidence.free_layouts import foreign
from companion.referee.settings import Settings
from companion.view import Sighting

# what two dyes let through, one after the other
BLENDS = {
    frozenset({"yellow", "blue"}): "green",
    frozenset({"yellow", "cyan"}): "green",
    frozenset({"yellow", "red"}): "orange",
    frozenset({"yellow", "purple"}): "red",
    frozenset({"orange", "purple"}): "red",
    frozenset({"red", "blue"}): "purple",
    frozenset({"red", "cyan"}): "purple",
    frozenset({"purple", "cyan"}): "blue",
    frozenset({"green", "purple"}): "blue",
    frozenset({"green", "blue"}): "cyan",
}


def blended(seen: Sighting, upper: Piece, below: Piece, own: Collection[Piece], settings: Settings) -> float:
    """Probability of these looks of the upper piece, where the one below it shows through.

    Its colour is that of both dyes together, or any that none of the set's `own` pieces has.
    """
    other = settings.mixture if foreign(seen, own, settings) else 0.0
    both = BLENDS.get(frozenset({upper.colour or "", below.colour or ""}), "none")
    alike = ((piece, p) for piece, p in seen.beliefs if (piece.size, piece.pose) == (upper.size, upper.pose))
    return sum(p * (settings.blend if piece.colour == both else other) for piece, p in alike)
