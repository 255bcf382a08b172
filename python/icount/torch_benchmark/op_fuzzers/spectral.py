"""Samples for Fourier transforms: sizes that are products of 2, 3 and 5, and others."""

from __future__ import annotations

from typing import Any

import torch

from icount.torch_benchmark.fuzzer import OpFuzzer

__all__ = ["SpectralOpFuzzer"]


class SpectralOpFuzzer(OpFuzzer):
    def __init__(self, *, seed: int, dtype: Any = torch.float64, cuda: bool = False,
                 probability_regular: float = 1.0) -> None:
        super().__init__("spectral", seed, dtype, cuda, probability_regular=probability_regular)
