"""Runs what PyTorch ships for torch.utils.benchmark with icount.torch_benchmark in its place; nothing else is changed.

    python run_peer_tests.py PYTORCH [--part I/N]

PYTORCH is a folder of PyTorch's sources. From there come its test file with the recorded counts, the examples, and the
definitions and the worker of benchmarks/instruction_counts with all its statements. Part 2/3 counts each third statement from
the second on; tests and examples belong to the first part. What a table
of docs/python.md ("Where it differs") names differs, and all else passes: a test, an example, a statement, or an exception
that a test expects, by a part of its text.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import pkgutil
import re
import runpy
import sys
import time
import traceback
import unittest

# Class paths stand in PyTorch's expected texts.
_THEIRS = {
    "icount.torch_benchmark.measurement.Measurement": "torch.utils.benchmark.utils.common.Measurement",
    "icount.torch_benchmark.counts.CallgrindStats": "torch.utils.benchmark.utils.valgrind_wrapper.timer_interface.CallgrindStats",
    "icount.torch_benchmark.counts.FunctionCounts": "torch.utils.benchmark.utils.valgrind_wrapper.timer_interface.FunctionCounts",
}


def swap():
    """torch.utils.benchmark and all below it are icount's from here on."""
    import torch.utils

    import icount.torch_benchmark as ours

    names = [ours.__name__, *(one.name for one in pkgutil.walk_packages(ours.__path__, ours.__name__ + "."))]
    for name in names:
        sys.modules["torch.utils.benchmark" + name.removeprefix(ours.__name__)] = importlib.import_module(name)
    torch.utils.benchmark = ours


def known_differences():
    """(what, why) of the table in docs/python.md."""
    page = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "python.md")
    with open(page, encoding="utf-8") as file:
        text = file.read()
    table = text.partition("| of PyTorch's own | why it differs |\n")[2].partition("\n\n")[0]
    return dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", table, re.MULTILINE))


@contextlib.contextmanager
def nothing_raised():
    yield


def run_test_file(folder, known):
    """(what, whether it passed) of each test and of each exception that it does without."""
    os.environ["PYTORCH_TEST_WITH_SLOW"] = "1"
    sys.path.insert(0, os.path.join(folder, "test", "benchmark_utils"))
    skip_if = unittest.skipIf
    # PyTorch leaves its C++ tests out where its own compiler fails them.
    unittest.skipIf = lambda condition, reason: (lambda test: test) if "Failing on clang" in reason else skip_if(condition, reason)
    module = importlib.import_module("test_benchmark_utils")
    unittest.skipIf = skip_if
    inline = module.TestCase.assertExpectedInline

    def compare(self, actual, expect, skip=0):
        text = actual if isinstance(actual, str) else repr(actual)
        for ours, theirs in _THEIRS.items():
            text = text.replace(ours, theirs)
        inline(self, text, expect, skip=skip + 1)

    module.TestCase.assertExpectedInline = compare
    raises, without = module.TestCase.assertRaisesRegex, set()

    def expect_exception(self, kind, regex, *args, **kwargs):
        for name in known:
            if name in str(regex):
                without.add(name)
                return nothing_raised()
        return raises(self, kind, regex, *args, **kwargs)

    module.TestCase.assertRaisesRegex = expect_exception
    for test in unittest.defaultTestLoader.loadTestsFromModule(module):
        for one in test:
            result = unittest.TestResult()
            one.run(result)
            for _, trace in result.failures + result.errors:
                print(trace)
            yield f"{type(one).__name__}.{one._testMethodName}", None if result.skipped else result.wasSuccessful()
    yield from ((name, False) for name in sorted(without))


# What an example does, to run in seconds: fewer draws, or shorter times.
_QUICK = {"fuzzer.py": [], "simple_timeit.py": [], "compare.py": [], "op_benchmark.py": [], "sparse/fuzzer.py": [],
          "sparse/compare.py": [], "sparse/op_benchmark.py": [], "spectral_ops_fuzz_test.py": ["--device", "cpu", "--samples", "2"]}


def run_examples(folder):
    import torch.utils.benchmark as ours

    take = ours.Fuzzer.take
    blocked, adaptive = ours.Timer.blocked_autorange, ours.Timer.adaptive_autorange
    ours.Fuzzer.take = lambda self, n: take(self, min(n, 3))
    ours.Timer.blocked_autorange = lambda self, callback=None, min_run_time=0.2: blocked(self, callback, 0.001)
    ours.Timer.adaptive_autorange = lambda self, *_, **__: adaptive(self, 1.0, min_run_time=0.001, max_run_time=0.01)
    examples = os.path.join(folder, "torch", "utils", "benchmark", "examples")
    for name, arguments in _QUICK.items():
        path = os.path.join(examples, name)
        sys.argv = [path, *arguments]
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                runpy.run_path(path, run_name="__main__")
            passed = True
        except BaseException:
            traceback.print_exc()
            passed = False
        yield f"examples/{name}", passed and bool(output.getvalue().strip())
    ours.Fuzzer.take, ours.Timer.blocked_autorange, ours.Timer.adaptive_autorange = take, blocked, adaptive


def run_statements(folder, part, parts):
    """What its worker does with each statement of the standard suite, with shorter times."""
    sys.path.insert(0, os.path.join(folder, "benchmarks", "instruction_counts"))
    worker = importlib.import_module("worker.main")
    worker.MIN_RUN_TIME, worker.CALLGRIND_REPEATS = 0.001, 2
    expand = importlib.import_module("core.expand")
    standard = importlib.import_module("definitions.standard")
    rows = [(label, auto, args) for label, auto, args in expand.materialize(standard.BENCHMARKS)]
    chosen = rows[part - 1::parts]
    print(f"{len(chosen)} of {len(rows)} statements of the standard suite", flush=True)
    for label, auto, args in chosen:
        name = "statement " + " ".join([*label, *(str(value) for value in auto.as_dict.values())])
        try:
            output = worker._run(args)
            passed = output.instructions[0] == output.instructions[1] > 0
        except Exception:
            traceback.print_exc()
            passed = False
        yield name, passed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--part", default="1/1")
    asked = parser.parse_args()
    part, parts = map(int, asked.part.split("/"))
    swap()
    known = known_differences()
    wrong, ran, differ = [], 0, set()
    ours = (run_test_file(asked.folder, known), run_examples(asked.folder)) if part == 1 else ()
    for results in (*ours, run_statements(asked.folder, part, parts)):
        while True:
            start = time.monotonic()
            name, passed = next(results, (None, None))
            if name is None:
                break
            ran += 1
            words = {True: "passed", False: "failed", None: "skipped"}[passed]
            if not passed:
                differ.add(name)
            if passed is not (False if name in known else True):
                wrong.append(f"{name}: {words}" + (f", but docs/python.md says: {known[name]}" if name in known else ""))
            print(f"{name}: {words}, {time.monotonic() - start:.1f} s" + (f" ({known[name]})" if name in known else ""), flush=True)
    wrong += [f"{name}: not met, but docs/python.md says: {why}" for name, why in known.items()
              if name not in differ and part == 1 and not name.startswith("statement ")]  # which may be another part's
    print(f"{ran} of PyTorch's own: {len(differ)} differ, {len(wrong)} of them unexpected")
    sys.exit("\n".join(["not as docs/python.md says:", *wrong]) if wrong else 0)


if __name__ == "__main__":
    main()
