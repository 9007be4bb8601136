"""What phones and buttons may ask of the table, one function for each command of `commands.COMMANDS`."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from companion.errors import CommandRefused, IllegalMove, UnreadableText
from companion.events import GameOver, Told, TurnBegan
from companion.games import GAMES, usual
from companion.games import game as game_named
from companion.games.options import settle
from companion.referee import chance
from companion.referee import happenings as h
from companion.referee.asking import deny
from companion.referee.beginning import begin_as_told
from companion.referee.commands import COMMANDS, Command
from companion.referee.dice import rolls
from companion.referee.draws import answer_draw, claim_draw, offer_draw
from companion.referee.endings import may_resign, rivals, said, wins
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.explanations.taken_back import take_back
from companion.referee.let_stand import ACTION, TABLE, allows, let_stand, taken_up
from companion.referee.naming import correct
from companion.referee.order_checks import (
    need_game,
    need_play,
    need_recorded,
    need_settled,
    need_turn,
    own_seat,
    seat_named,
)
from companion.referee.responses import settle_choice
from companion.referee.settings import IN_MID_GAME, QUIET, TABLE_OPTIONS
from companion.referee.state import State
from companion.referee.steps import carried_out
from companion.referee.table import Table
from companion.referee.turn_words import seat_name
from companion.referee.words import sentence

PLAYER_NAME_MAX = 40
MOVE_TEXT_MAX = 4000  # a whole arrangement of pyramids is one move


def carry_out(table: Table, command: Command, at: str) -> None:
    """Do what was asked, or CommandRefused that says why not. `at` is the wall clock's text for a new game."""
    order = ORDERS.get(command.name)
    if order is None:
        raise CommandRefused("unknown-command", f"there is no command {command.name!r}", 404)
    seen, since = command.expects, _outdated_since(table, command.name)
    if seen is not None and since is not None and not since <= seen <= table.number:
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
    "begin",
    "end_turn",
    "undo",
    "answer",
    "enter_move",
    "play_move",
    "roll",
    "allow",
    "take_up",
    "claim_draw",
}


def _outdated_since(table: Table, name: str) -> int | None:
    """The event behind which such a command means another table; None where it means none.

    What a piece is remains true whatever is said or refused meanwhile, until hands may have moved it.
    """
    if name == "correct":
        return table.confirmed_since
    return table.lies_since if name in _STATEFUL else None


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
    """The game that is asked for; by the button the one that was played, and before its first action another one."""
    asked = command.arguments if command.by != "button" else _by_button(table.state, command.arguments)
    options = {QUIET.name: table.state.quiet, **(asked.get("options") or {})}  # it stays until somebody says otherwise
    table.open_game(started({**asked, "options": options}, at))
    table.tell(Told(f"{table.state.module.TITLE}: set the pieces up"))


def _by_button(state: State, usual: Mapping[str, Any]) -> Mapping[str, Any]:
    """A game that is on or over begins anew, one that is set up gives way to the next; else what is usual here."""
    table = {name: value for name, value in state.table.items() if name != QUIET.name}  # which may be other by now
    if state.phase == "set-up":
        return {"game": _next_game(state.name), "options": table}
    if state.phase in ("play", "over"):
        return {"game": state.name, "options": {**state.asked, **table}}
    return usual


def _next_game(name: str) -> str:
    names = list(GAMES)
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]


def _begin(table: Table, command: Command, at: str) -> None:
    need_game(table)
    if table.state.phase != "set-up":
        raise CommandRefused("begun", "The game has begun already")
    begin_as_told(table)


def _reset(table: Table, command: Command, at: str) -> None:
    need_game(table)
    table.record(h.Reset("the host ended it"))


def _join(table: Table, command: Command, at: str) -> None:
    need_game(table)
    player = " ".join(str(command.arguments.get("player", "")).split())[:PLAYER_NAME_MAX]
    if not player:
        raise CommandRefused("no-name", "A player needs a name", 400)
    table.record(h.Joined(seat_named(table, command), player))


def _withdraw(table: Table, command: Command, at: str) -> None:
    seat = own_seat(table, command)
    if seat not in table.state.players:
        raise CommandRefused("seat-free", "Nobody sits there")
    table.record(h.Withdrew(seat))


def _end_turn(table: Table, command: Command, at: str) -> None:
    need_turn(table, command)
    if table.pending is None and rolls(table.state):
        need_settled(table)
    table.button.press(table)


def _resign(table: Table, command: Command, at: str) -> None:
    need_play(table)
    seat = own_seat(table, command)
    if not may_resign(table.state, seat):
        raise CommandRefused("out", f"{seat_name(table.state, seat)} is out and has nothing to give up", 403)
    winners = rivals(table.state.module, table.state.position, seat)
    ends = wins([seat_name(table.state, s) for s in winners]) or "the game is lost"
    table.record(GameOver("resigned", winners, f"{seat_name(table.state, seat)} resigns: {ends}"))


