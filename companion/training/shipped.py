"""Going on from weights that were exported before: in them the norms are taken into the convolutions."""

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

Layer = nn.Conv2d | nn.Linear | nn.BatchNorm2d


def take_up(network: nn.Module, path: Path) -> None:
    """Fill the network with an ONNX file's weights; its norms do nothing then but add what they did, so train it with
    `norms_rest`.
    """
    stored = onnx.load(str(path))
    values = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in stored.graph.initializer}
    layers = [m for m in network.modules() if isinstance(m, Layer)]
    weighed = [m for m in layers if not isinstance(m, nn.BatchNorm2d)]
    nodes = [node for node in stored.graph.node if node.op_type in ("Conv", "Gemm")]
    with torch.no_grad():
        for node, layer in zip(nodes, weighed, strict=True):
            _, weight, bias = node.input
            layer.weight.copy_(values[weight])
            follower = layers[layers.index(layer) + 1] if layer.bias is None else layer
            follower.bias.copy_(values[bias])
            if isinstance(follower, nn.BatchNorm2d):
                follower.weight.fill_(1.0)
                follower.running_mean.zero_()
                follower.running_var.fill_(1 - follower.eps)


def norms_rest(network: nn.Module) -> None:
    """In training, norms keep what they know of earlier pictures."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eval()
