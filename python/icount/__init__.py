"""icount: instruction counts of Python and C++ statements, exact over runs.

    from icount import torch_benchmark as benchmark    # instead of: from torch.utils import benchmark

`icount.torch_benchmark` has the names of `torch.utils.benchmark`. `python -m icount` is the command line,
`pytest --icount` counts the benchmarks of a test suite, and `%load_ext icount` brings %icount and %%icount.
docs/python.md has the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from icount._core import Result

__version__ = "0.1.0"
__all__ = ["CountWarning", "__version__", "find_program", "growth", "load_results"]


class CountWarning(UserWarning):
    """A remark of the icount program about a count that is valid all the same."""


def find_program() -> str:
    """Path of the icount program: ICOUNT, else beside the package, else in PATH. OSError when there is none."""
    from icount.program import find_program as find

    return find()


def load_results(path: str) -> list[Result]:
    """The benchmarks of a file that `icount count --out`, `icount suite run` or `pytest --icount` saved."""
    from icount._core import load_results as load

    return load(path)


def growth(sizes: Sequence[int], *, max_exponent: float | None = None, max_function_exponent: float | None = None,
           max_ratio: float | None = None,
           setup: Callable[[int], object] = int) -> Callable[[Callable[..., object]], Callable[[], None]]:
    """Makes a test of a function, which fails where its cost grows faster than allowed (icount.growing)."""
    from icount.growing import growth as make

    return make(sizes, max_exponent=max_exponent, max_function_exponent=max_function_exponent, max_ratio=max_ratio,
                setup=setup)


def load_ipython_extension(shell: Any) -> None:
    """%load_ext icount."""
    from icount.magics import IcountMagics

    shell.register_magics(IcountMagics)
