"""Whether a view rather shows another table than the one that is played on, whatever was done there."""

from collections.abc import Iterable

from companion.games.base import Layout
from companion.referee.evidence.cells import CellEvidence
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.layout import Evidence
from companion.referee.explanations.explanation import Explanation, Scene
from companion.referee.explanations.outlook import Hypothesis


def explained_elsewhere(scene: Scene, seen: Evidence, best: Hypothesis) -> bool:
    """True if the view shows another table, though some action may explain it: nobody breaks a rule with all pieces."""
    expected = (scene.standing, scene.outlook.layout) if best.kind == "unlawful" else (best.layout,)
    return like_none(seen, expected)


def like_none(seen: Evidence, expected: Iterable[Layout]) -> bool:
    """True if a free table is like none of these; most cells of most boards are alike."""
    return isinstance(seen, FreeEvidence) and all(map(seen.another, expected))


def shows_another(scene: Scene, seen: Evidence) -> bool:
    """True if a photograph rather shows another table than this one, whatever was done on it."""
    expected = (scene.standing, scene.outlook.layout)
    if isinstance(seen, CellEvidence):
        return all(seen.another(layout, scene.outlook.most_changed) for layout in expected)
    return like_none(seen, expected)


def elsewhere(found: Explanation, scene: Scene, seen: Evidence) -> Explanation:
    """What nothing explains as another board, if more differs than a few actions change; else `found` itself."""
    odd = found.kind in ("strange", "unclear") and isinstance(seen, CellEvidence)
    return Explanation("elsewhere", ("elsewhere",), found.best) if odd and shows_another(scene, seen) else found
