"""asv's track_ benchmarks, as asv finds and calls them: a function or a method, its attributes, setup and parameters."""

from __future__ import annotations

import pytest

from icount.asv import instructions_of, track_instructions


class Sorting:
    params = [10, 200]

    def setup(self, n: int) -> None:
        self.values = list(range(n, 0, -1))

    @track_instructions
    def track_sort(self, n: int) -> None:
        sorted(self.values)


@track_instructions(number=10)
def track_nothing() -> None:
    pass


def test_a_benchmark_returns_instructions_per_call() -> None:
    counts = []
    for n in (*Sorting.params, Sorting.params[0]):
        suite = Sorting()
        suite.setup(n)
        counts.append(suite.track_sort(n))
    assert counts[0] == counts[2], "exact over runs"
    assert counts[1] > counts[0] > 100
    assert Sorting.track_sort.unit == "instructions"
    assert Sorting.track_sort.__name__ == "track_sort"
    assert track_nothing.timeout >= 60


def test_an_exception_is_the_benchmarks_own() -> None:
    @track_instructions
    def track_broken() -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        track_broken()


def test_what_cannot_be_handed_over_is_named() -> None:
    with open(__file__) as file, pytest.raises(ValueError, match="argument 1"):
        instructions_of(len, file)
