"""torch.compile timed with each of its backends: benchmark_compile for one, bench_all for all, as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch._dynamo
from torch._dynamo.testing import CompileCounterWithBackend

from icount.torch_benchmark.timer import Timer

__all__ = ["bench_all", "benchmark_compile"]

_TRAINING = """
output = model(sample_input)
loss = loss_fn(output) if loss_fn else output.sum()
loss.backward()
optimizer.step()
optimizer.zero_grad()
"""


def bench_loop(model: Callable[..., Any], sample_input: Any, num_iters: int = 5, optimizer: Any = None,
               loss_fn: Callable[..., Any] | None = None) -> float:
    """Milliseconds of a run: of a training step with an optimizer and a loss, else of an inference."""
    timer = Timer(_TRAINING if optimizer and loss_fn else "model(sample_input)", globals={
        "model": model, "sample_input": sample_input, "optimizer": optimizer, "loss_fn": loss_fn})
    return round(timer.timeit(num_iters).mean * 1000, 2)


def _compiled_times(model: Callable[..., Any], sample_input: Any, num_iters: int, backend: str, mode: str | None,
                    optimizer: Any, loss_fn: Callable[..., Any] | None) -> tuple[float, float]:
    torch._dynamo.reset()
    counter = CompileCounterWithBackend(backend)
    compiled = torch.compile(model, backend=counter, mode=mode)
    first = bench_loop(compiled, sample_input, 1, optimizer, loss_fn)  # compiles
    running = bench_loop(compiled, sample_input, num_iters, optimizer, loss_fn)
    if counter.frame_count == 0:
        raise RuntimeError("No compilation occurred during benchmarking.")
    if counter.frame_count > 1:
        raise RuntimeError("Recompilation occurred during benchmarking.")
    return first, running


def benchmark_compile(model: Callable[..., Any], sample_input: Any, num_iters: int = 5, backend: str | None = None,
                      mode: str | None = "default", optimizer: Any = None,
                      loss_fn: Callable[..., Any] | None = None) -> tuple[float | None, float | None]:
    """(milliseconds of the first run, of a later one); without a backend nothing is compiled. (None, None), with a line
    that says why, when the backend fails."""
    if not backend:
        return None, bench_loop(model, sample_input, num_iters, optimizer, loss_fn)
    try:
        return _compiled_times(model, sample_input, num_iters, backend, mode, optimizer, loss_fn)
    except Exception as error:
        print(error)
        print(f"Failed to compile {backend} with mode {mode}")
        return None, None


def _backends() -> Iterator[tuple[str, str | None]]:
    """(backend, mode) of each row of bench_all."""
    for backend in torch._dynamo.list_backends():
        modes = list(torch._inductor.list_mode_options()) if backend == "inductor" else []
        yield from ((backend, mode) for mode in modes if mode != "default")
        yield backend, None


def bench_all(model: Callable[..., Any], sample_input: Any, num_iters: int = 5, optimizer: Any = None,
              loss_fn: Callable[..., Any] | None = None) -> str:
    """A table of all backends, as text; those that fail are left out, with a line that says why. Needs tabulate."""
    from tabulate import tabulate

    kind = "Training" if optimizer else "Inference"
    torch._dynamo.reset()
    _, eager = benchmark_compile(model, sample_input, num_iters, None, None, optimizer)
    rows = [[kind, "Eager", "-", "-", f"{eager} ms"]]
    for backend, mode in _backends():
        compilation, running = benchmark_compile(model, sample_input, num_iters, backend, mode, optimizer, loss_fn)
        if running is not None:
            rows.append([kind, backend, mode or "-", f"{compilation} ms", f"{running} ms"])
    titles = ["Train/Inference", "Backend", "Mode", "Compilation Time", "Average Running Time"]
    return str(tabulate(rows, headers=titles, tablefmt="github"))
