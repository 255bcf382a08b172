"""Instructions of one call of a Python function: what pytest's fixture and asv's benchmarks report."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from icount.counting import CountTask, Preload, count
from icount.shipping import pack

if TYPE_CHECKING:
    from icount._core import Result

DEFAULT_NUMBER = 100
"""Calls in the counted region; the slope is taken between these and twice as many."""

TIMEOUT_S = 600.0
"""How long the calls of one count may take."""


def count_call(function: Callable[..., object], args: Sequence[object] = (), kwargs: Mapping[str, object] | None = None,
               *, number: int = DEFAULT_NUMBER, label: tuple[str, ...] = (), out_file: str | None = None,
               python_calls: bool = False, warns: bool = True) -> Result:
    """Counts `function(*args, **kwargs)` in a process of its own; with `out_file` the result is saved there, too. Without
    `warns`, remarks stand in the result's `notes` only.

    `python_calls` records the calls between Python functions as well, in a run of their own (a second and more).

    CountFailure when there is no count, CannotSend for a value that can't be handed over; both say why.
    """
    stmt, values = words_of_call(function, args, kwargs or {})
    called = {"_function": getattr(function, "__qualname__", type(function).__name__),
              **{f"_arg{i}": f"argument {i + 1}" for i in range(len(args))}, **{f"_{name}": name for name in kwargs or {}}}
    task = CountTask(stmt=stmt, number=number, label=label, shipment=pack(stmt, "", values, called=called), server="on",
                     timeout_s=TIMEOUT_S, python_calls=python_calls, warns=warns)
    return _count(task, out_file)


def count_in(preload: Preload, global_setup: str, stmt: str, *, number: int, label: tuple[str, ...], out_file: str,
             python_calls: bool) -> Result:
    """Counts the call in a fork of the process that `preload` makes, where `global_setup` runs it, without warnings.
    CountFailure says why not."""
    return _count(CountTask(stmt=stmt, global_setup=global_setup, number=number, label=label, preload=preload, server="on",
                            timeout_s=TIMEOUT_S, python_calls=python_calls, warns=False), out_file)


def words_of_call(function: Callable[..., object], args: Sequence[object],
                  kwargs: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """(the call as a statement, the values of its names)."""
    values = {"_function": function, **{f"_arg{i}": value for i, value in enumerate(args)},
              **{f"_{name}": value for name, value in kwargs.items()}}
    told = [f"_arg{i}" for i in range(len(args))] + [f"{name}=_{name}" for name in kwargs]
    return f"_function({', '.join(told)})", values


def _count(task: CountTask, out_file: str | None) -> Result:
    if out_file is not None:
        return count(task, out_file)
    with tempfile.TemporaryDirectory(prefix="icount-") as folder:
        return count(task, os.path.join(folder, "call.icount"))


def per_call(result: Result) -> float:
    """Instructions of one more call; without a slope those of the region divided by its calls."""
    return result.slope if result.slope is not None else result.counts[0] / result.number_per_run
