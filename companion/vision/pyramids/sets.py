"""One set of pyramids under one light: what the pieces of a picture have in common tells their colours.

A body is the shipped mean of its colour over its surface, plus the light of the picture (another one for pieces that
lie), plus how this set's colour differs from the usual one, plus the piece's own scatter; all Gaussian, the scatter
with wider tails. How large the scatter is, is learned from the pieces themselves: a set whose pieces look alike is told
apart more finely. Taught pictures are such pictures with known colours: they tell how the set's colours differ, and
how little its pieces scatter. Light, colours and scatter are estimated in turn (expectation and maximisation).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.vision.chances import softmax

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

LYING = 4  # number of the term that is 1 for lying pieces
NOBODY = 1e-9


class UsualLooks(Protocol):
    """What is known before anything is seen of a set."""

    @property
    def spread(self) -> Floats:
        """(colours, k, k) covariance."""

    @property
    def drift(self) -> Floats:
        """(k, k) covariance of the light."""

    def means(self, surface: Floats) -> Floats:
        """(n, colours, k)."""


@dataclass(frozen=True, slots=True)
class SetSettings:
    """How the usual spread of a colour is shared out, and what the pieces have to say against it."""

    of_set: float = 0.5  # share of the usual covariance by which sets differ
    of_picture: float = 0.1  # ... by which one set's colour differs from picture to picture
    of_piece: float = 0.15  # ... by which pieces of one colour differ in one picture
    pieces: float = 12.0  # pieces whose scatter counts as much as the usual one
    lying: float = 2.0  # how far the light on lying pieces may be another one: share of what lights differ
    tail: float = 6.0  # the lower, the wider the tails
    rounds: int = 5


@dataclass(frozen=True, slots=True, eq=False)
class KnownSet:
    """What is believed of one set: how its colours differ from the usual ones, and how its pieces scatter."""

    usual: UsualLooks
    settings: SetSettings
    off: Floats  # (colours, k)
    unsure: Floats  # (colours, k, k) covariance of `off`
    scatter: Floats  # (k, k) sum of squares ...
    pieces: float  # ... of so many pieces

    @property
    def own(self) -> Floats:
        """(k, k) covariance of pieces of one colour in one picture."""
        return np.asarray(self.scatter / self.pieces)

    def taught(self, bodies: Floats, terms: Floats, colours: Ints) -> "KnownSet":
        """What is believed after one picture with known colours."""
        s, count = self.settings, len(self.off)
        named = np.eye(count)[colours]
        away = bodies - self.usual.means(terms)[np.arange(len(colours)), colours]
        picture = self._before()
        off, own, weight = self.off.copy(), self.own, np.ones(len(bodies))
        cov = self.unsure
        for _ in range(s.rounds):
            light = self._light(weight, away - off[colours], terms, own)
            off, cov = self._offs(named * weight[:, None], (away - light)[:, None], picture, own)
            rest = away - light - off[colours]
            weight = self._weights(np.einsum("ni,ij,nj->n", rest, np.linalg.inv(own), rest))
            scatter = self.scatter + np.einsum("n,ni,nj->ij", weight, rest, rest)
            own = scatter / (self.pieces + len(bodies))
        seen = named.any(axis=0)
        new, unsure = self.off.copy(), self.unsure.copy()
        for c in np.flatnonzero(seen):
            trust = np.linalg.inv(s.of_picture * self.usual.spread[c] + cov[c])
            before = np.linalg.inv(self.unsure[c])
            unsure[c] = np.linalg.inv(before + trust)
            new[c] = unsure[c] @ (before @ self.off[c] + trust @ off[c])
        return KnownSet(self.usual, s, new, unsure, own * (self.pieces + len(bodies)), self.pieces + len(bodies))

    def told(self, bodies: Floats, terms: Floats, logs: Floats, weight: float) -> Floats:
        """(n, colours) logarithms of probabilities, `logs` being what else is known of each piece's colour."""
        s, n = self.settings, len(bodies)
        away = bodies[:, None] - self.usual.means(terms)
        picture = self._before()
        shares, wide, off, own = softmax(logs), np.ones(logs.shape), self.off.copy(), self.own
        told = logs
        for _ in range(s.rounds):
            likely = shares * wide
            sure = likely.sum(axis=1)
            mean = np.einsum("nc,nck->nk", likely, away - off) / np.maximum(sure, NOBODY)[:, None]
            light = self._light(sure, mean, terms, own)
            off, cov = self._offs(likely, away - light[:, None], picture, own)
            rest = away - light[:, None] - off
            wide = self._weights(np.einsum("nci,ij,ncj->nc", rest, np.linalg.inv(own), rest))
            far = np.einsum("nci,cij,ncj->nc", rest, np.linalg.inv(own + cov), rest)
            volume = np.linalg.slogdet(own + cov)[1]
            k = bodies.shape[1]
            told = logs - weight * 0.5 * ((s.tail + k) * np.log1p(far / s.tail) + volume)
            shares = softmax(told)
            scatter = self.scatter + np.einsum("nc,nci,ncj->ij", shares * wide, rest, rest)
            own = scatter / (self.pieces + n)
        return np.log(softmax(told) + NOBODY)

    def _before(self) -> Floats:
        """(colours, k, k) covariance of how a colour differs in the next picture."""
        return np.asarray(self.unsure + self.settings.of_picture * self.usual.spread)

    def _weights(self, far: Floats) -> Floats:
        """The farther off, the less a piece counts."""
        return np.asarray((self.settings.tail + len(self.scatter)) / (self.settings.tail + far))

    def _light(self, weight: Floats, away: Floats, terms: Floats, own: Floats) -> Floats:
        """(n, k) the most probable light on each piece: one for all, and what lying ones have beside it."""
        k = away.shape[1]
        parts = np.column_stack([np.ones(len(away)), terms[:, LYING] - 0.5])
        inverse, drift = np.linalg.inv(own), np.linalg.inv(self.usual.drift)
        prior = np.kron(np.diag([1.0, 1.0 / self.settings.lying]), drift)
        lhs = prior + np.kron(np.einsum("n,ni,nj->ij", weight, parts, parts), inverse)
        rhs = np.einsum("n,ni,nk->ik", weight, parts, away) @ inverse
        return np.asarray(parts @ np.linalg.solve(lhs, rhs.reshape(-1)).reshape(2, k))

    def _offs(self, likely: Floats, away: Floats, before: Floats, own: Floats) -> tuple[Floats, Floats]:
        """(colours, k) by how much each colour differs in this picture, and the covariances of that.

        `away` is (n, 1 or colours, k): by how much pieces are off once the light is taken out.
        """
        inverse, prior = np.linalg.inv(own), np.linalg.inv(before)
        count = likely.sum(axis=0)
        cov = np.linalg.inv(prior + count[:, None, None] * inverse)
        sums = np.einsum("nc,nck->ck", likely, np.broadcast_to(away, (*likely.shape, away.shape[2])))
        rhs = np.einsum("cij,cj->ci", prior, self.off) + sums @ inverse
        return np.einsum("cij,cj->ci", cov, rhs), cov


def unknown_set(usual: UsualLooks, settings: SetSettings) -> KnownSet:
    """What is believed before anything is seen."""
    s, spread = settings, usual.spread
    off = np.zeros(spread.shape[:2])
    scatter = s.of_piece * spread.mean(axis=0) * s.pieces
    return KnownSet(usual, s, off, s.of_set * spread, scatter, s.pieces)
