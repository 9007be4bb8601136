"""The table as a page shows it: state and moment put into one frozen snapshot."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from companion.events import Event, light_of
from companion.games.base import Card, Game, Layout, Position, Reach
from companion.games.extras import extras
from companion.referee.choices import chosen_anew
from companion.referee.dice import rolls, throws, told_later
from companion.referee.drawn_answers import with_pictures
from companion.referee.draws import claims
from companion.referee.endings import between, offer_words, resignation_words, result, unanswered
from companion.referee.evidence.cells import covered
from companion.referee.evidence.layout import cells_of, differing
from companion.referee.happenings import Started
from companion.referee.in_vain import in_vain
from companion.referee.let_stand import allows
from companion.referee.record import about, ending, looked_back, opening
from companion.referee.reminders import astray, reminders, uncover
from companion.referee.setup import drawn, listed_faults, pieces_of, with_faults
from companion.referee.snapshot import (
    BoardView,
    Offer,
    PieceView,
    Ply,
    Question,
    Ruling,
    SeatView,
    Snapshot,
    Step,
    Waiting,
)
from companion.referee.spelling import described
from companion.referee.state import Past, State, fold
from companion.referee.steps import still_due, ticked, undone
from companion.referee.table import Table
from companion.referee.turn_words import mover, who_moves
from companion.referee.upshot import cards_after, changes, hit_words, newest, told
from companion.referee.views.sight import NO_CAMERA
from companion.referee.withheld import as_told, is_on, kept_back, told_alike, withheld
from companion.referee.words import Palette, sentence


class Painter:
    """Draws snapshots; keeps the lines of the record that it has drawn already."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[Past, Collection[str], Past, Ply]] = {}
        self._begun: tuple[Position, str, Ply] | None = None
        self._asked: tuple[Question, Question] | None = None

    def recorded(self, events: Sequence[Event], whole: bool = True) -> Snapshot:
        """A recorded game as the snapshot of its end, from the set-up on; `whole`: these are all events there are."""
        state, agreed = looked_back(events)
        table = Table.of_record(state, len(events))
        shown, opened = self.snapshot(table, on=is_on(state, events)), opening(events)
        told = ending(state, events, whole and agreed), *kept_back(state, events), sentence(shown.chosen_anew)
        return replace(
            shown,
            record=shown.record if shown.beginning is None else (shown.beginning, *shown.record),
            beginning=None,
            ending=" ".join(filter(None, told)),
            started=opened.at if opened else "",
            about=about(state),
        )

    def snapshot(self, table: Table, notices: tuple[str, ...] = (), on: bool = True) -> Snapshot:
        """Everything that a page shows now; while it is `on`, the record tells no more than all may know."""
        state, colours = table.state, table.colours
        base = Snapshot(
            table.number,
            sight=table.sight.state,
            sight_text=table.sight.text,
            notices=notices,
            quiet=state.quiet,
            waiting=Waiting("The host starts a game"),
        )
        if state.game is None:
            return base
        game = state.game
        hidden = withheld(state) if on else ()
        last = tuple(as_told(game, past, hidden) for past in newest(state.plies))
        seated = seats(state, colours)
        names = [seat.name for seat in seated]
        return replace(
            base,
            game=state.name,
            game_number=table.game_id,
            title=game.TITLE,
            options=tuple({**options_of(game, state.options), **state.table}.items()),
            phase=state.phase,
            seats=seated,
            to_move=game.to_move(state.position) if state.phase == "play" else None,
            waiting=waiting(table),
            board=board_view(game.layout(state.position)),
            pieces=self._pieces(table),
            beams=light_of(event for past in last for event in past.events),
            last_text=" ".join(told(game, past, colours) for past in last),
            last_cells=tuple(sorted({cell for past in last for cell in cells_changed(game, past)})),
            covered=tuple(covered(table.seen)),
            ruling=ruling(table),
            question=self._question(table),
            record=tuple(self._line(i, past, hidden, state, colours) for i, past in enumerate(state.plies)),
            beginning=self._beginning(state, hidden, colours),
            claims=("draw by repetition",) if claims(table) else (),
            reach=reach(table),
            cards=cards(state),
            offers=offers(table),
            rolls=rolls(state) if table.settled else "",
            draw_between=between(state),
            draw_offered_by=state.draw.by,
            draw_open=unanswered(state),
            draw_text=offer_words(state, names),
            result=result(state, names),
            chosen_anew=chosen_anew(state),
        )

    def _pieces(self, table: Table) -> tuple[PieceView, ...]:
        state, colours = table.state, table.colours
        if state.phase == "set-up":
            return drawn(table.layout, table.faults or (), colours)
        views = pieces_of(table.layout, colours)
        if state.awaiting and state.standing is not None:  # what hands have to take away is still drawn, marked
            there = {(v.cell, v.kind, v.x_mm, v.y_mm) for v in views}
            for view in pieces_of(state.standing, colours):
                if (view.cell, view.kind, view.x_mm, view.y_mm) not in there:
                    views = (*views, replace(view, state="ghost"))
            asked = table.steps if state.over is None else ()  # after the end nobody has to do anything
            due = still_due(asked, state.standing, table.layout, table.seen)
            views = tuple(replace(v, state="missing") if (v.cell, v.x_mm, v.y_mm) in due else v for v in views)
            over = {c for task in undone(asked, table.seen) if task.many for c in task.cells}
            views = tuple(replace(view, state="turned") if view.cell in over else view for view in views)
        return with_faults(views, table.amiss, colours)

    def _question(self, table: Table) -> Question | None:
        """What is asked, its answers drawn; once, however often it is looked at."""
        question = table.question
        if question is None or not table.asked:
            return question
        if self._asked is None or self._asked[0] is not question:
            drawn_one = with_pictures(question, table.asked, table.state, table.layout, table.colours)
            self._asked = question, drawn_one
        return self._asked[1]

    def _beginning(self, state: State, hidden: Collection[str], colours: Palette) -> Ply | None:
        """The table before the first action; None where the end is no other table."""
        if not state.plies and not state.begun:
            return None
        text = sentence(colours.text(state.begun)) or "The set-up."
        first = extras(state.module).without(state.first, hidden)
        if self._begun is None or self._begun[0] != first or self._begun[1] != text:
            pieces = pieces_of(state.module.layout(first), colours)
            self._begun = first, text, Ply(0, None, "", text, pieces=pieces, scores=scores(state.module, first))
        return self._begun[2]

    def _line(self, index: int, of: Past, hidden: Collection[str], state: State, colours: Palette) -> Ply:
        kept = self._lines.get(index)
        kept = kept if kept is not None and kept[0] is of else None
        past = kept[2] if kept is not None and kept[1] == hidden else as_told(state.module, of, hidden)
        if kept is not None and told_alike(kept[2], past):
            self._lines[index] = (of, hidden, past, kept[3])
            return kept[3]
        pieces = pieces_of(state.module.layout(past.after), colours)
        text, hits = colours.text(past.text), hit_words(past, colours)
        line = Ply(index + 1, past.seat, past.move, text, hits, pieces, light_of(past.events))
        led = changes(state.module, past, colours)
        line = replace(line, scores=scores(state.module, past.after), changes=led)
        self._lines[index] = (of, hidden, past, line)
        return line


