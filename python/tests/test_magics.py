"""%icount and %%icount in an IPython shell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("IPython")

from IPython.core.error import UsageError  # noqa: E402
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402

from icount.magics import split_line  # noqa: E402
from icount.torch_benchmark import CallgrindStats  # noqa: E402


@pytest.fixture
def shell() -> Iterator[Any]:
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "icount")
    yield shell
    shell.restore_sys_module_state() if hasattr(shell, "restore_sys_module_state") else None


@pytest.mark.parametrize(("line", "split"), [
    ("f(x)", (100, False, "f(x)")),
    ("-n 20 f(x)", (20, False, "f(x)")),
    ("-q -n 7 '-'.join(a)", (7, True, "'-'.join(a)")),
    ("--number 3", (3, False, "")),
    ("print('-n 3')", (100, False, "print('-n 3')")),
])
def test_options_stand_in_front(line: str, split: tuple[int, bool, str]) -> None:
    assert split_line(line) == split


def test_a_line_and_a_cell_are_counted_with_the_shells_names(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("def double(n):\n    return n * 2\nx = 4", silent=True)
    shell.run_line_magic("icount", "-n 10 double(x)")
    assert "instructions per run" in capsys.readouterr().out
    stats = shell.run_cell_magic("icount", "-q -n 10 values = [3, 1]", "sorted(values)\nsorted(values)")
    assert isinstance(stats, CallgrindStats)
    assert stats.number_per_run == 10
    assert stats.counts() > 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("line", "cell"), [("", None), ("-n 3", None), ("x = 1", "  \n")])
def test_no_statement_is_said(shell: Any, line: str, cell: str | None) -> None:
    with pytest.raises(UsageError, match="no statement"):
        shell.run_line_magic("icount", line) if cell is None else shell.run_cell_magic("icount", line, cell)


def test_a_number_that_is_none_is_said(shell: Any) -> None:
    with pytest.raises(UsageError, match="number"):
        shell.run_line_magic("icount", "-n zero f(x)")


def test_an_exception_of_the_statement_is_the_users_own(shell: Any) -> None:
    with pytest.raises(NameError, match="nowhere"):
        shell.run_line_magic("icount", "nowhere(1)")
