"""The cell network: five planes of 64 x 64 in (B, G, R and the lean as two constant planes), an embedding out."""

import torch
from torch import nn

WINDOW, PLANES, EMBEDDING = 64, 5, 96


def _step(inside: int, outside: int, stride: int, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outside), nn.ReLU(True)
    )


class _Block(nn.Module):
    """Two convolutions with a way round."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _step(width, width, 1)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.second(self.first(x)))


class CellNetwork(nn.Module):
    """Embeds a cell; `heads` on top of it tell class and side."""

    def __init__(self, classes: int, sides: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            _step(PLANES, 16, 2, 5),
            _step(16, 32, 2),
            _Block(32),
            _step(32, 64, 2),
            _Block(64),
            _step(64, 96, 2),
            _step(96, 96, 1),
            nn.Flatten(),
            nn.Linear(96 * 16, EMBEDDING),
            nn.ReLU(),
        )
        self.dropout = nn.Dropout(0.15)
        self.what = nn.Linear(EMBEDDING, classes)
        self.side = nn.Linear(EMBEDDING, sides)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        embedding = self.dropout(self.trunk(x))
        return self.what(embedding), self.side(embedding)
