"""Samples for operators on two sparse tensors."""

from __future__ import annotations

from typing import Any

import torch

from icount.torch_benchmark.fuzzer import OpFuzzer

__all__ = ["BinaryOpSparseFuzzer"]


class BinaryOpSparseFuzzer(OpFuzzer):
    def __init__(self, seed: int | None, dtype: Any = torch.float32, cuda: bool = False) -> None:
        super().__init__("sparse-binary", seed, dtype or torch.float32, cuda, sparse=True)
