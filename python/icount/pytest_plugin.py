"""pytest --icount: the benchmarks of a test suite, counted instead of timed.

Takes over the `benchmark` fixture of pytest-benchmark and pytest-codspeed. Each benchmark runs once in the test, and is
then counted by the icount program, per call by the slope between 100 and 200 calls, or fewer of a long call: in a fork of a
process under Valgrind that has collected the test's file, and runs the test up to its benchmark there; where that can't be, with
copies of the function and its arguments. All counts are saved as one result file, which `icount gate`, `icount diff` and
`icount history` read.
"""

from __future__ import annotations

import contextlib
import dataclasses
import faulthandler
import functools
import importlib
import marshal
import os
import shutil
import sys
import tempfile
import time
import types
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from icount.calls import DEFAULT_NUMBER, TIMEOUT_S, count_call, count_in, per_call, words_of_call
from icount.counting import CountFailure, Preload, notes_of
from icount.shipping import CannotSend

if TYPE_CHECKING:
    from icount._core import Result

_DEFAULT_OUT = "pytest.icount"
# What tells pytest how to run: tests that are counted get these, and no other variable of the environment.
_VARIABLES = ("PYTEST_ADDOPTS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTEST_PLUGINS")
# Which tests are chosen and where counts are saved must not matter to the heap of those that are counted.
_LEFT_OUT = ("-k", "-m", "--deselect", "--icount-out", "--icount-number", "--lf", "--last-failed", "--ff", "--failed-first",
             "--nf", "--new-first", "--sw", "--stepwise")
_LEFT_OUT_WITH_A_VALUE = _LEFT_OUT[:5]
# Before pytest adds folders of tests, which differ with the tests that are chosen.
_FOLDERS = [folder for folder in sys.path if folder]
# Whose `benchmark` fixture is taken over.
_OTHERS = ("pytest_benchmark.plugin", "pytest_codspeed.plugin")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("icount")
    group.addoption("--icount", action="store_true", help="count the instructions of benchmarks instead of timing them")
    group.addoption("--icount-out", metavar="FILE", default=_DEFAULT_OUT,
                    help=f"where the counts are saved (default {_DEFAULT_OUT})")
    group.addoption("--icount-number", metavar="N", type=int, default=None,
                    help=f"calls in the counted region (default {DEFAULT_NUMBER}; 10 or 1 where a call costs much)")
    group.addoption("--icount-python-calls", action="store_true",
                    help="record the calls of Python functions, too, so that differences are explained by them "
                         "(CPython 3.12 or newer; about 1.5 s more for each benchmark)")


