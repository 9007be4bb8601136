"""The precision that networks are trained in."""

import torch


def autocast() -> torch.autocast:
    """bfloat16 where the processor has it; elsewhere it is emulated and takes eight times as long as float32."""
    return torch.autocast("cpu", torch.bfloat16, enabled=torch.cpu.get_capabilities().get("avx512_bf16", False))
