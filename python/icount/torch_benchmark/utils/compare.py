"""As torch.utils.benchmark.utils.compare."""

from icount.torch_benchmark.compare import Colorize, Compare

__all__ = ["Colorize", "Compare"]
