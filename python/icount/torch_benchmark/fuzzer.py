"""Random tensors by parameters. What is drawn is decided by the C++ library, bit for bit as torch.utils.benchmark
draws; the tensors are made here."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from icount import _core

__all__ = ["FuzzedParameter", "FuzzedSparseTensor", "FuzzedTensor", "Fuzzer", "ParameterAlias", "dtype_size", "prod"]

# As in _core: a word that begins so names another parameter, or an entry of a table that is no plain value.
_ALIAS_MARK = "\x01"
_ENTRY_MARK = "\x02"


class ParameterAlias:
    """The same value as another parameter."""

    def __init__(self, alias_to: str) -> None:
        self.alias_to = alias_to

    def __repr__(self) -> str:
        return f"ParameterAlias[alias_to: {self.alias_to}]"


class FuzzedParameter:
    """A parameter to draw: between two bounds, evenly or evenly in the logarithm, or from a table {value: probability}.

    A strict one is drawn once for each sample and kept while the others are drawn again.
    """

    def __init__(self, name: str, minval: int | float | None = None, maxval: int | float | None = None,
                 distribution: str | dict[Any, float] | None = None, strict: bool = False) -> None:
        self._name = name
        self._minval = minval
        self._maxval = maxval
        self._distribution = distribution
        self.strict = strict
        if isinstance(distribution, dict):
            self._check_table(distribution)
        elif distribution not in ("loguniform", "uniform"):
            raise AssertionError(f"Unknown distribution: {distribution}")

    def _check_table(self, table: dict[Any, float]) -> None:
        if any(probability < 0 for probability in table.values()):
            raise AssertionError("Probabilities cannot be negative")
        if abs(sum(table.values()) - 1) > 1e-5:
            raise AssertionError("Distribution is not normalized")
        if self._minval is not None:
            raise AssertionError("When passing a custom distribution, 'minval' must be None")
        if self._maxval is not None:
            raise AssertionError("When passing a custom distribution, 'maxval' must be None")

    @property
    def name(self) -> str:
        return self._name

    def sample(self, state: Any) -> Any:
        """A value drawn from a numpy.random.RandomState, as the Fuzzer draws it."""
        import numpy

        if isinstance(self._distribution, dict):
            values = list(self._distribution)
            return values[state.choice(numpy.arange(len(values)), p=tuple(self._distribution.values()))]
        low, high = self._bounds()
        if self._distribution == "loguniform":
            return min(max(int(2 ** state.uniform(low=numpy.log2(low), high=numpy.log2(high))), low), high)
        if isinstance(low, int) and isinstance(high, int):
            return int(state.randint(low=low, high=high + 1))
        return state.uniform(low=low, high=high)

    def _bounds(self) -> tuple[int | float, int | float]:
        if self._minval is None or self._maxval is None:
            raise ValueError(f"parameter '{self._name}': a {self._distribution} distribution needs minval and maxval")
        return self._minval, self._maxval

    def add_to(self, parts: _core.FuzzerParts, odd_values: list[Any]) -> None:
        """Values of tables that C++ has no type for are put into `odd_values`; a word stands for them."""
        if isinstance(self._distribution, dict):
            entries = [(_plain_value(value, odd_values), probability) for value, probability in self._distribution.items()]
            parts.add_table(self._name, entries, self.strict)
            return
        low, high = self._bounds()
        parts.add_range(self._name, low, high, self._distribution == "loguniform", self.strict)


def _plain_value(value: object, odd_values: list[Any]) -> object:
    if isinstance(value, ParameterAlias):
        return _ALIAS_MARK + value.alias_to
    if isinstance(value, (bool, int, float, str)):
        return value
    odd_values.append(value)
    return f"{_ENTRY_MARK}{len(odd_values) - 1}"


def dtype_size(dtype: Any) -> int:
    """Bytes of an element."""
    import torch

    if dtype == torch.bool:
        return 1
    info = torch.finfo if dtype.is_floating_point or dtype.is_complex else torch.iinfo
    return int(info(dtype).bits // 8)


def prod(values: Iterable[Any], base: int = 1) -> int:
    """`base` times all values; it does not overflow, as numpy.prod may."""
    return functools.reduce(lambda product, value: int(product) * int(value), values, base)


class FuzzedTensor:
    """A tensor to make from parameters; size and steps are numbers or names of parameters."""

    def __init__(self, name: str, size: tuple[str | int, ...], steps: tuple[str | int, ...] | None = None,
                 probability_contiguous: float = 0.5, min_elements: int | None = None, max_elements: int | None = None,
                 max_allocation_bytes: int | None = None, dim_parameter: str | None = None,
                 roll_parameter: str | None = None, dtype: Any = None, cuda: bool = False,
                 tensor_constructor: Callable[..., Any] | None = None) -> None:
        self._name = name
        self._size = tuple(size)
        self._steps = tuple(steps or ())
        self._dim_parameter = dim_parameter
        self._limits = (min_elements, max_elements, max_allocation_bytes)
        self._dtype = dtype
        self._cuda = cuda
        self._tensor_constructor = tensor_constructor
        self._native = _core.FuzzedTensor(name, size, steps or (), probability_contiguous, min_elements, max_elements,
                                          max_allocation_bytes, dim_parameter or "", str(dtype or "torch.float32"))

    @property
    def name(self) -> str:
        return self._name

    def _get_size_and_steps(self, params: dict[str, Any]) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
        """(size, steps, size of the allocation) with the values of the parameters."""
        dim = params[self._dim_parameter] if self._dim_parameter is not None else len(self._size)

        def resolve(terms: tuple[str | int, ...]) -> tuple[Any, ...]:
            values = [params.get(term, term) if isinstance(term, str) else term for term in terms[:dim]]
            return tuple(values + [1] * (dim - len(values)))

        size, steps = resolve(self._size), resolve(self._steps)
        return size, steps, tuple(length * step for length, step in zip(size, steps))

    def satisfies_constraints(self, params: dict[str, Any]) -> bool:
        """Whether the limits of elements and bytes hold for a tensor of these parameters."""
        import torch

        size, _, allocation = self._get_size_and_steps(params)
        least, most, most_bytes = self._limits
        elements = prod(size)
        if elements < 0:
            raise AssertionError("Computed number of elements is negative")
        return not ((most is not None and elements > most) or (least is not None and elements < least) or
                    (most_bytes is not None and prod(allocation, dtype_size(self._dtype or torch.float32)) > most_bytes))

    @staticmethod
    def default_tensor_constructor(size: Sequence[int], dtype: Any, **kwargs: Any) -> Any:
        import torch

        if dtype.is_floating_point or dtype.is_complex:
            return torch.rand(size=tuple(size), dtype=dtype, device="cpu")
        return torch.randint(1, 127, size=tuple(size), dtype=dtype, device="cpu")

    def add_to(self, parts: _core.FuzzerParts) -> None:
        parts.add_tensor(self._native)

    def make(self, layout: dict[str, Any], params: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The tensor of a drawn layout, and its properties."""
        import numpy
        import torch

        dtype = self._dtype or torch.float32
        constructor = self._tensor_constructor or self.default_tensor_constructor
        raw = constructor(size=tuple(layout["allocation"]), dtype=dtype, **params)
        if self._cuda:
            raw = raw.cuda()
        order = numpy.array(layout["order"], dtype=int)
        if layout["is_permuted"]:
            raw = raw.permute(tuple(layout["order"])).contiguous().permute(tuple(numpy.argsort(order).tolist()))
        steps = tuple(layout["steps"])
        slices = [slice(0, size * step, step) for size, step in zip(layout["size"], steps)]
        tensor = raw[tuple(slices)]
        return tensor, {"numel": int(tensor.numel()), "order": order, "steps": steps,
                        "is_contiguous": tensor.is_contiguous(), "dtype": str(dtype)}


