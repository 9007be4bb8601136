"""How well hypotheses fit a view: their log-scores, and what these are as probabilities."""

import math
from collections.abc import Iterable, Sequence

from companion.referee.evidence import Evidence
from companion.referee.outlook import Hypothesis


def rank(seen: Evidence, hypotheses: Iterable[Hypothesis]) -> list[tuple[float, Hypothesis]]:
    """Hypotheses with their log-scores, the best first; of equals the one given first."""
    scored = [(seen.score(h.layout) - h.cost, h) for h in hypotheses]
    return sorted(scored, key=lambda pair: -pair[0])


def posterior(scores: Sequence[float]) -> list[float]:
    """Log-scores as probabilities that sum to 1."""
    top = max(scores)
    weights = [math.exp(max(s - top, -700.0)) for s in scores]
    total = sum(weights)
    return [w / total for w in weights]
