"""When a hypothesis counts as a pyramid: the finder's settings by name."""

from dataclasses import dataclass, field

from companion.vision.chances import chance_of, odds_of
from companion.vision.ground.pattern_settings import PatternSettings
from companion.vision.pyramids.climb import ClimbSettings
from companion.vision.pyramids.colours import ColourSettings
from companion.vision.pyramids.follow import FollowSettings
from companion.vision.pyramids.patches import PatchSettings
from companion.vision.pyramids.proposals import ProposalSettings
from companion.vision.pyramids.search_settings import SearchSettings

BESIDE = 0.15  # share of the smaller foot that two may have in common, measured a little wrongly, and none lies on one


@dataclass(frozen=True, slots=True)
class AddedSettings:
    """What counts as a change, and which change is a piece."""

    blur_px: int = 3  # coarse pixels over which differences are averaged
    level: float = 0.1  # of the logarithm: a difference larger than this ...
    grey: float = 3.0  # ... and so many grey levels is a change
    hue: float = 0.2  # ... and one that is darker alike in all channels, up to this, is a shadow
    deep: float = 0.9  # ... but no shadow is so dark
    loud: float = 0.22  # ... and no change of light, but another colour, is one larger than this
    tint: float = 0.035  # of the logarithm: channels that have changed differently by more than this ...
    tint_grey: float = 1.0  # ... and by so many grey levels show another colour ...
    tint_usual: float = 4.0  # ... and by so many times what is usual on this table, where one channel is hardly lit ...
    tint_dark: float = 0.02  # ... where one of them has become no darker, but for this
    slight: float = 0.05  # what differs by more than this, of the logarithm ...
    slight_grey: float = 1.5  # ... and by so many grey levels is perhaps a piece of the tone of what it lies on ...
    slight_usual: float = 4.5  # ... if it is so many times what is usual on this table, too
    round_mm: float = 14.0  # changes so near a stack are to be explained, too
    rim_mm: float = 1.5  # ... but for the soft rim of what is put there
    taken_off: float = 0.15  # pieces are rather put on others than in their place: these explain it by so much less
    explained: float = 0.6  # share of the change and of the outline that both have in common, to be a piece
    nearly: float = 0.1  # what explains less by no more than this explains it as well
    rather: float = 0.1  # by so much better than what lay there does: else that was moved, or is another one
    better: float = 0.08  # by so much what was found otherwise has to explain it better, to stand
    against: float = 6.0  # log-odds by which it looked more like a piece before, to have been taken off instead
    quiet: float = 0.12  # share of a stack's outlines that may differ, and it lies as it lay
    came: float = 0.3  # ... unless so much of the outline of what is seen on it differs
    same_mm: float = 6.0  # what was found so near a known piece is that piece ...
    same_deg: float = 15.0  # ... if it is turned by no more
    there: float = 0.9  # share of an outline where the table is not bare, to have something there
    steady: float = 0.75  # share of the last look in what is told of the colour of what lies as it lay
    doubted: float = 0.5  # ... and in what is told of its class
    alike: float = 0.5  # probability that it has the colour that it had
    sure: float = 5.5  # log-odds of such a piece
    known: float = 2.5  # log-odds for what two looks have seen ...
    held: float = 6.0  # ... which is as likely as it was, up to this, while nothing of it has changed
    seen: float = 0.5  # share of its outline that nothing covers, to be told whether it has changed
    nothing: float = 2.5  # log-odds against what would lie where two looks saw nothing and nothing has changed ...
    untouched: float = 6.0  # ... not even a little, since before the table was last touched ...
    stirred: float = 0.02  # ... but for this share of its outline
    covering: float = 0.5  # share of an outline that is common with what they saw, to be that
    touched: float = 0.25  # ... if no more of its outline has changed: new neighbours throw shadows on it
    stacked: float = 0.3  # share of the outline of what was found that lies in a stack, to belong to it ...
    apart: float = BESIDE  # ... unless no more than this share of the smaller foot is common

    def held_of(self, sure: float) -> float:
        """Log-odds that what was there with this probability is there still."""
        return odds_of(min(sure, chance_of(self.held)))

    def surely(self, kind: int) -> dict[int, float]:
        """The probability of the class of such a piece."""
        return {kind: chance_of(self.sure)}


