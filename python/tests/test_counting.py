"""Counts under Callgrind, without torch."""

import importlib
import shutil
import types

import pytest

from icount import torch_benchmark as benchmark
from icount import load_results, pytest_plugin
from icount.counting import CountFailure

pytest_plugins = ["pytester"]
needs_valgrind = pytest.mark.skipif(shutil.which("valgrind") is None, reason="there is no Valgrind here")


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@pytest.fixture(scope="module", autouse=True)
def warm_server(tmp_path_factory):
    """One server for all counts of this file, which ends soon after it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ICOUNT_SERVER", "on")
        patch.setenv("ICOUNT_SERVER_IDLE", "30")
        yield


@needs_valgrind
def test_counts_repeat_and_have_a_baseline():
    timer = benchmark.Timer("sorted(x)", globals={"x": [3, 1, 2] * 10})
    first, second = timer.collect_callgrind(10, repeats=2)
    assert first.counts() == second.counts() > 10_000
    assert 0 < first.baseline_exclusive_stats.sum() < 2_000
    assert list(first.delta(second)) == []
    assert any("list_sort" in row.function for row in first.stats())


@needs_valgrind
def test_a_session_function_is_counted_and_an_exception_is_the_users_own():
    number = benchmark.CopyIfCallgrind(3, setup="""\
        import sys
        del sys""")  # indented, as texts in programs are
    counted = benchmark.Timer("f(n)", globals={"f": fibonacci, "n": number}).collect_callgrind(10, collect_baseline=False)
    assert counted.counts() > 1_000 and len(counted.baseline_exclusive_stats) == 0
    with pytest.raises(ZeroDivisionError):
        benchmark.Timer("1 / n", globals={"n": 0}).collect_callgrind()


@needs_valgrind
def test_what_ends_badly_only_there_is_said():
    stmt = "os.getppid() == parent or 1 / 0"
    with pytest.raises(OSError, match="Failed to collect callgrind profile:\n.*ZeroDivisionError"):
        benchmark.Timer(stmt, "import os", globals={"parent": __import__("os").getppid()}).collect_callgrind(2)


SUITE = """
import asyncio
import os
import threading
from pathlib import Path
import pytest

with open("imports", "a") as file:
    file.write("once\\n")

def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

@pytest.mark.parametrize("n", [3, 5])
def test_fib(benchmark, n):
    assert benchmark(fib, n) in (2, 5)

def test_pedantic(benchmark):
    assert benchmark.pedantic(sorted, setup=lambda: (([2, 1],), {}), rounds=3) == [1, 2]

class Store:
    def __init__(self):
        self.lock = threading.Lock()

    def read(self, n):
        with self.lock:
            return fib(n)

@pytest.mark.benchmark(group="stores")
def test_what_holds_a_lock(benchmark):
    import this
    assert this.hides
    assert benchmark(Store().read, 4) == 3 and benchmark.group == "stores" and benchmark.stats["mean"] > 0

def test_in_a_loop(benchmark):
    async def main():
        loop = asyncio.get_running_loop()
        assert benchmark(lambda: asyncio.get_running_loop() is loop)
    asyncio.run(main())

def test_woven(benchmark):
    benchmark.weave(fib)
    assert [fib(n) for n in (3, 1)] == [2, 1]

def test_fails_there(benchmark):
    lock = threading.Lock()
    benchmark(lambda: lock and "vgpreload" in Path("/proc/self/maps").read_text() and 1 / 0)

def test_has_variables_of_the_user(benchmark):
    assert benchmark(fib, int(os.environ["OF_USER"])) == 1