def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Before plugins are configured: pytest-benchmark asks git and others then, in processes of their own. Workers of xdist
    would keep what they count; a test that waits for its count is no test that hangs."""
    if early_config.known_args_namespace.icount:
        _put_others_aside(early_config.pluginmanager)
        known = {name for plugin in early_config.pluginmanager.list_name_plugin()
                 for name in (plugin[0], getattr(plugin[1], "__name__", ""))}
        for plugin, module, more in ("xdist", "xdist.plugin", ["-n0", "--dist=no"]), ("timeout", "pytest_timeout", ["--timeout=0"]):
            args += more if {plugin, module} & known else []  # -p takes either


def _put_others_aside(manager: pytest.PytestPluginManager) -> None:
    for _, plugin in manager.list_name_plugin():
        if getattr(plugin, "__name__", "") in _OTHERS:
            manager.unregister(plugin)  # else it refuses a fixture that is not its own


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "benchmark: a benchmark; without the fixture the whole test is one")
    config.addinivalue_line("markers", "codspeed_benchmark: the same")
    if config.getoption("--icount"):
        _put_others_aside(config.pluginmanager)  # those that a conftest.py asked for
        # Registered last, so that its fixture goes before those of other plugins.
        plugin = CountingPlugin(config) if _serving is None else ServingPlugin(config, _serving)
        config.pluginmanager.register(plugin, "icount-counting")


class CountingPlugin:
    """The counts of one session."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._number: int | None = config.getoption("--icount-number")
        self._python_calls = bool(config.getoption("--icount-python-calls"))
        self._out = str(config.getoption("--icount-out"))
        self._paths: list[str] = []
        self._served: tuple[str, Preload] | None = None
        self.results: list[tuple[str, Result]] = []
        self.notes: dict[str, list[str]] = {}
        """Of which tests each remark is: no warnings, for suites that make these errors."""

    @functools.cached_property
    def _folder(self) -> tempfile.TemporaryDirectory[str]:
        """Of the session that counts: what runs in a server ends without a word, and would leave its own behind."""
        return tempfile.TemporaryDirectory(prefix="icount-")

    @pytest.fixture
    def benchmark(self, request: pytest.FixtureRequest) -> Benchmark:
        """Counts a call: benchmark(function, *args, **kwargs)."""
        fixture = Benchmark(self, request.node)
        request.addfinalizer(fixture.restore)
        return fixture

    @pytest.hookimpl(hookwrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, None]:
        outcome = yield
        marked = any(pyfuncitem.get_closest_marker(name) is not None for name in ("benchmark", "codspeed_benchmark"))
        if outcome.excinfo is None and marked and "benchmark" not in pyfuncitem.fixturenames:
            names = pyfuncitem._fixtureinfo.argnames
            try:
                self.count(pyfuncitem, pyfuncitem.obj, (), {name: pyfuncitem.funcargs[name] for name in names})
            except BaseException as error:
                if not hasattr(outcome, "force_exception"):  # pluggy before 1.1
                    raise
                outcome.force_exception(error)

    def count(self, item: pytest.Item, function: Callable[..., object], args: Sequence[object],
              kwargs: Mapping[str, object]) -> Result:
        """Counts the call and keeps its result; a call that can't be counted fails the test with the reason."""
        faulthandler.cancel_dump_traceback_later()  # pytest's faulthandler_timeout: a test that waits for its count doesn't hang
        path = os.path.join(self._folder.name, f"{len(self._paths)}.icount")
        in_test = functools.partial(count_in, self._preload_of(item), _COUNT_TEST.format(item.nodeid),
                                    words_of_call(function, args, kwargs)[0])
        reason, again, result = "", False, None
        try:
            result = self._count_by(in_test, item, path)
        except (CountFailure, ValueError) as error:
            reason, again = self._reason_of(error), isinstance(error, CountFailure) and error.status != "timed-out"
        if again:
            try:
                result = self._count_by(functools.partial(count_call, function, args, kwargs, warns=False), item, path)
                self.note(item, f"counted with copies of its function and arguments, for the test can't be: {reason.splitlines()[0]}")
            except (CannotSend, CountFailure) as error:
                reason += f"\nNor can a copy of its call: {self._reason_of(error)}"
        if result is None:
            pytest.fail(f"icount: {item.nodeid} can't be counted: {reason}", pytrace=False)
        self._paths.append(path)
        self.results.append((item.nodeid, result))
        for note in notes_of(result):
            self.note(item, note)
        return result

    def _count_by(self, way: Callable[..., Result], item: pytest.Item, path: str) -> Result:
        """With as many calls as a count of one says: a time would say something else on another day."""
        how: dict[str, Any] = {"label": _label(item), "out_file": path, "python_calls": self._python_calls}
        if self._number is not None:
            return way(number=self._number, **how)
        result = way(number=1, **how)
        number = number_for(per_call(result))
        return result if number == 1 else way(number=number, **how)

    def _reason_of(self, error: Exception) -> str:
        if getattr(error, "status", "") != "timed-out":
            return str(error)
        several = self._number is not None and self._number > 1
        calls = f"its {self._number} calls take" if several else "one call takes"
        advice = "; --icount-number makes them fewer" if several else ""
        return f"{calls} more than {TIMEOUT_S:.0f} s under Valgrind{advice}"

    def note(self, item: pytest.Item, text: str) -> None:
        self.notes.setdefault(text, []).append(item.nodeid)

    def _preload_of(self, item: pytest.Item) -> Preload:
        """A server for the tests of one file, whose counts don't depend on what else is run; that of the file before ends."""
        config, file = self._config, item.nodeid.partition("::")[0]
        if self._served is not None and self._served[0] == file:
            return self._served[1]
        given = [str(one) for one in config.invocation_params.args]
        positional = [str(one) for one in getattr(config.option, "file_or_dir", None) or []]
        options = _without_choice([one for one in given if one not in positional])
        if config.pluginmanager.hasplugin("_cov"):
            options.append("--no-cov")
        if config.pluginmanager.hasplugin("cacheprovider"):  # which tests failed before must not matter to the heap
            options += ["-o", "cache_dir=" + os.path.join(self._folder.name, "cache")]
        if config.inipath is not None:
            options += ["-c", str(config.inipath)]
        told = [*options, "--rootdir", str(config.rootpath), "-o", "faulthandler_timeout=0", "--capture=sys", "-q", "--no-header",
                "--basetemp", os.path.join(self._folder.name, "tests"),
                "-W", "ignore::pytest.PytestAssertRewriteWarning",  # of this module, which is imported by then
                os.path.join(config.rootpath, file)]
        variables = {name: os.environ[name] for name in _VARIABLES if name in os.environ}
        text = _SERVE_TESTS.format(variables, _FOLDERS, str(config.invocation_params.dir), told)
        if self._served is not None:
            shutil.rmtree(self._served[1].runtime_folder)
        self._served = file, Preload(text, tempfile.mkdtemp(prefix="run-", dir=self._folder.name))
        return self._served[1]

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
        rows = [("instructions", "test"), *((f"{per_call(result):,.0f}", name) for name, result in self.results)]
        width = max(len(figure) for figure, _ in rows)
        for figure, name in rows:
            terminalreporter.write_line(f"  {figure:>{width}}  {name}")
        count = len(self.results)
        terminalreporter.write_line(f"\n{count:,} test{'s' if count > 1 else ''}: {count:,} counted once")
        for note, names in self.notes.items():
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            terminalreporter.write_line(f"note: {names[0]}{more}: {note}")
        terminalreporter.write_line(f"saved in {self._out}")


