"""The referee's thresholds by name, and the choices of a table that belong to no game."""

from dataclasses import dataclass, replace

from companion.games.base import Option


@dataclass(frozen=True, slots=True)
class Settings:
    """How sure, how still and how patient the referee is."""

    readings_needed: int = 2  # equal readings before anything is believed
    readings_apart_s: float = 0.15  # from the first of them to the last, at least
    patience_s: float = 2.0  # a table that fits nothing lawful may be half way: wait this long before a ruling
    held_s: float = 6.0  # a piece that is missing is in a hand; for so long out of view it may rather be off the board
    certainty: float = 0.99  # posterior probability that the accepted explanation needs
    fair: float = 0.98  # this much is enough against rivals of the same kind alone; below it people are asked
    wavers_s: float = 3.0  # looks at a resting table may differ for so long about what was done; then people are asked
    wavers_share: float = 0.75  # ... if so many of the looks that told anything told of an action
    thought_of: float = 0.001  # of what is less probable on a free table nobody thinks again later
    lawful_instead: float = 0.01  # so probable a lawful action is believed in when play went on after an unlawful one
    floor: float = 0.002  # no reading of the eye is taken as surer than 1 minus this
    spread: float = 1 / 40  # share of "cannot tell" that each single kind of piece gets
    likeness_power: float = 4.0  # a cell that looks this alike, to this power, counts as untouched
    as_before: float = 0.5  # probability of being untouched from which a known piece need not be seen anew
    stray_cost: float = 7.0  # natural log-odds against any one cell or piece having changed for no reason
    take_the_best: bool = False  # where nobody can be asked: of several actions that fit, take the likeliest
    put_back: float = 0.9  # ... and so much is enough, there and on cells, for a table that was put back
    nothing_cost: float = 0.0  # against nothing having happened since the last look
    lawful_cost: float = 1.0  # against one particular lawful action
    cleared_cost: float = 2.5  # against an action whose consequences were carried out at once
    half_done_cost: float = 1.5  # ... and against only some of them, beside the action itself
    under_way_cost: float = 4.3  # against an action with its work half done, where that looks like another action
    unlawful_cost: float = 2.0  # against one particular unlawful action
    far_fetched: float = 4.0  # an unlawful action as odd as that is rather a lawful one in the last one's place
    earlier_cost: float = 4.5  # against a table put back to an earlier position
    taken_back_cost: float = 2.0  # ... which, where people watch, is likelier the one before the last action
    catch_up_cost: float = 6.0  # against one particular pair of plies unseen in between
    least_seen: float = 0.1  # belief that a changed cell needs when everything else is weighed against it
    contradicted: float = 0.05  # a cell less likely than this speaks against a layout: then all is weighed ...
    outweighed: float = 3.0  # ... and so it is where something else is so many times likelier
    plain_seen: float = 0.25  # belief from which a piece counts as plainly seen ...
    turned_seen: float = 0.9  # belief in the facing of a piece whose facing does not count, to say that it was turned
    few_faults: int = 4  # of a set-up that is not complete; of more it may be another game's
    faint_seen: float = 0.03  # belief below which the eye is sure that a piece of the set-up is another one
    plain_share: float = 0.5  # ... which it needs as a share of the eye's best belief there, too
    sure_seen: float = 0.8  # belief above which a cell is called seen in words
    rather_seen: float = 0.5  # belief with which a cell rather showed what was known to stand there than anything else
    askew_deg: float = 20.0  # Khet Q21: a piece further off than this is to be straightened
    place_sigma_mm: float = 6.0  # of a free piece
    heading_sigma_deg: float = 8.0
    nudge_mm: float = 8.0  # a free piece that lies no further off its place was not moved by anybody on purpose
    nudge_deg: float = 20.0
    told_mm: float = 12.0  # what the host says of a place of a free table is of the piece that lies so near it
    hold_mm: float = 4.0  # two looks at a resting free piece may differ so much: the camera's error, twice over
    hold_deg: float = 8.0
    hold_looks: int = 3  # ... and where it lies is the mean of so many
    measured_mm: float = 4.0  # a free piece seen further off its place was nudged, not only measured a little wrong
    beside_mm: float = 60.0  # neighbours on a free table: they are nudged together, and hide one another
    instead_mm: float = 22.0  # ... so near, no two lie where nothing stands on another
    flicker_s: float = 10.0  # what was seen beside a free set-up so lately is clutter
    most_strays: int = 40  # so many things beside a free game are remembered
    most_odd: int = 4  # so many pieces may be amiss on one and the same free table, whatever lies there still ...
    odd_share: float = 2.0  # ... or so many for each that lies where it should
    most_odd_cells: int = 12  # so many cells of one and the same board ...
    odd_actions: float = 1.5  # ... or as many as so many actions may change
    hardly_seen: float = 0.3  # belief up to which a strange thing on a free table is taken for nothing
    crowded_cost: float = 4.0  # against a free piece not being seen since another one lies beside it
    overlooked_cost: float = 2.0  # against a known free piece not being found where the table is not seen bare
    foreign_cost: float = 2.0  # against a thing that looks like no piece of the one set that is played with
    misread: float = 0.002  # how often a free piece that lies where it lay is taken for one of another colour or size
    surely_itself: float = 0.8  # belief with which a known piece looked like itself: the next look hardly errs
    covering_gain: float = 4.0  # for a piece of another look just where such a one lay having been put upon it
    mixed: float = 0.4  # ... which needs so much belief, where the rest is in the one below that shows through
    mixture: float = 0.3  # how often a translucent piece on another has with it a colour that the set lacks ...
    blend: float = 0.7  # ... and that of both dyes together, where that is known
    double_cost: float = 1.0  # against a second look of a free piece of which there is one
    news_seen: float = 0.9  # belief that a piece needs where something strange lay before, or when it is a strange one
    surely_told: float = 0.999  # ... and so much, where something that could not be told lay before
    beside_known_mm: float = 36.0  # so near a known piece the table may be covered by it and its shadow
    implied_cost: float = 1.0  # against each further move that must have been made to explain the one that is seen
    catch_up_plies: int = 2  # plies unseen in between that may be read from one view; 1 or 2
    history_plies: int = 12  # how far back a table is compared with earlier positions
    blind_after_s: float = 2.0  # without any picture for this long the sight is lost
    pressed_for_s: float = 10.0  # the end-of-turn button may be pressed this long before the hand is gone
    pressed_again_s: float = 1.0  # a press so soon after one that did something is the same, by another finger
    timeout_s: float = 3600.0  # without a move the game is reset, when the timeout is on
    unsure_at_start: int = 3  # pieces of the set-up that may be too uncertain to tell, when nothing contradicts it
    surely_there: float = 0.97  # belief above which what is seen on a bare table is no pattern of its own
    starts_alike: float = 0.9  # share of the cells that have to look like the set-up to be taken for one

    @property
    def full_cost(self) -> float:
        """Natural log-odds against a free piece being missing, elsewhere, or one too many."""
        return 1.5 * self.stray_cost


