"""Instruction counts by function, and the algebra on them, over the values of the C++ library."""

from __future__ import annotations

import dataclasses
import enum
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, overload

from icount import CountWarning, _core
from icount.torch_benchmark.measurement import TaskSpec

__all__ = ["CallgrindStats", "CopyIfCallgrind", "FunctionCount", "FunctionCounts", "Serialization"]

_DEFAULT_LINE_WIDTH = 80


class FunctionCount(NamedTuple):
    count: int  # type: ignore[assignment]
    function: str


class FunctionCounts:
    """An immutable list of (count, function) with addition, subtraction, scaling, filter and transform."""

    def __init__(self, _data: Iterable[tuple[int, str]], inclusive: bool, truncate_rows: bool = True,
                 _linewidth: int | None = None) -> None:
        rows = [(count, function) for count, function in _data]
        self._native = _core.FunctionCounts(rows, inclusive, truncate_rows)
        self._linewidth = _linewidth

    @classmethod
    def from_native(cls, native: _core.FunctionCounts) -> FunctionCounts:
        counts = cls.__new__(cls)
        counts._native = native
        counts._linewidth = None
        return counts

    @property
    def _data(self) -> tuple[FunctionCount, ...]:
        return tuple(FunctionCount(*row) for row in self._native.rows())

    @property
    def inclusive(self) -> bool:
        """Whether a count includes what the function called."""
        return self._native.inclusive

    @property
    def truncate_rows(self) -> bool:
        """Whether the text may leave out the middle of a long list."""
        return self._native.truncate_rows

    def __reduce__(self) -> tuple[Any, ...]:
        return FunctionCounts, (self._native.rows(), self.inclusive, self.truncate_rows, self._linewidth)

    def __iter__(self) -> Iterator[FunctionCount]:
        yield from self._data

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, item: int) -> FunctionCount: ...
    @overload
    def __getitem__(self, item: slice) -> FunctionCounts: ...

    def __getitem__(self, item: int | slice) -> FunctionCount | FunctionCounts:
        if isinstance(item, slice):
            return FunctionCounts(self._data[item], self.inclusive, truncate_rows=False)
        return self._data[item]

    def __repr__(self) -> str:
        text = self._native.text(self._linewidth or _line_width())
        return f"{object.__repr__(self)}\n{text}" if text else object.__repr__(self)

    def _native_of(self, other: FunctionCounts) -> _core.FunctionCounts:
        if other.inclusive != self.inclusive:
            raise AssertionError("Cannot merge inclusive and exclusive counts.")
        return as_counts(other)._native

    def __add__(self, other: FunctionCounts) -> FunctionCounts:
        return self.from_native(self._native + self._native_of(other))

    def __sub__(self, other: FunctionCounts) -> FunctionCounts:
        return self.from_native(self._native - self._native_of(other))

    def __mul__(self, other: int | float) -> FunctionCounts:
        if isinstance(other, int):
            return self.from_native(self._native.times_integer(other))
        return self.from_native(self._native.times_number(other))

    def transform(self, map_fn: Callable[[str], str]) -> FunctionCounts:
        """Every name rewritten by `map_fn`; counts of names that become equal are added up."""
        return self.from_native(self._native.transform(map_fn))

    def filter(self, filter_fn: Callable[[str], bool]) -> FunctionCounts:
        """The functions for whose name `filter_fn` holds."""
        return self.from_native(self._native.filter(lambda name: bool(filter_fn(name))))

    def sum(self) -> int:
        return self._native.sum()

    def denoise(self) -> FunctionCounts:
        """Without CPython's look-up in dictionaries, which is known to be noisy."""
        return self.from_native(self._native.denoise())


def as_counts(value: Any) -> FunctionCounts:
    """FunctionCounts of this package or of torch.utils.benchmark as those of this package."""
    return value if isinstance(value, FunctionCounts) else FunctionCounts(value, value.inclusive, value.truncate_rows)


