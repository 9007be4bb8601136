"""Why an action is forbidden: one check for each rule, in the order in which a referee would name them."""

from companion.errors import IllegalMove
from companion.games.khet import faces, words
from companion.games.khet.actions import swap_lands_well
from companion.games.khet.position import Move, Position, reserved
from companion.games.khet.squares import NUMBER, distance


def check(position: Position, move: Move) -> None:
    """Returns when the action is lawful; IllegalMove with name, rule and remedy otherwise."""
    if move.kind == "pass":
        raise IllegalMove("pass", "Khet Q9", "a turn cannot be passed", "Move or turn one piece.")
    check_owner(position, move)
    if move.kind == "turn":
        check_turn(position, move)
        return
    check_one_action(position, move)
    check_step(position, move)
    if move.kind == "swap":
        check_swap(position, move)
    elif move.kind == "top":
        check_top(position, move)
    else:
        check_square_is_free(position, move)
    check_reserved(position, move)


def check_owner(position: Position, move: Move) -> None:
    """Only own pieces are moved (Khet 3b.1)."""
    seat = faces.SEAT[position.at(move.origin)]
    if seat is None:
        raise IllegalMove(
            "nothing-there", "Khet 3b.1", f"nothing stands on {move.origin}", "Name a square with a piece."
        )
    if seat != position.to_move:
        whose, mover = words.sides(position)[seat], words.sides(position)[position.to_move]
        text = f"the {words.piece(position, move.origin)} on {move.origin} is {whose}'s, and it is {mover}'s turn"
        raise IllegalMove("not-your-piece", "Khet 3b.1", text, put_back(position, move))


def check_turn(position: Position, move: Move) -> None:
    """A quarter turn, of a piece whose facing counts; the sphinx never off the board (Khet Q8, Khet Q11)."""
    code = position.at(move.origin)
    kind = faces.KIND[code]
    noun = words.piece(position, move.origin)
    if kind not in faces.TURNED:
        text = f"turning the {noun} is no action: it has no facing that counts"
        name = "turned-pharaoh" if kind == "pharaoh" else "turned-obelisk"
        raise IllegalMove(name, "Khet Q8", text, "Move or turn another piece, or move this one.")
    if kind == "sphinx" and faces.turned(code, move.turn) not in faces.TURNS[code]:
        text = f"the sphinx on {move.origin} would fire off the board"
        raise IllegalMove("sphinx-off-board", "Khet Q11", text, put_back(position, move))
    if abs(move.turn) != 1:
        text = f"the {noun} on {move.origin} was turned by half; a turn is a quarter"
        raise IllegalMove("half-turn", f"Khet 3a.{kind}", text, f"Turn the {noun} on {move.origin} back by a quarter.")


def check_one_action(position: Position, move: Move) -> None:
    """Moved or turned, never both (Khet 3b.1)."""
    if move.turn:
        noun = words.piece(position, move.origin)
        text = (
            f"the {noun} was moved from {move.origin} to {move.target} and turned as well; a turn is one or the other"
        )
        facing = faces.FACING[position.at(move.origin)]
        remedy = f"Turn it back{f' to face {facing}' if facing else ''}, or put it back on {move.origin}"
        if move.kind == "swap":
            remedy += f" and the {words.owned(position, move.target)} back on {move.target}"
        raise IllegalMove("moved-and-turned", "Khet 3b.1", text, f"{remedy}.")


def check_step(position: Position, move: Move) -> None:
    """One step in any of eight directions; the sphinx does not move (Khet 3a.sphinx)."""
    kind = faces.KIND[position.at(move.origin)]
    if kind == "sphinx":
        raise IllegalMove(
            "sphinx-moves", "Khet 3a.sphinx", "the sphinx never leaves its square", put_back(position, move)
        )
    steps = distance(NUMBER[move.origin], NUMBER[move.target])
    noun = words.piece(position, move.origin)
    if steps == 0:
        text = f"the {noun} stays on {move.origin}: nothing was done"
        raise IllegalMove("pass", "Khet Q9", text, "Move or turn one piece.")
    if steps > 1:
        text = f"the {noun} went {steps} squares, from {move.origin} to {move.target}; a piece moves one square"
        name = "two-squares" if steps == 2 else "too-far"
        raise IllegalMove(name, f"Khet 3a.{kind}", text, put_back(position, move), {"squares": steps})


