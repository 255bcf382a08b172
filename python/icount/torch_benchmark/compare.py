"""Many Measurements as tables."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from icount import _core
from icount.torch_benchmark.measurement import Measurement, as_measurement

__all__ = ["Colorize", "Compare"]


class Colorize(enum.Enum):
    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


class Compare:
    """A growing list of Measurements, printed as one table for each label."""

    def __init__(self, results: Iterable[Measurement]) -> None:
        self._results: list[Measurement] = []
        self.extend_results(results)
        self._trim_significant_figures = False
        self._colorize = Colorize.NONE
        self._highlight_warnings = False

    def __str__(self) -> str:
        return _core.compare_text([result.native() for result in self._results], self._trim_significant_figures,
                                  _core.Colorize[self._colorize.name], self._highlight_warnings)

    def extend_results(self, results: Iterable[Measurement]) -> None:
        """Appends results; those of torch.utils.benchmark are taken, too."""
        self._results.extend([as_measurement(result) for result in results])

    def trim_significant_figures(self) -> None:
        """From now on the table shows only digits that mean something."""
        self._trim_significant_figures = True

    def colorize(self, rowwise: bool = False) -> None:
        """From now on the best and worst of each column (or row) are colored."""
        self._colorize = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self) -> None:
        """From now on the table marks times that vary a lot."""
        self._highlight_warnings = True

    def print(self) -> None:
        print(str(self))
