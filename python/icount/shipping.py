"""Values of this session for a statement that is counted in another process.

What is counted is a copy. Numbers, texts, lists, dicts and tensors are pickled; TorchScript goes by torch.jit.save; functions
and classes of __main__, of notebook cells and of functions (closures) are sent whole by cloudpickle; what other modules define
is imported there again. So is what modules define that the interpreter would not find by itself (a file beside the script),
where that can be sent: a server that is warm can't import from there. Extension modules that were loaded from a file are loaded
from it again. Only the names that the statement or its set-up uses are sent, so that `globals=globals()` is cheap.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import gc
import importlib.machinery
import importlib.util
import io
import marshal
import os
import pickle
import subprocess
import sys
import threading
import types
import weakref
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from icount import simple_values

VALUES_NAME = "_icount_values"

# Functions without a closure are made by these few lines there, without importing cloudpickle under Valgrind. They don't name
# torch, which would be imported there for its name.
_SESSION_MODULE = "icount_session"
_SESSION_TEXT = """\
import builtins, marshal, types
namespaces, loaded = {}, {}
def make_function(code, namespace):
    scope = namespaces.setdefault(namespace, {"__builtins__": builtins, "__name__": "session"})
    return types.FunctionType(marshal.loads(code), scope)
def fill_function(function, state):
    scope, function.__name__, function.__qualname__, function.__defaults__, function.__kwdefaults__, more = state
    function.__globals__.update(scope)
    function.__dict__.update(more)
def load_script(load, data):
    import io
    return load(io.BytesIO(data))
def load_extension(name, path):
    import importlib.util, sys
    module = loaded.get(path)
    if module is None:
        spec = importlib.util.spec_from_file_location(name, path)
        module = loaded[path] = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(name, module)
        spec.loader.exec_module(module)
    return module
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


def _foreign_folder(name: str, file: str, is_package: bool) -> str | None:
    """The folder of sys.path below which a module's file was found, when the counted process must be told it."""
    folder = os.path.dirname(os.path.realpath(file))
    for _ in range(name.count(".") + is_package):
        folder = os.path.dirname(folder)
    return None if folder in _own_folders() else folder


def _folder_of(module: str) -> str | None:
    top = module.partition(".")[0]
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    if spec is not None and spec.has_location and spec.origin is not None:
        return _foreign_folder(top, spec.origin, bool(spec.submodule_search_locations))
    # A package without a file of its own, as pytest's import mode `importlib` makes them: where its module lies.
    file = getattr(sys.modules.get(module), "__file__", None)
    return _foreign_folder(module, file, hasattr(sys.modules[module], "__path__")) if isinstance(file, str) else None


def _foreign_modules() -> list[types.ModuleType]:
    """What is imported here from files that the counted process would not find. A module of a package that has a file
    goes with its package."""
    found = []
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        package = sys.modules.get(name.partition(".")[0]) if "." in name else None
        if name != "__main__" and isinstance(file, str) and getattr(package, "__file__", None) is None:
            if _foreign_folder(name, file, hasattr(module, "__path__")) is not None:
                found.append(module)
    return found


def _is_of(module: str, names: Container[str]) -> bool:
    """Whether a module is one of `names` or in a package that is."""
    while module not in names and "." in module:
        module = module.rpartition(".")[0]
    return module in names


def _extension_file(module: types.ModuleType) -> str | None:
    """The file of an extension module that its name doesn't lead to: one that was loaded from a path, as
    torch.utils.cpp_extension.load does."""
    file = getattr(module, "__file__", None)
    if not isinstance(file, str) or not file.endswith(".so"):
        return None
    found: Any = None
    with contextlib.suppress(ImportError, ValueError, AttributeError):
        path = None if "." not in module.__name__ else sys.modules[module.__name__.rpartition(".")[0]].__path__
        found = importlib.machinery.PathFinder.find_spec(module.__name__, path)
    is_found = found is not None and found.origin is not None and os.path.realpath(found.origin) == os.path.realpath(file)
    return None if is_found else os.path.realpath(file)


def _extension_of(function: object) -> types.ModuleType | None:
    """The extension module of a built-in function, where it was loaded from a file."""
    name = getattr(function, "__module__", None)
    if not isinstance(name, str):
        return None
    module = sys.modules.get(name)
    if module is None:  # never entered, as torch.utils.cpp_extension.load leaves it
        known = [one for one in gc.get_objects() if type(one) is types.ModuleType and one.__name__ == name]
        module = known[0] if known else None
    return module if module is not None and _extension_file(module) is not None else None


