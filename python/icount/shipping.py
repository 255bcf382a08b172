"""Values of this session for a statement that is counted in another process.

What is counted is a copy. Numbers, texts, lists, dicts and tensors are pickled; functions and classes of __main__, of
notebook cells and of functions (closures) are sent whole by cloudpickle; what other modules define is imported there again.
So is what modules define that the interpreter would not find by itself (a file beside the script), where that can be
sent: a server that is warm can't import from there. Only the names that the statement or its set-up uses are sent, so
that `globals=globals()` is cheap.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import importlib.util
import io
import marshal
import os
import pickle
import subprocess
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from icount import simple_values

VALUES_NAME = "_icount_values"

# Functions without a closure are made by these few lines there, without importing cloudpickle under Valgrind.
_SESSION_MODULE = "icount_session"
_SESSION_TEXT = """\
import builtins, marshal, types
namespaces = {}
def make_function(code, namespace):
    scope = namespaces.setdefault(namespace, {"__builtins__": builtins, "__name__": "session"})
    return types.FunctionType(marshal.loads(code), scope)
def fill_function(function, state):
    scope, function.__name__, function.__qualname__, function.__defaults__, function.__kwdefaults__, more = state
    function.__globals__.update(scope)
    function.__dict__.update(more)
"""

# Runs in the counted process at module scope, before the set-up.
_LOADER = f"""\
import sys as _icount_sys, types as _icount_types
_icount_sys.modules["{_SESSION_MODULE}"] = _icount_types.ModuleType("{_SESSION_MODULE}")
exec({_SESSION_TEXT!r}, vars(_icount_sys.modules["{_SESSION_MODULE}"]))
import _pickle as _icount_pickle
_icount_main, {VALUES_NAME} = _icount_pickle.loads({VALUES_NAME})
vars(_icount_sys.modules["__main__"]).update(_icount_main)
globals().update({VALUES_NAME})
"""


@dataclasses.dataclass(frozen=True)
class Shipment:
    """What the counted process gets beside statement and set-up."""

    data: bytes = b""
    """Pickle of (values for __main__, values for the statement); empty when there is none."""
    loader: str = ""
    """Text that loads `data` from the global VALUES_NAME."""
    folders: tuple[str, ...] = ()
    """Where modules lie that the interpreter would not find by itself."""
    needs_torch: bool = False


def names_in(*texts: str) -> set[str]:
    """Every name that the texts read or assign; none of a text that can't be parsed, for that is reported elsewhere."""
    return {node.id for node in _nodes(texts) if isinstance(node, ast.Name)}


def _nodes(texts: Iterable[str]) -> Iterator[ast.AST]:
    for text in texts:
        try:
            yield from ast.walk(ast.parse(text))
        except (SyntaxError, ValueError):
            continue


def _names_of_main(texts: Iterable[str]) -> set[str]:
    """Names that texts take from __main__."""
    names: set[str] = set()
    modules = {"__main__"}
    texts = list(texts)
    for node in _nodes(texts):
        if isinstance(node, ast.ImportFrom) and node.module == "__main__":
            for alias in node.names:
                names |= names_in(*texts) & set(vars(sys.modules["__main__"])) if alias.name == "*" else {alias.name}
        elif isinstance(node, ast.Import):
            modules |= {alias.asname for alias in node.names if alias.name == "__main__" and alias.asname}
    names |= {
        node.attr for node in _nodes(texts)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules}
    return names


def _imported_modules(texts: Iterable[str]) -> set[str]:
    names: set[str] = set()
    for node in _nodes(texts):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return names - {"__main__"}


@functools.cache
def _own_folders() -> frozenset[str]:
    """Where the counted interpreter finds modules by itself: its own folders, and what .pth files of it name."""
    told = subprocess.run([sys.executable, "-I", "-c", "import sys; print(*sys.path, sep='\\0')"], capture_output=True,
                          text=True, check=True, stdin=subprocess.DEVNULL).stdout
    return frozenset(os.path.realpath(folder) for folder in told.rstrip("\n").split("\0"))


