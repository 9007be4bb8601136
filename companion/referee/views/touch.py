"""Whether hands were at a watched table since it was last known: without one nothing moves, and the eye has erred."""

from dataclasses import dataclass


@dataclass(slots=True)
class Touch:
    """What is known of hands, and of the last action that was read."""

    watched: bool  # photographs show no hand that came and went
    stirred: bool = True  # a hand may have been at the table since it was last known
    fresh: bool = False  # the last action was read, and not seen once more since
    hand: bool = False  # one was in view since the table was last known
    in_vain: bool = False  # one has come and gone, and everything is seen to lie as it lay
    unwatched: bool = False  # nobody has looked since: the first pictures of a table seem to move as if it were a hand
    found: bool = False  # after that everything is seen to lie as it lay, and no hand has come since

    def unseen(self, hand: bool, unlooked: bool = False) -> None:
        """The table cannot be seen: because of a `hand`, as the camera failed or was moved (`unlooked`), or else."""
        self.stirred, self.unwatched = True, self.unwatched or (unlooked and self.watched)
        self.hand = self.hand or hand
        self.in_vain, self.found = self.in_vain and not hand, self.found and not hand  # what it does is not seen yet

    def known(self) -> None:
        """The table is known as it lies."""
        self.stirred = self.fresh = self.hand = self.in_vain = self.unwatched = self.found = False

    def resumed(self) -> None:
        """The table is known as it lay before a start: nobody looked for a while."""
        self.stirred, self.unwatched = True, self.watched

    def as_it_lay(self, otherwise: bool = False) -> None:
        """It lies as it lay when it was last known; `otherwise`: but for what is out of the game and lies beside it."""
        self.in_vain = (self.in_vain or (self.watched and self.hand and not self.unwatched)) and not otherwise
        self.found = self.found or self.unwatched
        self.stirred = self.fresh = self.hand = self.unwatched = False

    @property
    def untouched(self) -> bool:
        """True if no hand was near the table since it was last known: what differs is rather misread."""
        return self.watched and not self.stirred

    @property
    def may_be_misread(self) -> bool:
        """True right after an action was read, as long as no hand can have undone it and no look has confirmed it."""
        return self.fresh and self.untouched
