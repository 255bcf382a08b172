"""As torch.utils.benchmark.utils.valgrind_wrapper.timer_interface."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from icount.torch_benchmark.collecting import collect
from icount.torch_benchmark.counts import CallgrindStats, CopyIfCallgrind, FunctionCount, FunctionCounts, Serialization
from icount.torch_benchmark.measurement import TaskSpec

__all__ = ["CallgrindStats", "CopyIfCallgrind", "FunctionCount", "FunctionCounts", "Serialization", "wrapper_singleton"]


class _ValgrindWrapper:
    """What counts for a Timer."""

    _bindings_module: Any = None
    """PyTorch's for a torch of before Callgrind was supported, as whose tests ask."""

    def collect_callgrind(self, task_spec: TaskSpec, globals: Mapping[str, Any], *, number: int, repeats: int,
                          collect_baseline: bool, is_python: bool, retain_out_file: bool) -> tuple[CallgrindStats, ...]:
        if not is_python and collect_baseline:
            raise AssertionError("collect_baseline is only supported for Python timers")
        return collect(task_spec, globals, "python" if is_python else "cpp", number, repeats, collect_baseline, retain_out_file)


@functools.cache
def wrapper_singleton() -> _ValgrindWrapper:
    return _ValgrindWrapper()
