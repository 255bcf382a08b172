"""torch.utils.benchmark over icount: the same names, signatures and texts.

    from icount import torch_benchmark as benchmark

Times are taken in this process, as torch.utils.benchmark does. Instructions are counted by the icount program in a
process of its own; counts repeat exactly, and the second count uses a server that is warm (docs/python.md).
"""

from icount.torch_benchmark.compare import Colorize, Compare
from icount.torch_benchmark.counts import CallgrindStats, CopyIfCallgrind, FunctionCount, FunctionCounts
from icount.torch_benchmark.fuzzer import (
    FuzzedParameter, FuzzedSparseTensor, FuzzedTensor, Fuzzer, ParameterAlias)
from icount.torch_benchmark.measurement import (
    Measurement, TaskSpec, ordered_unique, select_unit, set_torch_threads, trim_sigfig, unit_to_english)
from icount.torch_benchmark.timer import Language, Timer, timer

__all__ = [
    "CallgrindStats", "Colorize", "Compare", "CopyIfCallgrind", "FunctionCount", "FunctionCounts", "FuzzedParameter",
    "FuzzedSparseTensor", "FuzzedTensor", "Fuzzer", "Language", "Measurement", "ParameterAlias", "TaskSpec", "Timer",
    "ordered_unique", "select_unit", "set_torch_threads", "timer", "trim_sigfig", "unit_to_english",
]