def _foreign_folder(file: str, is_package: bool) -> str | None:
    """The folder of sys.path that a module's file was found in, when the counted process must be told it."""
    folder = os.path.dirname(os.path.realpath(file))
    if is_package:
        folder = os.path.dirname(folder)
    return None if folder in _own_folders() else folder


def _folder_of(module: str) -> str | None:
    try:
        spec = importlib.util.find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.has_location or spec.origin is None:
        return None
    return _foreign_folder(spec.origin, bool(spec.submodule_search_locations))


def _foreign_modules() -> list[types.ModuleType]:
    """What is imported here from files that the counted process would not find."""
    found = []
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if "." not in name and name != "__main__" and isinstance(file, str):
            if _foreign_folder(file, hasattr(module, "__path__")) is not None:
                found.append(module)
    return found


def _plain(value: object) -> bool:
    """Whether the plain pickle of `value` says all: nothing in it is defined by this session."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value) in (list, tuple, set, frozenset) and all(map(_plain, value))
    if isinstance(value, dict):
        return type(value) is dict and all(map(_plain, value)) and all(map(_plain, value.values()))
    return value is None or type(value) in (bool, int, float, complex, str, bytes)


def _refusal(name: str, value: object, reason: object) -> ValueError:
    return ValueError(
        f"`collect_callgrind` can't hand over the global `{name}` ({type(value).__name__}) to the process that is counted: "
        f"{reason}. Make it in `setup`, or leave it out of `globals`.")


@functools.cache
def _session() -> types.ModuleType:
    """The module of _SESSION_TEXT; its functions are named in pickles, and stand in the loader for the other side."""
    module = types.ModuleType(_SESSION_MODULE)
    exec(_SESSION_TEXT, vars(module))
    for value in list(vars(module).values()):
        if isinstance(value, types.FunctionType):
            value.__module__ = _SESSION_MODULE
    sys.modules[_SESSION_MODULE] = module
    return module


def _nameless(code: types.CodeType) -> types.CodeType:
    """Without where it was defined: a folder or the number of a cell must not move a count."""
    consts = tuple(_nameless(const) if isinstance(const, types.CodeType) else const for const in code.co_consts)
    return code.replace(co_filename="session", co_consts=consts)


def _global_names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            names |= _global_names(const)
    return names


def _reduce_function(function: types.FunctionType, namespaces: dict[int, int]) -> tuple[Any, ...]:
    scope = function.__globals__
    used = {name: scope[name] for name in sorted(_global_names(function.__code__)) if name in scope}
    namespace = namespaces.setdefault(id(scope), len(namespaces))
    state = (used, function.__name__, function.__qualname__, function.__defaults__, function.__kwdefaults__,
             dict(function.__dict__))
    session = _session()
    code = marshal.dumps(_nameless(function.__code__), 2)
    return session.make_function, (code, namespace), state, None, None, session.fill_function


def _is_sent_whole(function: types.FunctionType, whole: set[str]) -> bool:
    """Whether a function is defined by this session, or by a module that is sent whole."""
    module = function.__module__ or ""
    found: Any = sys.modules.get(module)
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is not function or module.partition(".")[0] in whole


def _pickle(values: object, by_value: Iterable[types.ModuleType], modules: set[str]) -> bytes:
    import cloudpickle

    whole = {"__main__", *(module.__name__ for module in by_value)}
    namespaces: dict[int, int] = {}

    class Pickler(cloudpickle.CloudPickler):  # type: ignore[misc]
        """Notes which modules the copy will import."""

        def reducer_override(self, obj: Any) -> Any:
            if isinstance(obj, types.CodeType) and obj.co_filename != "session":
                return cloudpickle.CloudPickler.dispatch_table[types.CodeType](_nameless(obj))
            if isinstance(obj, types.FunctionType):
                if obj.__module__ == _SESSION_MODULE:
                    return NotImplemented  # by name
                if not obj.__closure__ and _is_sent_whole(obj, whole):
                    return _reduce_function(obj, namespaces)
            if isinstance(obj, io.TextIOWrapper) and obj not in (sys.stdout, sys.stderr):
                raise TypeError("an open file is known to this process only")  # cloudpickle sends the text in it instead
            if isinstance(obj, types.ModuleType):
                modules.add(obj.__name__)
            elif isinstance(obj, (type, types.FunctionType, types.BuiltinFunctionType)):
                modules.add(getattr(obj, "__module__", None) or "builtins")
            return super().reducer_override(obj)

    registered = [module for module in by_value if module.__name__ not in cloudpickle.list_registry_pickle_by_value()]
    for module in registered:
        cloudpickle.register_pickle_by_value(module)
    try:
        with io.BytesIO() as file:
            Pickler(file, protocol=4).dump(values)
            data = file.getvalue()
            if b"cloudpickle" in data:
                modules.add("cloudpickle")
            return data
    finally:
        for module in registered:
            cloudpickle.unregister_pickle_by_value(module)


def _is_on_device(value: object) -> bool:
    return getattr(getattr(value, "device", None), "type", "cpu") not in ("cpu", "meta") and hasattr(value, "is_cuda")


def _send(of_main: dict[str, Any], used: dict[str, Any], modules: set[str]) -> tuple[bytes, str]:
    """(bytes, the text that loads them). ValueError that names the value which can't be sent. What they import is added to `modules`."""
    foreign = _foreign_modules()
    whole = {"__main__", *(module.__name__ for module in foreign)}
    simple = simple_values.encode((of_main, used), functools.partial(_is_sent_whole, whole=whole), _nameless, _global_names,
                                  {module.__name__ for module in foreign})
    if simple is not None:
        modules |= simple[1]
        return simple[0], simple_values.LOADER.format(values=VALUES_NAME)
    return _pickle_all(of_main, used, modules), _LOADER


