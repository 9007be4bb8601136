"""What phones and buttons may ask of the table, one function for each command of `commands.COMMANDS`."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from companion.errors import CommandRefused, CompanionError, IllegalMove, UnreadableText
from companion.events import GameOver, Told, TurnBegan
from companion.games import GAMES, usual
from companion.games import game as game_named
from companion.games.base import Move, Plan
from companion.games.options import settle
from companion.pieces import EMPTY, KHET_FACINGS, PYRAMID_COLOURS, SUITS, VALUES, Piece
from companion.referee import chance
from companion.referee import happenings as h
from companion.referee.commands import COMMANDS, Command
from companion.referee.dice import rolls
from companion.referee.endings import between, may_resign, rivals, unanswered, wins
from companion.referee.let_stand import ACTION, BOARD, allows, let_stand, taken_up
from companion.referee.outlook import Hypothesis
from companion.referee.responses import settle_choice
from companion.referee.settings import TABLE_OPTIONS
from companion.referee.state import fold_all, played_out
from companion.referee.steps import carried_out
from companion.referee.table import Table
from companion.referee.taken_back import take_back
from companion.referee.words import sentence
from companion.texts import with_article

PLAYER_NAME_MAX = 40
MOVE_TEXT_MAX = 4000  # a whole arrangement of pyramids is one move
PIECE_KINDS = {"empty", "disc", "tile", "coin", "pawn", "die", "robot_card", *KHET_FACINGS}


def carry_out(table: Table, command: Command, at: str) -> None:
    """Do what was asked, or CommandRefused that says why not. `at` is the wall clock's text for a new game."""
    order = ORDERS.get(command.name)
    if order is None:
        raise CommandRefused("unknown-command", f"there is no command {command.name!r}", 404)
    if command.expects is not None and command.expects != table.number and command.name in _STATEFUL:
        raise CommandRefused("out-of-date", "The table has changed since: look again", 409)
    with refusing():
        order(table, command, at)


@contextmanager
def refusing() -> Iterator[None]:
    """What the rules or their readers object to, as a refusal that a page can show."""
    try:
        yield
    except IllegalMove as error:
        said = dict.fromkeys((sentence(error.text), sentence(error.remedy)))  # the remedy may be all there is to say
        raise CommandRefused(error.name, " ".join(filter(None, said)), 422) from error
    except (UnreadableText, ValueError) as error:
        raise CommandRefused("unreadable", str(error), 400) from error


_STATEFUL = {
    "end_turn",
    "undo",
    "answer",
    "enter_move",
    "play_move",
    "roll",
    "allow",
    "take_up",
    "claim_draw",
    "correct",
}


def started(arguments: Mapping[str, Any], at: str) -> h.Started:
    """The event that opens a game: options of the game and of the table in one mapping, each checked."""
    name = str(arguments.get("game", usual()))
    module = game_named(name)
    given = dict(arguments.get("options") or {})
    own = {option.name for option in TABLE_OPTIONS}
    table = settle(TABLE_OPTIONS, {k: v for k, v in given.items() if k in own})
    options = {k: v for k, v in given.items() if k not in own}
    module.start(options)  # says what is wrong with them
    return h.Started(name, tuple(sorted(options.items())), tuple(sorted(table.items())), at)


def _new_game(table: Table, command: Command, at: str) -> None:
    """The game that is asked for; the button, pressed again before the first action, goes through the games."""
    again = command.by == "button" and table.state.phase == "set-up"
    asked = {"game": _next_game(table.state.name), "options": dict(table.state.table)} if again else command.arguments
    table.open_game(started(asked, at))
    table.tell(Told(f"{table.state.module.TITLE}: set the pieces up"))


def _next_game(name: str) -> str:
    names = list(GAMES)
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]


def _reset(table: Table, command: Command, at: str) -> None:
    _need_game(table)
    table.record(h.Reset("by the host"))


def _join(table: Table, command: Command, at: str) -> None:
    _need_game(table)
    player = " ".join(str(command.arguments.get("player", "")).split())[:PLAYER_NAME_MAX]
    if not player:
        raise CommandRefused("no-name", "A player needs a name", 400)
    table.record(h.Joined(_seat(table, command), player))


def _withdraw(table: Table, command: Command, at: str) -> None:
    seat = _own_seat(table, command)
    if seat not in table.state.players:
        raise CommandRefused("seat-free", "Nobody sits there")
    table.record(h.Withdrew(seat))


def _end_turn(table: Table, command: Command, at: str) -> None:
    _need_turn(table, command)
    table.button.press(table)


