"""What torch.utils.benchmark computed (tests/testdata/torch), computed by icount.torch_benchmark."""

import json
import lzma
from pathlib import Path

import pytest

from icount import _core
from icount import torch_benchmark as benchmark

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "testdata" / "torch"


def cases(file, *kinds):
    lines = lzma.decompress((FOLDER / f"{file}.xz").read_bytes()).decode().splitlines()
    read = (json.loads(line.rstrip(",")) for line in lines if line not in ("[", "]"))
    return [case for case in read if case["kind"] in kinds]


def text_of(value):
    """The printed form without the class and the address."""
    return repr(value).partition("\n")[2]


def measurement_of(given):
    return benchmark.Measurement(given["number_per_run"], given["raw_times"], benchmark.TaskSpec(**given["task_spec"]))


def counts_of(given):
    return benchmark.FunctionCounts([tuple(row) for row in given["data"]], given["inclusive"],
                                    given.get("truncate_rows", True), given.get("linewidth"))


def test_measurements():
    for case in cases("measurement.json", "measurement"):
        measurement, expected = measurement_of(case["input"]), case["expect"]
        for name in ("median", "mean", "iqr", "significant_figures", "has_warnings", "title", "as_row_name"):
            assert getattr(measurement, name) == expected[name], case["name"]
        assert text_of(measurement) == expected["text"], case["name"]


def test_merge():
    for case in cases("measurement.json", "merge"):
        merged = benchmark.Measurement.merge([measurement_of(one) for one in case["input"]["measurements"]])
        assert [one.raw_times for one in merged] == [group["raw_times"] for group in case["expect"]["groups"]]


def test_compare_tables():
    for case in cases("compare.json", "compare"):
        first, *others = [[measurement_of(one) for one in batch] for batch in case["input"]["batches"]]
        compare = benchmark.Compare(first)
        for batch in others:
            compare.extend_results(batch)
        options = case["input"]["options"]
        if options["trim"]:
            compare.trim_significant_figures()
        if options["colorize"] != "none":
            compare.colorize(rowwise=options["colorize"] == "rowwise")
        if options["highlight_warnings"]:
            compare.highlight_warnings()
        assert str(compare) == case["expect"]["text"], case["name"]


def apply(given):
    a = counts_of(given["a"])
    op = given["op"]
    if op in ("add", "sub"):
        b = counts_of(given["b"])
        return a + b if op == "add" else a - b
    if op == "mul":
        return a * given["k"]
    if op == "filter":
        return a.filter(lambda name: given["substring"] in name)
    if op == "transform":
        return a.transform(lambda name: name.replace(*given["replace"]))
    return a.denoise() if op == "denoise" else a[slice(*given["slice"])]


def has_equal_names(given):
    names = [name for _, name in given["a"]["data"]]
    return len(set(names)) < len(names)


def test_algebra_of_function_counts():
    for case in cases("function_counts.json", "op"):
        given, expected = case["input"], case["expect"]
        if "raises" in expected:
            with pytest.raises(AssertionError, match=expected["message"]):
                apply(given)
        elif given["op"] != "mul" or not has_equal_names(given):  # PyTorch drops all but the last of equal names there
            result = apply(given)
            assert [list(row) for row in result] == expected["data"], case["name"]
            assert (result.sum(), len(result)) == (expected["sum"], expected["size"])


def test_texts_of_function_counts():
    for case in cases("function_counts.json", "text"):
        for width, text in case["expect"]["text"].items():
            assert text_of(counts_of({"linewidth": int(width), **case["input"]})) == text, case["name"]


def test_texts_of_callgrind_stats():
    for case in cases("function_counts.json", "callgrind_stats"):
        given = case["input"]
        tables = {f"{side}_{kind}_stats": counts_of({"data": given[f"{side}_{kind}"], "inclusive": kind == "inclusive"})
                  for side in ("baseline", "stmt") for kind in ("inclusive", "exclusive")}
        stats = benchmark.CallgrindStats(
            task_spec=benchmark.TaskSpec(**given["task_spec"]), number_per_run=given["number_per_run"],
            built_with_debug_symbols=given["built_with_debug_symbols"], stmt_callgrind_out=None, **tables)
        assert text_of(stats) == case["expect"]["text"], case["name"]


def test_helpers():
    for case in cases("helpers.json", "select_unit"):
        if "unit" in case["expect"]:
            assert benchmark.select_unit(case["input"]["t"]) == (case["expect"]["unit"], case["expect"]["scale"])
    for case in cases("helpers.json", "trim_sigfig"):
        if "value" in case["expect"]:
            assert benchmark.trim_sigfig(case["input"]["x"], case["input"]["n"]) == case["expect"]["value"]