def _line_width() -> int:
    """torch.set_printoptions(linewidth=...) decides, where torch is imported."""
    torch = sys.modules.get("torch")
    return int(torch._tensor_str.PRINT_OPTS.linewidth) if torch is not None else _DEFAULT_LINE_WIDTH


@dataclasses.dataclass(repr=False, eq=False, frozen=True)
class CallgrindStats:
    """The counts of one task, of all runs together. Can be pickled."""

    task_spec: TaskSpec
    number_per_run: int
    built_with_debug_symbols: bool
    baseline_inclusive_stats: FunctionCounts
    baseline_exclusive_stats: FunctionCounts
    stmt_inclusive_stats: FunctionCounts
    stmt_exclusive_stats: FunctionCounts
    stmt_callgrind_out: str | None

    def __repr__(self) -> str:
        text = _core.callgrind_stats_text(
            self.task_spec.native(), self.number_per_run, self.built_with_debug_symbols,
            self.baseline_exclusive_stats._native, self.stmt_exclusive_stats._native)
        return f"{object.__repr__(self)}\n{text}"

    def stats(self, inclusive: bool = False) -> FunctionCounts:
        """The table of the statement, with what functions called or (better for differences) without."""
        return self.stmt_inclusive_stats if inclusive else self.stmt_exclusive_stats

    def counts(self, *, denoise: bool = False) -> int:
        """Instructions of all runs."""
        stats = self.stmt_exclusive_stats
        return (stats.denoise() if denoise else stats).sum()

    def delta(self, other: CallgrindStats, inclusive: bool = False) -> FunctionCounts:
        """The table of this task minus that of `other`."""
        if other.number_per_run != self.number_per_run:
            warnings.warn(f"delta of counts over {self.number_per_run} and over {other.number_per_run} runs: the difference "
                          "is not that of the statements", CountWarning, stacklevel=2)
        return self.stats(inclusive) - as_counts(other.stats(inclusive))

    def as_standardized(self) -> CallgrindStats:
        """Without names of libraries and with the beginnings of paths cut, so that two builds can be compared."""
        def strip(stats: FunctionCounts) -> FunctionCounts:
            return FunctionCounts.from_native(stats._native.standardized())

        return CallgrindStats(
            task_spec=self.task_spec,
            number_per_run=self.number_per_run,
            built_with_debug_symbols=self.built_with_debug_symbols,
            baseline_inclusive_stats=strip(self.baseline_inclusive_stats),
            baseline_exclusive_stats=strip(self.baseline_exclusive_stats),
            stmt_inclusive_stats=strip(self.stmt_inclusive_stats),
            stmt_exclusive_stats=strip(self.stmt_exclusive_stats),
            stmt_callgrind_out=None)


class Serialization(enum.Enum):
    """How a global gets to the counted process."""

    PICKLE = 0
    TORCH = 1
    TORCH_JIT = 2


class CopyIfCallgrind:
    """A global of which a copy may be counted. Any value that can be sent will do without it, too; `setup` runs in the
    counted process before the set-up."""

    def __init__(self, value: Any, *, setup: str | None = None) -> None:
        self._value = value
        self._setup = setup

    @property
    def value(self) -> Any:
        return self._value

    @property
    def setup(self) -> str | None:
        return self._setup

    @property
    def serialization(self) -> Serialization:
        """torch.jit.save for TorchScript; modules and all else are pickled."""
        torch = sys.modules.get("torch")
        if torch is None:
            return Serialization.PICKLE
        if isinstance(self._value, (torch.jit.ScriptFunction, torch.jit.ScriptModule)):
            return Serialization.TORCH_JIT
        return Serialization.TORCH if isinstance(self._value, torch.nn.Module) else Serialization.PICKLE

    @staticmethod
    def unwrap_all(globals: dict[str, Any]) -> dict[str, Any]:
        return {name: value.value if isinstance(value, CopyIfCallgrind) else value for name, value in globals.items()}
