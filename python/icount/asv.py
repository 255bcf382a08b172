"""Instruction counts for airspeed velocity (asv): benchmarks that return a number, which asv calls `track_`.

    from icount.asv import track_instructions

    class Sorting:
        params = [10, 1000]

        def setup(self, n):
            self.values = list(range(n, 0, -1))

        @track_instructions
        def track_sort(self, n):
            sorted(self.values)

asv then records instructions per call, exact over runs, instead of seconds. asv itself is not imported.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, overload

from icount.calls import DEFAULT_NUMBER, count_call, per_call

__all__ = ["instructions_of", "track_instructions"]

_TIMEOUT_S = 600.0  # asv's default of 60 s may be over before a busy machine has started Python under Valgrind


def instructions_of(function: Callable[..., object], *args: object, **kwargs: object) -> float:
    """Instructions of one call of `function`: for the body of a `track_` benchmark that prepares its own call."""
    return per_call(count_call(function, args, kwargs))


@overload
def track_instructions(function: Callable[..., object]) -> Callable[..., float]: ...
@overload
def track_instructions(*, number: int = DEFAULT_NUMBER) -> Callable[[Callable[..., object]], Callable[..., float]]: ...


def track_instructions(function: Callable[..., object] | None = None, *, number: int = DEFAULT_NUMBER) -> Any:
    """Decorates a `track_` benchmark, which then returns the instructions of one call of its body.

    Its parameters, `setup` and `self` are handed over as copies; a call that changes them is counted on what the call before left.
    An exception, or a value that can't be handed over, fails the benchmark with the reason.
    """
    if function is None:
        return functools.partial(track_instructions, number=number)
    body = function

    @functools.wraps(body)
    def tracked(*args: object, **kwargs: object) -> float:
        body(*args, **kwargs)  # what it raises is raised here, with its own traceback
        return per_call(count_call(body, args, kwargs, number=number))

    tracked.unit = "instructions"  # type: ignore[attr-defined]
    tracked.timeout = _TIMEOUT_S  # type: ignore[attr-defined]
    return tracked