def set_up_of(event: Started) -> Snapshot:
    """What a game that is started like this asks for before it begins."""
    table = Table.of_record(fold(State(), event), 0)
    return Painter().snapshot(table)


def options_of(game: Game, chosen: Mapping[str, str | int | bool]) -> dict[str, str | int | bool]:
    """Every option of a game with the value in force."""
    return {**{option.name: option.default for option in game.OPTIONS}, **chosen}


def seats(state: State, colours: Palette) -> tuple[SeatView, ...]:
    """The seats, each in the set's own colour, or in that of its pieces by the game's optional `seat_colours`."""
    names = [colours.text(name) for name in state.module.seats(state.position)]
    own = extras(state.module).seat_colours
    of_seats = own(state.position) if own is not None else [name.lower().replace(" ", "-") for name in names]
    counted = scores(state.module, state.position) or (None,) * len(names)
    titles = [name.capitalize() for name in names]
    return tuple(
        SeatView(i, titles[i], of_seats[i], state.players.get(i), counted[i], resignation_words(state, titles, i))
        for i in range(len(names))
    )


def scores(game: Game, position: Position) -> tuple[int, ...]:
    """What each seat has, by the game's optional `scores`; () for a game that does not count."""
    return extras(game).scores(position)


def waiting(table: Table) -> Waiting:
    """What the referee waits for, and why."""
    state = table.state
    why = table.sight.text if table.sight.state != "seeing" else ""
    if state.phase == "set-up":
        if table.faults is None:
            return Waiting("Set the pieces up", why)
        faults = tuple(map(sentence, listed_faults(table.faults, table.colours)))
        more = f" (and {len(faults) - 3} more)" if len(faults) > 3 else ""
        return Waiting("Set the pieces up", why or f"{' '.join(faults[:3])}{more} {table.hint}".strip())
    if state.over is not None:
        return Waiting("The game is over", table.hint or sentence(state.over.text), astray(table))
    if table.question is not None:
        return Waiting("An answer is needed", table.question.text)
    if state.ruling is not None and table.pending is None:
        return Waiting("Put it right", state.ruling.remedy, uncover(table))
    if table.steps:
        return Waiting(
            "Hands, please", why or table.hint, (*named(ticked(table.steps, table.seen), state), *reminders(table))
        )
    if table.pending is not None:
        return Waiting(f"{mover(state)}: press the end-of-turn button", described(state, table.pending))
    why = why or table.hint or in_vain(table)
    if rolls(state):
        return Waiting(f"{mover(state)}: roll {rolls(state)}", why, reminders(table))
    if throws(state):
        return Waiting(f"{mover(state)}: throw {throws(state)}", why or told_later(state), reminders(table))
    return Waiting(who_moves(state), why, reminders(table))


