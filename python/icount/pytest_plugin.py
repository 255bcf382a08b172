"""pytest --icount: the benchmarks of a test suite, counted instead of timed.

Takes over the `benchmark` fixture of pytest-benchmark and pytest-codspeed. Each benchmark runs once in the test, and is
then counted in a process of its own by the icount program, per call by the slope between 100 and 200 calls. All counts
are saved as one result file, which `icount gate`, `icount diff` and `icount history` read.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from icount.calls import DEFAULT_NUMBER, count_call, per_call
from icount.counting import CountFailure

if TYPE_CHECKING:
    from icount._core import Result

_DEFAULT_OUT = "pytest.icount"
# Whose `benchmark` fixture is taken over.
_OTHERS = ("pytest_benchmark.plugin", "pytest_codspeed.plugin")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("icount")
    group.addoption("--icount", action="store_true", help="count the instructions of benchmarks instead of timing them")
    group.addoption("--icount-out", metavar="FILE", default=_DEFAULT_OUT,
                    help=f"where the counts are saved (default {_DEFAULT_OUT})")
    group.addoption("--icount-number", metavar="N", type=int, default=DEFAULT_NUMBER,
                    help=f"calls in the counted region (default {DEFAULT_NUMBER})")
    group.addoption("--icount-python-calls", action="store_true",
                    help="record the calls of Python functions, too, so that differences are explained by them "
                         "(CPython 3.12 or newer; about 1.5 s more for each benchmark)")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "benchmark: a benchmark; without the fixture the whole test is one")
    if config.getoption("--icount"):
        for module in _OTHERS:
            for _, plugin in config.pluginmanager.list_name_plugin():
                if getattr(plugin, "__name__", "") == module:
                    config.pluginmanager.unregister(plugin)  # else it refuses a fixture that is not its own
        # Registered last, so that its fixture goes before those of other plugins.
        config.pluginmanager.register(CountingPlugin(config), "icount-counting")


class CountingPlugin:
    """The counts of one session."""

    def __init__(self, config: pytest.Config) -> None:
        self._number = int(config.getoption("--icount-number"))
        self._python_calls = bool(config.getoption("--icount-python-calls"))
        self._out = str(config.getoption("--icount-out"))
        self._folder = tempfile.TemporaryDirectory(prefix="icount-")
        self._paths: list[str] = []
        self.results: list[tuple[str, Result]] = []

    @pytest.fixture
    def benchmark(self, request: pytest.FixtureRequest) -> Benchmark:
        """Counts a call: benchmark(function, *args, **kwargs)."""
        return Benchmark(self, request.node)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, None]:
        outcome = yield
        marked = pyfuncitem.get_closest_marker("benchmark") is not None
        if outcome.excinfo is None and marked and "benchmark" not in pyfuncitem.fixturenames:
            names = pyfuncitem._fixtureinfo.argnames
            self.count(pyfuncitem, pyfuncitem.obj, (), {name: pyfuncitem.funcargs[name] for name in names})

    def count(self, item: pytest.Item, function: Callable[..., object], args: Sequence[object],
              kwargs: Mapping[str, object]) -> Result:
        """Counts the call and keeps its result; a call that can't be counted fails the test with the reason."""
        path = os.path.join(self._folder.name, f"{len(self._paths)}.icount")
        try:
            result = count_call(function, args, kwargs, number=self._number, label=_label(item), out_file=path,
                                python_calls=self._python_calls)
        except (CountFailure, ValueError) as error:
            pytest.fail(f"icount: {item.nodeid} can't be counted: {error}", pytrace=False)
        self._paths.append(path)
        self.results.append((item.nodeid, result))
        return result

    def pytest_sessionfinish(self) -> None:
        if self._paths:
            from icount._core import join_result_files

            join_result_files(self._paths, self._out, "pytest --icount")

    def pytest_unconfigure(self) -> None:
        self._folder.cleanup()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.results:
            return
        terminalreporter.section("icount: instructions per call")
        rows = [(f"{per_call(result):,.0f}", name) for name, result in self.results]
        width = max(len(figure) for figure, _ in rows)
        for figure, name in rows:
            terminalreporter.write_line(f"{figure:>{width}}  {name}")
        terminalreporter.write_line(f"saved in {self._out}")


def _label(item: pytest.Item) -> tuple[str, ...]:
    return tuple(item.nodeid.split("::"))


class Benchmark:
    """The fixture: counts one call, and hands back what the call in the test itself returned."""

    def __init__(self, plugin: CountingPlugin, item: pytest.Item) -> None:
        self._plugin = plugin
        self._item = item
        self._used = False
        self.name = item.name
        self.group: str | None = None
        self.extra_info: dict[str, Any] = {}
        self.disabled = False

    def __call__(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self._use()
        returned = function(*args, **kwargs)
        self._plugin.count(self._item, function, args, kwargs)
        return returned

    def pedantic(self, target: Callable[..., Any], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None,
                 setup: Callable[[], Any] | None = None, teardown: Callable[..., Any] | None = None, rounds: int = 1,
                 warmup_rounds: int = 0, iterations: int = 1) -> Any:
        """As pytest-benchmark's. Rounds and iterations don't matter to a count; `setup` gives the arguments, once for
        all counted calls."""
        self._use()
        made = setup() if setup is not None else None
        if made is not None:
            args, kwargs = made
        kwargs = dict(kwargs or {})
        returned = target(*args, **kwargs)
        if teardown is not None:
            teardown(*args, **kwargs)
        counted = setup() if setup is not None and made is not None else None
        if counted is not None:
            args, kwargs = counted
            warnings.warn(f"{self._item.nodeid}: the arguments from pedantic's setup are made once for all counted calls; "
                          "a target that changes them is counted on what the call before left", stacklevel=2)
        self._plugin.count(self._item, target, args, kwargs or {})
        return returned

    def _use(self) -> None:
        if self._used:
            raise RuntimeError(f"{self._item.nodeid} uses the benchmark fixture twice; one benchmark for each test")
        self._used = True