def check_swap(position: Position, move: Move) -> None:
    """A scarab or an eye changes places with a pyramid, anubis, obelisk or stack (Khet 3a.scarab, Khet Q15)."""
    mover, other = position.at(move.origin), position.at(move.target)
    noun = words.piece(position, move.origin)
    if other == faces.EMPTY:
        text = f"nothing stands on {move.target} to swap with"
        raise IllegalMove(
            "nothing-to-swap", "Khet 3a.scarab", text, f"A plain step is written {move.origin}{move.target}."
        )
    if not faces.SWAPS[mover]:
        text = f"the {noun} cannot swap; only a scarab or an Eye of Horus can"
        raise IllegalMove("no-swap", f"Khet 3a.{faces.KIND[mover]}", text, put_back(position, move))
    if not faces.SWAPPABLE[other]:
        text = f"the {noun} cannot swap with the {words.owned(position, move.target)} on {move.target}"
        rule = "Khet Q15" if faces.SWAPS[other] else f"Khet 3a.{faces.KIND[other]}"
        raise IllegalMove("no-swap", rule, text, put_back(position, move))
    if not swap_lands_well(other, NUMBER[move.origin], position.house):
        text = f"the swap would push the {words.owned(position, move.target)} onto {move.origin}, reserved against it"
        raise IllegalMove("swap-into-reserved", "Khet Q1", text, put_back(position, move))


def check_top(position: Position, move: Move) -> None:
    """The top one of a stack goes to an empty square or onto an own single obelisk (Khet 3a.stack, Khet Q13)."""
    if faces.KIND[position.at(move.origin)] != "stack":
        text = f"no stack of obelisks stands on {move.origin}"
        raise IllegalMove("no-stack", "Khet 3a.stack", text, f"A plain step is written {move.origin}{move.target}.")
    if position.at(move.target) not in (faces.EMPTY, faces.OBELISK[position.to_move]):
        _occupied(position, move)


def check_square_is_free(position: Position, move: Move) -> None:
    """No piece enters a square with another, except an obelisk onto an own single one (Khet 3b.3)."""
    single = faces.OBELISK[position.to_move]
    other = position.at(move.target)
    if other != faces.EMPTY and not (other == position.at(move.origin) == single):
        _occupied(position, move)


def _occupied(position: Position, move: Move) -> None:
    there = words.owned(position, move.target)
    both_obelisks = faces.OBELISKS[position.at(move.origin)] and faces.OBELISKS[position.at(move.target)]
    if both_obelisks:
        text = f"obelisks stack two high, of one colour: not onto the {there} on {move.target}"
        raise IllegalMove("no-stacking", "Khet 3a.obelisk", text, put_back(position, move))
    remedy = put_back(position, move)
    if _may_swap(position, move):  # half a swap: the other piece is in the hand still, or was forgotten
        remedy = f"For a swap put the {there} on {move.origin}. Else p{remedy.removeprefix('P')}"
    raise IllegalMove("occupied", "Khet 3b.3", f"the {there} stands on {move.target}", remedy)


def _may_swap(position: Position, move: Move) -> bool:
    """True if the two squares' pieces could lawfully change places."""
    try:
        check(position, Move("swap", move.origin, move.target))
    except IllegalMove:
        return False
    return True


def check_reserved(position: Position, move: Move) -> None:
    """No piece goes onto a square that bears the other side's sign (Khet 3b.2)."""
    if reserved(NUMBER[move.target], position.to_move):
        other = words.sides(position)[1 - position.to_move]
        text = f"the square {move.target} is reserved for {other}"
        raise IllegalMove("reserved-square", "Khet 3b.2", text, put_back(position, move))


def put_back(position: Position, move: Move) -> str:
    """How the table gets back to where it was."""
    noun = words.owned(position, move.origin)
    facing = faces.FACING[position.at(move.origin)]
    mirror = {"/": "rising to the right (/)", "\\": "falling to the right (\\)"}
    faced = "" if facing is None else f", its mirror {mirror[facing]}" if facing in mirror else f", facing {facing}"
    back = f"Put the {noun} back on {move.origin}{faced if move.turn else ''}"
    if move.kind == "turn":
        return f"Turn the {noun} on {move.origin} back{faced}."
    if position.at(move.target) != faces.EMPTY:
        back += f" and the {words.owned(position, move.target)} back on {move.target}"
    return back + "."