"""


@needs_valgrind
def test_the_plugin_counts_a_suite_unmodified(pytester, monkeypatch):
    """In the import mode that pytest recommends: all in forks of one process, but for a test that is none there."""
    pytester.mkdir("bench").joinpath("test_suite.py").write_text(SUITE)
    pytester.mkdir("first").joinpath("this.py").write_text("hides = 'the module of that name in the standard library'")
    monkeypatch.setenv("PYTHONPATH", str(pytester.path / "first"))
    pytester.makeini("[pytest]\nfaulthandler_timeout = 600\ncache_dir = cache\n")
    pytester.makeconftest("import os, subprocess\nsubprocess.run(['true'], check=True)\nos.environ['PYTEST_PLUGINS'] += ''")
    monkeypatch.setenv("PYTEST_PLUGINS", "this")
    monkeypatch.setenv("OF_USER", "1")
    arguments = ["-p", "icount.pytest_plugin", "--icount", "--icount-number=10", "--import-mode=importlib", "-Werror", "bench"]
    result = pytester.runpytest_subprocess("--icount-out=c.icount", *arguments)
    result.assert_outcomes(passed=7, failed=1)
    assert (pytester.path / "imports").read_text() == "once\n" * 2
    result.stdout.fnmatch_lines(["note: bench/test_suite.py::test_pedantic: the arguments from pedantic's setup are made once*"])
    result.stdout.fnmatch_lines(["*test_fails_there can't be counted: *ZeroDivisionError*",
                                 "Nor can a copy of its call: *`lock`, which `test_fails_there.<locals>.<lambda>` uses, is a lock*"])
    result.stdout.fnmatch_lines(["note: *variables_of_the_user: counted with copies of its function and arguments, *ends otherwise: KeyError: 'OF_USER'*"])
    result.stdout.no_fnmatch_line("*During handling of the above exception*")

    def slopes(file):
        return {one.label.removeprefix("bench/test_suite.py / "): one.slope for one in load_results(str(pytester.path / file))}

    counted = slopes("c.icount")
    assert list(counted) == ["test_fib[3]", "test_fib[5]", "test_pedantic", "test_what_holds_a_lock", "test_in_a_loop", "test_woven",
                             "test_has_variables_of_the_user"]
    assert counted["test_fib[5]"] > 2 * counted["test_fib[3]"] > 0
    assert counted["test_what_holds_a_lock"] > counted["test_woven"] > 0
    # Alone, in a folder with another file.
    pytester.mkdir("bench/more").joinpath("test_other.py").write_text("def test_other(): pass")
    pytester.runpytest_subprocess("--icount-out=alone.icount", *arguments, "-k", "lock", "--deselect=none").assert_outcomes(
        passed=1, deselected=8)
    assert slopes("alone.icount") == {"test_what_holds_a_lock": counted["test_what_holds_a_lock"]}


def test_what_runs_in_the_server_makes_no_folder(monkeypatch):
    """It ends without a word, and would leave it."""
    monkeypatch.setattr(pytest_plugin.tempfile, "TemporaryDirectory", None)
    config = types.SimpleNamespace(getoption=lambda name: None, option=types.SimpleNamespace())
    assert pytest_plugin.ServingPlugin(config, None).results == []


def test_the_plugin_records_python_calls_only_when_asked(pytester, monkeypatch):
    asked = []

    def refuse(*_, python_calls, **__):
        asked.append(python_calls)
        raise ValueError("not counted here")

    monkeypatch.setattr("icount.pytest_plugin.count_in", refuse)
    pytester.makepyfile("def test_one(benchmark): benchmark(len, [])")
    for words in [], ["--icount-python-calls"]:
        pytester.runpytest_inprocess("-p", "icount.pytest_plugin", "--icount", *words).assert_outcomes(failed=1)
    assert asked == [False, True]


def test_a_benchmark_that_takes_too_long_is_said_in_words_of_pytest(pytester, monkeypatch):
    def take_long(*_, **__):
        raise CountFailure("did not finish within 600 s; --timeout sets the limit", "timed-out")

    plugin = importlib.import_module("icount.pytest_plugin")  # not what an earlier run within this process left
    monkeypatch.setattr(plugin, "count_in", take_long)
    pytester.makepyfile("import pytest\n@pytest.mark.benchmark\ndef test_one(): pass")
    result = pytester.runpytest_inprocess("-p", "icount.pytest_plugin", "--icount", "--icount-number=7")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*its 7 calls take more than 600 s under Valgrind; --icount-number makes them fewer"])
    result.stdout.no_fnmatch_line("*PluggyTeardownRaisedWarning*")


def test_a_call_that_costs_much_is_counted_fewer_times_whatever_its_time(pytester, monkeypatch):
    numbers = []

    def count_in(*_, number, **__):
        numbers.append(number)
        if number > 1:
            raise ValueError("not counted here")
        return types.SimpleNamespace(slope=cost, notes=[])

    plugin = importlib.import_module("icount.pytest_plugin")
    monkeypatch.setattr(plugin, "count_in", count_in)
    pytester.makepyfile("import time, pytest\ndef test_one(benchmark): benchmark(time.sleep, 0.02)\n"
                        "@pytest.mark.benchmark\ndef test_whole(): time.sleep(0.02)")
    for words, cost in ([], 1e6), ([], 1e7), (["--icount-number=30"], 0):
        pytester.runpytest_inprocess("-p", "icount.pytest_plugin", "--icount", *words).assert_outcomes(failed=2)
    assert numbers == [1, 100, 1, 100, 1, 10, 1, 10, 30, 30]
    assert plugin.number_for(1e7 + 1) == 1


def test_a_test_that_waits_for_its_count_is_not_called_hung(pytester):
    pytester.makeini("[pytest]\nfaulthandler_timeout=0.1")
    pytester.makeconftest("import time, icount.pytest_plugin\ndef late(*args, **kwargs):\n  time.sleep(0.5)\n  raise ValueError('late')\n"
                          "icount.pytest_plugin.count_in = late")
    pytester.makepyfile("def test_one(benchmark): benchmark(len, [])")
    result = pytester.runpytest_subprocess("-p", "icount.pytest_plugin", "--icount")
    result.assert_outcomes(failed=1)
    assert "Timeout" not in result.stderr.str() + result.stdout.str()


def test_other_plugins_of_benchmarks_workers_and_time_limits_are_put_aside_before_they_are_configured(pytester):
    """Stand-ins for pytest-benchmark, which runs git in pytest_configure, for xdist, whose workers would keep the counts, and
    for pytest-timeout."""
    pytester.mkpydir("pytest_benchmark").joinpath("plugin.py").write_text(
        "import pytest\n@pytest.hookimpl(tryfirst=True)\ndef pytest_configure(config): raise AssertionError('configured')\n")
    pytester.makepyfile(
        xdist="def pytest_addoption(parser):\n    group = parser.getgroup('xdist')\n"
              "    group._addoption('-n', dest='numprocesses')\n    group.addoption('--dist')\n"
              "def pytest_configure(config): print('workers', config.option.numprocesses, config.option.dist)\n",
        pytest_timeout="def pytest_addoption(parser): parser.addoption('--timeout')\n"
                "def pytest_configure(config): print('limits', config.option.timeout)\n")
    pytester.makepyfile("def test_one(): pass")
    pytester.makeini("[pytest]\naddopts = -n4 -p xdist -p pytest_timeout -p pytest_benchmark.plugin -p icount.pytest_plugin")
    result = pytester.runpytest_subprocess("-s", "--icount")
    assert result.ret == 0
    result.stdout.fnmatch_lines_random(["*workers 0 no*", "*limits 0*"])
