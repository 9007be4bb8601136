"""Random games for hands to play, whatever the game: lawful moves, and what the game itself would call unlawful."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from itertools import islice

import numpy as np

from companion.errors import IllegalMove, UnreadableText
from companion.events import Told
from companion.games.base import Game, Layout, Lying, Move, Position, Turn
from companion.games.extras import extras
from companion.pieces import EMPTY
from companion.simulator.script import Step
from companion.view import Sighting, TableView

TRIED = 8  # moves of which the liveliest is taken
LISTED = 400  # of a game with endless moves so many are looked at
LIVELY = 0.7  # how often a move is preferred that takes something off
AMISS = 6  # wrong tables that are tried to find something unlawful
TWICE = 0.3  # how often a wrong table has one more piece, and not one somewhere else
FREE_AMISS_MM = 70.0  # how far a piece is moved wrongly on a free table
NOTICED_MM = 10.0  # a piece that was pushed by less lies where it lay
CLEAR_MM = 42.0  # two pieces so far apart are never one in the other


def random_steps(
    game: Game,
    position: Position,
    plies: int,
    seed: int,
    mischief: float = 0.0,
    room: Callable[[Layout], bool] = lambda layout: True,
) -> tuple[list[Step], Position]:
    """A random lawful game of so many plies at most, hits preferred; `mischief` is the share of disturbed plies.

    `room` tells whether a layout fits on the table. Moves that do not show are entered, dice fall as they like.
    """
    rng = np.random.default_rng([seed, 47])
    steps: list[Step] = []
    for _ in range(plies):
        if game.outcome(position) is not None:
            break
        chosen = _thrown(game, position, rng) or _lively(game, position, rng, room)
        if chosen is None:
            break
        move, after = chosen
        text = game.write_move(position, move)
        if rng.random() < mischief:
            steps.append(Step(str(rng.choice(["hover", "wait", "nudge"]))))
        if len(game.chance(position)) != 1:  # what is certain happens by itself
            steps.append(Step(way_to_make(game, position, move), text))
        position = after
    return steps, position


def disturbed(
    game: Game,
    start: Position,
    steps: Sequence[Step],
    mischief: float,
    seed: int,
    room: Callable[[Layout], bool] = lambda layout: True,
) -> list[Step]:
    """A lawful game with what goes wrong at tables: unlawful actions, things done by halves, wrong pieces taken off.

    `mischief` is the share of moves before or during which something happens. `room` tells whether a layout fits on
    the table: beside it nobody sees what is unlawful.
    """
    rng = np.random.default_rng([seed, 59])
    position, found = start, list[Step]()
    before: Position | None = None
    for step in steps:
        if not step.move:
            found.append(step)
            continue
        while len(certain := game.chance(position)) == 1:
            position = game.play(position, certain[0][0]).position
        if rng.random() < mischief and (wrong := unlawful_step(game, position, rng, room, before)) is not None:
            found.append(wrong)
        move = game.read_move(position, step.move)
        after = game.play(position, move).position
        amiss = rng.random() < mischief and step.what == "move" and game.outcome(after) is None
        found.append(_carelessly(game.during(position, move), game.layout(after), step, rng) if amiss else step)
        before, position = position, after
    return found


def _carelessly(during: Layout, after: Layout, step: Step, rng: np.random.Generator) -> Step:
    """The move with what follows left half undone or a wrong piece taken off; as it was where nothing follows."""
    if during.board is None:
        return step
    before, later = ({p.cell: p.piece for p in layout.pieces} for layout in (during, after))
    changed = sorted(str(cell) for cell in before if later.get(cell) != before[cell])
    same = sorted(str(cell) for cell in before if later.get(cell) == before[cell])
    if not changed:
        return step
    gone = any(cell not in later for cell in changed)
    if gone and same:
        return Step("wrong removal", step.move, str(rng.choice(same)))
    if len(changed) > 1 and rng.random() < 0.5:
        return Step("half", step.move)
    return Step("forget", step.move, str(rng.choice(changed)))


def way_to_make(game: Game, position: Position, move: Move) -> str:
    """How a lawful move is made: by hands, or on the page, as dice or as a player's word."""
    if game.during(position, move) != game.layout(position):
        return "move"
    return "roll" if game.chance(position) else "offer"


def unlawful_step(
    game: Game,
    position: Position,
    rng: np.random.Generator,
    room: Callable[[Layout], bool] = lambda layout: True,
    before: Position | None = None,
) -> Step | None:
    """Something that hands may do by mistake and that the game can name; None when nothing was found.

    Nothing that shows the last move, made from `before`, taken back or made otherwise: a referee may take it for that.
    """
    layout = game.layout(position)
    for _ in range(AMISS):
        wrong = _amiss(layout, rng)
        if wrong is None or (before is not None and _shows(game, before, wrong)):
            continue
        for move in game.candidates(position, view_of(wrong)):
            try:
                game.play(position, move)
            except IllegalMove:
                during = game.during(position, move)
                if during != layout and alike(during, wrong) and room(during):
                    return Step("unlawful", game.write_move(position, move))
            except UnreadableText:
                continue
    return None


def _shows(game: Game, position: Position, wrong: Layout) -> bool:
    """True if the table looks so, or a lawful move makes it look so."""
    if alike(game.layout(position), wrong):
        return True
    moves = game.moves(position) if wrong.celled else game.candidates(position, view_of(wrong))
    for move in moves:
        try:
            turn = game.play(position, move)
        except (IllegalMove, UnreadableText):
            continue
        if alike(game.during(position, move), wrong) or alike(game.layout(turn.position), wrong):
            return True
    return False