def _pickle_all(of_main: dict[str, Any], used: dict[str, Any], modules: set[str]) -> bytes:
    """ValueError that names the value which can't be sent. What it imports is added to `modules`."""
    both = (of_main, used)
    for name, value in [*of_main.items(), *used.items()]:
        if _is_on_device(value):
            raise _refusal(name, value, f"it is on {value.device}, and instructions are counted on the CPU")
    if _plain(both):
        return pickle.dumps(both, protocol=4)
    try:
        imported: set[str] = set()
        data = _pickle(both, _foreign_modules(), imported)
        modules |= imported - {module.__name__ for module in _foreign_modules()}
        return data
    except Exception:  # a module that is sent whole may hold what can't be sent: then it is imported
        pass
    for name, value in [*of_main.items(), *used.items()]:
        try:
            _pickle(value, (), modules)
        except Exception as error:
            raise _refusal(name, value, f"{type(error).__name__}: {error}") from error
    return _pickle(both, (), modules)


def pack(stmt: str, setup: str, values: Mapping[str, Any], before: Iterable[str] = ()) -> Shipment:
    """The part of `values`, and of __main__, that the texts use. The texts of `before` run before the values are loaded.

    ValueError naming a value that can't be handed over.
    """
    texts = (stmt, setup)
    bound = {node.id for node in _nodes([setup]) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    used = {name: values[name] for name in sorted((names_in(*texts) - bound) & set(values))
            if name != "__builtins__" and not _is_torch(name, values[name])}
    main = vars(sys.modules["__main__"])
    of_main = {name: main[name] for name in sorted(_names_of_main(texts)) if name in main}
    modules = _imported_modules(texts)
    data, load = _send(of_main, used, modules) if used or of_main else (b"", "")
    tops = {module.partition(".")[0] for module in modules} - {_SESSION_MODULE}
    folders = sorted({folder for folder in map(_folder_of, tops - {"__main__"}) if folder is not None})
    needs_torch = "torch" in tops or "torch" in names_in(*texts)
    loader = "".join(f"{text}\n" for text in before) + load
    return Shipment(data, loader, tuple(folders), needs_torch)


def _is_torch(name: str, value: object) -> bool:
    return name == "torch" and value is sys.modules.get("torch")