@dataclass(frozen=True, slots=True)
class CameSettings:
    """Which part of a change has the outline of one more piece."""

    open_px: int = 3  # coarse pixels: what is narrower than that is noise, or a piece that was nudged
    smallest_mm2: float = 90.0
    largest_mm2: float = 1800.0
    round_mm: float = 6.0  # what is so near a part is looked at, too
    deep: float = 0.3  # share of a part that no shadow explains, for it to be no shadow
    most_slight: int = 4  # of the parts that have changed slightly so many are looked at, the largest ...
    clear: float = 0.6  # ... unless so much of one is a clear change, and looked at as such
    solid: float = 0.5  # share of its usual change that is no blurred rim
    core: float = 0.72  # share of its greatest change by which a dark thing differs, and its shadow does not ...
    core_least: float = 0.3  # ... where that is so much of both at least ...
    core_most: float = 0.8  # ... and at most
    apart: float = BESIDE  # share of the smaller foot that is common, up to which a piece is beside a known one
    seen: float = 0.5  # share of an outline of which there is something to be told beside known ones
    drawn: float = 0.2  # of its pixels: so much more or fewer an outline has elsewhere in a part
    step_deg: float = 15.0
    finer: tuple[tuple[float, float], ...] = ((3.0, 8.0), (1.5, 4.0), (1.5, 4.0), (0.8, 2.0))  # mm and degrees
    rival: float = 0.1  # of a share: what explains so much less the other way round is looked at, too
    least: float = 0.7  # share of outline and change that are common, from which it is looked at as a piece ...
    rise: float = 0.3  # of a share: so much more it may be at a place near by, hardly ever more
    like: float = 0.78  # ... and from which it speaks for one: other sizes have less ...
    whole: float = 0.92  # ... up to which
    gain: float = 5.0  # ... by so many log-odds
    most_parts: int = 12  # more of them between two photographs are the light's
    ways: tuple[int, int] = (3, 8)  # so many ways round an upright and a lying one are looked at there


@dataclass(frozen=True, slots=True)
class AloneSettings:
    """What came, where the table as it was is taken out of the picture."""

    least: float = 1.4  # log-odds from which it is a piece there ...
    most: float = 5.0  # ... and speaks for one by so many at most ...
    near_mm: float = 6.0  # ... so near: without its neighbours it is seen a little off
    pattern: PatternSettings = field(default_factory=PatternSettings)


@dataclass(frozen=True, slots=True)
class ShadowSettings:
    """What is no piece, but the shadow of one."""

    dark: float = 0.13  # of the logarithm: so much darker than the table it is at least ...
    hue: float = 0.12  # ... and up to this alike in all channels ...
    tinted: float = 0.3  # ... or up to this share of its darkness: what light is left has another colour
    same_tint: float = 0.9  # ... or has that of the piece that casts it, up to this cosine ...
    through: float = 0.6  # ... and no more than this share of that one's own darkness
    depths: tuple[float, float] = (0.4, 1.6)  # ... so many times as deep as others' then
    beside_mm: float = 15.0  # the foot of a standing piece, which casts it
    seen: float = 0.5  # share of it that nothing hides, there and beside others
    even_mm: float = 11.0  # over which differences are averaged: the grain of a cloth is no piece
    alike: float = 0.2  # ... it is the same beside others of that size, up to this share of its darkness, ...
    only: float = 0.15  # ... beside one if that is the only one ...
    usual: float = 0.4  # ... and up to this beside most
    same: float = 0.5  # share of the smaller outline that is common to two readings of one shadow
    against: float = 8.0  # log-odds


