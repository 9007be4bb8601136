"""Attention among the things of one table or board, as `companion.vision.attention` runs it."""

import torch
from torch import nn
from torch.nn import functional

from companion.vision.attention import HEADS


class Layer(nn.Module):
    """Attention, and two linear layers, each with a way round."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.asked = nn.Linear(width, 3 * width)
        self.told = nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """(n, k, width) of as many tokens; `there` (n, k) says which there are."""
        n, k, width = x.shape
        query, key, value = self.asked(self.norm1(x)).view(n, k, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        told = functional.scaled_dot_product_attention(query, key, value, attn_mask=there[:, None, None, :])
        x = x + self.dropout(self.told(told.transpose(1, 2).reshape(n, k, width)))
        return x + self.dropout(self.narrow(torch.relu(self.wide(self.norm2(x)))))


def spread(values: torch.Tensor, at: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
    """(n, k, m) of the (rows, m) values, each at its index in `there` (n, k); zeros elsewhere."""
    empty = values.new_zeros(there.numel(), values.shape[1])
    return empty.index_copy(0, at, values).view(*there.shape, values.shape[1])


def gathered(values: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    """What `spread` spread."""
    return values.reshape(-1, values.shape[-1])[at]
