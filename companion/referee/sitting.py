"""Who sits where in the next game: players stay, also those for whom a game with fewer seats in between has none."""

from collections.abc import Mapping

from companion.referee.happenings import Joined


class Sitting:
    """Remembers who waits for a game with a seat for them, until the companion ends."""

    def __init__(self) -> None:
        self._waiting: Mapping[int, str] = {}

    def taken(self, players: Mapping[int, str], seats: int) -> tuple[Joined, ...]:
        """Who takes the seats of a new game, given who sat in the one before: nobody twice."""
        sat = set(players.values())
        waiting = {seat: player for seat, player in self._waiting.items() if player not in sat}
        all_of_them = {**waiting, **players}
        self._waiting = {seat: player for seat, player in all_of_them.items() if seat >= seats}
        return tuple(Joined(seat, player) for seat, player in sorted(all_of_them.items()) if seat < seats)
