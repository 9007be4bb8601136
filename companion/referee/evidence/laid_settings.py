"""What the reading of a plan goes by."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LaidSettings:
    """How near is on a spot, and how sure what is not seen is not there. Shares are of a spot's side."""

    near: float = 0.45  # a piece this near to the middle of a spot lies on it
    snug: float = 0.35  # ... and is believed in while the plan is being found
    stands: float = 0.62  # a walker within this square round the middle of a spot stands on it
    around: float = 1.6  # a piece that lies on no spot, but this near to one, speaks against where the plan is thought
    joined: float = 1.3  # what lies so near is side by side
    least: int = 6  # pieces without which no plan is looked for
    spread_step_mm: float = 4.0
    refined: int = 8  # so many of the places that fit best are looked at more closely
    lost: int = 3  # so many pieces on no spot: the plan may have been moved as a whole
    absent: float = 0.97  # belief that nothing lies where nothing is seen
    over: float = 0.7  # of a spot that is looked at for bare table where nothing is seen to lie ...
    bare: float = 0.15  # ... and how much of it may be bare where something lies
    told_covered: float = 0.6  # of the pieces that are seen, for which the table has to be told not to be bare
    veiled: float = 0.2  # belief that it is what the set-up has there: a doubt, of which play may begin with a few
    weighed: int = 6  # so many of the surest sightings of walkers are told apart
    still_mm: float = 25.0
    stale: float = 0.1  # factor for what has not moved since before the game
    faintness: float = 4.0  # the power to which doubt in a faintly seen piece says that nothing is there ...
    doubt: float = 1.6  # ... and in what is rather taken for a face; backs are alike, the table is none of them
    beside: float = 0.8  # belief in a piece beside the plan, whichever, from which one is shown there ...
    news: float = 0.98  # ... and where something that hardly was one has been seen before
    unseen: float = 0.01  # likelihood that a walker is on the table and not seen; the least that one seen is strange
    hidden: float = 0.5  # from this probability of not being seen nothing is said of where a walker stands
    lifted: float = 0.5  # share of not being seen in the game that is being nowhere, and not somewhere hidden
    follows: float = 0.5  # share of what a part was moved that is followed at one view
    soft_near_mm: float = 75.0  # a soft piece is looked for so far from its place, to tell which way round the plan is
    upright: float = 0.5  # advantage of the plan's X looking to the right, in natural log-odds
