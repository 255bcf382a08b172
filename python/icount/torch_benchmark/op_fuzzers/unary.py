"""Samples for operators on one dense tensor."""

from __future__ import annotations

from typing import Any

import torch

from icount.torch_benchmark.fuzzer import OpFuzzer

__all__ = ["UnaryOpFuzzer"]


class UnaryOpFuzzer(OpFuzzer):
    def __init__(self, seed: int | None, dtype: Any = torch.float32, cuda: bool = False) -> None:
        super().__init__("unary", seed, dtype or torch.float32, cuda, sparse=False)
