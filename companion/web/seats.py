"""Which phone holds which seat, as players come, leave and go on to another game."""

from flask import g

from companion.referee.commands import Command
from companion.web.parts import Parts
from companion.web.shapes import Join, Shape


def players_of(web: Parts) -> dict[int, str | None]:
    """Who sits on each seat of the game on the table."""
    return {seat.seat: seat.player for seat in web.read_model.snapshot().seats}


def sitting(web: Parts) -> tuple[int, dict[int, str]]:
    """The game on the table, and who sits at it; with no game on, who sat at the last."""
    return web.read_model.snapshot().game_number, web.read_model.sitting()


def keep_seats(web: Parts, arguments: Shape) -> None:
    """Who left or was replaced holds the seat no more; who joined, and sits there by now, holds it.

    Players stay for the next game, and so do their phones.
    """
    players = players_of(web)
    for seat, player in players.items():
        if player is None:
            web.sessions.take_seat(seat)
    if not isinstance(arguments, Join) or players.get(arguments.seat) != " ".join(arguments.player.split()):
        return
    web.sessions.take_seat(arguments.seat)
    if arguments.claim and g.token is not None:
        if g.grant.seat not in (None, arguments.seat):
            stand_up(web)
        web.sessions.give(g.token, host=g.grant.host, seat=arguments.seat)


def seat_anew(web: Parts, number: int, sat: dict[int, str]) -> None:
    """Where another game lies on the table than this one, phones play for nobody who did not sit there before."""
    lies, sit = sitting(web)
    for seat in {*sat, *sit} if lies != number else ():
        if sit.get(seat) != sat.get(seat):
            web.sessions.take_seat(seat)


def stand_up(web: Parts) -> None:
    """The seat that this phone holds is free for others."""
    held = g.grant.seat
    if any(seat.seat == held and seat.player is not None for seat in web.read_model.snapshot().seats):
        web.commands.submit(Command("withdraw", {"seat": held}, by=f"seat {held}"))
        web.sessions.take_seat(held)