# Runs in the server, which has the interpreter's own folders only.
_SERVE_TESTS = """\
os.environ.update({!r})
sys.path[:0] = [folder for folder in {!r} if os.path.realpath(folder) not in map(os.path.realpath, sys.path)]
os.chdir({!r})
from icount.pytest_plugin import serve_tests
serve_tests({!r}, sys.modules["__main__"])
"""

# Runs in a fork of it; the frame is that of run() in stub_server.py.
_COUNT_TEST = """\
import sys
from icount.pytest_plugin import count_test
count_test({!r}, sys._getframe(1).f_locals)
"""


@dataclasses.dataclass
class _Serving:
    """In the server, and in its forks, which count the one call of one test."""

    server: Any
    """stub_server.py."""
    session: pytest.Session | None = None
    statement: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    reasons: list[str] = dataclasses.field(default_factory=list)
    """Why there is no such test, or no call in it."""


_serving: _Serving | None = None


def serve_tests(arguments: list[str], server: Any) -> None:
    """Has pytest collect the one file that it is told, and serves from where pytest would run the tests. Returns where pytest
    does so before."""
    global _serving
    _serving = _Serving(server)
    _rewrite_elsewhere(server.library)
    code = pytest.main(arguments)
    _serving.reasons.append(f"pytest ended with exit code {int(code)}")


def count_test(nodeid: str, statement: Mapping[str, Any]) -> NoReturn:
    """Runs one test up to its benchmark, which is counted there, below the test's own frames (its event loop runs, its context is
    set), and ends the process. RuntimeError when there is none."""
    assert _serving is not None
    _serving.statement = statement
    for item in _serving.session.items if _serving.session is not None else ():
        if item.nodeid == nodeid:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            _serving.reasons.append("under Valgrind the test calls no benchmark")
    raise RuntimeError(_serving.reasons[0] if _serving.reasons else "under Valgrind pytest finds no test of that name")


def _rewrite_elsewhere(library: Any) -> None:
    """Has assertions of tests rewritten in a process of its own: whether pytest has kept what it made of them must not matter
    to the heap."""
    import importlib._bootstrap_external as bootstrap

    rewrite: Any = importlib.import_module("_pytest.assertion.rewrite")
    if not all(hasattr(rewrite, name) for name in ("_read_pyc", "_rewrite_test", "get_cache_dir", "PYC_TAIL")):
        return  # a pytest of another make

    def rewrite_there(make: Callable[..., Any], path: Any, config: pytest.Config) -> tuple[os.stat_result, types.CodeType]:
        def make_bytes() -> bytes:
            stat, code = make(path, config)
            return bytes(bootstrap._code_to_timestamp_pyc(code, int(stat.st_mtime), stat.st_size))  # type: ignore[attr-defined]

        kept = rewrite.get_cache_dir(path) / (path.name[:-len(".py")] + rewrite.PYC_TAIL)
        made = library.icount_read_bytecode(os.fsencode(kept), os.fsencode(path), make_bytes, sys.version_info[1])
        return (os.stat(path), marshal.loads(made[16:])) if made else make(path, config)

    rewrite._read_pyc = lambda *_: None
    rewrite._rewrite_test = functools.partial(rewrite_there, rewrite._rewrite_test)