class FuzzedSparseTensor(FuzzedTensor):
    """A sparse tensor of coordinates; its density and whether it is coalesced are the parameters of these names."""

    def __init__(self, name: str, size: tuple[str | int, ...], min_elements: int | None = None,
                 max_elements: int | None = None, dim_parameter: str | None = None, sparse_dim: str | None = None,
                 nnz: str | None = None, density: str | None = None, coalesced: str | None = None, dtype: Any = None,
                 cuda: bool = False) -> None:
        super().__init__(name=name, size=size, min_elements=min_elements, max_elements=max_elements,
                         dim_parameter=dim_parameter, dtype=dtype, cuda=cuda)
        self._sparse_dim = sparse_dim

    @staticmethod
    def sparse_tensor_constructor(size: Sequence[int], dtype: Any, sparse_dim: int, nnz: int, is_coalesced: bool) -> Any:
        """A tensor of `nnz` entries; one that is not coalesced has each position twice."""
        import torch

        block = [nnz, *size[sparse_dim:]]
        values = (torch.rand(size=block, dtype=dtype, device="cpu") if dtype.is_floating_point
                  else torch.randint(1, 127, size=block, dtype=dtype, device="cpu"))
        places = torch.rand(sparse_dim, nnz, device="cpu")
        places.mul_(torch.tensor(size[:sparse_dim]).unsqueeze(1).to(places))
        places = places.to(torch.long)
        if not is_coalesced:
            values = torch.cat([values, torch.randn_like(values)], 0)
            places = torch.cat([places, places], 1)
        tensor = torch.sparse_coo_tensor(places, values, torch.Size(size))
        return tensor.coalesce() if is_coalesced else tensor

    def add_to(self, parts: _core.FuzzerParts) -> None:
        parts.add_sparse(self._native, self._sparse_dim or "")

    def make(self, layout: dict[str, Any], params: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        import torch

        dtype = self._dtype or torch.float32
        tensor = self.sparse_tensor_constructor(layout["size"], dtype, layout["sparse_dim"], layout["nnz"],
                                                layout["is_coalesced"])
        if self._cuda:
            tensor = tensor.cuda()
        density = layout["density"]
        return tensor, {
            "numel": int(tensor.numel()), "shape": tensor.size(), "is_coalesced": tensor.is_coalesced(),
            "density": density, "sparsity": 1.0 - density, "sparse_dim": tensor.sparse_dim(),
            "dense_dim": tensor.dense_dim(), "is_hybrid": tensor.dense_dim() > 0, "dtype": str(dtype)}


class Fuzzer:
    """Draws samples: (tensors, their properties, parameters). The same seed gives the same samples."""

    def __init__(self, parameters: Iterable[FuzzedParameter | Iterable[FuzzedParameter]],
                 tensors: Iterable[FuzzedTensor | Iterable[FuzzedTensor]],
                 constraints: list[Callable[..., Any]] | None = None, seed: int | None = None) -> None:
        parts = _core.FuzzerParts()
        odd_values: list[Any] = []
        flat_parameters = _unpack(parameters, FuzzedParameter)
        flat_tensors = _unpack(tensors, FuzzedTensor)
        both = {one.name for one in flat_parameters} & {one.name for one in flat_tensors}
        if both:
            raise ValueError(f"Duplicate names in parameters and tensors: {both}")
        for one in (*flat_parameters, *flat_tensors):
            _check_own(one)
        for parameter in flat_parameters:
            parameter.add_to(parts, odd_values)
        for tensor in flat_tensors:
            tensor.add_to(parts)
        for constraint in constraints or ():
            parts.add_constraint(getattr(constraint, "__name__", "constraint"), self._checker(constraint, odd_values))
        self._prepare(parts, {tensor.name: tensor for tensor in flat_tensors}, seed, odd_values)

    @staticmethod
    def _checker(constraint: Callable[..., Any], odd_values: list[Any]) -> Callable[[dict[str, object]], object]:
        return lambda params: constraint(_told_values(params, odd_values))

    def _prepare(self, parts: _core.FuzzerParts, tensors: dict[str, FuzzedTensor], seed: int | None,
                 odd_values: list[Any]) -> None:
        if seed is None:
            import random

            seed = random.SystemRandom().randrange(2**32 - 1)
        self._seed = seed
        self._tensors = tensors
        self._odd_values = odd_values
        self._native = _core.Fuzzer(parts, seed)

    def take(self, n: int) -> Iterator[tuple[dict[str, Any], dict[str, dict[str, Any]], dict[str, Any]]]:
        """The first `n` samples. Seeds torch, whose random numbers fill the tensors."""
        import torch

        samples = self._native.take(n)
        for index, sample in enumerate(samples):
            if index == 0:
                torch.manual_seed(sample.torch_seed)
            params = _told_values(sample.parameters, self._odd_values)
            tensors, properties = {}, {}
            for layout in sample.tensors:
                name = str(layout["name"])
                tensors[name], properties[name] = self._tensors[name].make(layout, params)
            yield tensors, properties, params

    @property
    def rejection_rate(self) -> float:
        """The share of drawn candidates that broke a constraint or a limit."""
        return self._native.rejection_rate


def _check_own(one: FuzzedParameter | FuzzedTensor) -> None:
    """The C++ library draws and checks; a subclass that does it otherwise would be passed over."""
    for base, names in (FuzzedParameter, ["sample"]), (FuzzedTensor, ["satisfies_constraints", "_get_size_and_steps"]):
        for name in names if isinstance(one, base) else ():
            if getattr(type(one), name) is not getattr(base, name):
                raise NotImplementedError(f"`{type(one).__name__}.{name}` of '{one.name}' would not be asked: Fuzzer draws by rules "
                                          "of its own. Use `constraints`, or a table as `distribution`.")


def _unpack(values: Iterable[Any], kind: type) -> tuple[Any, ...]:
    return tuple(itertools.chain.from_iterable([[value] if isinstance(value, kind) else value for value in values]))


def _told_values(params: dict[str, Any], odd_values: list[Any]) -> dict[str, Any]:
    if not odd_values:
        return params
    return {name: odd_values[int(value[1:])] if isinstance(value, str) and value.startswith(_ENTRY_MARK) else value
            for name, value in params.items()}


class OpFuzzer(Fuzzer):
    """One of the five ready-made fuzzers, whose definition the C++ library has. Tensors are x and, for two operands, y."""

    def __init__(self, op: str, seed: int | None, dtype: Any, cuda: bool, *, sparse: bool = False,
                 probability_regular: float = 1.0) -> None:
        kind: Any = FuzzedSparseTensor if sparse else FuzzedTensor
        tensors = {name: kind(name, ("k0",), dtype=dtype, cuda=cuda) for name in ("x", "y")}
        self._prepare(_core.op_fuzzer_parts(op, str(dtype), probability_regular), tensors, seed, [])
