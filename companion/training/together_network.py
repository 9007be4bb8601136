"""The network that looks at all pyramids of a board together: the cell network's trunk, then attention among them."""

import torch
import torch.nn.functional as functional
from torch import nn

from companion.training.attention import Layer, gathered, spread
from companion.training.network import EMBEDDING, CellNetwork
from companion.vision.khet.together import FLOOR, GRID, LAYERS, PLACE, THUMB_GAIN, WIDTH
from companion.vision.khet.views import FACINGS


def thumbnails(planes: torch.Tensor) -> torch.Tensor:
    """(n, GRID * GRID) log brightness of a coarse grid, of (n, 5, W, W) planes about 0."""
    grey = planes[:, :3].mean(dim=1, keepdim=True) * 0.5 + 0.5
    return torch.log(functional.avg_pool2d(grey, grey.shape[-1] // GRID) + FLOOR).flatten(1)


class TogetherNetwork(nn.Module):
    """Facings of all pyramids of a board; it begins as the cell network it is made from."""

    def __init__(self, cells: CellNetwork, first: int) -> None:
        super().__init__()
        self.trunk = cells.trunk
        self.dropout = nn.Dropout(0.1)
        self.alone = nn.Linear(EMBEDDING, FACINGS)
        with torch.no_grad():
            self.alone.weight.copy_(cells.what.weight[first : first + FACINGS])
            self.alone.bias.copy_(cells.what.bias[first : first + FACINGS])
        self.token = nn.Linear(EMBEDDING + GRID * GRID + PLACE, WIDTH)
        self.layers = nn.ModuleList(Layer(WIDTH) for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.facing = nn.Linear(WIDTH, FACINGS)
        nn.init.zeros_(self.facing.weight)
        nn.init.zeros_(self.facing.bias)

    def forward(self, planes: torch.Tensor, where: torch.Tensor, at: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """(n, FACINGS) logits; `where` (n, PLACE) leans and places, `at` (n) indices into `there` (boards, k)."""
        embedding = self.trunk(planes)
        with torch.autocast("cpu", enabled=False):
            embedding = embedding.float()
            thumbs = spread(thumbnails(planes.float()), at, there)
            mean = thumbs.sum(dim=(1, 2)) / there.sum(dim=1) / (GRID * GRID)
            thumbs = (gathered(thumbs, at) - mean[at // there.shape[1], None]) * THUMB_GAIN
            tokens = self.token(torch.cat([self.dropout(embedding), thumbs, where], dim=1))
            x = spread(tokens, at, there)
            for layer in self.layers:
                x = layer(x, there)
            return self.alone(self.dropout(embedding)) + self.facing(self.norm(gathered(x, at)))