class ServingPlugin(CountingPlugin):
    """In the server: the call is counted where it is made, and the test goes no further."""

    def __init__(self, config: pytest.Config, serving: _Serving) -> None:
        super().__init__(config)
        self._serving = serving
        # Which tests are chosen must not matter to the heap.
        config.option.keyword = config.option.markexpr = ""
        config.option.deselect = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        self._serving.session = session
        self._serving.server.serve()

    def count(self, item: pytest.Item, function: Callable[..., object], args: Sequence[object],
              kwargs: Mapping[str, object]) -> NoReturn:
        server, statement = self._serving.server, self._serving.statement
        statement["scope"].update(words_of_call(function, args, kwargs)[1])
        try:
            types.FunctionType(statement["code"], statement["scope"])(server.next_phase)
        except BaseException as error:
            server.library.icount_threw(server.describe(error, statement["setup_offset"]).encode("utf-8", "replace"))
        server.library.icount_end()
        raise AssertionError("the process has ended")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            crash = getattr(report.longrepr, "reprcrash", None)
            what = crash.message.partition("\n")[0] if crash is not None else report.outcome
            self._serving.reasons.append(f"under Valgrind the test ends otherwise: {what}\n{report.longreprtext}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._serving.reasons.append(f"{report.nodeid} could not be collected: {report.longreprtext}")


def _without_choice(arguments: Iterable[str]) -> list[str]:
    kept, rest = [], iter(arguments)
    for one in rest:
        name = one[:2] if one.startswith(("-k", "-m")) else one.partition("=")[0]
        if name not in _LEFT_OUT:
            kept.append(one)
        elif one == name and name in _LEFT_OUT_WITH_A_VALUE:
            next(rest, None)
    return kept


def number_for(instructions: float) -> int:
    """Calls in the counted region of a call that costs so much: warm-up and slope make five times as many, and of a long call
    few say as much."""
    return next((number for number, limit in ((DEFAULT_NUMBER, 1e6), (10, 1e7)) if instructions <= limit), 1)


def _label(item: pytest.Item) -> tuple[str, ...]:
    return tuple(item.nodeid.split("::"))


class Benchmark:
    """The fixture: counts one call, and hands back what the call in the test itself returned."""

    def __init__(self, plugin: CountingPlugin, item: pytest.Item) -> None:
        self._plugin = plugin
        self._item = item
        self._used = False
        self._undo: list[Callable[[], None]] = []
        self.name = item.name
        self.fullname = item.nodeid
        mark = item.get_closest_marker("benchmark")
        self.group: str | None = mark.kwargs.get("group") if mark is not None else None
        self.stats: _Times | None = None
        self.extra_info: dict[str, Any] = {}
        self.disabled = False

    def __call__(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self._use()
        returned = self._run(function, args, kwargs)
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
        returned = self._run(target, args, kwargs)
        if teardown is not None:
            teardown(*args, **kwargs)
        counted = setup() if setup is not None and made is not None else None
        if counted is not None:
            args, kwargs = counted
            self._plugin.note(self._item, "the arguments from pedantic's setup are made once for all counted calls; a target "
                              "that changes them is counted on what the call before left")
        self._plugin.count(self._item, target, args, kwargs or {})
        return returned

    def _run(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        start = time.perf_counter()
        returned = function(*args, **kwargs)
        self.stats = _Times(time.perf_counter() - start)
        return returned

    def weave(self, target: Any, **_: Any) -> None:
        """As pytest-benchmark's: the first call of `target`, a function or "MODULE.NAME", within the test is the benchmark."""
        owner, name, function = _find_target(target)

        def counted(*args: Any, **kwargs: Any) -> Any:
            self.restore()
            return self(function, *args, **kwargs)

        setattr(owner, name, counted)
        self._undo.append(lambda: setattr(owner, name, function))

    patch = weave

    def restore(self) -> None:
        """Undoes weave()."""
        while self._undo:
            self._undo.pop()()

    def _use(self) -> None:
        if self._used:
            raise RuntimeError(f"{self._item.nodeid} uses the benchmark fixture twice; one benchmark for each test")
        self._used = True


class _Times:
    """`benchmark.stats` for tests that look at it: the seconds of the one run in the test, as pytest-benchmark has them."""

    def __init__(self, seconds: float) -> None:
        self.min = self.max = self.mean = self.median = self.total = seconds
        self.stddev = self.iqr = 0.0
        self.rounds = self.iterations = 1
        self.ops = 1 / seconds if seconds > 0 else 0.0
        self.data = [seconds]

    @property
    def stats(self) -> _Times:
        return self

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


def _find_target(target: Any) -> tuple[Any, str, Callable[..., Any]]:
    """(what holds the function, its name there, the function)."""
    if callable(target):
        owner: Any = sys.modules[target.__module__]
        *inner, name = target.__qualname__.split(".")
    else:
        module, _, name = str(target).rpartition(".")
        inner = []
        while module not in sys.modules:
            with contextlib.suppress(ImportError):
                importlib.import_module(module)
                break
            module, _, part = module.rpartition(".")
            if not part:
                raise ValueError(f"benchmark.weave finds no module for '{target}'")
            inner.insert(0, part)
        owner = sys.modules[module]
    for part in inner:
        owner = getattr(owner, part)
    return owner, name, getattr(owner, name)