def _plain(value: object) -> bool:
    """Whether the plain pickle of `value` says all: nothing in it is defined by this session."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value) in (list, tuple, set, frozenset) and all(map(_plain, value))
    if isinstance(value, dict):
        return type(value) is dict and all(map(_plain, value)) and all(map(_plain, value.values()))
    return value is None or type(value) in (bool, int, float, complex, str, bytes)


class CannotSend(ValueError):
    """A value that can't be handed over; the text names it and the part of it that is in the way."""


_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    ((type(threading.Lock()), type(threading.RLock()), threading.Condition, threading.Semaphore, threading.Event), "a lock"),
    ((weakref.ref, weakref.WeakKeyDictionary, weakref.WeakValueDictionary, weakref.WeakSet), "a weak reference"),
    (types.GeneratorType, "a generator"), (types.CoroutineType, "a coroutine"), (types.FrameType, "a frame of the stack"),
    (threading.Thread, "a thread"), (io.IOBase, "an open file"),
)


def _reason(it: str, value: object, error: Exception) -> tuple[str, str]:
    """(why `value` can't be sent, what to do in `setup`). `it`: what the value is called."""
    if _is_compiled(value):
        return (f"{it} was made by `torch.compile`, and compiled code can't leave its process",
                "Compile it, and call it once so that it is compiled before the count,")
    if _is_on_device(value):
        return f"{it} is on {value.device}, and instructions are counted on the CPU", "Make it"  # type: ignore[attr-defined]
    for kinds, words in _KINDS:
        if isinstance(value, kinds):
            return f"{it} is {words}, which can't leave its process", "Make it"
    return f"{type(error).__name__}: {error}", "Make it"


def _is_of_a_kind(value: object) -> bool:
    return _is_compiled(value) or _is_on_device(value) or any(isinstance(value, kinds) for kinds, _ in _KINDS)


def _parts(value: Any, at: str) -> Iterator[tuple[str, Any]]:
    """What a value called `at` is made of: (what it is called, the part)."""
    if isinstance(value, (types.MethodType, types.BuiltinMethodType)):
        yield f"{at}.__self__", value.__self__
    elif isinstance(value, types.FunctionType):
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or ()):
            with contextlib.suppress(ValueError):  # a cell that is still empty
                yield name, cell.cell_contents
        for name in sorted(_global_names(value.__code__) & set(value.__globals__)):
            yield name, value.__globals__[name]
    elif isinstance(value, functools.partial):
        yield from ((f"{at}.func", value.func), (f"{at}.args", value.args), (f"{at}.keywords", value.keywords))
    elif isinstance(value, (list, tuple)):
        yield from ((f"{at}[{i}]", part) for i, part in enumerate(value))
    elif isinstance(value, dict):
        yield from ((f"{at}[{key!r}]", part) for key, part in value.items())
    elif not isinstance(value, (type, types.ModuleType)):
        yield from ((f"{at}.{name}", part) for name, part in getattr(value, "__dict__", {}).items())
        for kind in type(value).__mro__:
            slots = vars(kind).get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                    yield f"{at}.{name}", getattr(value, name)


def _refusal(name: str, value: object, error: Exception, called: Mapping[str, str]) -> CannotSend:
    """Names the innermost part of the value that can't be sent."""
    is_global = name not in called
    name = called.get(name, name)
    part, at, function = value, name, None
    seen = {id(part)}
    found = True
    while found and not _is_of_a_kind(part):
        found = False
        for at_inner, inner in _parts(part, at):
            if id(inner) in seen:
                continue
            seen.add(id(inner))
            try:
                _pickle(inner, (), set())
            except Exception as refused:
                function = part.__qualname__ if isinstance(part, types.FunctionType) else function
                found, at, part, error = True, at_inner, inner, refused
                break
    it = "it" if at == name else f"`{at}`" + (f", which `{function}` uses," if function else "")
    why, advice = _reason(it, part, error)
    if not is_global:
        return CannotSend(f"can't hand over `{name}` ({type(value).__name__}) to the process that is counted: {why}")
    return CannotSend(f"`collect_callgrind` can't hand over the global `{name}` ({type(value).__name__}) to the process that is "
                      f"counted: {why}. {advice} in `setup`, or leave it out of `globals`.")


