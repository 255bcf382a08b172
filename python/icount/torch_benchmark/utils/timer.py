"""As torch.utils.benchmark.utils.timer."""

from icount.torch_benchmark.timer import Language, Timer, timer

__all__ = ["Language", "Timer", "timer"]