@dataclass(frozen=True, slots=True)
class PyramidSettings:
    """When a hypothesis counts as a piece, and how taught pieces are looked up."""

    piece: float = 0.8  # probability from which something is called a pyramid
    perhaps: float = 0.75  # ... and from which it is told as unknown
    faint: float = -3.0  # log-odds from which what is not told of a watched table may be a piece all the same ...
    faint_within: float = 0.4  # ... where no more of the smaller foot is another's: either may be measured badly ...
    most_faint: int = 3  # ... the likeliest
    sure_colour: float = 0.5  # a less probable best colour is "between two colours"
    overlap: float = 0.3  # shared part of the smaller outline, from which a piece is not beside another
    within: float = 0.22  # shared part of the smaller one, seen from straight above: one would stand in the other
    hidden: float = 0.7  # shared part of the smaller outline as the camera sees it: one would hide the other
    most_odds: float = 9.0  # no piece is worth more to a set
    grown: float = 1.0  # least log-odds of what is told on a lowest piece, by all trees that may stand there ...
    stacked: float = (
        0.5  # ... of an upper one, by itself, that is smaller: one of the same size hides the lower one ...
    )
    paired: float = 3.0  # ... and of pairs of which one was found: few of what is tried is there
    carrying_from: float = -5.0  # least log-odds of hypotheses that are tried as lower ones of stacks
    most_carrying: int = 80
    bare: float = -3.0  # log-odds of all that may be stacked, below which nothing is
    backed_to: float = 2.5  # log-odds of lower ones are raised to this at most
    beside_from: float = -4.5  # log-odds of hypotheses right beside chosen pieces ...
    beside_gain: float = 3.0  # ... that gain so much when they are filled
    beside_fill: float = 0.6
    beside_mm: float = 45.0
    beside_grow: float = 1.35  # their outline so much larger touches the other piece
    worth_a_look: float = -6.5  # least log-odds by the judge without pictures, to be shown to the network ...
    proposed_worth: float = -8.5  # ... where a network has proposed it: faint pieces have hardly any edges
    most_looked: int = 200  # ... which looks at so many at most
    look_again: float = -5.0  # log-odds by the network, from which what seems a little off is moved and looked at again
    sure_odds: float = 6.0  # ... up to which
    refused: float = -2.0  # log-odds below which what the second network looks at is no piece, whatever the first says
    most_chosen: int = 3  # times that pieces are chosen, as what was chosen may look less likely from other sides
    off_mm: float = 0.8  # what is off by less stays
    over_mm: float = 5.0  # how far off its place on a lying one a piece may be that lies over its tip
    over_deg: float = 12.0
    least_belief: float = 1e-3  # smaller ones are left out
    by_edges: float = 0.5  # of the hypotheses by edges alone that are kept where the network proposes some, too
    explaining: float = 4.0  # least log-odds of proposed hypotheses that explain what is seen ...
    explained: float = 0.75  # ... and the share of a region from which nothing is looked for there by its edges ...
    room_mm2: float = 120.0  # ... nor in a region as small as this, where the network proposes nothing
    explaining_mm: float = 3.0  # so far round a piece its soft rim and its shadow are explained, too
    label_reach_mm: float = 12.0  # how far from a region's rim a labelled piece may lie
    picture_px: int = 72  # side of the pictures of taught classes
    search: SearchSettings = field(default_factory=SearchSettings)
    proposals: ProposalSettings = field(default_factory=ProposalSettings)
    follow: FollowSettings = field(default_factory=FollowSettings)
    climb: ClimbSettings = field(default_factory=ClimbSettings)
    patches: PatchSettings = field(default_factory=PatchSettings)
    added: AddedSettings = field(default_factory=AddedSettings)
    came: CameSettings = field(default_factory=CameSettings)
    alone: AloneSettings = field(default_factory=AloneSettings)
    shadows: ShadowSettings = field(default_factory=ShadowSettings)
    colours: ColourSettings = field(default_factory=ColourSettings)