def _undo(table: Table, command: Command, at: str) -> None:
    if table.state.phase not in ("play", "over"):
        raise CommandRefused("no-game", "No game is being played")
    if command.by == "button":
        need_recorded(table)
    state, count = table.state, len(table.state.plies)
    last = count if said(state) else count - 1  # of an end that no action brought about the end alone is taken back
    ply = command.arguments.get("ply", last)
    if last < 0:
        raise CommandRefused("nothing-to-undo", "Nothing has been played yet")
    if isinstance(ply, bool) or not isinstance(ply, int) or not 0 <= ply <= last:
        raise CommandRefused("no-such-ply", f"One can go back to action 0 to {last}", 400)
    while 0 < ply < count and chance.is_certain(table.state.module, table.state.at(ply)):
        ply -= 1  # what happens by itself would only happen again
    table.record(h.TakenBack(ply, done=carried_out(table.steps, table.seen)))


def _answer(table: Table, command: Command, at: str) -> None:
    question, chosen = table.question, str(command.arguments.get("choice", ""))
    if question is None:
        raise CommandRefused("no-such-question", "That question is settled already")
    if command.arguments.get("question") != question.id:
        raise CommandRefused("no-such-question", f"By now something else is asked: {question.text}")
    if chosen not in {choice.id for choice in question.choices}:
        raise CommandRefused("no-such-choice", "That is none of the answers", 400)
    if chosen not in table.asked:  # nothing of what is asked about
        deny(table)
    elif (meant := table.asked[chosen]).kind == "earlier":
        take_back(table, meant, table.seen, h.CHOSEN)
    else:
        settle_choice(table, meant, table.seen, h.CHOSEN)


def _enter_move(table: Table, command: Command, at: str) -> None:
    need_play(table)
    game, position = table.state.module, table.state.position
    move = game.read_move(position, _move_text(command))
    game.play(position, move)  # IllegalMove says why not
    during = game.during(position, move)
    seen = table.seen
    # a move that the table shows already is taken as seen; one that it does not is asked of hands
    shown = seen is not None and seen.score(during) > seen.best_score(during) and seen.saw(table.layout, during)
    chosen = Hypothesis("move", during, 0.0, (move,))
    table.commit(chosen, seen, h.CHOSEN if shown else h.ENTERED)


def _move_text(command: Command) -> str:
    text = str(command.arguments.get("move", ""))
    if len(text) > MOVE_TEXT_MAX:
        raise CommandRefused("too-long", f"A move has at most {MOVE_TEXT_MAX} letters", 400)
    return text


def _play_move(table: Table, command: Command, at: str) -> None:
    """A move that the table does not show, by the player on turn; dice that the companion was to throw it throws."""
    need_turn(table, command)
    need_settled(table)
    game, position = table.state.module, table.state.position
    move = game.read_move(position, _move_text(command))
    if move not in table.unshown():
        game.play(position, move)  # IllegalMove says why not
        raise CommandRefused("show-it", "Make this move on the table: the camera reads it", 422)
    table.enter(move)
    if rolls(table.state):
        table.dice.roll(table)


def _roll(table: Table, command: Command, at: str) -> None:
    need_turn(table, command)
    if not rolls(table.state):
        raise CommandRefused("nothing-to-roll", "There are no dice for the companion to roll now")
    need_settled(table)
    table.dice.roll(table)


def _allow(table: Table, command: Command, at: str) -> None:
    need_play(table)
    if allows(table) != ACTION:
        raise CommandRefused("nothing-to-allow", "No unlawful action lies on the table that could be let stand")
    assert table.forbidden is not None  # what can be allowed
    table.record(*let_stand(table.state, table.forbidden.moves, "Let stand by the host"))


def _take_up(table: Table, command: Command, at: str) -> None:
    """Play goes on from what lies there, whatever happened, with the seat to move that the host names."""
    need_play(table)
    seat = seat_named(table, command)
    if allows(table) != TABLE:
        raise CommandRefused(
            "nothing-to-take-up", "Nothing is seen to go on from that is otherwise than the record says"
        )
    assert table.unexplained is not None  # what lies there
    lies = table.unexplained.shown(table.layout)
    assert lies is not None
    event = taken_up(table.state, lies, seat, "then the host went on from what lay there")
    if event is None:
        raise CommandRefused("not-that-seat", "What lies there shows that another seat is to move")
    seen = table.unexplained
    table.record(event, TurnBegan(seat))
    table.known.rest(seen, table.state)


def _set_quiet(table: Table, command: Command, at: str) -> None:
    table.record(h.QuietSet(command.arguments.get("on") is True))


def _set_options(table: Table, command: Command, at: str) -> None:
    """None of them changes what is played or lies there: they hold from now on."""
    need_game(table)
    given = dict(command.arguments.get("options") or {})
    settled = settle(IN_MID_GAME, given)
    changed = [name for name in given if settled[name] != table.state.table.get(name)]
    if changed:
        table.record(*(h.OptionSet(name, settled[name]) for name in changed))


ORDERS: dict[str, Callable[[Table, Command, str], None]] = {
    "new_game": _new_game,
    "begin": _begin,
    "reset": _reset,
    "join": _join,
    "withdraw": _withdraw,
    "end_turn": _end_turn,
    "resign": _resign,
    "offer_draw": offer_draw,
    "answer_draw": answer_draw,
    "claim_draw": claim_draw,
    "undo": _undo,
    "answer": _answer,
    "correct": correct,
    "enter_move": _enter_move,
    "play_move": _play_move,
    "roll": _roll,
    "allow": _allow,
    "take_up": _take_up,
    "set_quiet": _set_quiet,
    "set_options": _set_options,
}
OUTSIDE = set(COMMANDS) - set(ORDERS)  # of the camera and the journal, for whoever has them
