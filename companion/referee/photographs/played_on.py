"""Play that goes on though something was refused or not understood, where nobody can be asked.

A photographed game does not wait for its referee. What was refused, and lies there still when a lawful action follows,
was misread, if it looked like something lawful, too, or else let stand; what nothing explained, and is followed by an
action that is clear without it, is left aside.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.events import Event
from companion.games.base import Layout, Move
from companion.games.extras import Shown, extras
from companion.pieces import EMPTY
from companion.referee import chance
from companion.referee import happenings as h
from companion.referee.consequences import led_to, played_out
from companion.referee.evidence.cells import CellEvidence
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_layouts import FreeMemory, apart
from companion.referee.evidence.layout import Evidence, Remembered, cells_of, place_key
from companion.referee.explanations.explanation import Explanation
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.explanations.supposed import explained_from
from companion.referee.explanations.taken_back import MADE_INSTEAD, made_instead, taken_back_and_made
from companion.referee.let_stand import can_be_taken_up, let_stand, taken_up
from companion.referee.photographs.read_anew import SECOND_THOUGHTS
from companion.referee.spelling import described, spelled
from companion.referee.state import State, fold, fold_all
from companion.referee.words import sentence
from companion.view import TableView

if TYPE_CHECKING:
    from companion.referee.table import Table

STUCK = ("unlawful", "strange", "unclear")
LET_STAND = "Let stand, as play went on"
TAKEN_UP = "more was done than the photographs tell: play goes on from what lay there"


def gone_on(table: Table, found: Explanation, view: TableView, seen: Evidence) -> tuple[Explanation, Evidence]:
    """What followed upon what was refused or not understood before; `found` itself where nothing clear did.

    Where people watch they are asked about it. Else what was refused is written down as let stand then, and what
    nothing explained is no news any more.
    """
    if not table.settings.take_the_best:
        return taken_back_and_made(table, found, view, seen), seen
    if (anew := table.read_anew.look(table, found, view, seen)) is not None:
        return anew
    if not _stuck(found):
        anew = _misread_before(table, found, view, seen) if _tells_refused(table, found) else None
        return anew or table.photographs.look(table, found, seen) or (found, seen)
    return (
        _one_before_misread(table, found, view, seen)
        or _made_otherwise(table, found, view, seen)
        or table.photographs.look(table, found, seen, stuck=True)
        or _after_refusal(table, found, view, seen)
        or _left_aside(table, found, seen)
        or _lost(table, found, seen)
        or _from_what_lay(table, found, view)
        or (found, seen)
    )


def _one_before_misread(
    table: Table, found: Explanation, view: TableView, seen: Evidence
) -> tuple[Explanation, Evidence] | None:
    """What would be refused is lawful if an action before it was another, as likely as not: then it was the other."""
    refused = found.best
    if refused is None or refused.error is None or table.state.ruling is not None:
        return None
    for odds, made, told in table.second_thoughts.otherwise(table):
        if odds + refused.cost <= table.settings.lawful_cost:
            break
        if (after := _followed(table, made, found, view, seen)) is not None:
            table.mended = told
            return after, seen
    return None


def _after_refusal(
    table: Table, found: Explanation, view: TableView, seen: Evidence
) -> tuple[Explanation, Evidence] | None:
    """What was refused lies there still, and something followed: it was lawful, or else it was let stand."""
    refused, state = table.refused, table.state
    if refused is None or state.ruling is None:
        return None
    if (misread := _misread_before(table, found, view, seen)) is not None:
        return misread
    if extras(state.module).carry_out is None:
        return None
    try:
        events = let_stand(state, refused.moves, LET_STAND)
    except CompanionError:  # it cannot be let stand
        return None
    after = _followed(table, events, found, view, seen)
    return None if after is None else (after, seen)


def _misread_before(
    table: Table, found: Explanation, view: TableView, seen: Evidence
) -> tuple[Explanation, Evidence] | None:
    """What was refused lies there still, and was lawful, as it or an action before it was misread."""
    for _, made, told in _lawful_if(table, table.refused) if table.refused is not None else ():
        if (after := _followed(table, made, found, view, seen)) is not None:
            table.mended = told
            return after, seen
    return None


def _tells_refused(table: Table, found: Explanation) -> bool:
    """True for lawful actions of which one is, on a free table, what was refused: it was misread, or one before it."""
    refused, made = table.refused, lawful(found)
    if refused is None or made is None or made.layout.celled or table.state.ruling is None:
        return False
    before = set(map(place_key, table.layout.pieces))
    put, near_mm = [p for p in refused.layout.pieces if place_key(p) not in before], table.settings.nudge_mm
    told = [p for p in made.layout.pieces if place_key(p) not in before]
    return bool(put) and all(any(apart(one, other) <= near_mm for other in told) for one in put)


def _lawful_if(table: Table, refused: Hypothesis) -> Iterator[tuple[float, Sequence[Event], str]]:
    """What may have been done where this was refused: events, their log-odds over the refusal, and what is said.

    It or an action before it was misread; the likeliest first.
    """
    state, gain = table.state, refused.cost - table.settings.lawful_cost
    its_own = (
        (odds, _made(state, other.moves), f"{SECOND_THOUGHTS} {described(state, other)}")
        for odds, other in table.instead
    )
    before = table.second_thoughts.otherwise(table, spelled(state, refused))
    earlier = ((odds + gain, made, told) for odds, made, told in before)
    return heapq.merge(its_own, earlier, key=lambda way: -way[0])


def _made(state: State, moves: Sequence[Move]) -> tuple[Event, ...]:
    """The events of lawful actions."""
    events: list[Event] = []
    for index, move in enumerate(moves, start=1):
        made = (led_to if index < len(moves) else played_out)(state, move, h.TABLE)
        state = fold_all(made, state)
        events += made
    return tuple(events)


def _followed(
    table: Table, events: Sequence[Event], found: Explanation, view: TableView, seen: Evidence
) -> Explanation | None:
    """What explains the view after these events, which are written down if that tells more than what was found."""
    try:
        state = fold_all(events, table.state)
        state = fold_all(chance.certain(state), state)
    except CompanionError:  # the game knows no position in which it stands
        return None
    after = table.explainer.explain(table.scene(state), view, seen)
    if not _tells_more(after, found):
        return None
    table.record(*events)
    return after


def _made_otherwise(
    table: Table, found: Explanation, view: TableView, seen: Evidence
) -> tuple[Explanation, Evidence] | None:
    """The last action, or the last few plies, were taken back between two photographs, and another one was made."""
    state = table.state
    odd = found.kind in ("strange", "unclear") and not found.lifted
    odd = odd or _far_fetched(table, found, seen)
    puzzled = odd and state.ruling is None and state.phase == "play" and not state.awaiting
    if not puzzled or (made := made_instead(table, view, seen)) is None:
        return None
    ply, after, again = made
    table.record(h.TakenBack(ply, on_table=True))
    table.mended = MADE_INSTEAD
    return after, again


def _far_fetched(table: Table, found: Explanation, seen: Evidence) -> bool:
    """True for an unlawful action that is rather a lawful one made where the last was taken back.

    So is, on a free table, one that seems to lie in a piece that is not seen any more.
    """
    if found.forbidden is None:
        return False
    if isinstance(seen, CellEvidence):
        return found.forbidden.cost > table.settings.far_fetched
    if not isinstance(seen, FreeEvidence):
        return False
    return any(seen.displaced(lying, table.layout) for lying in table.layout.pieces)


def _left_aside(table: Table, found: Explanation, seen: Evidence) -> tuple[Explanation, Evidence] | None:
    """What nothing explained before is still as odd, and without it what happened is clear.

    It is a single thing, which may be anything; where several are of the game, they are rather taken up.
    """
    if not isinstance(seen, FreeEvidence) or table.odd is None or _are_played(table):
        return None
    left = seen.without(table.odd)
    scene = replace(table.scene(), earlier=())  # what is missing makes earlier tables look likely
    after = table.explainer.explain(scene, left.view, left)
    if not _tells_more(after, found):
        return None
    table.known.looks = left.memory
    return after, left


def _are_played(table: Table) -> bool:
    """True if more than one thing was odd about the last photograph, and play may go on from all of them."""
    lay = table.unexplained
    new = [odd for odd in lay.differences(table.layout) if odd.seen != EMPTY] if lay is not None else []
    return len(new) > 1 and can_be_taken_up(table)


def _lost(table: Table, found: Explanation, seen: Evidence) -> tuple[Explanation, Evidence] | None:
    """A piece that is missing in two photographs running is in no hand: it was struck where it went, and taken off."""
    lay = table.unexplained
    if not found.lifted or lay is None or not isinstance(seen, CellEvidence):
        return None
    shown = seen.shown(table.layout)
    if shown is None or shown != lay.shown(table.layout):
        return None
    ways = tuple(h for h in table.scene().outlook.losses if cells_of(h.layout) == shown)
    if not ways:
        return None
    kind = "choice" if len(ways) > 1 else "move"
    return Explanation(kind, ("lost", *(h.key for h in ways)), ways[0], ways), seen


def _from_what_lay(table: Table, found: Explanation, view: TableView) -> tuple[Explanation, Evidence] | None:
    """Nothing explained the table in the last photograph, and this one shows a lawful action made from there.

    More happened between two photographs than anybody can tell: play is taken up from what lay there.
    """
    lay, state = table.unexplained, table.state
    odd = found.kind in ("strange", "unclear") or isinstance(lay, FreeEvidence)  # where one action may hold anything
    if lay is None or view is table.unexplained_still or not odd:
        return None
    table.unexplained_still = view  # one photograph is looked at more than once
    if (shown := lay.shown(table.layout)) is None:
        return None
    ways = []
    for seat in _to_move(state, shown):
        if (up := taken_up(state, shown, seat, f"then {TAKEN_UP}")) is None:
            continue
        stood = fold(state, up)
        looks = _looks(lay, stood.module.layout(stood.position))
        after, again = explained_from(table, stood, view, looks)
        if (made := lawful(after)) is not None and not again.differences(made.layout):
            ways.append((len(made.moves), up, after, again, looks))
    if not ways:
        return None
    fewest = min(plies for plies, *_ in ways)
    (_, up, after, again, looks), *others = (way for way in ways if way[0] == fewest)
    if others:  # whose turn it was cannot be told
        return None
    table.record(up)
    table.second_thoughts.forget()
    table.photographs.forget()
    table.mended, table.known.looks = sentence(TAKEN_UP), looks
    return after, again


def _to_move(state: State, shown: Shown) -> Sequence[int]:
    """The seats of which one may have been to move there: where pieces are nobody's, the game can count whose turn."""
    told = extras(state.module).turn_of
    if told is None:
        return range(len(state.module.seats(state.position)))
    try:
        return (told(state.position, shown),)
    except CompanionError:  # nobody plays from there
        return ()


