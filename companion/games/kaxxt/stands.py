"""Where pyramids stand or lie on the table, in millimetres and degrees."""

from dataclasses import dataclass

from companion.games.kaxxt.pyramids import Pyramid


@dataclass(frozen=True, slots=True)
class Stand:
    """One pyramid, or a stack with the bottom one first (X20), at one place.

    x_mm, y_mm: table millimetres, Kaxxt at 0, 0. heading_deg: where the tip points, counter-clockwise from +X;
    None = upright. All are kept to one decimal, so that text gives back exactly what was written.
    """

    pyramids: tuple[Pyramid, ...]
    x_mm: float
    y_mm: float
    heading_deg: float | None = None

    @property
    def bottom(self) -> Pyramid:
        """The pyramid that touches the table."""
        return self.pyramids[0]


def stand(pyramids: tuple[Pyramid, ...], x_mm: float, y_mm: float, heading_deg: float | None = None) -> Stand:
    """A stand with its figures rounded to one decimal, the heading within 0..360."""
    heading = None if heading_deg is None else round(heading_deg % 360, 1) % 360
    return Stand(pyramids, round(x_mm, 1) + 0.0, round(y_mm, 1) + 0.0, heading)
