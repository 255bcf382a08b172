"""As torch.utils.benchmark.utils.fuzzer."""

from icount.torch_benchmark.fuzzer import FuzzedParameter, FuzzedTensor, Fuzzer, ParameterAlias, dtype_size, prod

__all__ = ["FuzzedParameter", "FuzzedTensor", "Fuzzer", "ParameterAlias", "dtype_size", "prod"]
