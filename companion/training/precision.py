"""The precision that networks are trained in."""

import torch


def autocast(device: str = "cpu") -> torch.autocast:
    """bfloat16 where the device has it; elsewhere it is emulated and takes eight times as long as float32."""
    known = device != "cpu" or torch.cpu.get_capabilities().get("avx512_bf16", False)
    return torch.autocast(device, torch.bfloat16, enabled=known)