def test_timers_keep_their_texts_as_pytorch_does():
    for case in cases("helpers.json", "cleanup"):
        given, expected = case["input"], case["expect"]
        if given["language"] == "python" and "stmt" in expected:
            try:
                spec = benchmark.Timer(given["stmt"], given["setup"])._task_spec
            except SyntaxError:
                continue
            assert (spec.stmt, spec.setup, spec.summarize()) == (expected["stmt"], expected["setup"], expected["summary"])


def samples_of(fuzzer, n):
    """What take(n) yields, as far as it is told in the goldens."""
    for tensors, properties, params in fuzzer.take(n):
        told = {name: {**properties[name], "size": list(tensor.size())} for name, tensor in tensors.items()}
        yield list(map(list, params.items())), told, tensors


def value_of(value):
    return benchmark.ParameterAlias(value["alias"]) if isinstance(value, dict) else value


def make_fuzzer(given):
    torch = pytest.importorskip("torch")
    parameters = []
    for one in given["parameters"]:
        one = dict(one)
        if isinstance(one["distribution"], list):
            one["distribution"] = {value_of(value): probability for value, probability in one["distribution"]}
        parameters.append(benchmark.FuzzedParameter(**one))
    tensors = [{**one, "dtype": getattr(torch, one.get("dtype", "float32"))} for one in given["tensors"]]
    kinds = [benchmark.FuzzedSparseTensor if "sparse_dim" in one or "density" in one else benchmark.FuzzedTensor
             for one in tensors]
    return benchmark.Fuzzer(parameters, [kind(**one) for kind, one in zip(kinds, tensors)], seed=given["seed"])


def check_layouts(case, fuzzer):
    samples = fuzzer._native.take(case["input"]["n"])
    for expected, sample in zip(case["expect"]["samples"], samples):
        assert list(map(list, sample.parameters.items())) == expected["params"], case["name"]
        for layout in sample.tensors:
            told = expected["tensors"][layout["name"]]
            assert layout["size"] == told["size"], case["name"]
            assert layout.get("order") == told.get("order") and layout.get("steps") == told.get("steps"), case["name"]


def test_op_fuzzers_draw_as_pytorch_does():
    torch = pytest.importorskip("torch")
    from icount.torch_benchmark.op_fuzzers import binary, sparse_binary, sparse_unary, spectral, unary

    kinds = {"unary": unary.UnaryOpFuzzer, "binary": binary.BinaryOpFuzzer, "spectral": spectral.SpectralOpFuzzer,
             "sparse_unary": sparse_unary.UnaryOpSparseFuzzer, "sparse_binary": sparse_binary.BinaryOpSparseFuzzer}
    for case in cases("fuzzer.json", "op_fuzzer"):
        given = case["input"]
        more = {name: given[name] for name in ("probability_regular",) if name in given}
        if "dtype" in given:
            more["dtype"] = getattr(torch, given["dtype"])
        check_layouts(case, kinds[given["fuzzer"]](seed=given["seed"], **more))


def test_fuzzers_of_your_own_draw_as_pytorch_does():
    for case in cases("fuzzer.json", "custom_fuzzer"):
        if not case["input"]["constraints"]:
            check_layouts(case, make_fuzzer(case["input"]))


def test_fuzzed_tensors_have_the_values_of_pytorch():
    pytest.importorskip("torch")
    for case in cases("fuzzer.json", "tensor_values"):
        if any("density" in one for one in case["input"]["tensors"]):
            continue
        samples = samples_of(make_fuzzer(case["input"]), case["input"]["n"])
        for expected, (params, told, tensors) in zip(case["expect"]["samples"], samples):
            assert params == expected["params"], case["name"]
            for name, layout in expected["tensors"].items():
                tensor = tensors[name]
                if not tensor.is_sparse and not tensor.is_complex():
                    assert list(tensor.stride()) == layout["strides"], case["name"]
                    assert tensor.flatten()[:10].tolist() == layout["values"]["first"], case["name"]


def test_timing_loops():
    for case in cases("timing_loops.json", "timing_loop"):
        given = case["input"]
        if given["method"] == "estimate_block_size":  # a step of the others
            continue
        script = iter(given["script"])

        def run_block(number):
            expected_number, seconds = next(script)
            assert number == expected_number
            return max(seconds, 1e-9)

        args = given["args"]
        if given["method"] == "timeit":
            _, times = _core.timeit(run_block, args.get("number", 1000000))
        elif given["method"] == "blocked_autorange":
            _, times = _core.blocked_autorange(run_block, None, args.get("min_run_time", 0.2))
        else:
            _, times = _core.adaptive_autorange(run_block, args.get("threshold", 0.1), args.get("min_run_time", 0.01),
                                                args.get("max_run_time", 10.0), None)
        assert next(script, None) is None
        assert times, case["name"]