def view_of(layout: Layout) -> TableView:
    """What a perfect eye would say of a table."""
    there = {lying.cell: lying for lying in layout.pieces if lying.cell is not None}
    if layout.celled:
        found = [
            Sighting((((there[cell].piece if cell in there else EMPTY), 1.0),), cell=cell) for cell in layout.cells()
        ]
    else:
        found = [_seen(lying) for lying in layout.pieces]
    return TableView(0.0, tuple(found), shape=layout.board)


def _seen(lying: Lying) -> Sighting:
    """A free piece; of an upright pyramid only the turn of its base is seen."""
    seen = Sighting(((lying.piece, 1.0),), lying.x_mm, lying.y_mm, lying.heading_deg, nested_on=lying.nested_on)
    if lying.piece.pose != "upright" or lying.heading_deg is None:
        return seen
    return dataclasses.replace(seen, heading_deg=None, base_deg=lying.heading_deg % 90)


def alike(one: Layout, other: Layout) -> bool:
    """True if two tables show the same pieces at the same places."""
    return {_key(p) for p in one.lasting.pieces} == {_key(p) for p in other.lasting.pieces}


def _key(lying: Lying) -> tuple[object, ...]:
    heading = None if lying.heading_deg is None else round(lying.heading_deg)
    return (lying.piece, lying.cell, lying.x_mm and round(lying.x_mm), lying.y_mm and round(lying.y_mm), heading)


def _thrown(game: Game, position: Position, rng: np.random.Generator) -> tuple[Move, Position] | None:
    """One of the moves of chance, as likely as the game says."""
    outcomes = game.chance(position)
    if not outcomes:
        return None
    shares = np.array([p for _, p in outcomes])
    move = outcomes[int(rng.choice(len(outcomes), p=shares / shares.sum()))][0]
    return move, game.play(position, move).position


def _lively(
    game: Game, position: Position, rng: np.random.Generator, room: Callable[[Layout], bool]
) -> tuple[Move, Position] | None:
    """One of the legal moves; of a handful tried, one that takes something off is preferred."""
    legal = list(islice(game.moves(position), LISTED))
    order = [legal[int(i)] for i in rng.permutation(len(legal))]
    fitting = (move for move in order if room(game.during(position, move)))
    before = len(game.layout(position).pieces)
    best: tuple[Move, Position] | None = None
    spare: tuple[Move, Position] | None = None
    for move in islice(fitting, TRIED):
        turn = game.play(position, move)
        if _doubtful(game, turn):
            spare = spare or (move, turn.position)
            continue
        after = turn.position
        if game.outcome(after) is None and len(game.layout(after).pieces) < before and rng.random() < LIVELY:
            return move, after
        if best is None or game.outcome(best[1]) is not None:
            best = (move, after)
    return best or spare


def _doubtful(game: Game, turn: Turn) -> bool:
    """True if the game says that hands and camera cannot be exact enough to tell what follows."""
    doubts = extras(game).DOUBTS
    return any(isinstance(event, Told) and event.rule in doubts for event in turn.events)


def _amiss(layout: Layout, rng: np.random.Generator) -> Layout | None:
    """The table with one piece somewhere else, or with one more of a kind that lies there."""
    carriers = {p.nested_on for p in layout.pieces}
    movable = [p for i, p in enumerate(layout.pieces) if i not in carriers and (layout.plan is None or "/" in _cell(p))]
    if not movable:
        return None
    piece = movable[int(rng.integers(len(movable)))]
    wrong = _elsewhere(layout, piece, rng)
    if wrong is None:
        return None
    twice = layout.plan is None and rng.random() < TWICE
    if twice and _in_the_way(wrong, piece):
        return None
    kept = layout.pieces if twice else tuple(p for p in layout.pieces if p is not piece)
    return dataclasses.replace(layout, pieces=(*kept, wrong))


def _elsewhere(layout: Layout, piece: Lying, rng: np.random.Generator) -> Lying | None:
    """On a free cell, on another spot of a plan, or some way off on a free table."""
    if layout.plan is not None:
        spot = layout.plan.spots[int(rng.integers(len(layout.plan.spots)))]
        name = _cell(piece).partition("/")[2]
        return dataclasses.replace(piece, cell=f"{spot.cell}/{name}", x_mm=spot.x_mm, y_mm=spot.y_mm)
    if layout.board is not None:
        taken = {p.cell for p in layout.pieces}
        free = [cell for cell in layout.cells() if cell not in taken]
        return dataclasses.replace(piece, cell=free[int(rng.integers(len(free)))]) if free else None
    x, y = (round((at or 0) + float(rng.normal(0, FREE_AMISS_MM)), 1) for at in (piece.x_mm, piece.y_mm))
    if math.hypot(x - (piece.x_mm or 0), y - (piece.y_mm or 0)) < NOTICED_MM:
        return None
    moved = dataclasses.replace(piece, x_mm=x, y_mm=y, nested_on=None)
    return None if any(_in_the_way(moved, p) for p in layout.pieces if p is not piece) else moved


def _in_the_way(one: Lying, other: Lying) -> bool:
    """True on a free table for pieces that might stand one in the other."""
    if one.x_mm is None or one.y_mm is None or other.x_mm is None or other.y_mm is None or one.cell is not None:
        return False
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) < CLEAR_MM


def _cell(piece: Lying) -> str:
    return piece.cell or ""
