"""How a board is looked for on the table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """How a board is searched and what counts as found."""

    search_mm: float = 3.0  # one pixel of the view from above in which the board is searched
    reach_mm: float = 20.0  # how far beyond the markers' centres that view reaches
    edge_level: float = 3.0  # a step of grey per millimetre, in medians of all steps, that is surely an edge
    least_edge_level: float = 4.0
    quiet_px: int = 15  # a smooth board on a rough table is judged by the steps so near (odd, pixels of that view)
    least_quiet_level: float = 2.0
    angle_step_deg: float = 0.5
    angle_peaks: int = 3  # directions of edges that are tried
    angle_shifts_deg: tuple[float, ...] = (1.0, 0.5)  # around the best of them, one after the other
    rival_early: float = 0.85  # ways round that score so near to the best are searched further
    rival: float = 0.93  # ... and fitted too, and then compared
    askew: float = 2.0  # an edge counts for a line when it runs along it this many times more than across
    line_cover: float = 0.6  # share of a line that has to be seen as an edge to count in full
    unlike: float = 0.7  # share of a score that depends on how unlike the colours on the board and beside it are ...
    beside_cells: float = 1.0  # ... so far beside: a checked cloth has lines, too, but is all alike
    places: float = 1.25  # cells round there: a neighbour's place may look less like the surroundings than the board's
    tones: int = 3  # of each channel that are told apart, ...
    tones_px: int = 2  # ... at every so many pixels
    least_score: float = 0.55  # mean of all lines below which there is no such board ...
    least_by_rim: float = 0.42  # ... unless its edge is seen all round, where this much is
    peak_reach: float = 0.12  # of a cell: how far from its place a line is looked for in the fine fit
    segment: float = 0.6  # share of a cell's side, around its middle, that is averaged in the fine fit
    segment_step: int = 2  # every so many pixels along it
    fine_passes: int = 3
    settled_mm: float = 0.3  # a fit that moves the board by less needs no further pass
    vote_turns: int = 9
    vote_turn_deg: float = 0.8  # most by which the coarse search may be off
    vote_stretches: int = 5
    vote_stretch: float = 0.02
    vote_doubt: float = 0.04  # share of votes by which the largest stretch must win over none
    full_share: float = 0.25  # a share of the sides may be fainter than an edge that counts in full: printed lines are
    clear_noise: float = 5.0  # an edge of so many times the noise counts in full
    line_px: int = 3  # printed lines are at most about so many pixels to each side of their middle
    near_px: float = 5.0  # edges further from where a side should be are another thing's
    peak_floor: float = 0.35  # of a peak: what is below it does not pull at the middle of an edge
    least_peak: float = 0.3  # of a full edge, below which a side is not seen
    widest_px: float = 2.4  # spread of one edge or line
    agree_px: tuple[float, ...] = (3.0, 2.0, 1.2, 0.8)  # sides further from where the others put them are left out
    least_sides: float = 0.14  # share of all sides that must agree, ...
    least_rim: float = 0.75  # ... or of the board's edge, where hardly a line is seen on it ...
    rim_score: float = 0.2  # ... which by itself is so much of a score
    sure_score: float = 0.55  # ... above which it is not doubted; below, the pattern of all sides is asked, too
    other_scales: tuple[tuple[float, ...], ...] = ((0.975, 1.025), (0.955, 1.045))  # ... also of cells of other sizes
    same_mm: float = 1.5  # which is right where it puts the board further off than this, ...
    same_corners_mm: float = 2.5  # ... or its corners, ...
    more_alike: float = 0.2  # ... unless the board would be so much more like its surroundings there
    weak_score: float = 0.22  # share of sides below which the fit is doubtful, and a person is told
    scale_stiffness: float = 200.0  # how strongly the cells keep the size given, in pixels of stretch
    as_sure: float = (
        0.85  # a fit where it lay that is less sure than so much of the one before may be of half the lines
    )
    scale_settled: float = 0.002  # a fit that changes the size of the cells by less needs no further one
    scale_warning: float = 0.012  # cells that differ by more than this share are not those that were described
