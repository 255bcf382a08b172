"""As torch.utils.benchmark.utils.sparse_fuzzer."""

from icount.torch_benchmark.fuzzer import FuzzedSparseTensor

__all__ = ["FuzzedSparseTensor"]
