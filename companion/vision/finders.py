"""A game's finder: families of pieces (pyramids, tiles, dice ...) that share one `Ground` of the picture.

Every family lives in a package of its own and knows nothing of the others. Where two claim the same spot, the
surer one has it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.view import COVERED_MM, Sighting
from companion.vision.convex import beside_mm, shared, strip_between
from companion.vision.find_watch import FindWatch, FindWatchSettings, in_zone, limited
from companion.vision.found import Found, foot
from companion.vision.ground.first_look import FirstLook, FirstLookSettings
from companion.vision.ground.foreground import Drawn, Ground, GroundSettings, Past, draw_table, see_ground
from companion.vision.ground.without_pattern import told_from, without_pattern
from companion.vision.ground.woven import WovenSettings, bare_cloth
from companion.vision.reader import TablePicture, TellsDoubles
from companion.vision.several_looks import differing, same

Floats = NDArray[np.float64]
CLEAR = "clear"  # the colour of pieces that show the table
WHITE = "white"
Squares = frozenset[tuple[int, int]]
Mask = NDArray[np.bool_]


class FamilyFinder(Protocol):
    """Finds the pieces of one family. Like a `PieceFinder`, but on a ground that is drawn already."""

    def find(self, ground: Ground) -> list[Found]:
        """Every piece of the family."""

    def learn(self, ground: Ground, sightings: Sequence[Sighting]) -> None:
        """Take over the looks of this set; sightings of other families may be among them."""

    def save(self, folder: Path) -> None:
        """Write what was learned into the folder, under names of its own."""

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; nothing there is no error; ValueError says what is wrong."""


@dataclass(frozen=True, slots=True)
class FinderSettings:
    """How claims of families are weighed against each other."""

    same_spot: float = 0.4  # shared part of the smaller outline ...
    same_pyramid: float = 0.6  # ... of two pyramids, of which a high one may hide so much of a small one beside it
    surely_claimed: float = 0.99  # what is so sure, other families need not look for
    most_alike: int = 15  # pyramids of one look: more of them are the pattern of a cloth
    starts_bare: bool = False  # the first picture of a table shows hardly any piece
    surely_new: float = 0.99  # watching may begin in mid-game: what is so sure is a piece, whatever was seen at first
    shadow_mm: float = 4.0  # a clear piece so near another may be its shadow, or what is not surely a piece ...
    hardly: float = 0.9  # ... and a clear one that is less surely so ...
    long_shadow_mm: float = 30.0  # ... so near: a large piece is 44 mm high
    strip_mm: float = 8.0  # so wide is the strip between both that a shadow darkens, too
    shadow_belief: float = 0.05  # share of the belief that is left in what may be a shadow
    on_paper: float = 0.9  # what is less sure is rather a print than a piece that lies on it
    print_share: float = 0.7  # of what has the print's colours: with less of it on the paper it is no print
    covered_share: float = 0.5  # of a square of the table that is not bare, for it to count as covered
    ground: GroundSettings = field(default_factory=GroundSettings)
    watch: FindWatchSettings = field(default_factory=FindWatchSettings)
    first: FirstLookSettings = field(default_factory=FirstLookSettings)
    woven: WovenSettings = field(default_factory=WovenSettings)


