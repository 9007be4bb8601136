"""Lessons of pyramids bent as tables differ: turned about, in another light, faded to the tone of the table.

All take rows as `pyramid_network.scaled` makes them, and draw by a generator of torch.
"""

import torch
from torch.nn import functional

from companion.vision.pyramids.patches import CHANNELS
from companion.vision.pyramids.shapes import STANDING

DRIFT = 0.05  # of the light between two looks
WHAT = 7  # columns, the last: whether it is carried, and its class
FADED, FADED_TO, FADED_FROM = 0.35, 0.4, 0.3  # share of what has changed by so much, and what is left of its contrast


def turned_about(x, kind, off, rng):
    """Mirrored, upright ones also turned; `off` likewise."""
    x, off = x.clone(), off.clone()
    n = len(x)
    mirrored = torch.rand(n, generator=rng, device=x.device) < 0.5
    x[mirrored] = x[mirrored].flip(2)
    off[mirrored, 1:] *= -1
    upright = kind < STANDING
    back = (torch.rand(n, generator=rng, device=x.device) < 0.5) & upright
    x[back] = x[back].flip(3)
    off[back, 0] *= -1
    off[back, 2] *= -1
    turned = (torch.rand(n, generator=rng, device=x.device) < 0.5) & upright
    x[turned] = x[turned].transpose(2, 3)
    off[turned] = torch.stack([-off[turned, 1], -off[turned, 0], -off[turned, 2]], 1)
    return x, off


def relit(x, light, rng, under=None):
    """In another light (gain, shift, tint), each patch in its own, or in that of its number `under`; less sharp."""
    under = torch.arange(len(x), device=x.device) if under is None else under
    gain, shift, tint = light
    n = int(under.max()) + 1

    def drawn(draw, channels=1):
        return draw(n, channels, 1, 1, generator=rng, device=x.device)

    gains = 1 + gain * drawn(torch.randn)
    shifts = shift * drawn(torch.randn) + tint * drawn(torch.randn, 3)
    x = x.clone()
    colours = x[:, :3] * gains[under] + shifts[under]
    soft = functional.avg_pool2d(functional.pad(colours, (1, 1, 1, 1), mode="replicate"), 3, 1)
    share = drawn(torch.rand) * (drawn(torch.rand) < 0.4)
    colours = colours * (1 - share[under]) + soft * share[under]
    grain = 0.04 * drawn(torch.rand)
    x[:, :3] = colours + grain[under] * torch.randn(colours.shape, generator=rng, device=x.device)
    x[:, 7:CHANNELS] *= 1 + 0.15 * drawn(torch.randn)[under]
    if x.shape[1] > CHANNELS:
        louder, drift = 1 + gain * drawn(torch.randn), DRIFT * drawn(torch.randn, 3)
        x[:, CHANNELS:] = x[:, CHANNELS:] * louder[under] + drift[under]
    return x


def faded(x, rng):
    """Some of what has changed as if it had the tone of the table, so that the change alone tells of it; and of which
    rows that is so.
    """

    def drawn():
        return torch.rand(len(x), generator=rng, device=x.device)

    x = x.clone()
    if x.shape[1] == CHANNELS:
        return x, torch.zeros(len(x), dtype=torch.bool, device=x.device)
    changed = functional.avg_pool2d(x[:, CHANNELS:], 4).abs().amax((1, 2, 3)) > FADED_FROM
    faint = (drawn() < FADED) & changed
    left = torch.where(faint, FADED_TO * drawn(), 1.0)[:, None, None, None]
    x[:, :3] *= left
    x[:, 7:CHANNELS] *= left
    x[:, CHANNELS:] *= torch.where(faint, 0.3 + 0.7 * drawn(), 1.0)[:, None, None, None]
    return x, faint


def as_of_none(columns, right, rng):
    """Columns of which those that tell of edges and colours are others' of the same batch, where no piece is."""
    none = torch.nonzero(right == 0)[:, 0]
    if not len(none):
        return columns
    others = none[torch.randint(len(none), (len(columns),), generator=rng, device=columns.device)]
    return torch.cat([columns[others, :-WHAT], columns[:, -WHAT:]], 1)
