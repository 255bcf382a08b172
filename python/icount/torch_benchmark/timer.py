"""Timer: one statement, timed in this process and counted in another one."""

from __future__ import annotations

import enum
import linecache
import re
import sys
import timeit
from collections.abc import Callable
from typing import Any, NoReturn, overload

from icount import _core
from icount.torch_benchmark.collecting import collect
from icount.torch_benchmark.counts import CallgrindStats, CopyIfCallgrind
from icount.torch_benchmark.cpp_timing import CppTiming
from icount.torch_benchmark.measurement import Measurement, TaskSpec, set_torch_threads

__all__ = ["Language", "Timer", "timer"]

_TIMEIT_FILE = "<timeit-src>"  # where timeit says that its statements are


def _torch_with_accelerator() -> Any:
    """torch where it is imported and sees an accelerator, else None."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and torch.accelerator.is_available() else None


def timer() -> float:
    """The clock; an accelerator has done its work when it is read."""
    torch = _torch_with_accelerator()
    if torch is not None:
        torch.accelerator.synchronize()
    return timeit.default_timer()


class Language(enum.Enum):
    PYTHON = 0
    CPP = 1


def _language_of(language: Language | str) -> Language:
    if language in (Language.PYTHON, "py", "python"):
        return Language.PYTHON
    if language in (Language.CPP, "cpp", "c++"):
        return Language.CPP
    raise ValueError(f"Invalid language `{language}`.")


def _add_torch(names: dict[str, Any], texts: tuple[str, ...]) -> None:
    """Statements find torch without an import. It is imported only for those that speak of it."""
    if "torch" in names:
        return
    if "torch" not in sys.modules and any(re.search(r"\btorch\b", text) for text in texts):
        try:
            import torch  # noqa: F401
        except ImportError:
            return
    if "torch" in sys.modules:
        names["torch"] = sys.modules["torch"]


def _show_source(timed: Any) -> None:
    """Lets tracebacks print the lines of a timeit.Timer, as its print_exc does."""
    text = getattr(timed, "src", "")
    linecache.cache[_TIMEIT_FILE] = (len(text), None, text.splitlines(keepends=True), _TIMEIT_FILE)


class Timer:
    """Measures a statement.

    Args as of torch.utils.benchmark.Timer: `stmt` is what is measured, `setup` runs before it and is not measured,
    `global_setup` is C++ only (text at file scope). `globals` are the names that the statement finds. `label`,
    `sub_label`, `description` and `env` tell rows and columns of Compare. `num_threads` is torch's number of threads.
    """

    _timer_cls: Any = timeit.Timer
    """What takes the times of Python statements; a subclass may name another, made and asked as timeit.Timer is."""

    def __init__(self, stmt: str = "pass", setup: str = "pass", global_setup: str = "",
                 timer: Callable[[], float] = timer, globals: dict[str, Any] | None = None, label: str | None = None,
                 sub_label: str | None = None, description: str | None = None, env: str | None = None,
                 num_threads: int = 1, language: Language | str = Language.PYTHON) -> None:
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        self._globals = dict(globals or {})
        self._language = _language_of(language)
        if self._language is Language.PYTHON:
            if global_setup:
                raise ValueError(f"global_setup is C++ only, got `{global_setup}`. Most "
                                 "likely this code can simply be moved to `setup`.")
            _add_torch(self._globals, (stmt, setup))
        else:
            if self._timer_cls is not timeit.Timer:
                raise AssertionError("_timer_cls has already been swapped.")
            _check_cpp(timer, self._globals)
            setup = "" if setup == "pass" else setup
        stmt = _core.clean_python_statement(stmt)
        setup = _core.clean_python_statement(setup)
        self._task_spec = TaskSpec(stmt=stmt, setup=setup, global_setup=global_setup, label=label, sub_label=sub_label,
                                   description=description, env=env, num_threads=num_threads)
        self._timer: Any = None
        self._cpp: CppTiming | None = None
        if self._language is Language.PYTHON:
            self._timer = self._timer_cls(stmt=stmt, setup=setup, timer=timer, globals=CopyIfCallgrind.unwrap_all(self._globals))
        else:
            self._cpp = CppTiming(self._task_spec)

    def _timeit(self, number: int) -> float:
        """Seconds of one block of a Python statement. An exception has the user's own lines in its traceback."""
        try:
            return max(float(self._timer.timeit(number)), 1e-9)
        except BaseException:
            _show_source(self._timer)
            raise

    def _measurement(self, blocks: tuple[int, list[float]]) -> Measurement:
        number, raw_times = blocks
        return Measurement(number_per_run=number, raw_times=raw_times, task_spec=self._task_spec)

    def timeit(self, number: int = 1000000) -> Measurement:
        """A warm-up, then one block of `number` runs."""
        if self._cpp is not None:
            return self._measurement(self._cpp.timeit(number))
        with set_torch_threads(self._task_spec.num_threads):
            return self._measurement(_core.timeit(self._timeit, number))

    def repeat(self, repeat: int = -1, number: int = -1) -> None:
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def autorange(self, callback: Callable[[int, float], NoReturn] | None = None) -> None:
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def blocked_autorange(self, callback: Callable[[int, float], Any] | None = None,
                          min_run_time: float = 0.2) -> Measurement:
        """Blocks, each so long that taking its time costs next to nothing, until `min_run_time` seconds are measured."""
        if self._cpp is not None:
            return self._measurement(self._cpp.blocked_autorange(callback, min_run_time))
        with set_torch_threads(self._task_spec.num_threads):
            return self._measurement(_core.blocked_autorange(self._timeit, callback, min_run_time))

    def adaptive_autorange(self, threshold: float = 0.1, *, min_run_time: float = 0.01, max_run_time: float = 10.0,
                           callback: Callable[[int, float], Any] | None = None) -> Measurement:
        """Blocks until their quartiles are within `threshold` of the median, or `max_run_time` is over."""
        if self._cpp is not None:
            return self._measurement(self._cpp.adaptive_autorange(threshold, min_run_time, max_run_time, callback))
        with set_torch_threads(self._task_spec.num_threads):
            return self._measurement(
                _core.adaptive_autorange(self._timeit, threshold, min_run_time, max_run_time, callback))

    @overload
    def collect_callgrind(self, number: int = 100, *, repeats: None = None, collect_baseline: bool = True,
                          retain_out_file: bool = False) -> CallgrindStats: ...
    @overload
    def collect_callgrind(self, number: int = 100, *, repeats: int, collect_baseline: bool = True,
                          retain_out_file: bool = False) -> tuple[CallgrindStats, ...]: ...

    def collect_callgrind(self, number: int = 100, *, repeats: int | None = None, collect_baseline: bool = True,
                          retain_out_file: bool = False) -> CallgrindStats | tuple[CallgrindStats, ...]:
        """Instructions of `number` runs, counted in a process of its own.

        What the statement needs of this session is sent there as a copy (docs/python.md says what can be sent). OSError
        when there is no count; its text says why. An exception of the statement itself is raised here, before anything
        is counted.
        """
        if repeats is not None and repeats < 1:
            raise ValueError("If specified, `repeats` must be >= 1")
        if number < 1:
            raise ValueError(f"`number` must be >= 1, got {number}")
        if "torch" in self._globals and self._globals["torch"] is not sys.modules.get("torch"):
            raise ValueError("`collect_callgrind` does not support mocking out `torch`.")
        if self._timer is not None:
            with set_torch_threads(self._task_spec.num_threads):
                self._timeit(1)
        stats = collect(self._task_spec, self._globals, self._language.name.lower(), number, repeats or 1,
                        collect_baseline and self._language is Language.PYTHON, retain_out_file)
        return stats[0] if repeats is None else stats


def _check_cpp(clock: Callable[[], float], names: dict[str, Any]) -> None:
    if clock is not timeit.default_timer and _torch_with_accelerator() is not None:
        raise NotImplementedError(
            "PyTorch was built with accelerators and an accelerator is present; however "
            "Timer does not yet support accelerator measurements. If your "
            "code is CPU only, pass `timer=timeit.default_timer` to the "
            "Timer's constructor to indicate this. (Note that this will "
            "produce incorrect results if an accelerator is in fact used, as "
            "Timer will not synchronize the accelerator.)")
    if names:
        raise ValueError("C++ timing does not support globals.")
