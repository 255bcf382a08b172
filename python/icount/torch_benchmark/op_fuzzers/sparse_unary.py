"""Samples for operators on one sparse tensor."""

from __future__ import annotations

from typing import Any

import torch

from icount.torch_benchmark.fuzzer import OpFuzzer

__all__ = ["UnaryOpSparseFuzzer"]


class UnaryOpSparseFuzzer(OpFuzzer):
    def __init__(self, seed: int | None, dtype: Any = torch.float32, cuda: bool = False) -> None:
        super().__init__("sparse-unary", seed, dtype or torch.float32, cuda, sparse=True)
