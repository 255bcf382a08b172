#!/usr/bin/env python3
"""Samples of the corrected mode, computed without icount: python3 derive.py | xz -9e > corrected.json.xz

Written from docs/fuzzer.md and the README beside this file, in plain Python (standard library only), so that
tests/fuzzer/corrected_test.cc has an opinion other than the C++ code's to compare with.
"""
import itertools
import json
import math

MASK32 = 0xFFFFFFFF
KI, MI = 1024, 1024 * 1024


def philox_block(counter, key):
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        hi0, lo0 = divmod(0xD2511F53 * c0, 1 << 32)
        hi1, lo1 = divmod(0xCD9E8D57 * c2, 1 << 32)
        c0, c1, c2, c3 = hi1 ^ c1 ^ k0, lo1, hi0 ^ c3 ^ k1, lo0
        k0 = (k0 + 0x9E3779B9) & MASK32
        k1 = (k1 + 0xBB67AE85) & MASK32
    return c0, c1, c2, c3


def words(seed, index):
    for number in itertools.count():
        yield from philox_block((number & MASK32, number >> 32, index & MASK32, index >> 32), (seed & MASK32, seed >> 32))


class Stream:
    def __init__(self, seed, index):
        self.words = words(seed, index)

    def unit(self):
        a, b = next(self.words) >> 5, next(self.words) >> 6
        return (a * 2**26 + b) / 2**53

    def integer(self, low, last):
        span = last - low
        if span == 0:
            return low
        bits = span.bit_length()
        while True:
            if span <= MASK32:
                value = next(self.words)
            else:
                value = next(self.words) << 32
                value |= next(self.words)
            value &= (1 << bits) - 1
            if value <= span:
                return low + value

    def shuffled(self, n):
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.integer(0, i)
            order[i], order[j] = order[j], order[i]
        return order


# A parameter is (name, draw(stream) -> value, strict); an alias is ("alias", name).
def table(entries):
    sums = list(itertools.accumulate(p for _, p in entries))
    sums = [s / sums[-1] for s in sums]

    def draw(stream):
        u = stream.unit()
        return next(value for (value, _), edge in zip(entries, sums) if u < edge)

    return draw


def loguniform(low, high):
    first, last = math.ceil(low), math.floor(high)
    a, b = math.log2(first), math.log2(last + 1)
    return lambda stream: min(max(int(2.0 ** (a + (b - a) * stream.unit())), first), last)


def uniform(low, last):
    return lambda stream: stream.integer(low, last)


STEPS = [(1, 0.8), (2, 0.06), (4, 0.06), (8, 0.04), (16, 0.04)]
CLASSES = {  # first and last size of a dimension, least and most elements, bytes per tensor, bytes per sample
    "reference": (16, 16 * MI, 4 * KI, 32 * MI, 2048 * MI, None),
    "small": (1, 4 * KI, 1, 4 * KI, MI, MI),
    "medium": (4, MI, 4 * KI + 1, MI, 256 * MI, 256 * MI),
    "large": (16, 32 * MI, MI + 1, 32 * MI, 2048 * MI, 2048 * MI),
}


def is_regular(n):
    for p in (2, 3, 5):
        while n % p == 0:
            n //= p
    return n == 1


def op_parameters(op, size_class):
    first, last = CLASSES[size_class][:2]
    if op == "spectral" and size_class == "reference":
        last = 16 * KI
    dim = {"spectral": "ndim"}.get(op, "dim_parameter" if op.startswith("sparse") else "dim")
    out = [(dim, table([(1, 0.3), (2, 0.4), (3, 0.3)]), True)]
    if op.startswith("sparse"):
        out.append(("sparse_dim", table([(1, 0.4), (2, 0.4), (3, 0.2)]), True))
    out += [(f"k_any_{i}", loguniform(first, last), False) for i in range(3)]
    if op == "spectral":
        # Every regular number up to `last` without testing each: products of powers.
        special = sorted(2**a * 3**b * 5**c for a in range(26) for b in range(16) for c in range(11) if first <= 2**a * 3**b * 5**c <= last)
        assert all(is_regular(n) for n in special)
        name, weights = "k_regular_", (1.0, 0.0)
        nexts = special[1:] + [last + 1]
        special_table = [(n, math.log2(m / n) / math.log2((last + 1) / special[0])) for n, m in zip(special, nexts)]
    else:
        special = [2**a for a in range(26) if first <= 2**a <= last]
        name, weights = "k_pow2_", None
        special_table = [(n, 1.0 / len(special)) for n in special]
    out += [(f"{name}{i}", table(special_table), False) for i in range(3)]
    for i in range(3):
        if op == "spectral":
            choices = [(("alias", f"{name}{i}"), weights[0]), (("alias", f"k_any_{i}"), weights[1])]
        else:
            choices = [(("alias", f"k_any_{i}"), 0.8), (("alias", f"{name}{i}"), 0.2)]
        out.append((f"k{i}", table(choices), True))
    if op == "binary":
        out += [(f"y_k{i}", table([(("alias", f"k{i}"), 0.8), (1, 0.2)]), True) for i in range(3)]
        out += [(f"{t}_step_{i}", table(STEPS), False) for i in range(3) for t in "xy"]
    elif op == "sparse-binary":
        out += [(f"y_k{i}", table([(("alias", f"k{i}"), 1.0)]), True) for i in range(3)]
    if op == "unary":
        out += [(f"x_step_{i}", table(STEPS), False) for i in range(3)]
    if op == "spectral":
        out += [(f"step_{i}", table(STEPS), False) for i in range(3)]
    if op.startswith("sparse"):
        out.append(("density", table([(0.1, 0.4), (0.05, 0.3), (0.01, 0.3)]), False))
        out.append(("coalesced", table([(True, 0.5), (False, 0.5)]), False))
    if op != "spectral":
        out.append(("random_value", uniform(0, MASK32), False))
    return dim, out


