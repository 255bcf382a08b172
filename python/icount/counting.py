"""One statement counted by the icount program: its arguments, its result file, what went wrong in words."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from icount import CountWarning
from icount.program import ProgramRun, in_words_of_python, run_program
from icount.shipping import VALUES_NAME, Shipment

if TYPE_CHECKING:
    from icount._core import Result


_REFUSED = 2
"""The program's exit code for arguments that it refuses (docs/exit_codes.md)."""


class CountFailure(OSError):
    """The statement could not be counted; the text says why. `status` is the program's word, "threw" for example."""

    def __init__(self, message: str, status: str = "") -> None:
        super().__init__(message)
        self.status = status


@dataclasses.dataclass(frozen=True)
class Preload:
    """What a server runs before it forks, and the folder of its socket: it ends when that is removed."""

    text: str
    runtime_folder: str


@dataclasses.dataclass(frozen=True)
class CountTask:
    """What to count: the options of `icount count`."""

    stmt: str
    setup: str = ""
    global_setup: str = ""
    language: str = "python"
    number: int = 100
    num_threads: int = 1
    label: tuple[str, ...] = ()
    shipment: Shipment = Shipment()
    preload: Preload | None = None
    allow_dead: bool = False
    timeout_s: float | None = None
    """How long a statement may take; the program's own limit without."""
    python_calls: bool = False
    """Whether the calls between Python functions are recorded, too, for explanations (CPython 3.12 or newer)."""
    warns: bool = True
    """Whether remarks of the program become CountWarnings."""
    server: str = ""
    """"on": a warm server, also where CI is set; empty: as ICOUNT_SERVER says."""


def count(task: CountTask, out_file: str, keep_folder: str | None = None) -> Result:
    """Counts, saves the result in `out_file`, and hands it back. CountFailure when there is no count.

    With `keep_folder` the profile is kept there; such counts use no warm server.
    """
    from icount._core import load_results

    with tempfile.TemporaryDirectory(prefix="icount-") as folder:
        run = run_program([*_arguments(task, folder, keep_folder), "--out", out_file, "--format", "json"],
                          _environment(task))
    _check(run)
    result = load_results(out_file)[0]
    if task.warns:
        warn_of(notes_of(result))
    return result


def run_growth(task: CountTask, sizes: Sequence[int], limits: Mapping[str, float]) -> ProgramRun:
    """`icount growth` of a statement or a set-up with {n} in it; `limits` by the names of their options."""
    with tempfile.TemporaryDirectory(prefix="icount-") as folder:
        words = ["growth", "--sizes", ",".join(map(str, sizes)), *_arguments(task, folder, None)[1:]]
        words += [f"--{name}={limit:g}" for name, limit in limits.items()]
        return run_program(words, _environment(task))


def notes_of(result: Result) -> list[str]:
    """The program's remarks, in words of Python."""
    return [in_words_of_python(note) for note in result.notes]


def warn_of(notes: Iterable[str]) -> None:
    """Remarks of the program as warnings at the caller's line, the first outside of this package."""
    package = os.path.dirname(__file__) + os.sep
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back
    for note in notes:
        warnings.warn(note, CountWarning, stacklevel=level)


def _environment(task: CountTask) -> dict[str, str]:
    """Without PYTHONPATH, whose folders would keep the count from a server that runs: those that the statement imports
    from are named by the shipment. A text that imports by a name it makes up keeps it."""
    texts = (task.stmt, task.setup)
    keeps = any("import_module" in text or "__import__" in text for text in texts)
    environment = {name: value for name, value in os.environ.items() if keeps or name != "PYTHONPATH"}
    if task.server:
        environment.setdefault("ICOUNT_SERVER", task.server)
    if task.preload is not None:
        environment["XDG_RUNTIME_DIR"] = task.preload.runtime_folder
    return environment


def _arguments(task: CountTask, folder: str, keep_folder: str | None) -> list[str]:
    shipment = task.shipment
    global_setup = task.global_setup + shipment.loader
    arguments = ["count", "--language", task.language, "--number", str(task.number), "--num-threads", str(task.num_threads)]
    if task.language == "python":
        arguments += ["--python", sys.executable]
        if shipment.needs_torch:
            global_setup = "import torch\n" + global_setup
        if task.preload is not None:
            arguments += ["--python-preload", task.preload.text]
        if not task.python_calls:
            arguments.append("--no-python-calls")
    elif (torch := find_torch()) is not None:
        arguments += ["--torch", torch]
    if shipment.data:
        values = os.path.join(folder, "values")
        with open(values, "wb") as file:
            file.write(shipment.data)
        arguments += ["--global", f"{VALUES_NAME}=file:{values}"]
    for path in shipment.folders:
        arguments += ["--python-path", path]
    if global_setup:
        arguments += ["--global-setup", global_setup]
    if task.timeout_s is not None:
        arguments += ["--timeout", f"{task.timeout_s:g}s"]
    if task.allow_dead:
        arguments.append("--allow-dead")
    if keep_folder is not None:
        arguments += ["--keep", keep_folder, "--no-server"]
    for part in task.label:
        arguments += ["--label", part]
    return [*arguments, "--setup", task.setup, "--stmt", task.stmt]


def find_torch() -> str | None:
    """The folder of the torch that this interpreter imports; torch is not imported for it."""
    import importlib.util

    spec = importlib.util.find_spec("torch")
    return os.path.dirname(spec.origin) if spec is not None and spec.origin else None


def _check(run: ProgramRun) -> None:
    if run.exit_code == 0:
        return
    if run.exit_code in (-2, 130):
        raise KeyboardInterrupt
    results = _results_of(run.output)
    if not results:
        raise failure_of(run)
    failed = results[0]
    text, status = str(failed["error"] or failed["status"]), str(failed["status"])
    if details := str(failed.get("details") or ""):
        text += f"\n{details}"
    elif status != "threw":  # else the words are the statement's or the compiler's
        text = in_words_of_python(text)
    raise CountFailure(text, status)


def _results_of(output: str) -> Sequence[dict[str, object]]:
    try:
        results = json.loads(output)["results"]
    except (ValueError, KeyError, TypeError):
        return []
    return results if isinstance(results, list) else []


def failure_of(run: ProgramRun) -> Exception:
    """What the program said; an end without a word is named as such. A ValueError where an argument was refused."""
    text = run.message().strip() or f"icount ended with exit status {run.exit_code} and said nothing"
    return ValueError(text) if run.exit_code == _REFUSED else CountFailure(text)
