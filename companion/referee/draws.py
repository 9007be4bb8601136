"""Draws by agreement, and those that the rules let a player claim."""

from companion.errors import CommandRefused
from companion.events import GameOver, Told
from companion.games.base import Move
from companion.games.extras import extras
from companion.referee import happenings as h
from companion.referee.commands import Command
from companion.referee.consequences import played_out
from companion.referee.endings import between, unanswered
from companion.referee.order_checks import need_play, own_seat
from companion.referee.state import fold_all
from companion.referee.table import Table
from companion.referee.turn_words import mover, seat_name


def offer_draw(table: Table, command: Command, at: str) -> None:
    """A player offers all others a draw."""
    need_play(table)
    seat = _draw_seat(table, command)
    if table.state.draw.by is not None:
        raise CommandRefused("offered-already", "A draw is offered already")
    table.record(h.DrawOffered(seat), Told(f"{seat_name(table.state, seat)} offers a draw"))


def answer_draw(table: Table, command: Command, at: str) -> None:
    """Another player accepts or declines; once all have accepted, the game is drawn."""
    need_play(table)
    offered = table.state.draw.by
    if offered is None:
        raise CommandRefused("no-offer", "No draw is offered")
    seat = _draw_seat(table, command)
    if seat == offered:
        raise CommandRefused("own-offer", "The other players have to answer the offer", 403)
    if command.arguments.get("accept") is not True:
        table.record(h.DrawDeclined(seat), Told(f"{seat_name(table.state, seat)} declines the draw"))
        return
    if seat in table.state.draw.accepted:
        raise CommandRefused("answered-already", f"{seat_name(table.state, seat)} has accepted the draw already")
    accepted = (h.DrawAccepted(seat), Told(f"{seat_name(table.state, seat)} accepts the draw"))
    agreed = not unanswered(fold_all(accepted, table.state))
    table.record(*accepted, *((GameOver("agreed", (), "The players agree on a draw"),) if agreed else ()))


def _draw_seat(table: Table, command: Command) -> int:
    """The seat that has a say in a draw."""
    parties = between(table.state)
    if not parties:
        raise CommandRefused("nobody-against", "There is nobody to agree on a draw with in this game")
    seat = own_seat(table, command)
    if seat not in parties:
        raise CommandRefused("out", f"{seat_name(table.state, seat)} is out and has no say in a draw", 403)
    return seat


def claim_draw(table: Table, command: Command, at: str) -> None:
    """The player about to move ends the game by a draw that the rules grant."""
    need_play(table)
    moves = claims(table)
    if not moves:
        raise CommandRefused("no-claim", "There is nothing to claim now")
    seat = table.state.module.to_move(table.state.position)
    if command.by.startswith("seat") and command.by != f"seat {seat}":
        raise CommandRefused("not-your-turn", f"Only {mover(table.state)}, about to move, may claim", 403)
    table.record(*played_out(table.state, moves[0], h.ENTERED))


def claims(table: Table) -> tuple[Move, ...]:
    """What the player about to move may claim, where the game knows claims."""
    game = table.state.game
    return extras(game).claims(table.state.position) if game is not None and table.state.phase == "play" else ()
