"""Where nobody can be asked the likeliest of several actions is taken: later looks may show that it was another."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.errors import IllegalMove, UnreadableText
from companion.events import Event
from companion.games.base import Layout
from companion.pieces import EMPTY, Piece
from companion.referee import endings
from companion.referee import happenings as h
from companion.referee.consequences import led_to, played_out
from companion.referee.evidence.layout import Evidence
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.spelling import described, spelled
from companion.referee.state import Past, State, fold
from companion.view import TableView

if TYPE_CHECKING:
    from companion.referee.table import Table


NO_BELIEF = 1e-9  # instead of none, which has no logarithm


@dataclass(frozen=True, slots=True)
class SecondThoughtsSettings:
    """What later looks have to say."""

    lasting: float = 0.8  # weight of the look before at a free table: colours are told better as more pieces lie ...
    together: float = 2.0  # ... and looks at one piece err together: the mean of many counts as so many
    floor: float = 0.02  # no look is taken as surer than that, as looks at one tile in one light err together
    odds: float = 3.9  # natural log-odds over what was taken, from which the record is put right: 0.98 ...
    odds_free: float = 2.0  # ... and on a free table
    plainly: float = 0.9  # belief that what was really done has in the look that decides
    kept: int = 24  # so many choices are kept in mind


@dataclass(frozen=True, slots=True)
class PutRight:
    """The record was put right: the places that turned out to show something else, and in words what was done.

    `added`: actions that the record has besides those that it had; none where it tells of others in their stead.
    """

    places: frozenset[Hashable]
    text: str
    added: tuple[Past, ...]


@dataclass(slots=True)
class _Choice:
    """One choice that was made: after so many plies, which actions it was between, how likely each is by now."""

    ply: int
    moves: tuple[tuple[str, ...], ...]  # the one taken first
    texts: tuple[str, ...]  # the same in words
    shown: tuple[dict[Hashable, Piece], ...]  # what each puts on the places in which they differ
    lasting: float  # what one look said counts so much at the next
    together: float  # all looks count as so many at most
    needed: float  # natural log-odds over the first, from which it was another
    said: list[float]  # by all looks, as natural logarithms
    least: list[float]  # log-odds over the first in the look that speaks most against it
    looks: float = 1.0

    def odds(self, number: int) -> float:
        """Natural log-odds of one of the actions over the first."""
        return (self.said[number] - self.said[0]) * min(1.0, self.together / self.looks)

    def say(self, said: Sequence[float]) -> None:
        """One more look said this."""
        self.said = [self.lasting * before + now for before, now in zip(self.said, said, strict=True)]
        self.looks = self.lasting * self.looks + 1.0

    def follow(self, state: State) -> bool:
        """Put first what the record says by now, as it may have been put right; False if it says none of them."""
        later = [past.move for past in state.plies[self.ply :]]
        number = next((n for n, moves in enumerate(self.moves) if tuple(later[: len(moves)]) == moves), None)
        if number:
            self._put_first(number)
        return number is not None

    def _put_first(self, number: int) -> None:
        order = [number, *(n for n in range(len(self.moves)) if n != number)]
        self.moves = tuple(self.moves[n] for n in order)
        self.texts = tuple(self.texts[n] for n in order)
        self.shown = tuple(self.shown[n] for n in order)
        self.said = [self.said[n] for n in order]
        self.least = [self.least[n] - self.least[number] for n in order]


@dataclass
class SecondThoughts:
    """Remembers choices and weighs them by what is seen afterwards of the places in which they differ."""

    settings: SecondThoughtsSettings = field(default_factory=SecondThoughtsSettings)
    _choices: list[_Choice] = field(default_factory=list)
    _last: TableView | None = None  # one photograph is looked at more than once, and tells but once

    def note(self, table: Table, choices: Sequence[Hypothesis], seen: Evidence) -> None:
        """The first of these lawful actions is about to be taken, although the others fit as well."""
        first = seen.spots(choices[0].layout)
        every = [seen.spots(choice.layout, first) for choice in choices]
        places = {spot for own in every for spot in own if any(other.get(spot) != own[spot] for other in every)}
        shown = tuple({spot: own.get(spot, EMPTY) for spot in places} for own in every)
        said = [seen.score(choice.layout) - choice.cost for choice in choices]
        ply = len(table.state.plies)
        self._choices = [c for c in self._choices if c.ply < ply][-self.settings.kept + 1 :]
        celled, s = choices[0].layout.celled, self.settings
        weight = (1.0, math.inf, s.odds) if celled else (s.lasting, s.together, s.odds_free)
        moves = tuple(spelled(table.state, choice) for choice in choices)
        texts = tuple(described(table.state, choice) for choice in choices)
        least = [one - said[0] for one in said]
        self._choices.append(_Choice(ply, moves, texts, shown, *weight, said, least))

    def forget(self) -> None:
        """What was played since the choices is not known any more: nothing can be put right by playing it again."""
        self._choices = []

    def look(self, table: Table, view: TableView | None, seen: Evidence) -> PutRight | None:
        """One more look; what was put right in the record by it. What players or the host have ended stays so."""
        if view is self._last or endings.said(table.state):
            return None
        self._last = view
        standing = table.state.standing
        for choice in self._made(table.state):
            other = self._outweighed(choice, standing, seen) if standing is not None else None
            if other is None or table.state.ruling is not None:
                continue  # what was refused is put back first, or let stand
            if (events := _put_right(table.state, choice, choice.moves[other])) is None:
                self._choices.remove(choice)
                continue
            before = table.state.plies
            table.record(*events)
            text = f"On second thoughts: {choice.texts[other]}"
            return PutRight(frozenset(choice.shown[0]), text, _added(before, table.state.plies))
        return None

    def otherwise(self, table: Table, refused: Sequence[str] = ()) -> Iterator[tuple[float, list[Event], str]]:
        """Events that put a choice right so that these refused actions are lawful, and the same in words.

        The likeliest first, with its natural log-odds over what was taken; none that a look was plainly against.
        """
        others = [
            (choice.odds(number), choice, number)
            for choice in self._made(table.state)
            for number, least in enumerate(choice.least)
            if number and least >= math.log(table.settings.lawful_instead)
        ]
        for odds, choice, number in sorted(others, key=lambda other: -other[0]):
            if (events := _put_right(table.state, choice, choice.moves[number], refused)) is not None:
                yield odds, events, f"On second thoughts: {choice.texts[number]}"

    def _made(self, state: State) -> list[_Choice]:
        """The choices of which the record has one still: others were taken back, and are forgotten."""
        self._choices = [choice for choice in self._choices if choice.follow(state)]
        return list(self._choices)

    def _outweighed(self, choice: _Choice, standing: Layout, seen: Evidence) -> int | None:
        """The number of the action that is by now far likelier than the one that was taken."""
        spots, floor = seen.spots(standing, choice.shown[0]), self.settings.floor
        told = [c for c, p in choice.shown[0].items() if spots.get(c, EMPTY) == p and seen.reads(c)]
        if not told:
            return None  # what would tell is covered, or has been changed since
        beliefs = [[seen.belief(c, shown[c]) for c in told] for shown in choice.shown]
        said = [sum(math.log(floor + (1 - floor) * p) for p in own) for own in beliefs]
        choice.say(said)
        plain = [sum(math.log(p + NO_BELIEF) for p in own) for own in beliefs]
        choice.least = [min(before, now - plain[0]) for before, now in zip(choice.least, plain, strict=True)]
        best = max(range(len(said)), key=choice.odds)
        plainly = all(p >= self.settings.plainly for p in beliefs[best])
        return best if plainly and choice.odds(best) >= choice.needed else None


def _added(before: Sequence[Past], plies: Sequence[Past]) -> tuple[Past, ...]:
    """What was made, and did not happen by itself, after all that was recorded before."""
    kept = plies[: len(before)]
    if [past.move for past in kept] != [past.move for past in before]:
        return ()
    return tuple(past for past in plies[len(before) :] if past.source != h.CERTAIN)


def _put_right(
    state: State, choice: _Choice, moves: tuple[str, ...], refused: Sequence[str] = ()
) -> list[Event] | None:
    """The events that take the record back to the choice and on again, and to what was refused after it.

    None where the rest does not follow from it.
    """
    later = [(past.move, past.source) for past in state.plies[choice.ply + len(choice.moves[0]) :]]
    later += [(text, h.TABLE) for text in refused]
    awaiting = state.awaiting
    events: list[Event] = [h.TakenBack(choice.ply)]
    state = fold(state, events[0])
    again = [*((text, h.TABLE) for text in moves), *later]
    try:
        for index, (text, source) in enumerate(again):
            if state.awaiting:
                events.append(h.Cleared())
                state = fold(state, events[-1])
            play = led_to if index + 1 < len(moves) else played_out
            made = play(state, state.module.read_move(state.position, text), source)
            for event in made:
                state = fold(state, event)
            events += made
            if index + 1 == len(again) and state.awaiting and not awaiting:
                events.append(h.Cleared())
    except (IllegalMove, UnreadableText):
        return None
    return events
