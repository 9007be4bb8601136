"""What a phone is told of games without squares: Kaxxt after a laser, Chaos dice, a tower half climbed, a hexagon."""

import random
from dataclasses import replace
from typing import Any

from companion.events import Beam
from companion.games import game as game_named
from companion.referee.picture import board_view
from companion.referee.setup import pieces_of
from companion.referee.snapshot import Offer, SeatView, Snapshot, Step, Waiting
from companion.referee.words import Palette

KAXXT = (
    "shields=24,21,30,9 kaxxt=28 turn=south target=south phase=roll bag=r1b1b2g1g2y1y2y3k1k3 hand.south=g3 "
    "area.south=r3k2@0.0,-120.0>180.0 area.west=r2@-130.0,10.0>90.0 area.north=b3@0.0,120.0^ area.east=-"
)
CHAOS = (
    "2/10 1 place r,k 555/555/255/555/255/555/555/555/555/555 y3/- "
    "r3^-80.0,40.0,0.0;y3^40.0,40.0,0.0;r3^140.0,40.0,0.0;y3^-150.0,100.0,10.0;r3>-44.2,40.0,0.0 0 -"
)


def kaxxt() -> Snapshot:
    """A red laser meets a stack, feeds the black pyramid, and goes on to the neighbour."""
    game = game_named("kaxxt")
    before = game.read_position(KAXXT.replace(" area.east=-", ""))
    turn = game.play(before, game.read_move(before, "=1"))
    beams = tuple(path for event in turn.events if isinstance(event, Beam) for path in event.paths)
    assert beams
    worth = {card.name: card.value for card in game.cards(before)}
    cards = tuple(replace(c, change=(c.value or 0) - (worth[c.name] or 0)) for c in game.cards(turn.position))
    steps = (Step("turn Kaxxt's card to the west, to Bob"),)
    offers = (Offer("draw any", "West feels for any pyramid in the bag."), Offer("roll", "West rolls."))
    waiting = Waiting("Hands, please", steps=steps)
    return _state("kaxxt", turn.position, waiting=waiting, beams=beams, cards=cards, offers=offers)


def chaos() -> Snapshot:
    """A red and a black piece are to be placed."""
    game = game_named("chaos")
    position = game.read_position(CHAOS)
    return _state("chaos", position, waiting=Waiting("Player 2 to move"), cards=game.cards(position))


def tower() -> Snapshot:
    """Two pawns are on their way up, some tiles lie face-up."""
    return _state("kdak", _after("kdak", 24), waiting=Waiting("Baba to move"))


def hexagon() -> Snapshot:
    """Discs have spread over the hexagon."""
    return _state("hexxagon", _after("hexxagon", 14), waiting=Waiting("Black to move"))


def _after(name: str, plies: int) -> Any:
    """A position some random plies into a game."""
    game, drawn = game_named(name), random.Random(5)
    position = game.start({})
    for _ in range(plies):
        moves = [move for move, _ in game.chance(position)] or list(game.moves(position))
        position = game.play(position, drawn.choice(moves)).position
    return position


def _state(name: str, position: Any, **more: Any) -> Snapshot:
    game = game_named(name)
    layout = game.layout(position)
    seats = tuple(SeatView(i, n.capitalize(), n.replace(" ", "-").lower()) for i, n in enumerate(game.seats(position)))
    return Snapshot(
        number=30,
        game=name,
        title=game.TITLE,
        phase="play",
        seats=seats,
        to_move=game.to_move(position),
        sight="seeing",
        board=board_view(layout),
        pieces=pieces_of(layout, Palette()),
        **more,
    )