class TableFinder:
    """A `PieceFinder` made of families."""

    def __init__(self, families: Sequence[FamilyFinder], settings: FinderSettings | None = None) -> None:
        self._families, self._settings = tuple(families), settings or FinderSettings()
        self._watch = FindWatch(self._settings.watch)
        self._first = FirstLook(self._settings.first)
        self._before: Past | None = None  # the last photograph
        self._last: tuple[tuple[Sighting, ...], Squares | None] = ((), None)  # of the last picture that was read
        self.covered: Squares | None = None  # in the last picture: see `TableView.covered`
        self.shown: Squares | None = None  # ... and `TableView.shown`
        self._rim: Mask | None = None  # of the picture that these are of

    @property
    def too_close(self) -> tuple[tuple[str, str], ...]:
        """Pairs of classes that a family was taught and may take for each other."""
        return tuple(pair for family in self._families if isinstance(family, TellsDoubles) for pair in family.too_close)

    def find(self, picture: TablePicture) -> list[Sighting]:
        """Every piece; without markers there is no table to look at, and nothing is found."""
        if picture.pose is None:
            self.covered = self.shown = self._rim = None
            return []
        drawn, taken_s = draw_table(picture, self._settings.ground), picture.taken_s
        if drawn.seen is not self._rim:  # one and the same as long as the camera stays where it is
            self.shown, self._rim = squares(drawn, drawn.seen, self._settings.covered_share), drawn.seen
        if taken_s is not None and self._watch.resting(drawn, taken_s):
            kept, self.covered = self._last
            return list(kept)
        ground = see_ground(picture, self._settings.ground, drawn)
        one = picture.one_table
        ground, cloth = self._without_pattern(ground, one)
        self.covered = squares(ground, ground.things, self._settings.covered_share)
        looked = self._photographed(ground, one) if taken_s is None else self._watched(ground, taken_s)
        found = self._no_pattern(looked)
        if cloth is not None:
            found = _only(found, [not cloth.unchanged(ground, f.outline_mm, f.sure) for f in found])
        sightings = self._told(self._new(ground, found, taken_s is not None) if one else found)
        self._last = tuple(sightings), self.covered
        return sightings

    def _without_pattern(self, ground: Ground, one_table: bool) -> tuple[Ground, FirstLook | None]:
        """Without what the bare table showed; where it was never seen, without what comes again all over it.

        Beside it the bare cloth that was told so. Printed pieces would lose what has the tone of the cloth under them:
        nothing is taken out where they lie from the start.
        """
        if one_table and self._first.all_known:
            return self._first.without_pattern(ground), None
        bare = bare_cloth(ground, self._settings.woven) if self._settings.starts_bare else None
        if bare is None:
            return ground, None
        cloth = FirstLook(self._settings.first)
        cloth.remember(bare, ())
        s = self._settings.first.pattern
        return without_pattern(ground, told_from(bare, s), (), s), cloth

    def _looked_for(self, ground: Ground) -> list[Found]:
        found: list[Found] = []
        for family in self._families:
            start = len(found)
            claimed = tuple(f.outline_mm for f in found if f.paper is None and f.sure >= self._settings.surely_claimed)
            more = family.find(replace(ground, claimed_mm=claimed))
            found += [replace(f, on=None if f.on is None else f.on + start) for f in more]
        return found

    def _photographed(self, ground: Ground, one_table: bool) -> Sequence[Found]:
        """Looked for everywhere; of `one_table` the picture before is known."""
        if not one_table:
            return self._looked_for(ground)
        if self._before is None:
            found = self._looked_for(ground)
        else:
            found = self._seen_again(self._looked_for(replace(ground, past=self._before)), self._before.found)
            found = self._came_by_themselves(ground, found, self._before)
        self._before = Past(ground, found, once=True)
        return found

    def _watched(self, ground: Ground, taken_s: float) -> Sequence[Found]:
        """Looked for only where the table has changed; elsewhere what was found before."""
        zone, known = self._watch.zone(ground, taken_s), replace(ground, past=self._watch.past_of(ground))
        if zone is None:
            found: Sequence[Found] = self._seen_again(self._looked_for(known), self._watch.found)
        elif not zone.any():
            found = self._watch.found
        else:
            old = _only(self._watch.found, [not in_zone(ground, zone, f.outline_mm) for f in self._watch.found])
            new = self._seen_again(self._looked_for(limited(known, zone)), self._watch.found)
            new = _only(new, [in_zone(ground, zone, f.outline_mm) for f in new])
            new = _only(new, [not self._lies_there(new[foot(new, i)], old) for i in range(len(new))])
            found = [*old, *(replace(f, on=None if f.on is None else f.on + len(old)) for f in new)]
        doubtful = self._doubtful(ground, found) if self._watch.begun else ()
        self._watch.read(ground, found, zone, taken_s, doubtful)
        return self._watch.found

    def _lies_there(self, claim: Found, still: Sequence[Found]) -> bool:
        """True for a pyramid in the place of one that lies still, seen there otherwise just beside a change."""
        least, lowest = self._settings.same_spot, [f for f in still if f.on is None and _pyramid(f)]
        return _pyramid(claim) and any(shared(claim.outline_mm, f.outline_mm) >= least for f in lowest)

    def _seen_again(self, found: Sequence[Found], before: Sequence[Found]) -> list[Found]:
        """What was found, and which of it the look before saw, too."""
        near_mm, middles = self._settings.watch.same_mm, np.array([f.outline_mm.mean(axis=0) for f in before])

        def seen(f: Found) -> bool:
            apart = np.hypot(*(middles - f.outline_mm.mean(axis=0)).T) if len(middles) else np.zeros(0)
            return any(same(f, before[i], near_mm) for i in np.flatnonzero(apart < near_mm).tolist())

        return [replace(f, again=seen(f)) for f in found]

    def _came_by_themselves(self, ground: Ground, found: Sequence[Found], before: Past) -> list[Found]:
        """What was found; what came where the picture before showed bare table, while all near it lay there, is known
        not to be a shadow from now on.
        """
        last, near_mm = FirstLook(self._settings.first), self._settings.watch.same_mm
        last.remember(before.ground, ())

        def by_itself(f: Found) -> bool:
            if f.again:
                return any(b.by_itself and same(f, b, near_mm) for b in before.found)
            if f.sighting.likeliest.colour != CLEAR or any(
                shared(f.outline_mm, b.outline_mm) > 0 for b in before.found
            ):
                return False
            near = (o for o in found if beside_mm(f.outline_mm, o.outline_mm) <= self._settings.long_shadow_mm)
            return all(o.again for o in near if o is not f) and not last.unchanged(ground, f.outline_mm, f.sure)

        return [replace(f, by_itself=by_itself(f)) for f in found]

    def _doubtful(self, ground: Ground, found: Sequence[Found]) -> list[Floats]:
        """The outlines of what this look and the last see differently, and what is not the table's own pattern."""
        other = differing(self._watch.found, found, self._settings.watch.same_mm)
        return [f.outline_mm for f in self._new(ground, self._no_pattern(other), watched=True)]

    def _no_pattern(self, found: Sequence[Found]) -> list[Found]:
        """Without the squares of a checked cloth: no game has so many pyramids of one look (a stash holds five)."""
        looks = Counter(f.sighting.piece for f in found if f.sighting.piece.kind == "pyramid")
        cloth = {piece for piece, count in looks.items() if count > self._settings.most_alike}
        if not cloth:
            return list(found)
        return _only(found, [f.sighting.piece not in cloth for f in found])

    def _new(self, ground: Ground, found: list[Found], watched: bool) -> list[Found]:
        """Without what only looks like a piece where the table is as it was before the game.

        Photographs of a game begin with its set-up, before any pyramid is laid, and what is surely one was laid all the
        same; a table that is `watched` may have been in the middle of a game.
        """
        if not self._settings.starts_bare:
            return found
        may_stay = [watched or not _pyramid(f) for f in found]
        lay = [may or f.sure >= self._settings.surely_new for f, may in zip(found, may_stay, strict=True)]
        self._first.remember(ground, [f.outline_mm for f, there in zip(found, lay, strict=True) if there])
        new = _only(found, [self._is_new(ground, f, may) for f, may in zip(found, may_stay, strict=True)])
        return [self._doubted(f) if self._may_be_shadow(ground, f, new) else f for f in new]

    def _is_new(self, ground: Ground, claim: Found, may_stay: bool) -> bool:
        """True but for what looks as it did; `may_stay` where it may have lain there already, though none was seen."""
        if (may_stay and claim.sure >= self._settings.surely_new) or self._first.showed(claim.outline_mm):
            return True
        return not self._first.unchanged(ground, claim.outline_mm, claim.sure)

    def _may_be_shadow(self, ground: Ground, claim: Found, found: Sequence[Found]) -> bool:
        """True for what may be the shadow of a piece near by: the table is darker there, and nothing else."""
        s, colour = self._settings, claim.sighting.likeliest.colour
        clear, tinted = (
            colour == CLEAR,
            _pyramid(claim) and colour != WHITE,
        )  # a white table is darker under a white piece, too
        if claim.on is not None or claim.by_itself or not (clear or (tinted and claim.sure < s.surely_new)):
            return False
        reach = s.long_shadow_mm if clear and claim.sure < s.hardly else s.shadow_mm
        others = (f for f in found if f is not claim and f.sure >= claim.sure)
        told = (f for f in others if f.sighting.piece.colour is not None)  # clear ones are not without shadow
        reached = any(self._casts(ground, f.outline_mm, claim.outline_mm, reach) for f in told)
        return reached and self._first.only_darker(ground, claim.outline_mm)

    def _casts(self, ground: Ground, caster_mm: Floats, outline_mm: Floats, reach_mm: float) -> bool:
        """True if the shadow of one outline may reach the other: between them the table is darker, too."""
        apart_mm = beside_mm(outline_mm, caster_mm)
        if not self._settings.shadow_mm < apart_mm <= reach_mm:
            return apart_mm <= reach_mm
        return self._first.darker(ground, strip_between(caster_mm, outline_mm, self._settings.strip_mm))

    def _doubted(self, claim: Found) -> Found:
        """It keeps its place, which is not surely bare, and is no news."""
        beliefs = tuple((piece, p * self._settings.shadow_belief) for piece, p in claim.sighting.beliefs)
        return replace(claim, sighting=replace(claim.sighting, beliefs=beliefs))

    def learn(self, picture: TablePicture, sightings: Sequence[Sighting]) -> None:
        """Let every family learn from the picture. ValueError when it shows no table."""
        if picture.pose is None:
            raise ValueError("the table markers are not seen: nothing can be learned from this picture")
        self._forget()
        ground = see_ground(picture, self._settings.ground)
        for family in self._families:
            family.learn(ground, sightings)

    def _forget(self) -> None:
        """Pieces will be told otherwise from now on."""
        self._watch.forget()
        self._before = None

    def save(self, folder: Path) -> None:
        """Write what was learned."""
        for family in self._families:
            family.save(folder)

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote."""
        self._forget()
        for family in self._families:
            family.load(folder)

    def _told(self, found: Sequence[Found]) -> list[Sighting]:
        """The claims that stand, the carrying pieces' numbers set anew."""
        kept: list[int] = []
        found = _without_print(found)
        for i in sorted(range(len(found)), key=lambda i: (not self._is_sheet(found[i]), -found[i].sure)):
            rivals = (j for j in kept if foot(found, i) != foot(found, j) and not self._lies_on(found[i], found[j]))
            if all(shared(found[i].outline_mm, found[j].outline_mm) < self._same(found[i], found[j]) for j in rivals):
                kept.append(i)
        kept = [i for i in sorted(kept) if found[i].on is None or found[i].on in kept]
        new = {old: number for number, old in enumerate(kept)}
        return [
            replace(found[i].sighting, nested_on=new.get(on) if (on := found[i].on) is not None else None) for i in kept
        ]

    def _is_sheet(self, claim: Found) -> bool:
        """True for a printed paper that two looks surely saw: what has its colours is rather print than a piece."""
        return claim.paper is not None and claim.again and claim.sure >= self._settings.surely_claimed

    def _same(self, one: Found, other: Found) -> float:
        """The share from which two claims are of one thing."""
        s = self._settings
        return s.same_pyramid if _pyramid(one) and _pyramid(other) else s.same_spot

    def _lies_on(self, one: Found, other: Found) -> bool:
        """True for a sure piece and the printed paper under it, whichever is which."""
        above, below = (one, other) if one.paper is None else (other, one)
        if below.paper is None or above.sure < self._settings.on_paper:
            return False
        colour = above.sighting.piece.colour
        if colour in below.paper:
            return shared(above.outline_mm, below.outline_mm) < self._settings.print_share
        return colour is not None


