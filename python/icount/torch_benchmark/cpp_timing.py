"""Times of C++ statements, which `icount time` takes in a process of its own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from icount import _core
from icount.counting import failure_of, find_torch, warn_of
from icount.program import run_program
from icount.torch_benchmark.measurement import TaskSpec

Blocks = tuple[int, list[float]]


class CppTiming:
    """One C++ statement; each method is one run of the program. CountFailure when it does not compile or ends badly."""

    def __init__(self, task_spec: TaskSpec) -> None:
        self._task_spec = task_spec

    def timeit(self, number: int) -> Blocks:
        if number < 1:
            raise ValueError(f"`number` must be >= 1, got {number}")
        return self._run(["--number", str(number)])

    def blocked_autorange(self, callback: Callable[[int, float], Any] | None, min_run_time: float) -> Blocks:
        return _tell(self._run(["--min-run-time", f"{min_run_time}s"]), callback)

    def adaptive_autorange(self, threshold: float, min_run_time: float, max_run_time: float,
                           callback: Callable[[int, float], Any] | None) -> Blocks:
        if not threshold > 0:
            raise ValueError(f"`threshold` must be > 0, got {threshold}")
        limits = ["--min-run-time", f"{min_run_time}s", "--max-run-time", f"{max_run_time}s", "--threshold", str(threshold)]
        return _tell(self._run(["--adaptive", *limits]), callback)

    def _run(self, how_long: Sequence[str]) -> Blocks:
        spec = self._task_spec
        with tempfile.TemporaryDirectory(prefix="icount-") as folder:
            out = os.path.join(folder, "times")
            arguments = ["time", "--language", "c++", "--num-threads", str(spec.num_threads), *how_long,
                         "--out", out, "--setup", spec.setup, "--global-setup", spec.global_setup, "--stmt", spec.stmt]
            torch = find_torch()
            if torch is not None:
                arguments += ["--torch", torch]
            run = run_program(arguments)
            if not os.path.exists(out):
                raise failure_of(run)
            if run.exit_code != 0:  # timed all the same
                warn_of(["the compiler optimized the statement away, and its time is that of an empty loop; use its result, as in "
                         "icount::keep(y)"])
            return _core.load_measurements(out)[0]


def _tell(blocks: Blocks, callback: Callable[[int, float], Any] | None) -> Blocks:
    """The callback learns of the blocks afterwards: they were taken in another process."""
    if callback is not None:
        for time in blocks[1]:
            callback(blocks[0], time)
    return blocks
