"""A pyramid put upon others that were known: what has changed since the last look has its outline.

Of a stack of one size the lower ones are bands along their bases, and alone such a picture hardly tells how many there
are. Where the table was looked at before the hand came, what it has added is that which changed: one more piece on a
known stack is tried at its place, in every size, and the one that explains the change is there; of several that do,
the one that looks most like a piece. What has not changed is what it was, where it was told so or is seen less surely
now; between photographs also where this one misses it.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.headings import turn_deg
from companion.pieces import PYRAMID_COLOURS
from companion.vision.chances import chance_of
from companion.vision.convex import shared
from companion.vision.find_watch import in_zone
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.pyramids.change import Change
from companion.vision.pyramids.hypotheses import Hypotheses, joined, on_top
from companion.vision.pyramids.known import Known, colours_of, known_piece
from companion.vision.pyramids.placed import feet_of, outlines_of
from companion.vision.pyramids.proposals import region_round
from companion.vision.pyramids.seen import Seen
from companion.vision.pyramids.settings import AddedSettings, PyramidSettings
from companion.vision.pyramids.shapes import LYING, RISES_MM, STANDING, TIP_RISE_MM, no_larger
from companion.vision.pyramids.windows import Windows, windows_of

Floats = NDArray[np.float64]
StackedOdds = Callable[[Windows, Hypotheses, Hypotheses], Floats]
Colours = Callable[[Seen], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class _Lies:
    """How a stack lies now, the lowest first."""

    pieces: Hypotheses
    odds: float  # log-odds of each
    told: bool  # by its change
    certain: bool  # nothing can have been taken off instead


@dataclass(frozen=True, slots=True, eq=False)
class _Stack:
    """A known stack of pieces, all lying or all upright, the lowest first."""

    pieces: Hypotheses
    colours: tuple[Floats, ...]  # of each, the shares of the colours
    told: bool  # some of it by its change alone
    odds: float  # log-odds of the least sure one
    again: bool  # two looks have seen all of it

    def as_it_lay(self) -> "_Lies":
        """The same."""
        return _Lies(self.pieces, self.odds, self.told, True)

    @property
    def known(self) -> list[Known]:
        """Its pieces."""
        each = zip(self.pieces.kind.tolist(), self.pieces.place.tolist(), strict=True)
        return [Known(kind, x, y, heading) for kind, (x, y, heading, _) in each]


def with_added(
    seen: Seen, change: Change | None, odds: StackedOdds, colours: Colours, settings: PyramidSettings
) -> Seen:
    """What was seen, stacks put right that are known from the last look. Itself without one, and a `change` since.

    `odds` are log-odds of (n) upper pieces on lower ones, in some windows: what was taken off looked more like a
    piece before than it does now. `colours` are (n, 10) shares of what was seen: one of the known ones that is
    uppermost now has been laid bare.
    """
    ground, s = seen.windows.ground, settings.added
    search, proposals = settings.search, settings.proposals
    if ground.past is None or change is None:
        return seen
    looks, placed, stacks = (ground, ground.past.ground), False, [*_stacks(ground.past.found)]

    def tops(look: Ground, tried: Sequence[Hypotheses]) -> Floats:
        lower, upper = (joined([pieces.only([k]) for pieces in tried]) for k in (-2, -1))
        return odds(windows_of(look, [region_round(look, upper.place[:, :2], proposals)], search), lower, upper)

    def came(pieces: Hypotheses) -> bool:
        now, then = (float(tops(look, [pieces])[0]) for look in looks)
        return now > then - (s.against if len(pieces) > 2 else 0.0)

    def likeliest(tried: Sequence[Hypotheses]) -> Hypotheses:
        several = len({int(pieces.kind[-1]) for pieces in tried}) > 1
        return tried[int(tops(ground, tried).argmax()) if several else 0]

    def shares(now: Seen) -> Floats:
        return colours(now.in_one_window(settings) if placed else now)

    for stack in stacks:
        if ground.zone is not None and not in_zone(ground, ground.zone, stack.pieces.place[:1, :2]):
            continue
        others = [other.known[0] for other in stacks if other is not stack]
        lies = _now(seen, stack, others, change, shares, likeliest, s)
        if lies is not None and (lies.certain or came(lies.pieces)):
            seen, placed = _instead(seen, lies, others, s), True
        seen = _as_known(seen, stack, s)
    return seen.in_one_window(settings) if placed else seen


def _stacks(found: Sequence[Found]) -> Iterator[_Stack]:
    """The pyramids of the last look, by themselves or on one another."""
    upper = {f.on: i for i, f in enumerate(found) if f.on is not None}
    for i, claim in enumerate(found):
        if claim.on is not None or (lowest := known_piece(claim)) is None:
            continue
        claims, pieces, above, pose = [claim], [lowest.placed(claim.z_mm)], upper.get(i), lowest.kind // STANDING
        while above is not None and (piece := known_piece(found[above])) and piece.kind // STANDING == pose:
            claims.append(found[above])
            pieces.append(piece.placed(found[above].z_mm))
            above = upper.get(above)
        told, again = any(f.by_change for f in claims), all(f.again for f in claims)
        sure = min(f.sure for f in claims)
        odds = math.log(sure / max(1 - sure, 1e-9))
        yield _Stack(joined(pieces), tuple(colours_of(f) for f in claims), told, odds, again)


def _now(
    seen: Seen,
    stack: _Stack,
    others: Sequence[Known],
    change: Change,
    colours: Colours,
    likeliest: Callable[[Sequence[Hypotheses]], Hypotheses],
    s: AddedSettings,
) -> _Lies | None:
    """The stack as it lies now; None where it is as it was seen. Of stacks that explain it alike, the `likeliest`."""
    outlines = outlines_of(change.ground, stack.pieces)
    own = [i for i in range(len(seen.found)) if _belongs(seen, i, stack.pieces, outlines, others, s)]
    if max(change.of(outline) for outline in outlines) < s.quiet:
        came = [i for i in own if change.of(seen.outlines[i]) > s.came]
        beside = any(_is_there(seen, i, stack.known[0], s) for i in own)
        if any(beside or seen.on[i] is not None for i in came):
            return None  # it lies beyond what lay there, as a small one does over the tip of a large one
        return stack.as_it_lay() if stack.told or _still_lies(seen, own, stack, s) else None
    change = change.near(outlines, 3 * s.round_mm)
    bare = [i for i in own if i not in seen.on]
    shares = colours(seen) if bare else np.zeros((0, len(PYRAMID_COLOURS)))
    left = _left(seen, bare, stack, shares, s)
    if left < len(stack.pieces):
        seen_so = any(len(seen.chain(i)) >= left for i in own)
        return None if seen_so else replace(stack.as_it_lay(), pieces=stack.pieces.only(range(left)))
    covered = left > len(stack.pieces) and change.is_another(outlines[-1], s)
    covered = covered and any(_hides_its_like(seen, i, stack, s) for i in own)
    taken = max(change.explained(outline, outlines, s) for outline in outlines)  # off, or for another one
    missed = not own and change.is_there(outlines[-1], s)
    enough = max(s.explained, 0.0 if covered or missed else taken + s.rather)
    tries = [(share, tried) for share, tried in _with_one_more(stack, change, outlines, s) if share > enough]
    if not tries:
        return None
    tops = [outlines_of(change.ground, tried)[-1] for _, tried in tries]
    if any(_was_pushed(seen, i, stack, shares, [*outlines, *tops], s) for i in bare):
        return None
    tries.sort(key=lambda pair: -pair[0])
    best = tries[0][0]
    fresh = [i for i in own if not any(_is_there(seen, i, piece, s) for piece in stack.known)]
    near = [t for share, t in tries if share > best - s.nearly or any(_is_top(seen, i, t, s) for i in fresh)]
    pieces = likeliest(near)
    if chain := _found_more(seen, stack, s):
        as_found = seen.found.only(chain)
        return _Lies(as_found, s.sure, True, True) if as_found.kind.tolist() == pieces.kind.tolist() else None
    better = (change.explained(seen.outlines[i], outlines, s) for i in fresh if not _is_top(seen, i, pieces, s))
    return None if any(share > best + s.better for share in better) else _Lies(pieces, s.sure, True, covered)


def _still_lies(seen: Seen, own: Sequence[int], stack: _Stack, s: AddedSettings) -> bool:
    """True for what nothing has changed, if two looks have seen it: a stack that is seen less surely now, or a piece on
    which more is so seen. In photographs once is enough: what is not seen now is there still, nothing less sure came;
    what two of them have seen is not another piece in the third.
    """
    once = seen.windows.ground.past is not None and seen.windows.ground.past.once
    if once:
        more = len(own) > len(stack.pieces)
        other = stack.again and len(stack.pieces) == 1 and not any(_is_there(seen, i, stack.known[0], s) for i in own)
        return len(own) < len(stack.pieces) or other or (more and min(seen.odds[own]) < stack.odds)
    if not stack.again:
        return False
    if not own or (len(own) < len(stack.pieces) and _hides_one(stack)):
        return len(stack.pieces) > 1
    if len(own) > len(stack.pieces) and min(seen.odds[own]) > s.sure:
        return False  # the network that sees what has changed has seen it come
    return (len(stack.pieces) > 1 or len(own) > 1) and min(seen.odds[own]) < stack.odds


def _hides_one(stack: _Stack) -> bool:
    """True if one piece lies on its like: by itself a picture hardly tells them."""
    return bool((np.diff(stack.pieces.kind) == 0).any())


def _with_one_more(
    stack: _Stack, change: Change, outlines: Sequence[Floats], s: AddedSettings
) -> Iterator[tuple[float, Hypotheses]]:
    """The stack with one more of each size on each of its pieces, and how much of the change each explains."""
    for below in range(len(stack.pieces)):
        lower, rarer = stack.pieces.only([below]), s.taken_off * (below + 1 < len(stack.pieces))
        for kind in no_larger(int(lower.kind[0])):
            for rise in RISES_MM:
                top = on_top(lower, np.array([kind]), np.full(1, rise))
                share = change.explained(outlines_of(change.ground, top)[0], outlines, s) - rarer
                yield share, joined([stack.pieces.only(range(below + 1)), top])


def _left(seen: Seen, bare: Sequence[int], stack: _Stack, shares: Floats, s: AddedSettings) -> int:
    """How many pieces of a stack there are, by place and colour of the uppermost; one more if that is none of it."""
    alike = [
        number + 1
        for number, piece in enumerate(stack.known)
        for i in bare
        if _is_there(seen, i, piece, s) and float(shares[i] @ stack.colours[number]) > s.alike
    ]
    return max(alike, default=len(stack.pieces) + 1)


def _was_pushed(
    seen: Seen, top: int, stack: _Stack, shares: Floats, places: Sequence[Floats], s: AddedSettings
) -> bool:
    """True for what was found like the stack, but off all places where the stack, or one more on it, would be seen."""
    kinds, colour = seen.found.kind[seen.chain(top)].tolist(), float(shares[top] @ stack.colours[-1])
    if kinds != stack.pieces.kind.tolist() or colour < s.alike:
        return False
    middle = seen.outlines[top].mean(axis=0)
    return all(float(np.linalg.norm(middle - place.mean(axis=0))) > s.same_mm / 2 for place in places)


def _hides_its_like(seen: Seen, i: int, stack: _Stack, s: AddedSettings) -> bool:
    """True for what was found where the uppermost was, or where one of its kind on that would be: it may hide it."""
    if not stack.told and len(seen.chain(i)) != len(stack.pieces):
        return False
    top = stack.pieces.only([-1])
    return any(_is_top(seen, i, at, s) for at in (top, on_top(top, top.kind, np.full(1, TIP_RISE_MM))))


def _belongs(
    seen: Seen, i: int, pieces: Hypotheses, outlines: Sequence[Floats], others: Sequence[Known], s: AddedSettings
) -> bool:
    """True for a piece that was found in the place of a stack, and is none of the other known ones.

    What stands on the table beside its pieces may hide some of it, where the camera looks at it aslant.
    """
    if any(_is_there(seen, i, piece, s) for piece in others):
        return False
    if not any(shared(seen.outlines[i], outline) > s.stacked for outline in outlines):
        return False
    (foot,) = feet_of(seen.found.only([i]))
    return seen.on[i] is not None or any(shared(foot, other) > s.apart for other in feet_of(pieces))


def _is_top(seen: Seen, i: int, pieces: Hypotheses, s: AddedSettings) -> bool:
    """True for what was found as the uppermost of a stack, whatever it was taken to lie on."""
    kind, (x, y, heading, _) = int(pieces.kind[-1]), pieces.place[-1].tolist()
    return _is_there(seen, i, Known(kind, x, y, heading), s, s.same_mm)


def _is_there(seen: Seen, i: int, piece: Known, s: AddedSettings, near_mm: float | None = None) -> bool:
    """True for what was found just where a known piece lies, and as one of its kind."""
    x, y, heading, _ = (float(value) for value in seen.found.place[i])
    turned = abs(turn_deg(piece.heading_deg, heading)) if piece.kind in LYING else 0.0
    near = math.hypot(piece.x_mm - x, piece.y_mm - y) < (near_mm or s.same_mm / 2)
    return near and turned < s.same_deg and piece.kind == seen.found.kind[i]


def _found_more(seen: Seen, stack: _Stack, s: AddedSettings) -> list[int]:
    """The stack as it was found with one more piece on it, the lowest first; none where it was not."""
    for top in range(len(seen.found)):
        chain = seen.chain(top)
        kinds = seen.found.kind[chain[:-1]].tolist()
        if kinds == stack.pieces.kind.tolist() and _is_there(seen, chain[0], stack.known[0], s, s.same_mm):
            return chain
    return []


def _instead(seen: Seen, lies: _Lies, others: Sequence[Known], s: AddedSettings) -> Seen:
    """These pieces, each on the one before, in the place of what was found there. What carries one was seen better."""
    pieces, outlines = lies.pieces, outlines_of(seen.windows.ground, lies.pieces)
    kept = [i for i in range(len(seen.found)) if not _belongs(seen, i, pieces, outlines, others, s)]
    while lost := [i for i in kept if seen.on[i] is not None and seen.on[i] not in kept]:
        kept = [i for i in kept if i not in lost]
    new = {old: number for number, old in enumerate(kept)}
    rest = replace(
        seen,
        found=seen.found.only(np.array(kept, dtype=np.intp)),
        odds=seen.odds[kept],
        rivals=tuple(seen.rivals[i] for i in kept),
        on=tuple(None if (below := seen.on[i]) is None else new[below] for i in kept),
        outlines=tuple(seen.outlines[i] for i in kept),
        by_change=frozenset(new[i] for i in seen.by_change if i in new),
        before={new[i]: shares for i, shares in seen.before.items() if i in new},
    )
    as_sure = [{int(kind): chance_of(lies.odds)} for kind in pieces.kind]
    on: list[int | None] = [None, *range(len(kept), len(kept) + len(pieces) - 1)]
    more = rest.with_more(pieces, np.full(len(pieces), lies.odds), as_sure, on)
    told = range(len(kept), len(kept) + len(pieces)) if lies.told else ()
    return replace(more, by_change=rest.by_change | set(told))


def _as_known(seen: Seen, stack: _Stack, s: AddedSettings) -> Seen:
    """What is covered of a known stack has the size and the colour that were seen when it was less so."""
    before, rivals = dict(seen.before), list(seen.rivals)
    for top in (i for i in range(len(seen.found)) if i not in seen.on):
        chain = seen.chain(top)
        kinds = [int(seen.found.kind[i]) for i in chain[:-1]]
        if kinds and _is_there(seen, chain[0], stack.known[0], s, s.same_mm):
            alike = [a == b for a, b in zip(kinds, stack.pieces.kind.tolist(), strict=False)]
            for i, colours in zip(chain[: [*alike, False].index(False)], stack.colours, strict=False):
                before[i], rivals[i] = colours, s.surely(int(seen.found.kind[i]))
    return replace(seen, before=before, rivals=tuple(rivals))
