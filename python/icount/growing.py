"""How the cost of a Python function grows with a size, as a test: exact, so that it never fails at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from icount.counting import CountTask, failure_of, run_growth
from icount.shipping import pack

_OVER_LIMIT, _CANNOT_JUDGE = 3, 125
"""The program's exit codes (docs/exit_codes.md)."""


def growth(sizes: Sequence[int], *, max_exponent: float | None = None, max_function_exponent: float | None = None,
           max_ratio: float | None = None,
           setup: Callable[[int], object] = int) -> Callable[[Callable[..., object]], Callable[[], None]]:
    """Makes a test of a function, which is called with setup(n) for each size: by default with the size itself. Only the
    call is counted, after others that warm up.

    The test raises AssertionError with what `icount growth` says where the cost grows faster than allowed or does not
    depend on n, CountFailure where it can't be counted, CannotSend where the function can't be handed over.
    """
    limits = {"max-exponent": max_exponent, "max-function-exponent": max_function_exponent, "max-ratio": max_ratio}

    def decorate(function: Callable[..., object]) -> Callable[[], None]:
        def test() -> None:
            # Calls that warm up may use theirs up.
            before, stmt = "_values = [_setup({n}) for _ in range(4)]", "_function(_values.pop())"
            shipment = pack(stmt, before, {"_function": function, "_setup": setup}, called={"_function": function.__qualname__})
            task = CountTask(stmt=stmt, setup=before, shipment=shipment, number=1, label=(function.__qualname__,))
            run = run_growth(task, sizes, {name: limit for name, limit in limits.items() if limit is not None})
            if run.exit_code in (_OVER_LIMIT, _CANNOT_JUDGE):
                raise AssertionError(f"{run.message()}\n{run.output}")
            if run.exit_code != 0:
                raise failure_of(run)

        # No functools.wraps: pytest would look for a fixture with the name of the size.
        test.__name__, test.__qualname__, test.__doc__ = function.__name__, function.__qualname__, function.__doc__
        test.__module__ = function.__module__
        return test

    return decorate
