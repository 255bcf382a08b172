"""%icount and %%icount for IPython and notebooks."""

from __future__ import annotations

import argparse
import shlex
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class

from icount.torch_benchmark import CallgrindStats, Timer


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(f"%icount: {message}")


def _make_parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="%icount", add_help=False)
    parser.add_argument("-n", "--number", type=int, default=100)
    parser.add_argument("-q", "--quiet", action="store_true")
    return parser


def split_line(line: str) -> tuple[int, bool, str]:
    """(number, quiet, the rest): options stand in front of the code, which keeps its own quotes."""
    words: list[str] = []
    rest = line.strip()
    while rest.startswith("-") and len(words) < 3:
        word, _, rest = rest.partition(" ")
        words.append(word)
        if word in ("-n", "--number"):
            value, _, rest = rest.lstrip().partition(" ")
            words.append(value)
    options = _make_parser().parse_args(shlex.split(" ".join(words)))
    return options.number, options.quiet, rest.strip()


@magics_class
class IcountMagics(Magics):  # type: ignore[misc]
    @line_cell_magic  # type: ignore[untyped-decorator]
    def icount(self, line: str, cell: str | None = None) -> CallgrindStats | None:
        """Instructions of a statement.

            %icount [-n NUMBER] [-q] STATEMENT
            %%icount [-n NUMBER] [-q] [SETUP]
            STATEMENTS

        With -q nothing is printed, and the CallgrindStats are handed back.
        """
        number, quiet, code = split_line(line)
        if not (code if cell is None else cell).strip():
            raise UsageError("%icount: no statement; write it after %icount, or on the lines below %%icount")
        stmt, setup = (code, "pass") if cell is None else (cell, code or "pass")
        stats = Timer(stmt, setup, globals=self.shell.user_ns).collect_callgrind(number)
        if quiet:
            return stats
        total = stats.counts()
        print(f"{total / number:,.2f} instructions per run ({total:,} in {number} runs, "
              f"{stats.baseline_exclusive_stats.sum():,} of them without the statement)")
        return None