def _resign(table: Table, command: Command, at: str) -> None:
    _need_play(table)
    seat = _own_seat(table, command)
    if not may_resign(table.state, seat):
        raise CommandRefused("out", f"{_name(table, seat)} is out and has nothing to give up", 403)
    winners = rivals(table.state.module, table.state.position, seat)
    ends = wins([_name(table, s) for s in winners]) or "the game is lost"
    table.record(GameOver("resigned", winners, f"{_name(table, seat)} resigns: {ends}"))


def _offer_draw(table: Table, command: Command, at: str) -> None:
    _need_play(table)
    seat = _draw_seat(table, command)
    if table.state.draw_offered_by is not None:
        raise CommandRefused("offered-already", "A draw is offered already")
    table.record(h.DrawOffered(seat), Told(f"{_name(table, seat)} offers a draw"))


def _answer_draw(table: Table, command: Command, at: str) -> None:
    _need_play(table)
    offered = table.state.draw_offered_by
    if offered is None:
        raise CommandRefused("no-offer", "No draw is offered")
    seat = _draw_seat(table, command)
    if seat == offered:
        raise CommandRefused("own-offer", "The other players have to answer the offer", 403)
    if command.arguments.get("accept") is not True:
        table.record(h.DrawDeclined(seat), Told(f"{_name(table, seat)} declines the draw"))
        return
    if seat in table.state.draw_accepted:
        raise CommandRefused("answered-already", f"{_name(table, seat)} has accepted the draw already")
    accepted = (h.DrawAccepted(seat), Told(f"{_name(table, seat)} accepts the draw"))
    agreed = not unanswered(fold_all(accepted, table.state))
    table.record(*accepted, *((GameOver("agreed", (), "The players agree on a draw"),) if agreed else ()))


def _draw_seat(table: Table, command: Command) -> int:
    """The seat that has a say in a draw."""
    parties = between(table.state)
    if not parties:
        raise CommandRefused("nobody-against", "There is nobody to agree on a draw with in this game")
    seat = _own_seat(table, command)
    if seat not in parties:
        raise CommandRefused("out", f"{_name(table, seat)} is out and has no say in a draw", 403)
    return seat


def _claim_draw(table: Table, command: Command, at: str) -> None:
    _need_play(table)
    moves = claims(table)
    if not moves:
        raise CommandRefused("no-claim", "There is nothing to claim: the arrangement has not stood here three times")
    seat = table.state.module.to_move(table.state.position)
    if command.by.startswith("seat") and command.by != f"seat {seat}":
        raise CommandRefused("not-your-turn", f"Only {table.mover}, about to move, may claim", 403)
    table.record(*played_out(table.state, moves[0], "entered"))


def claims(table: Table) -> tuple[Move, ...]:
    """What the player about to move may claim, where the game knows claims."""
    game = table.state.game
    if game is None or table.state.phase != "play":
        return ()
    offered = getattr(game, "claims", None)
    return tuple(offered(table.state.position)) if offered is not None else ()


def _undo(table: Table, command: Command, at: str) -> None:
    if table.state.phase not in ("play", "over"):
        raise CommandRefused("no-game", "No game is being played")
    state, count = table.state, len(table.state.plies)
    given_up = state.over is not None and state.module.outcome(state.position) is None  # no action ended it
    last = count if given_up else count - 1
    ply = command.arguments.get("ply", last)
    if last < 0:
        raise CommandRefused("nothing-to-undo", "Nothing has been played yet")
    if isinstance(ply, bool) or not isinstance(ply, int) or not 0 <= ply <= last:
        raise CommandRefused("no-such-ply", f"One can go back to ply 0 to {last}", 400)
    while 0 < ply < count and chance.is_certain(table.state.module, table.state.at(ply)):
        ply -= 1  # what happens by itself would only happen again
    table.record(h.TakenBack(ply, done=carried_out(table.steps, table.seen)))


def _answer(table: Table, command: Command, at: str) -> None:
    question, chosen = table.question, str(command.arguments.get("choice", ""))
    if question is None or command.arguments.get("question", question.id) != question.id:
        raise CommandRefused("no-such-question", "That question is settled already")
    if chosen not in {choice.id for choice in question.choices}:
        raise CommandRefused("no-such-choice", "That is none of the answers", 400)
    if chosen not in table.asked:  # nothing of what is asked about
        table.question, table.dismissed = None, table.last.key if table.last is not None else None
    elif (meant := table.asked[chosen]).kind == "earlier":
        take_back(table, meant, table.seen, h.CHOSEN)
    else:
        settle_choice(table, meant, table.seen, h.CHOSEN)


