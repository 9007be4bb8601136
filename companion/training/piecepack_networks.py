"""The piecepack networks: one finds pieces, one reads tiles, one coins, pawns and dice, one looks closely at dice."""

import torch
from torch import nn

from companion.training.piecepack_cut import CHANNELS

EMBEDDING = 96
TILE_OUT = (3, 4, 4, 6)  # none/back/front, turn, suit, value
SMALL_OUT = (4, 2, 4, 6, 2)  # none/coin/pawn/die, face, suit, value, heading as cosine and sine
DIE_OUT = (4, 6)  # suit, value


def _step(inside: int, outside: int, stride: int, reach: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, reach, reach, bias=False), nn.BatchNorm2d(outside), nn.ReLU(True)
    )


class _Wide(nn.Module):
    """A convolution with gaps, and a way round."""

    def __init__(self, width: int, reach: int) -> None:
        super().__init__()
        self.inner = _step(width, width, 1, reach)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.inner(x)


class FindNetwork(nn.Module):
    """(n, 5, h, w) picture and lean to (n, CHANNELS, h / 4, w / 4)."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _step(5, 16, 2),
            _step(16, width, 2),
            *(_Wide(width, reach) for reach in (1, 2, 4, 2, 4, 1)),
            nn.Conv2d(width, CHANNELS, 1),
        )
        nn.init.constant_(self.body[-1].bias[:4], -4.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)


class PatchNetwork(nn.Module):
    """(n, 3, s, s) to logits of several questions side by side; `head` is kept beside the exported body."""

    def __init__(self, size: int, widths: tuple[int, ...], out: tuple[int, ...]) -> None:
        super().__init__()
        a, b, c, d = widths
        self.body = nn.Sequential(
            _step(3, a, 2 if size > 48 else 1),
            _step(a, b, 1 if size > 48 else 2),
            _step(b, c, 2),
            _Wide(c, 1),
            _step(c, d, 2),
            _Wide(d, 1),
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(d * (size // 8) ** 2, EMBEDDING),
            nn.ReLU(True),
        )
        self.head = nn.Linear(EMBEDDING, sum(out))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x))
