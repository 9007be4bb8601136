"""Files of weights: how they are written, and how a training goes on from them.

In them the norms are taken into the convolutions, and the first of these is over blocks, see `blocks`; they
are in half precision, see `halved`.
"""

from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

from companion.training.blocks import SIDE, SIDE_OF_BLOCKS, STEP, blocked, unblocked
from companion.training.halved import write_halved

Layer = nn.Conv2d | nn.Linear | nn.BatchNorm2d


class Residual(nn.Module):
    """Adds to what it is given what two convolutions make of it: nothing, to begin with, so that it deepens a network
    that was trained without it.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1), nn.ReLU(), nn.Conv2d(width, width, 3, 1, 1))
        nn.init.zeros_(self.body[2].weight)
        nn.init.zeros_(self.body[2].bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(n, width, h, w), as given."""
        return torch.relu(x + self.body(x))


def take_up(network: nn.Module, path: Path) -> None:
    """Fill the network with an ONNX file's weights; its norms do nothing then but add what they did, so train it with
    `norms_rest`. Residual blocks that the file does not know yet stay as they begin; to begin with, channels of the
    picture that it does not know say nothing.
    """
    stored = onnx.load(str(path))
    values = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in stored.graph.initializer}
    layers = [m for m in network.modules() if isinstance(m, Layer)]
    weighed = [m for m in layers if not isinstance(m, nn.BatchNorm2d)]
    nodes = [node for node in stored.graph.node if node.op_type in ("Conv", "Gemm")]
    if len(nodes) < len(weighed):
        added = {m for block in network.modules() if isinstance(block, Residual) for m in block.modules()}
        weighed = [m for m in weighed if m not in added]
    with torch.no_grad():
        for node, layer in zip(nodes, weighed, strict=True):
            _, weight, bias = node.input
            known = values[weight]
            if isinstance(layer, nn.Conv2d):
                if layer.kernel_size == (SIDE, SIDE) and known.shape[-1] == SIDE_OF_BLOCKS:
                    known = torch.from_numpy(unblocked(known.numpy()))
                known = functional.pad(known, (0, 0, 0, 0, 0, layer.weight.shape[1] - known.shape[1]))
            layer.weight.copy_(known)
            follower = layers[layers.index(layer) + 1] if layer.bias is None else layer
            follower.bias.copy_(values[bias])
            if isinstance(follower, nn.BatchNorm2d):
                follower.weight.fill_(1.0)
                follower.running_mean.zero_()
                follower.running_var.fill_(1 - follower.eps)


def write(network: nn.Module, example: torch.Tensor, path: Path, **names: Any) -> None:
    """A network as ONNX for cv2.dnn; `names` as torch has them (`input_names`, `output_names`, `dynamic_axes`)."""
    network.eval()
    torch.onnx.export(network, (example,), str(path), opset_version=13, dynamo=False, **names)
    write_blocked(path)
    write_halved(path)


def write_blocked(path: Path) -> bool:
    """Turn the first convolution of an ONNX file, if it is one that `blocks` speaks of; False where it is not."""
    network = onnx.load(str(path))
    first = next(node for node in network.graph.node if node.op_type == "Conv")
    given = {one.name: one for one in first.attribute}
    if list(given["kernel_shape"].ints) != [SIDE, SIDE] or list(given["strides"].ints) != [STEP, STEP]:
        return False
    for name, value in (("kernel_shape", SIDE_OF_BLOCKS), ("strides", 1), ("pads", SIDE_OF_BLOCKS // 2)):
        given[name].ints[:] = [value] * len(given[name].ints)
    stored = next(one for one in network.graph.initializer if one.name == first.input[1])
    stored.CopyFrom(numpy_helper.from_array(blocked(numpy_helper.to_array(stored)), stored.name))
    _, planes, *sides = network.graph.input[0].type.tensor_type.shape.dim
    planes.dim_value *= STEP**2
    for side in sides:
        if side.HasField("dim_value"):
            side.dim_value //= STEP
    onnx.save(network, str(path))
    return True


def norms_rest(network: nn.Module) -> None:
    """In training, norms keep what they know of earlier pictures."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eval()