def named(steps: tuple[Step, ...], state: State) -> tuple[Step, ...]:
    """Steps that name a side of the table also name who sits there: "turn Kaxxt's card to the west, to Carol"."""
    names = state.module.seats(state.position)
    sides = {f"to the {names[seat]}": player for seat, player in state.players.items() if seat < len(names)}
    return tuple(
        replace(
            step,
            text=next((f"{step.text}, to {who}" for side, who in sides.items() if step.text.endswith(side)), step.text),
        )
        for step in steps
    )


def ruling(table: Table) -> Ruling | None:
    """The ruling in force, with the rule's own words; none while a lawful action waits for the button in its place."""
    ruled = table.state.ruling
    if ruled is None or table.pending is not None:
        return None
    text = next((rule.text for rule in table.state.module.RULES if rule.number == ruled.rule), "")
    return Ruling(ruled.fault, ruled.rule, ruled.text, text, ruled.remedy, allows(table))


def reach(table: Table) -> tuple[Reach, ...]:
    """Where the pieces of the seat on turn can go, while nothing else is to be done, for games that tell."""
    state = table.state
    return extras(state.module).reach(state.position) if state.phase == "play" and not state.awaiting else ()


def cards(state: State) -> tuple[Card, ...]:
    """What lies on no table, with what the last action changed of it, for games that have such things."""
    if state.game is None:
        return ()
    before = newest(state.plies)[0].before if state.plies else state.position
    found = cards_after(state.game, before, state.position)
    return found if state.over is None else tuple(replace(card, due="") for card in found)


def offers(table: Table) -> tuple[Offer, ...]:
    """The lawful moves that do not show on the table; none while what lies there is to be settled first.

    Without a camera nobody sees that hands have done what they were asked for: then it is not waited for.
    """
    game, position = table.state.game, table.state.position
    asked = table.steps and table.sight.state != NO_CAMERA.state
    if game is None or asked or not table.settled:
        return ()
    words, faces = table.colours.text, extras(game).faces
    return tuple(
        Offer(game.write_move(position, m), words(game.describe(position, m)), tuple(map(words, faces(position, m))))
        for m in table.unshown()
    )


def board_view(layout: Layout) -> BoardView:
    """The board to draw."""
    shape = layout.board
    if layout.plan is not None:
        return BoardView(layout.plan.kind, width_mm=600.0, height_mm=380.0)
    if shape is None:
        colours = tuple(dict.fromkeys(piece.colour for piece in layout.looks if piece.colour is not None))
        return BoardView("free", width_mm=600.0, height_mm=380.0, colours=colours)
    return BoardView(shape.kind, shape.cols, shape.rows, tuple(layout.marked.items()))


def cells_changed(game: Game, past: Past) -> tuple[str, ...]:
    """The cells that the hand changed."""
    return tuple(sorted(differing(cells_of(game.layout(past.before)), cells_of(past.standing))))
