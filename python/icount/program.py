"""The icount program as a process: where it is, and one run of it with what it said."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType

_SECONDS_TO_END = 5.0


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def find_program() -> str:
    """Path of the icount program: ICOUNT, else beside the package, else in PATH. OSError when there is none."""
    named = os.environ.get("ICOUNT")
    if named:
        if _is_program(named):
            return named
        raise FileNotFoundError(f"ICOUNT names '{named}', which is not a program; name the icount program or unset ICOUNT")
    beside = Path(__file__).parent / "bin" / "icount"
    found = str(beside) if _is_program(str(beside)) else shutil.which("icount")
    if found is None:
        raise FileNotFoundError(
            f"the icount program is neither at {beside} nor in PATH; install icount-bench with its program, "
            "or set ICOUNT to the path of one")
    return found


@dataclasses.dataclass(frozen=True)
class ProgramRun:
    """How a run of the program ended, and both its streams."""

    exit_code: int
    output: str
    messages: str

    def message(self) -> str:
        """What the program said on standard error, without the lines that tell progress, in words of Python."""
        lines = [line.removeprefix("icount: ") for line in self.messages.splitlines()]
        told = [line for line in lines if not line.startswith(("starting ", "building ", "counting "))]
        return in_words_of_python("\n".join(told or lines))


# By which options arguments reach the program; of other options Python has no argument.
_ARGUMENTS = ("number", "repeats", "num-threads", "min-run-time", "max-run-time", "threshold", "stmt", "setup", "global-setup")


def in_words_of_python(text: str) -> str:
    """A message of the program with arguments in place of options, and without advice that only a command line can follow."""
    text = re.sub(r"\nsee 'icount [a-z]+ --help'", "", text)
    for name in _ARGUMENTS:
        argument = name.replace("-", "_")
        text = re.sub(rf"--{name} (\d+)(?=[ ,;]|$)", rf"`{argument}=\1`", text)
        text = re.sub(rf"--{name}\b(?!-)", f"`{argument}`", text)
    return re.sub(r"(?:;|, or|:) (?:(?!, or )[^;:\n])*(?<![\w-])--[a-z][^;\n]*", "", text)


def run_program(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> ProgramRun:
    """Runs icount to its end. An interrupt (Ctrl-C, a cell that is stopped) ends it, too, and is raised again."""
    held = _HeldInterrupt()
    try:
        process = subprocess.Popen(
            [find_program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, encoding="utf-8", errors="replace", env=None if environment is None else dict(environment))
        with process:
            try:
                held.release()
                output, messages = process.communicate()
            except BaseException:
                _end(process)
                raise
    finally:
        held.release()
    return ProgramRun(process.returncode, output, messages)


class _HeldInterrupt:
    """An interrupt that arrives while the program starts waits for release(): raised at once it would leave a program that nobody ends."""

    def __init__(self) -> None:
        in_main_thread = threading.current_thread() is threading.main_thread()
        self._handler = signal.getsignal(signal.SIGINT) if in_main_thread else None
        self._arrived: tuple[int, FrameType | None] | None = None
        if callable(self._handler):
            signal.signal(signal.SIGINT, self._remember)

    def _remember(self, number: int, frame: FrameType | None) -> None:
        self._arrived = number, frame

    def release(self) -> None:
        """Handles interrupts as before, from now on; one that has arrived, now."""
        handler, self._handler = self._handler, None
        if callable(handler):
            signal.signal(signal.SIGINT, handler)
            if self._arrived is not None:
                handler(*self._arrived)


def _end(process: subprocess.Popen[str]) -> None:
    """The first signal lets it cancel what it counts and remove its files."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