def _correct(table: Table, command: Command, at: str) -> None:
    _need_game(table)
    board, plan = table.layout.board, table.layout.plan
    if board is None and plan is None:
        _correct_place(table, command)
        return
    cell = str(command.arguments.get("cell", ""))
    if cell not in set(board.cells() if board is not None else plan.cells() if plan is not None else ()):
        raise CommandRefused("no-such-cell", f"There is no cell {cell!r} on this board", 400)
    piece = piece_of(command.arguments.get("piece"))
    if plan is not None and piece != EMPTY and not _may_be_on(plan, cell, piece):
        raise CommandRefused("no-such-piece", f"{with_article(piece.kind).capitalize()} cannot be on {cell!r}", 400)
    table.record(h.Corrected(cell, *(getattr(piece, name) for name in _TOLD)))


def _correct_place(table: Table, command: Command) -> None:
    """On a free table a piece is named by where it lies."""
    told = [command.arguments.get(name) for name in ("x_mm", "y_mm", "heading_deg")]
    x_mm, y_mm, heading_deg = (float(v) if isinstance(v, int | float) and math.isfinite(v) else None for v in told)
    if x_mm is None or y_mm is None:
        raise CommandRefused("no-such-place", "A piece of this game is named by where it lies: x_mm and y_mm", 400)
    piece = piece_of(command.arguments.get("piece"))
    words: dict[str, Any] = {name: getattr(piece, name) for name in _TOLD}
    table.record(h.Corrected("", **words, x_mm=x_mm, y_mm=y_mm, heading_deg=heading_deg))


_TOLD = ("kind", "colour", "facing", "size", "pose", "suit", "value", "face")  # in the order of `Corrected`


def _may_be_on(plan: Plan, cell: str, piece: Piece) -> bool:
    """True for what lies on a spot there, and for the walker whose cell it is."""
    name = cell.partition("/")[2]
    walker = next((w for w in plan.walkers if w.name == name), None)
    return piece == walker.piece if walker is not None else piece.kind == plan.lies


def piece_of(data: Any) -> Piece:
    """A piece as a page names it: {"kind": "scarab", "colour": "silver", "facing": "/"}, or "empty"."""
    if isinstance(data, str):
        data = {"kind": data}
    if not isinstance(data, Mapping) or data.get("kind") not in PIECE_KINDS | {"pyramid"}:
        raise UnreadableText(f"no such piece: {data!r}")
    kind, colour, facing = str(data["kind"]), data.get("colour"), data.get("facing")
    if colour is not None and colour not in (*PYRAMID_COLOURS, "silver", "white", "black"):
        raise UnreadableText(f"no such colour: {colour!r}")
    if facing is not None and facing not in KHET_FACINGS.get(kind, ()):
        raise UnreadableText(f"a {kind} cannot face {facing!r}")
    known = {"suit": SUITS, "value": VALUES, "face": ("front", "back", "value", "suit")}
    for name, words in known.items():
        if data.get(name) not in (None, *words):
            raise UnreadableText(f"no such {name}: {data.get(name)!r}")
    size, pose = data.get("size"), data.get("pose")
    piece = Piece(kind, colour, None if size is None else str(size), None if pose is None else str(pose), facing)
    return replace(piece, suit=data.get("suit"), value=data.get("value"), face=data.get("face"))


def _enter_move(table: Table, command: Command, at: str) -> None:
    _need_play(table)
    game, position = table.state.module, table.state.position
    move = game.read_move(position, _move_text(command))
    game.play(position, move)  # IllegalMove says why not
    during = game.during(position, move)
    seen = table.seen
    # a move that the table shows already is taken as seen; one that it does not is asked of hands
    shown = seen is not None and seen.score(during) > seen.best_score(during) and seen.saw(table.layout, during)
    chosen = Hypothesis("move", during, 0.0, (move,))
    table.commit(chosen, seen, source="chosen" if shown else "entered")


def _move_text(command: Command) -> str:
    text = str(command.arguments.get("move", ""))
    if len(text) > MOVE_TEXT_MAX:
        raise CommandRefused("too-long", f"A move has at most {MOVE_TEXT_MAX} letters", 400)
    return text


