"""What was timed and how long it took: TaskSpec and Measurement, over the values of the C++ library."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, TypeVar

from icount import _core
from icount._core import select_unit, unit_to_english

__all__ = [
    "Measurement", "TaskSpec", "ordered_unique", "select_unit", "set_torch_threads", "trim_sigfig", "unit_to_english",
]

Element = TypeVar("Element", bound=Hashable)


@dataclasses.dataclass(repr=False, frozen=True)
class TaskSpec:
    """What defines a Timer, without its globals."""

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    def native(self) -> _core.TaskSpec:
        """The value of the C++ library."""
        return _core.TaskSpec(self.stmt, self.setup, self.global_setup, self.label, self.sub_label, self.description,
                              self.env, self.num_threads)

    @property
    def title(self) -> str:
        """One line for the task: its label or, without one, its statement; several for a statement of several lines."""
        return self.native().title

    def setup_str(self) -> str:
        return self.native().setup_str()

    def summarize(self) -> str:
        """The part of other values' repr that describes the task."""
        return self.native().summarize()


_TASK_FIELDS = frozenset(field.name for field in dataclasses.fields(TaskSpec))


@dataclasses.dataclass(repr=False)
class Measurement:
    """Times of blocks of `number_per_run` runs, in seconds, and their statistics. Can be pickled."""

    number_per_run: int
    raw_times: list[float]
    task_spec: TaskSpec
    metadata: dict[Any, Any] | None = None

    def __getattr__(self, name: str) -> Any:
        # Fields of the task, for convenience.
        if name in _TASK_FIELDS:
            return getattr(self.task_spec, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def native(self) -> _core.Measurement:
        """The value of the C++ library."""
        return _core.Measurement(self.number_per_run, self.raw_times, self.task_spec.native())

    @property
    def times(self) -> list[float]:
        """Seconds per run, one for each block."""
        return [time / self.number_per_run for time in self.raw_times]

    @property
    def median(self) -> float:
        return self.native().median

    @property
    def mean(self) -> float:
        return self.native().mean

    @property
    def iqr(self) -> float:
        """Distance of the quartiles."""
        return self.native().iqr

    @property
    def significant_figures(self) -> int:
        """How many digits of the median mean something, 1 to 4; an estimate from the quartiles."""
        return self.native().significant_figures

    @property
    def has_warnings(self) -> bool:
        """Whether the quartiles are 10 % of the median or more apart."""
        return self.native().has_warnings

    def meets_confidence(self, threshold: float = 0.1) -> bool:
        return self.native().meets_confidence(threshold)

    @property
    def title(self) -> str:
        return self.task_spec.title

    @property
    def as_row_name(self) -> str:
        return self.task_spec.native().as_row_name

    def __repr__(self) -> str:
        return f"{object.__repr__(self)}\n{self.native().text()}"

    @staticmethod
    def merge(measurements: Iterable[Measurement]) -> list[Measurement]:
        """Replicates joined: one Measurement for each task, with all times per run. Metadata is dropped."""
        members = [as_measurement(one) for one in measurements]
        groups = _core.merged_times([one.native() for one in members])
        return [Measurement(1, times, members[first].task_spec) for first, times in groups]


def as_measurement(value: object) -> Measurement:
    """A Measurement of this package or of torch.utils.benchmark as one of this package; ValueError for others."""
    if isinstance(value, Measurement):
        return value
    if type(value).__name__ == "Measurement" and type(value).__module__.startswith("torch.utils.benchmark"):
        other: Any = value
        spec = TaskSpec(**{field: getattr(other.task_spec, field) for field in _TASK_FIELDS})
        return Measurement(other.number_per_run, list(other.raw_times), spec, other.metadata)
    raise ValueError(f"Expected an instance of `Measurement`, got {type(value)} instead.")


def trim_sigfig(x: float, n: int) -> float:
    """`x` rounded to `n` significant figures: 3.14159 and 2 give 3.1."""
    if n != int(n):
        raise AssertionError("Number of significant figures must be an integer")
    return _core.trim_sigfig(x, int(n))


def ordered_unique(elements: Iterable[Element]) -> list[Element]:
    """The first of each of equal elements, in order."""
    return list(dict.fromkeys(elements))


@contextlib.contextmanager
def set_torch_threads(n: int) -> Iterator[None]:
    """Runs its block with `n` threads of torch. Imports torch only for more than one."""
    if n == 1 and "torch" not in sys.modules:
        yield
        return
    import torch

    prior = torch.get_num_threads()
    try:
        torch.set_num_threads(n)
        yield
    finally:
        torch.set_num_threads(prior)
