"""Names of torch.utils.benchmark below its top: submodules, members that programs use, what a subclass may change."""

from __future__ import annotations

import importlib
import os
import timeit

import pytest

from icount import torch_benchmark as benchmark
from icount.torch_benchmark.counts import Serialization

SUBMODULES = {
    "common": ["_make_temp_dir", "TaskSpec", "Measurement", "select_unit", "unit_to_english", "trim_sigfig", "ordered_unique",
               "set_torch_threads"],
    "timer": ["Timer", "timer", "Language"],
    "compare": ["Colorize", "Compare"],
    "fuzzer": ["Fuzzer", "FuzzedParameter", "ParameterAlias", "FuzzedTensor", "dtype_size", "prod"],
    "sparse_fuzzer": ["FuzzedSparseTensor"],
    "cpp_jit": ["compile_timeit_template"],
    "valgrind_wrapper.timer_interface": ["CallgrindStats", "CopyIfCallgrind", "FunctionCount", "FunctionCounts", "Serialization",
                                         "wrapper_singleton"],
}


@pytest.mark.parametrize("module", SUBMODULES)
def test_submodules_have_the_names_of_pytorchs(module):
    ours = importlib.import_module(f"icount.torch_benchmark.utils.{module}")
    for name in SUBMODULES[module]:
        assert hasattr(ours, name)
        if name in benchmark.__all__:
            assert getattr(ours, name) is getattr(benchmark, name)
    pytest.importorskip("torch")
    theirs = importlib.import_module(f"torch.utils.benchmark.utils.{module}")
    assert set(getattr(theirs, "__all__", ())) <= set(dir(ours))


def test_the_wrapper_has_no_bindings_of_its_own():
    """As PyTorch's test asks."""
    from icount.torch_benchmark.utils.valgrind_wrapper.timer_interface import wrapper_singleton

    assert wrapper_singleton()._bindings_module is None


def test_what_only_pytorchs_compilation_has_is_said():
    with pytest.raises(ImportError, match="CXX_FLAGS"):
        from icount.torch_benchmark.utils.cpp_jit import CXX_FLAGS  # noqa: F401
    with pytest.raises(AttributeError, match="is of PyTorch's own compilation"):
        importlib.import_module("icount.torch_benchmark.utils.cpp_jit").get_compat_bindings  # noqa: B018


def test_temporary_folders_of_processes_that_ended_are_removed(monkeypatch, tmp_path, capsys):
    from icount.torch_benchmark.utils import common

    monkeypatch.setattr(common, "_DEV_SHM", str(tmp_path))
    monkeypatch.setenv("BENCHMARK_USE_DEV_SHM", "1")
    own = common._make_temp_dir("mine")
    ended = common._make_temp_dir("ended")
    with open(os.path.join(ended, "owner.pid"), "w") as file:
        file.write(str(2**22 + 1))  # above the largest process id
    os.makedirs(tmp_path / "beginning")
    common._make_temp_dir(gc_dev_shm=True)
    assert os.path.isdir(own) and not os.path.exists(ended) and (tmp_path / "beginning").is_dir()
    assert ended in capsys.readouterr().out


def test_parameters_are_sampled_as_pytorch_samples_them():
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("torch")
    from torch.utils import benchmark as pytorch

    for bounds in (1, 100, "loguniform"), (3, 9, "uniform"), (0.5, 2.0, "uniform"), (1, 1, "loguniform"):
        ours, theirs = (kind.FuzzedParameter("n", *bounds) for kind in (benchmark, pytorch))
        states = [numpy.random.RandomState(7) for _ in range(2)]
        assert [ours.sample(states[0]) for _ in range(20)] == [theirs.sample(states[1]) for _ in range(20)]
    table = benchmark.FuzzedParameter("n", distribution={8: 0.25, "y": 0.75})
    state = numpy.random.RandomState(7)
    drawn = [table.sample(state) for _ in range(40)]
    assert set(drawn) == {8, "y"} and drawn.count("y") > drawn.count(8)


@pytest.mark.parametrize("limits", [{"min_elements": 13}, {"max_elements": 11}, {"max_allocation_bytes": 95}, {}])
def test_constraints_of_a_tensor_are_those_of_pytorch(limits):
    torch = pytest.importorskip("torch")
    from torch.utils import benchmark as pytorch

    for params in {"n": 4, "d": 2, "s": 2}, {"n": 4, "d": 3, "s": 1}, {"n": 1, "d": 1, "s": 9}:
        ours, theirs = (kind.FuzzedTensor("x", ("n", 3), steps=("s",), dim_parameter="d", dtype=torch.float32, **limits)
                        for kind in (benchmark, pytorch))
        assert ours.satisfies_constraints(params) == theirs.satisfies_constraints(params)
    sparse = benchmark.FuzzedSparseTensor("x", ("n", 3), max_elements=11)
    assert [sparse.satisfies_constraints({"n": n}) for n in (3, 4)] == [True, False]


def test_a_subclass_that_draws_otherwise_is_refused():
    class Odd(benchmark.FuzzedParameter):
        def sample(self, state):
            return 3

    class Any(benchmark.FuzzedTensor):
        def satisfies_constraints(self, params):
            return True

    with pytest.raises(NotImplementedError, match="`Odd.sample` of 'n' would not be asked"):
        benchmark.Fuzzer([Odd("n", 1, 2, "uniform")], [], seed=0)
    with pytest.raises(NotImplementedError, match="`Any.satisfies_constraints` of 'x' would not be asked"):
        benchmark.Fuzzer([], [Any("x", (2,))], seed=0)


def test_how_a_global_is_sent_is_told():
    assert benchmark.CopyIfCallgrind(1).serialization is Serialization.PICKLE
    torch = pytest.importorskip("torch")
    assert benchmark.CopyIfCallgrind(torch.nn.Identity()).serialization is Serialization.TORCH
    with pytest.warns(DeprecationWarning):
        script = torch.jit.trace(torch.sin, torch.ones(1))
    assert benchmark.CopyIfCallgrind(script).serialization is Serialization.TORCH_JIT


class Clock:
    """Takes the place of timeit.Timer."""

    def __init__(self, stmt, setup, timer, globals):
        self.made_of = (stmt, setup, globals["x"])

    def timeit(self, number):
        return 2.0 * number


def test_the_timer_class_of_a_subclass_takes_the_times():
    class Mocked(benchmark.Timer):
        _timer_cls = Clock

    timer = Mocked("f(x)", "pass", globals={"x": 3})
    assert timer._timer.made_of == ("f(x)", "pass", 3) and timer.timeit(4).median == 2.0
    with pytest.raises(AssertionError, match="_timer_cls has already been swapped"):
        Mocked("int x = 1;", language="c++")
    assert benchmark.Timer._timer_cls is timeit.Timer


@pytest.mark.parametrize("number", [0, -1])
def test_a_number_that_is_none_is_said_of_the_argument(number):
    with pytest.raises(ValueError, match=f"`number` must be >= 1, got {number}"):
        benchmark.Timer("1").collect_callgrind(number)
    with pytest.raises(ValueError, match=f"`number` must be >= 1, got {number}"):
        benchmark.Timer("1;", language="c++").timeit(number)