def _is_script(value: object) -> bool:
    """Whether a value is a function or module of TorchScript."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, (torch.jit.ScriptFunction, torch.jit.ScriptModule))


def _is_compiled(value: object) -> bool:
    """Whether torch.compile made a function or module."""
    if isinstance(value, types.FunctionType):
        return "_torchdynamo_orig_callable" in vars(value)
    return type(value).__name__ == "OptimizedModule" and type(value).__module__ == "torch._dynamo.eval_frame"


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
    return found is not function or _is_of(module, whole)


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
                if _is_compiled(obj):
                    raise TypeError("compiled code is known to this process only")
                if not obj.__closure__ and _is_sent_whole(obj, whole):
                    return _reduce_function(obj, namespaces)
            if isinstance(obj, io.TextIOWrapper) and obj not in (sys.stdout, sys.stderr):
                raise TypeError("an open file is known to this process only")  # cloudpickle sends the text in it instead
            if _is_compiled(obj):
                raise TypeError("compiled code is known to this process only")
            if _is_script(obj):
                import torch

                modules.add("torch")
                file = io.BytesIO()
                torch.jit.save(obj, file)
                return _session().load_script, (torch.jit.load, file.getvalue())
            if isinstance(obj, types.ModuleType) and (path := _extension_file(obj)) is not None:
                return _session().load_extension, (obj.__name__, path)
            if isinstance(obj, types.BuiltinFunctionType) and (extension := _extension_of(obj)) is not None:
                return getattr, (extension, obj.__name__)
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


def _send(of_main: dict[str, Any], used: dict[str, Any], modules: set[str], called: Mapping[str, str]) -> tuple[bytes, str]:
    """(bytes, the text that loads them). ValueError that names the value which can't be sent. What they import is added to `modules`."""
    names = {module.__name__ for module in _foreign_modules()}
    whole = {"__main__", *names}
    simple = simple_values.encode((of_main, used), functools.partial(_is_sent_whole, whole=whole), _nameless, _global_names,
                                  lambda module: _is_of(module.__name__, names) or _extension_file(module) is not None)
    if simple is not None:
        modules |= simple[1]
        return simple[0], simple_values.LOADER.format(values=VALUES_NAME)
    return _pickle_all(of_main, used, modules, called), _LOADER


def _pickle_all(of_main: dict[str, Any], used: dict[str, Any], modules: set[str], called: Mapping[str, str]) -> bytes:
    """ValueError that names the value which can't be sent. What it imports is added to `modules`."""
    both = (of_main, used)
    for name, value in [*of_main.items(), *used.items()]:
        if _is_on_device(value):
            raise _refusal(name, value, TypeError("on a device"), called)
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
            raise _refusal(name, value, error, called) from None
    return _pickle(both, (), modules)


def pack(stmt: str, setup: str, values: Mapping[str, Any], before: Iterable[str] = (),
         called: Mapping[str, str] | None = None) -> Shipment:
    """The part of `values`, and of __main__, that the texts use. The texts of `before` run before the values are loaded.

    CannotSend naming a value that can't be handed over, as `called` has it where the user gave it no name.
    """
    texts = (stmt, setup)
    bound = {node.id for node in _nodes([setup]) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    used = {name: values[name] for name in sorted((names_in(*texts) - bound) & set(values))
            if name != "__builtins__" and not _is_torch(name, values[name])}
    main = vars(sys.modules["__main__"])
    of_main = {name: main[name] for name in sorted(_names_of_main(texts)) if name in main}
    modules = _imported_modules(texts)
    data, load = _send(of_main, used, modules, called or {}) if used or of_main else (b"", "")
    modules -= {_SESSION_MODULE, "__main__"}
    tops = {module.partition(".")[0] for module in modules}
    folders = sorted({folder for folder in map(_folder_of, modules) if folder is not None})
    needs_torch = "torch" in tops or "torch" in names_in(*texts)
    loader = "".join(f"{text}\n" for text in before) + load
    return Shipment(data, loader, tuple(folders), needs_torch)


def _is_torch(name: str, value: object) -> bool:
    return name == "torch" and value is sys.modules.get("torch")
