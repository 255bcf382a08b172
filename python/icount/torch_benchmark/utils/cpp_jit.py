"""As torch.utils.benchmark.utils.cpp_jit, as far as its names mean something here: C++ statements are compiled by the icount
program, which keeps what it has built.

`compile_timeit_template` makes what times a statement. `compile_callgrind_template`, `get_compat_bindings` and the flags of the
compiler belong to PyTorch's own way of counting; asking for them is an AttributeError that says so.
"""

from __future__ import annotations

from typing import Any

from icount.torch_benchmark.cpp_timing import CppTiming
from icount.torch_benchmark.measurement import TaskSpec

__all__ = ["compile_timeit_template"]

_OF_PYTORCH = ("CXX_FLAGS", "EXTRA_INCLUDE_PATHS", "SOURCE_ROOT", "compile_callgrind_template", "get_compat_bindings")


class _TimedStatement:
    def __init__(self, spec: TaskSpec) -> None:
        self._timing = CppTiming(spec)

    def timeit(self, number: int) -> float:
        """Seconds of a block of `number` runs."""
        return self._timing.timeit(number)[1][0]


def compile_timeit_template(*, stmt: str, setup: str, global_setup: str) -> _TimedStatement:
    """What times a C++ statement; it is compiled when it is timed."""
    return _TimedStatement(TaskSpec(stmt=stmt, setup=setup, global_setup=global_setup))


def __getattr__(name: str) -> Any:
    if name in _OF_PYTORCH:
        raise AttributeError(f"`{name}` is of PyTorch's own compilation; C++ statements are compiled by the icount program here")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