def op_tensors(op):
    """(name, prefix of sizes, prefix of steps or None, has element limits)"""
    steps = {"spectral": "step_"}.get(op, "x_step_")
    if op.startswith("sparse"):
        steps = None
    out = [("x", "k", steps, True)]
    if op == "binary":
        out.append(("y", "y_k", "y_step_", False))
    if op == "sparse-binary":
        out.append(("y", "y_k", None, True))
    return out


ELEMENT_BYTES = {"float32": 4, "float64": 8, "complex64": 8, "complex128": 16, "int64": 8}


def sparse_figures(size, params):
    sparse_dim = min(params["sparse_dim"], len(size))
    cells = math.prod(size[:sparse_dim])
    return sparse_dim, math.ceil(cells * params["density"]), math.prod(size[sparse_dim:])


def draw_sample(op, size_class, dtype, seed, index):
    stream = Stream(seed, index)
    torch_seed = stream.integer(0, 2**63 - 1)
    dim_name, parameters = op_parameters(op, size_class)
    _, _, least, most, tensor_bytes, sample_bytes = CLASSES[size_class]
    width = ELEMENT_BYTES[dtype]
    kept, rejected = {}, 0
    while True:
        drawn = {}
        for name, draw, strict in parameters:
            if strict and name in kept:
                drawn[name] = kept[name]
            else:
                drawn[name] = draw(stream)
            if strict:
                kept[name] = drawn[name]
        params = {}
        for name, value in drawn.items():
            while isinstance(value, tuple):
                value = drawn[value[1]]
            params[name] = value
        dim = params[dim_name]
        fine, total, shapes = True, 0, []
        for name, sizes, steps, limited in op_tensors(op):
            size = [params[f"{sizes}{i}"] for i in range(dim)]
            step = [params[f"{steps}{i}"] if steps else 1 for i in range(dim)]
            numel = math.prod(size)
            if limited and not least <= numel <= most:
                fine = False
            if steps:
                allocated = numel * math.prod(step) * width
                fine = fine and allocated <= tensor_bytes
            else:
                sparse_dim, nnz, block = sparse_figures(size, params)
                once = sparse_dim * nnz * 8 + nnz * block * width
                allocated = once * (2 if params["coalesced"] else 4)
            total += allocated
            shapes.append((name, size, step, steps is not None))
        if fine and (sample_bytes is None or total <= sample_bytes):
            break
        rejected += 1
    tensors = {}
    for name, size, step, dense in shapes:
        numel = math.prod(size)
        if not dense:
            sparse_dim, nnz, _ = sparse_figures(size, params)
            tensors[name] = {
                "size": size, "numel": numel, "dtype": f"torch.{dtype}", "is_coalesced": params["coalesced"],
                "density": params["density"], "sparsity": 1.0 - params["density"], "sparse_dim": sparse_dim,
                "dense_dim": len(size) - sparse_dim, "is_hybrid": len(size) > sparse_dim, "nnz_drawn": nnz}
            continue
        order = list(range(len(size)))
        if stream.unit() >= 0.75 and len(size) > 1:
            order = stream.shuffled(len(size))
            while order == sorted(order):
                order = stream.shuffled(len(size))
        # Memory is laid out with order[0] outermost: walk from the innermost dimension outwards.
        strides, stride = [0] * len(size), 1
        for d in reversed(order):
            strides[d] = stride * step[d]
            stride *= size[d] * step[d]
        tight, contiguous = 1, True
        for d in reversed(range(len(size))):
            if size[d] != 1:
                contiguous = contiguous and strides[d] == tight
                tight *= size[d]
        tensors[name] = {"size": size, "numel": numel, "dtype": f"torch.{dtype}", "strides": strides, "steps": step,
                         "order": order, "is_contiguous": contiguous}
    return {"index": index, "torch_seed": torch_seed, "params": params, "tensors": tensors}, rejected


CASES = [(op, size_class, dtype, seed)
         for op, dtypes in (("unary", ("float32", "complex128")), ("binary", ("float32",)), ("spectral", ("float64",)),
                            ("sparse-unary", ("float32",)), ("sparse-binary", ("complex64",)))
         for dtype in dtypes for size_class in CLASSES for seed in (0, 2**40 + 17)]
INDICES = [0, 1, 2, 5, 1000, 2**33]


def main():
    cases = []
    for op, size_class, dtype, seed in CASES:
        pairs = [draw_sample(op, size_class, dtype, seed, index) for index in INDICES]
        cases.append({"op": op, "size_class": size_class, "dtype": dtype, "seed": str(seed),
                      "rejections": sum(rejected for _, rejected in pairs), "samples": [sample for sample, _ in pairs]})
    print("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")


if __name__ == "__main__":
    main()
