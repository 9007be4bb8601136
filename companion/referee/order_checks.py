"""What must hold before an order is carried out, and whose it is; else CommandRefused says why not."""

from companion.errors import CommandRefused
from companion.referee.commands import Command
from companion.referee.let_stand import allows
from companion.referee.spelling import described
from companion.referee.table import Table
from companion.referee.turn_words import mover


def need_game(table: Table) -> None:
    """A game was chosen."""
    if table.state.game is None:
        raise CommandRefused("no-game", "No game is on: start one first")


def need_play(table: Table) -> None:
    """A game is being played."""
    need_game(table)
    if table.state.phase != "play":
        why = "The game is over" if table.state.phase == "over" else "The set-up is not complete yet"
        raise CommandRefused("not-now", why)


def need_turn(table: Table, command: Command) -> None:
    """It is the turn of the seat that asks; the button and the host may ask for any."""
    need_play(table)
    seat = table.state.module.to_move(table.state.position)
    if command.by.startswith("seat") and command.by != f"seat {seat}":
        raise CommandRefused("not-your-turn", f"It is {mover(table.state)}'s turn", 403)


def need_settled(table: Table) -> None:
    """What lies there is as the record says: else a move that the table does not show would pass over it."""
    if table.pending is not None:
        done = described(table.state, table.pending)
        raise CommandRefused("press-first", f"Press the end-of-turn button first, or put it back: {done}")
    if (ruling := table.state.ruling) is not None:
        rather = " Or let the host go on with it." if allows(table) else ""
        raise CommandRefused("put-right", f"Put it right first: {ruling.remedy or ruling.text}{rather}")
    if table.question is not None:
        raise CommandRefused("unanswered", f"Answer this first: {table.question.text}")


def need_recorded(table: Table) -> None:
    """What was done last is recorded: else a press that takes it back would take back what was done before it."""
    asked_of_others = any(meant.kind != "earlier" for meant in table.asked.values())
    if table.pending is not None:
        raise CommandRefused("put-back-first", "What was done last does not count yet: put the pieces back")
    if table.state.ruling is not None:
        raise CommandRefused("put-back-first", "What was refused is no action that counts: put the pieces back")
    if table.question is not None and asked_of_others:
        raise CommandRefused("unanswered", f"Answer this first, or put the pieces back: {table.question.text}")


def seat_named(table: Table, command: Command) -> int:
    """The seat that a command names, by number or by name."""
    need_game(table)
    names = table.state.module.seats(table.state.position)
    named = command.arguments.get("seat")
    if isinstance(named, str) and named.lower() in {n.lower() for n in names}:
        return [n.lower() for n in names].index(named.lower())
    if isinstance(named, bool) or not isinstance(named, int) or not 0 <= named < len(names):
        raise CommandRefused("no-such-seat", f"There are the seats 0 to {len(names) - 1}", 400)
    return named


def own_seat(table: Table, command: Command) -> int:
    """The seat that a command is for: a seat speaks for itself alone, and need not name itself."""
    if command.by.startswith("seat ") and "seat" not in command.arguments:
        return int(command.by.removeprefix("seat "))
    seat = seat_named(table, command)
    if command.by.startswith("seat") and command.by != f"seat {seat}":
        raise CommandRefused("not-your-seat", "That is another player's seat", 403)
    return seat