def _looks(lay: CellEvidence | FreeEvidence, layout: Layout) -> Remembered | FreeMemory:
    """How the table looked that was known to show this layout, dice with it."""
    if isinstance(lay, CellEvidence):
        return lay.looks(layout)
    return replace(lay.looks(layout), dice=lay.dice)


def lawful(after: Explanation) -> Hypothesis | None:
    """The lawful action that explains a view; on a free table the likeliest of several."""
    if after.kind == "choice" and not after.choices[0].layout.celled:
        return after.choices[0] if all(choice.kind == "move" for choice in after.choices) else None
    return after.best if after.kind == "move" else None


def _stuck(found: Explanation) -> bool:
    return (
        found.kind in STUCK or (found.kind == "choice" and found.choices[0].error is not None) or _in_other_order(found)
    )


def _in_other_order(found: Explanation) -> bool:
    """True for actions on a board that can only have been made before each other: what was refused lay there first."""
    return found.kind == "move" and found.best is not None and found.best.layout.celled and len(found.best.moves) > 1


def _tells_more(after: Explanation, found: Explanation) -> bool:
    """True if something lawful was done, or on a free table something forbidden where nothing was understood."""
    best = after.choices[0] if after.choices else after.best
    if best is None or after.kind not in ("move", "unlawful", "choice"):
        return False
    return best.kind == "move" or (found.kind in ("strange", "unclear") and not best.layout.celled)
