"""Values: pickling, what is refused, what is said."""

import pickle
import subprocess
import sys

import pytest

import icount
from icount import torch_benchmark as benchmark

PUBLIC = """Measurement TaskSpec ordered_unique select_unit set_torch_threads trim_sigfig unit_to_english Language Timer timer
Colorize Compare FuzzedParameter FuzzedTensor Fuzzer ParameterAlias CallgrindStats CopyIfCallgrind FunctionCount
FunctionCounts FuzzedSparseTensor""".split()


def make_stats(number=100):
    empty = benchmark.FunctionCounts((), True)
    table = benchmark.FunctionCounts([(7, "a.c:f"), (3, "b.c:g")], False)
    return benchmark.CallgrindStats(benchmark.TaskSpec("f()", "pass"), number, True, empty,
                                    benchmark.FunctionCounts((), False), empty, table, None)


def test_the_public_names_are_those_of_pytorch():
    assert sorted(benchmark.__all__) == sorted(PUBLIC)


def test_import_leaves_torch_alone():
    code = "import sys, icount.torch_benchmark; sys.exit('torch' in sys.modules or 'numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_values_survive_pickling():
    measurement = benchmark.Timer("1 + 1", label="l", description="d").timeit(10)
    measurement.metadata = {"any": object}
    again = pickle.loads(pickle.dumps(measurement))
    assert again == measurement
    assert str(benchmark.Compare([again])) == str(benchmark.Compare([measurement]))
    stats = pickle.loads(pickle.dumps(make_stats()))
    assert list(stats.stats()) == list(make_stats().stats())
    assert stats.counts() == 10


def test_fields_of_the_task_are_fields_of_the_measurement():
    measurement = benchmark.Timer("1 + 1", sub_label="s", num_threads=1).timeit(10)
    assert (measurement.stmt, measurement.sub_label, measurement.num_threads) == ("1 + 1", "s", 1)
    with pytest.raises(AttributeError):
        measurement.nothing


def test_slices_are_function_counts_and_rows_are_tuples():
    table = make_stats().stats()
    assert table[0] == (7, "a.c:f") and table[0].function == "a.c:f"
    assert isinstance(table[::-1], benchmark.FunctionCounts) and table[::-1][0].count == 3


def test_delta_of_unequal_runs_is_said():
    with pytest.warns(icount.CountWarning, match="over 100 and over 200 runs"):
        make_stats(100).delta(make_stats(200))


def test_an_exception_has_the_users_line():
    import traceback

    timer = benchmark.Timer("y = 1\nz = items[5]", globals={"items": [1]})
    with pytest.raises(IndexError) as caught:
        timer.timeit(1)
    assert "z = items[5]" in "".join(traceback.format_exception(caught.type, caught.value, caught.tb))


def test_what_a_timer_refuses():
    with pytest.raises(SyntaxError):
        benchmark.Timer("y = = 1")
    with pytest.raises(ValueError, match="global_setup is C\\+\\+ only"):
        benchmark.Timer("1", global_setup="x")
    with pytest.raises(ValueError, match="Invalid language `rust`"):
        benchmark.Timer("1", language="rust")
    with pytest.raises(ValueError, match="C\\+\\+ timing does not support globals"):
        benchmark.Timer("1;", language="c++", globals={"x": 1})
    with pytest.raises(ValueError, match="`repeats` must be >= 1"):
        benchmark.Timer("1").collect_callgrind(repeats=0)
    with pytest.raises(NotImplementedError):
        benchmark.Timer("1").autorange()
    with pytest.raises(ValueError, match="Expected an instance of `Measurement`"):
        benchmark.Compare([1])


def test_a_callback_is_told_of_each_block():
    told = []
    measurement = benchmark.Timer("1").blocked_autorange(callback=lambda number, time: told.append(time), min_run_time=0.001)
    assert told == measurement.raw_times


def test_a_missing_program_is_named(monkeypatch):
    monkeypatch.setenv("ICOUNT", "/nowhere/icount")
    with pytest.raises(OSError, match="ICOUNT names '/nowhere/icount', which is not a program"):
        benchmark.Timer("1").collect_callgrind()


def test_results_of_pytorch_are_taken_as_they_are():
    pytest.importorskip("torch")
    from torch.utils import benchmark as pytorch

    theirs = pickle.loads(pickle.dumps(pytorch.Timer("1 + 1", description="d").timeit(10)))
    assert str(benchmark.Compare([theirs])) == str(pytorch.Compare([theirs]))
    table = pytorch.FunctionCounts((pytorch.FunctionCount(2, "a.c:f"),), False)
    assert (make_stats().stats() - table)[0] == (5, "a.c:f")


def test_a_table_of_a_fuzzer_may_hold_any_value():
    marker = object()
    fuzzer = benchmark.Fuzzer([benchmark.FuzzedParameter("a", distribution={marker: 1.0})], [], seed=0)
    pytest.importorskip("torch")
    assert [params for _, _, params in fuzzer.take(1)] == [{"a": marker}]


def test_constraints_are_asked():
    pytest.importorskip("torch")
    fuzzer = benchmark.Fuzzer([benchmark.FuzzedParameter("n", 1, 10, "uniform")], [],
                              constraints=[lambda params: params["n"] > 5], seed=0)
    assert all(params["n"] > 5 for _, _, params in fuzzer.take(5)) and fuzzer.rejection_rate > 0
