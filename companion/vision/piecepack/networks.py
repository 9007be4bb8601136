"""The networks that find and read piecepack pieces, through cv2.dnn, and the last layers that teaching bends."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.pieces import SUITS, VALUES
from companion.vision.chances import chance_of, odds_of, softmax
from companion.vision.errors import UnusableWeights
from companion.vision.piecepack.patches import FIND_STRIDE
from companion.vision.plans import PartPlans, Plans
from companion.vision.weights import WEIGHTS, about, arrays_of

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

KINDS = ("tile", "coin", "pawn", "die")
QUESTIONS: dict[str, tuple[tuple[str, int], ...]] = {
    "tile": (("kind", 3), ("turn", 4), ("suit", 4), ("value", 6)),
    "small": (("kind", 4), ("face", 2), ("suit", 4), ("value", 6), ("heading", 2)),
    "die": (("suit", 4), ("value", 6)),  # asked closely, of what the network of small pieces takes for a die
}


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """The last layer: (E + 1, answers) weights, the last row the biases."""

    weight: Singles

    def answers(self, embeddings: Singles) -> Singles:
        """(n, answers) of (n, E)."""
        return np.asarray(embeddings @ self.weight[:-1] + self.weight[-1], np.float32)


@dataclass(eq=False)
class Networks:
    """The trained networks. UnusableWeights when their files are absent, too."""

    folder: Path = WEIGHTS
    layers: dict[str, Layer] = field(default_factory=dict)
    temperatures: dict[str, dict[str, float]] = field(default_factory=dict)
    judge: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    version: int = 0
    _plans: dict[str, Plans] = field(default_factory=dict)
    _finding: PartPlans | None = None

    def __post_init__(self) -> None:
        path = self.folder / "piecepack.json"
        told = about(path)
        if tuple(told["suits"]) != SUITS or tuple(told["values"]) != VALUES:
            raise UnusableWeights(path, "its suits or values are not those of this program")
        self.version = int(told["version"])
        self.judge = {kind: (float(a), float(b), float(c)) for kind, (a, b, c) in told["judge"].items()}
        for name, questions in QUESTIONS.items():
            held = told["networks"][name]["held_out"]
            self.temperatures[name] = {q: float(held.get(f"{q}_temperature", 1.0)) for q, _ in questions}
            arrays = arrays_of(self.folder / f"piecepack_{name}.npz")
            rows = np.hstack([arrays["weight"], arrays["bias"][:, None]])
            self.layers[name] = Layer(np.ascontiguousarray(rows.T, np.float32))

    def heat(self, picture: Pixels, lean: Singles) -> Singles:
        """(C, h, w) answers to (4h, 4w, 3) balanced pixels and (4h, 4w, 2) lean; sides are multiples of the stride."""
        x = np.empty((5, *picture.shape[:2]), np.float32)
        x[:3] = picture.transpose(2, 0, 1)
        x[:3] *= 2 / 255
        x[:3] -= 1
        x[3:] = lean.transpose(2, 0, 1)
        self._finding = self._finding or PartPlans(self.folder / "piecepack_find.onnx")
        answer = self._finding.answers(x)
        assert answer.shape[1] * FIND_STRIDE == picture.shape[0]
        return answer

    def embed(self, name: str, patches: Pixels) -> Singles:
        """(n, E) of (n, s, s, 3) balanced patches."""
        if name not in self._plans:
            self._plans[name] = Plans(self.folder / f"piecepack_{name}.onnx")
        return self._plans[name].of_pixels(patches)

    def told(self, name: str, embeddings: Singles) -> dict[str, Singles]:
        """Probabilities of every question's answers, (n, answers) each; a heading stays a vector."""
        answers = self.layers[name].answers(embeddings)
        told, first = {}, 0
        for question, size in QUESTIONS[name]:
            part = answers[:, first : first + size]
            heading = question == "heading"
            told[question] = part if heading else softmax(part / np.float32(self.temperatures[name][question]))
            first += size
        return told

    def sure(self, kind: int, heat: float, read: float) -> float:
        """Probability that a piece of a kind lies where the finding and the reading network say so."""
        constant, one, other = self.judge[KINDS[kind]]
        return chance_of(constant + one * log_odds(heat) + other * log_odds(read))

    def taught(self, layers: Mapping[str, Layer]) -> None:
        """Take over bent last layers; ValueError, and all as it was, when one has another shape or is torn."""
        if any(layer.weight.shape != self.layers[name].weight.shape for name, layer in layers.items()):
            raise ValueError("these looks were taught to other networks")
        if not all(np.isfinite(layer.weight).all() for layer in layers.values()):
            raise ValueError("some of these looks are no numbers")
        self.layers |= layers


def log_odds(p: float) -> float:
    """Of a probability, within what float32 can tell."""
    return odds_of(min(max(p, 1e-6), 1 - 1e-6))


def agreed(views: Singles, least: float) -> Singles:
    """(n, answers) what several looks (views, n, answers) say together; smaller shares count as `least`."""
    mean = np.exp(np.log(np.maximum(views, least)).mean(axis=0))
    return np.asarray(mean / mean.sum(axis=1, keepdims=True), np.float32)


def bent(layer: Layer, embeddings: Singles, wanted: Mapping[str, NDArray[np.int64]], name: str) -> Layer:
    """The layer of least loss on taught pieces near the shipped one; -1 in `wanted`: no answer to that question."""
    inputs = np.hstack([embeddings, np.ones((len(embeddings), 1), np.float32)])
    start = layer.weight
    now, first = start.copy(), 0
    step = 1.0 / (0.5 * float(np.linalg.norm(inputs, 2)) ** 2 / len(inputs) + STIFFNESS)
    for question, size in QUESTIONS[name]:
        columns = slice(first, first + size)
        first += size
        label = wanted.get(question)
        if label is None or not (known := label >= 0).any():
            continue
        target = np.eye(size, dtype=np.float32)[label[known]]
        shown = target.sum(axis=0) > 0
        for _ in range(ROUNDS):
            error = (softmax(inputs[known] @ now[:, columns]) - target) / known.sum()
            downhill = inputs[known].T @ error + STIFFNESS * (now[:, columns] - start[:, columns])
            downhill[:, ~shown] = 0.0  # what was not shown is as it was
            now[:, columns] -= np.float32(step) * downhill
    return Layer(now)


STIFFNESS = 0.02  # of staying near the shipped layer, against the mean loss of what is taught
ROUNDS = 120
