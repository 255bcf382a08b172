"""Samples for operators on two dense tensors, of which the second may be broadcast."""

from __future__ import annotations

from typing import Any

import torch

from icount.torch_benchmark.fuzzer import OpFuzzer

__all__ = ["BinaryOpFuzzer"]


class BinaryOpFuzzer(OpFuzzer):
    def __init__(self, seed: int | None, dtype: Any = torch.float32, cuda: bool = False) -> None:
        super().__init__("binary", seed, dtype or torch.float32, cuda, sparse=False)