END_TURN = Option(
    "end_turn",
    (False, True),
    False,
    "An action is final only after the end-of-turn button.",
    label="End-of-turn button",
)
UNDO = Option(
    "undo",
    ("offer", "take", "refuse"),
    "offer",
    "A table put back to an earlier position: ask, take back, or refuse. An end is taken back only when people say so.",
    label="When a table is put back",
    said=("Ask", "Take back", "Refuse"),
)
TIMEOUT = Option(
    "timeout",
    (False, True),
    False,
    "The game is reset when nobody has moved for an hour, or for as long as the configuration says.",
    label="Reset when nobody plays",
)
QUIET = Option("quiet", (False, True), False, "The companion makes no sound; lamps and page go on.", label="Quiet")
DICE = Option(
    "dice",
    ("companion", "camera", "entered"),
    "companion",
    "Dice are rolled by the companion, read by the camera where they lie, or entered by hand.",
    label="Dice",
    said=("Rolled by the companion", "Read by the camera", "Entered by hand"),
)
DICE_UNREAD = replace(
    DICE,
    meaning="Dice are rolled by the companion, told by what is done with them, or entered by hand: "
    "the camera does not read this game's dice where they lie.",
    said=("Rolled by the companion", "Told by what is done", "Entered by hand"),
)

TABLE_OPTIONS = (END_TURN, UNDO, TIMEOUT, QUIET, DICE)
IN_MID_GAME = (END_TURN, UNDO, TIMEOUT, DICE)  # quiet is switched with no game on, too
