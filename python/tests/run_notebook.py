"""Runs the cells of PyTorch's benchmark recipe from top to bottom, as they are but for the import of the library.

    python run_notebook.py RECIPE [--quick]    --quick: blocked_autorange measures for 10 ms where the recipe says 1 s

Cells of a CUDA device are left out where there is none. Says each cell and how long it took; ends with the exception of
the cell that fails.
"""

from __future__ import annotations

import ast
import functools
import os
import re
import sys
import time

_CUDA_CELLS = range(15, 19)


def cells_of(text):
    """(number, code) of each cell, with the import changed."""
    pieces = re.split(r"^# In \[(\d+)\]\n", text, flags=re.MULTILINE)[1:]
    for number, code in zip(pieces[::2], pieces[1::2]):
        code = code.replace("from torch.utils import benchmark\n", "from icount import torch_benchmark as benchmark\n")
        yield int(number), code.replace("from torch.utils.benchmark", "from icount.torch_benchmark")


def run_cell(number, code, names):
    """Runs a cell in __main__ and shows the value of its last expression, as a notebook does."""
    tree = ast.parse(code, f"In [{number}]")
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, f"In [{number}]", "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), f"In [{number}]", "eval"), names)
        if value is not None:
            print(repr(value))


def make_quick():
    from icount.torch_benchmark import Timer

    slow = Timer.blocked_autorange
    Timer.blocked_autorange = functools.wraps(slow)(lambda self, callback=None, min_run_time=0.2: slow(self, callback, 0.01))


def main():
    # What a conda environment sets: the folder that has include/.
    os.environ.setdefault("CONDA_PREFIX", sys.prefix)
    if "--quick" in sys.argv:
        make_quick()
    import torch

    names = vars(sys.modules["__main__"])
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    for number, code in cells_of(text):
        if number in _CUDA_CELLS and not torch.cuda.is_available():
            print(f"In [{number}]: left out, there is no CUDA device", flush=True)
            continue
        start = time.monotonic()
        run_cell(number, code, names)
        print(f"In [{number}]: {time.monotonic() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
