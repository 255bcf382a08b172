"""collect_callgrind: what a Timer holds becomes a task of the icount program, and its result CallgrindStats."""

from __future__ import annotations

import os
import shutil
import tempfile
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from icount.counting import CountFailure, CountTask, count
from icount.shipping import Shipment, pack
from icount.torch_benchmark.counts import CallgrindStats, CopyIfCallgrind, FunctionCounts
from icount.torch_benchmark.measurement import TaskSpec

if TYPE_CHECKING:
    from icount._core import Result

# Counts of the empty statement by what they depend on, as torch.utils.benchmark keeps them.
_baselines: dict[tuple[int, int, bool], Result] = {}


def collect(spec: TaskSpec, values: Mapping[str, Any], language: str, number: int, repeats: int, baseline: bool,
            retain_out_file: bool) -> tuple[CallgrindStats, ...]:
    """`repeats` counts, each of `number` runs. OSError when there is no count."""
    task = CountTask(
        stmt=spec.stmt, setup=spec.setup, global_setup=spec.global_setup, language="c++" if language == "cpp" else language,
        number=number, num_threads=spec.num_threads, allow_dead=True,
        shipment=_pack(spec, values) if language == "python" else Shipment())
    try:
        empty = _count_baseline(task) if baseline else None
        return tuple(_count_once(task, spec, empty, retain_out_file) for _ in range(repeats))
    except CountFailure as failure:
        if shutil.which("valgrind") is None and not os.environ.get("ICOUNT_VALGRIND"):
            raise CountFailure(f"Missing: valgrind\n{failure}") from None
        raise CountFailure(f"Failed to collect callgrind profile:\n{failure}", failure.status) from None


def _pack(spec: TaskSpec, values: Mapping[str, Any]) -> Shipment:
    wrapped = {name: value for name, value in values.items() if isinstance(value, CopyIfCallgrind)}
    setups = [textwrap.dedent(value.setup) for _, value in sorted(wrapped.items()) if value.setup is not None]
    return pack(spec.stmt, spec.setup, CopyIfCallgrind.unwrap_all(dict(values)), before=setups)


def _count_baseline(task: CountTask) -> Result:
    key = (task.number, task.num_threads, task.shipment.needs_torch)
    if key not in _baselines:
        empty = CountTask(stmt="pass", number=task.number, num_threads=task.num_threads, allow_dead=True, warns=False,
                          shipment=Shipment(needs_torch=task.shipment.needs_torch))
        with tempfile.TemporaryDirectory(prefix="icount-") as folder:
            _baselines[key] = count(empty, os.path.join(folder, "empty.icount"))
    return _baselines[key]


def _tables(result: Result | None) -> tuple[FunctionCounts, FunctionCounts]:
    """(inclusive, exclusive)"""
    if result is None:
        return FunctionCounts((), inclusive=True), FunctionCounts((), inclusive=False)
    return (FunctionCounts.from_native(result.function_counts(True)),
            FunctionCounts.from_native(result.function_counts(False)))


def _count_once(task: CountTask, spec: TaskSpec, empty: Result | None, retain_out_file: bool) -> CallgrindStats:
    with tempfile.TemporaryDirectory(prefix="icount-") as folder:
        kept = os.path.join(folder, "kept") if retain_out_file else None
        result = count(task, os.path.join(folder, "count.icount"), kept)
        inclusive, exclusive = _tables(result)
        baseline_inclusive, baseline_exclusive = _tables(empty)
        return CallgrindStats(
            task_spec=spec, number_per_run=task.number, built_with_debug_symbols=_has_debug_symbols(exclusive),
            baseline_inclusive_stats=baseline_inclusive, baseline_exclusive_stats=baseline_exclusive,
            stmt_inclusive_stats=inclusive, stmt_exclusive_stats=exclusive,
            stmt_callgrind_out=_kept_profile(kept) if kept is not None else None)


def _has_debug_symbols(exclusive: FunctionCounts) -> bool:
    """What torch lacks shows as names without a file; statements that touch no library of it have nothing to lack."""
    of_torch = [row.function for row in exclusive if "/libtorch" in row.function or "/libc10" in row.function]
    return not of_torch or any(not name.startswith("???:") for name in of_torch)


def _kept_profile(folder: str) -> str:
    with open(os.path.join(folder, "callgrind.out.0"), encoding="utf-8", errors="surrogateescape") as file:
        return file.read()