def _play_move(table: Table, command: Command, at: str) -> None:
    """A move that the table does not show, by the player on turn; dice that the companion was to throw it throws."""
    _need_turn(table, command)
    game, position = table.state.module, table.state.position
    move = game.read_move(position, _move_text(command))
    if move not in table.unshown():
        game.play(position, move)  # IllegalMove says why not
        raise CommandRefused("show-it", "Make this move on the table: the camera reads it", 422)
    table.enter(move)
    if rolls(table.state):
        table.dice.roll(table)


def _roll(table: Table, command: Command, at: str) -> None:
    _need_turn(table, command)
    if not rolls(table.state):
        raise CommandRefused("nothing-to-roll", "There are no dice for the companion to roll now")
    table.dice.roll(table)


def _need_turn(table: Table, command: Command) -> None:
    _need_play(table)
    seat = table.state.module.to_move(table.state.position)
    if command.by.startswith("seat") and command.by != f"seat {seat}":
        raise CommandRefused("not-your-turn", f"It is {table.mover}'s turn", 403)


def _allow(table: Table, command: Command, at: str) -> None:
    _need_play(table)
    if allows(table) != ACTION:
        raise CommandRefused("nothing-to-allow", "No unlawful action lies on the table that could be let stand")
    assert table.forbidden is not None  # what can be allowed
    table.record(*let_stand(table.state, table.forbidden.moves, "Let stand by the host"))
    table.follow()


def _take_up(table: Table, command: Command, at: str) -> None:
    """Play goes on from the board as it lies, whatever happened there, with the seat to move that the host names."""
    _need_play(table)
    seat = _seat(table, command)
    if allows(table) != BOARD:
        raise CommandRefused("nothing-to-take-up", "No board is seen that is otherwise than the record says")
    assert table.unexplained is not None  # what lies there
    lies = table.unexplained.shown(table.layout)
    assert lies is not None
    event = taken_up(table.state, lies, seat, "then the host took the board up as it lay")
    assert event is not None  # every seat may
    seen = table.unexplained
    table.record(event, TurnBegan(seat))
    table.rest(seen)


def _set_quiet(table: Table, command: Command, at: str) -> None:
    table.record(h.QuietSet(command.arguments.get("on") is True))


# --- checks -----------------------------------------------------------------------------------------------------


def _need_game(table: Table) -> None:
    if table.state.game is None:
        raise CommandRefused("no-game", "No game is on: start one first")


def _need_play(table: Table) -> None:
    _need_game(table)
    if table.state.phase != "play":
        why = "The game is over" if table.state.phase == "over" else "The set-up is not complete yet"
        raise CommandRefused("not-now", why)


def _seat(table: Table, command: Command) -> int:
    """The seat that a command names, by number or by name."""
    _need_game(table)
    names = table.state.module.seats(table.state.position)
    named = command.arguments.get("seat")
    if isinstance(named, str) and named.lower() in {n.lower() for n in names}:
        return [n.lower() for n in names].index(named.lower())
    if isinstance(named, bool) or not isinstance(named, int) or not 0 <= named < len(names):
        raise CommandRefused("no-such-seat", f"There are the seats 0 to {len(names) - 1}", 400)
    return named


def _own_seat(table: Table, command: Command) -> int:
    """The same, and nobody speaks for another seat; a seat that names none means itself."""
    if command.by.startswith("seat ") and "seat" not in command.arguments:
        return int(command.by.removeprefix("seat "))
    seat = _seat(table, command)
    if command.by.startswith("seat") and command.by != f"seat {seat}":
        raise CommandRefused("not-your-seat", "That is another player's seat", 403)
    return seat


def _name(table: Table, seat: int) -> str:
    name = table.colours.text(table.state.module.seats(table.state.position)[seat]).capitalize()
    player = table.state.players.get(seat)
    return f"{name} ({player})" if player else name


ORDERS: dict[str, Callable[[Table, Command, str], None]] = {
    "new_game": _new_game,
    "reset": _reset,
    "join": _join,
    "withdraw": _withdraw,
    "end_turn": _end_turn,
    "resign": _resign,
    "offer_draw": _offer_draw,
    "answer_draw": _answer_draw,
    "claim_draw": _claim_draw,
    "undo": _undo,
    "answer": _answer,
    "correct": _correct,
    "enter_move": _enter_move,
    "play_move": _play_move,
    "roll": _roll,
    "allow": _allow,
    "take_up": _take_up,
    "set_quiet": _set_quiet,
}
OUTSIDE = set(COMMANDS) - set(ORDERS)  # camera matters, for whoever has the camera

__all__ = ["ORDERS", "OUTSIDE", "CompanionError", "carry_out", "claims", "piece_of", "refusing", "started"]
