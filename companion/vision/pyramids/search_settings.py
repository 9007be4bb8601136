"""How pyramids are searched for by their edges: settings by name."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How finely hypotheses are laid out, and how many are followed."""

    margin_mm: float = 24.0  # round a region: a piece may be larger than what stands out of it
    coarse_px: int = 4  # fine pixels of a pixel of the coarse search
    upright_step_deg: float = 15.0
    lying_step_deg: float = 18.0
    coarse_points: int = 3  # on each edge
    fine_points: int = 7
    blur_px: float = 0.8  # fine pixels, before the gradient is taken
    texture_gain: float = 5.0  # gradients of so many times the table's usual one count half
    least_gradient: float = 0.012
    fill_points: int = 10
    inner_weight: float = 0.35  # of edges inside the outline, beside those of the outline
    fill_weight: float = 0.5
    grow_mm: float = 4.0  # pieces may have their middles so far out of a region
    cell_mm: float = 9.0  # side of the cells of which each has its own best
    of_each: int = 1  # headings of every shape in each cell that are looked at again
    kept: int = 12  # hypotheses of a region that are fitted; more in large regions
    kept_per_mm2: float = 1 / 14
    most_kept: int = 150
    same_place: int = 7  # hypotheses whose middles are near each other
    place_mm: float = 6.0
    largest_mm2: float = 14000.0  # larger regions are no group of pieces
    apart_mm: float = 4.0  # nearer hypotheses of one shape are the same
    apart_deg: float = 16.0
    steps: tuple[tuple[float, float], ...] = ((1.6, 7.0), (0.9, 3.6), (0.45, 1.8), (0.2, 0.8))
    rounds: int = 1  # at each step
    first_steps: int = 2  # after which only the better ones are followed
    second_share: float = 0.5
    bare: float = 0.4  # share of an outline where the table is not bare, up to which what was found there has gone ...
    rim_mm: float = 2.0  # ... with its soft rim
    polish: tuple[tuple[float, float], ...] = ((0.8, 3.0), (0.4, 1.5), (0.2, 0.8), (0.1, 0.4))  # of chosen pieces
    polish_points: int = 15
    polish_rounds: int = 2

    @property
    def polishing(self) -> "SearchSettings":
        """Settings for the few hypotheses that are chosen."""
        return replace(self, fine_points=self.polish_points, rounds=self.polish_rounds)
