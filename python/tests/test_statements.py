"""Each method of Timer for statements of both languages, with torch imported and without."""

from __future__ import annotations

import os
import shutil
import sys
import types

import pytest

from icount import CountWarning
from icount import torch_benchmark as benchmark

needs_valgrind = pytest.mark.skipif(shutil.which("valgrind") is None, reason="there is no Valgrind here")


@pytest.fixture(scope="module", autouse=True)
def warm_server():
    """One server for all counts of this file, which ends soon after it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ICOUNT_SERVER", "on")
        patch.setenv("ICOUNT_SERVER_IDLE", "30")
        yield


@pytest.fixture(params=["with torch", "without torch"])
def session(request, monkeypatch):
    """A session in which torch was imported, or not. C++ statements here need no LibTorch: it is left out, to be quick."""
    monkeypatch.setattr("icount.counting.find_torch", lambda: None)
    monkeypatch.setattr("icount.torch_benchmark.cpp_timing.find_torch", lambda: None)
    if request.param == "with torch":
        return pytest.importorskip("torch")
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    return None


def timer_of(language, **options):
    if language == "c++":
        return benchmark.Timer("x = x * 3 + 1;", "volatile long x = 2;", language="c++", **options)
    return benchmark.Timer("sorted(x)", "x = [3, 1, 2]", **options)


@needs_valgrind
@pytest.mark.parametrize("language", ["python", "c++"])
@pytest.mark.usefixtures("session")
def test_each_method_of_a_timer(language):
    timer = timer_of(language, label="l", description="d", num_threads=1)
    timed = timer.timeit(5)
    assert (timed.number_per_run, len(timed.raw_times), timed.task_spec) == (5, 1, timer._task_spec)
    told = []
    ranged = timer.blocked_autorange(callback=lambda number, time: told.append(time), min_run_time=1e-4)
    assert told == ranged.raw_times and ranged.median > 0
    assert timer.adaptive_autorange(min_run_time=1e-4, max_run_time=1e-3).median > 0
    stats = timer.collect_callgrind(10, collect_baseline=False)
    again, third = timer.collect_callgrind(10, repeats=2)
    kept = timer.collect_callgrind(10, collect_baseline=False, retain_out_file=True)
    assert stats.counts() == again.counts() == third.counts() == kept.counts() >= 10
    assert "events:" in kept.stmt_callgrind_out and stats.stmt_callgrind_out is None
    has_baseline = language == "python"
    assert (again.baseline_exclusive_stats.sum() > 0) == has_baseline
    assert stats.stats(inclusive=True).sum() >= stats.stats().sum() == stats.counts()
    assert stats.delta(again).sum() == 0 and stats.as_standardized().counts() == stats.counts()
    assert "l" in repr(stats)


def test_a_timer_made_before_torch_was_imported_counts(monkeypatch):
    """What is refused is another torch in `globals`, not one that is not there."""
    asked = []
    monkeypatch.setattr(sys.modules["icount.torch_benchmark.timer"], "collect", lambda *task: asked.append(task) or ("counted",))
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    timers = [benchmark.Timer("1 + 1"), benchmark.Timer("int x = 1;", language="c++")]
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(
        get_num_threads=lambda: 1, set_num_threads=lambda n: None, accelerator=types.SimpleNamespace(is_available=lambda: False)))
    timers += [benchmark.Timer("1 + 1"), benchmark.Timer("int x = 1;", language="c++")]
    assert [timer.collect_callgrind(1) for timer in timers] == ["counted"] * 4
    with pytest.raises(ValueError, match="does not support mocking out `torch`"):
        benchmark.Timer("1", globals={"torch": object()}).collect_callgrind(1)


@needs_valgrind
@pytest.mark.usefixtures("session")
def test_a_statement_of_which_nothing_is_left_is_counted_and_said():
    """At the line of the caller, and in words for its language."""
    for language, text, words in ("c++", "int y = x + 1; (void)y;", "the compiler optimized"), ("python", "pass", "does nothing"):
        timer = benchmark.Timer(text, "volatile int z = 1; int x = z;" if language == "c++" else "pass", language=language)
        with pytest.warns(CountWarning, match=words) as told:
            counts = timer.collect_callgrind(10, collect_baseline=False).counts()
        assert counts >= 0 and [os.path.basename(one.filename) for one in told] == ["test_statements.py"]
        assert "--" not in str(told[0].message) and ("compiler" in str(told[0].message)) == (language == "c++")
    dead = benchmark.Timer("int y = 1;", language="c++")
    with pytest.warns(CountWarning, match="its time is that of an empty loop") as told:
        assert dead.timeit(10).raw_times[0] >= 0
    assert os.path.basename(told[0].filename) == "test_statements.py"


@needs_valgrind
def test_the_threshold_of_an_adaptive_autorange_of_cpp(monkeypatch):
    monkeypatch.setattr("icount.torch_benchmark.cpp_timing.find_torch", lambda: None)
    wide = timer_of("c++").adaptive_autorange(1e6, min_run_time=1e-9, max_run_time=1)
    assert len(wide.raw_times) == 4  # the first number of blocks at which the spread is looked at
    narrow = timer_of("c++").adaptive_autorange(1e-9, min_run_time=1e-9, max_run_time=1e-9)
    assert narrow.median > 0
    with pytest.raises(ValueError, match="`threshold` must be > 0, got -1"):
        timer_of("c++").adaptive_autorange(-1)