def _pyramid(claim: Found) -> bool:
    """True if it is taken for a pyramid, if not surely for one."""
    return claim.sighting.likeliest.kind == "pyramid"


def _without_print(found: Sequence[Found]) -> list[Found]:
    """Without what is the print of a paper that was taught."""
    papers = [f.shown for f in found if f.shown is not None]
    return _only(found, [f.paper is not None or not any(shown(f.outline_mm) for shown in papers) for f in found])


def _only(found: Sequence[Found], kept: Sequence[bool]) -> list[Found]:
    """Some of the pieces; what carried them is numbered anew, and forgotten where it is not among them."""
    new = {old: number for number, old in enumerate(i for i, keep in enumerate(kept) if keep)}
    return [replace(found[i], on=None if (on := found[i].on) is None else new.get(on)) for i in new]


def squares(ground: Drawn, mask: Mask, share: float) -> Squares:
    """The squares of COVERED_MM of which at least this share lies in a mask of coarse pixels."""
    s, (high, wide) = ground.settings, mask.shape
    pixel = np.repeat(np.arange(max(wide, high), dtype=np.float64)[:, None], 2, axis=1)  # (column, row) on a diagonal
    right, down = np.floor(ground.to_mm((pixel + 0.5) * s.coarse - 0.5) / COVERED_MM).astype(int).T
    col, row = right[:wide], down[:high]
    across, along = (np.flatnonzero(np.diff(number, prepend=number[0] + 2)) for number in (row, col))
    counts = np.add.reduceat(np.add.reduceat(mask.astype(np.int32), across), along, axis=1)
    i, j = np.nonzero(counts >= share * (COVERED_MM / ground.coarse_mm) ** 2)
    return frozenset(zip(col[along[j]].tolist(), row[across[i]].tolist(), strict=True))
