"""Values that the counted process can read without `pickle`, whose import costs half a second under Valgrind.

Plain values, modules, what modules define, and functions without a closure whose globals are such values, by `marshal`. encode() says None for anything
else, which icount.shipping then pickles.
"""

from __future__ import annotations

import marshal
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_MARSHAL_VERSION = 2  # without references, whose presence follows from reference counts

# Runs in the counted process, compiled beforehand. A function's globals are filled in when all functions are there.
LOADER = """\
import builtins as _icount_builtins, marshal as _icount_marshal, sys as _icount_sys, types as _icount_types
_icount_functions, _icount_both = _icount_marshal.loads({values})
_icount_scopes = {{}}
_icount_made = [_icount_types.FunctionType(_icount_marshal.loads(_icount_row[0]), _icount_scopes.setdefault(_icount_row[1],
    {{"__builtins__": _icount_builtins, "__name__": "session"}})) for _icount_row in _icount_functions]
def _icount_decode(pair):
    kind, value = pair
    if kind == "function":
        return _icount_made[value]
    if kind == "module":
        __import__(value)
        return _icount_sys.modules[value]
    if kind == "name":
        __import__(value[0])
        found = _icount_sys.modules[value[0]]
        for part in value[1].split("."):
            found = getattr(found, part)
        return found
    return value
for _icount_function, _icount_row in zip(_icount_made, _icount_functions):
    (_icount_function.__name__, _icount_function.__qualname__, _icount_function.__defaults__, _icount_function.__kwdefaults__) = _icount_row[2]
    _icount_function.__dict__.update(_icount_row[3])
    for _icount_name, _icount_value in _icount_row[4].items():
        _icount_function.__globals__[_icount_name] = _icount_decode(_icount_value)
_icount_main, {values} = [{{_icount_name: _icount_decode(_icount_value) for _icount_name, _icount_value in _icount_part.items()}}
    for _icount_part in _icount_both]
vars(_icount_sys.modules["__main__"]).update(_icount_main)
globals().update({values})
"""


class _NotSimple(Exception):
    pass


class _Encoder:
    def __init__(self, is_sent_whole: Callable[[types.FunctionType], bool], nameless: Callable[[types.CodeType], types.CodeType],
                 names_of: Callable[[types.CodeType], set[str]], is_foreign: Callable[[types.ModuleType], bool]) -> None:
        self._is_sent_whole = is_sent_whole
        self._nameless = nameless
        self._names_of = names_of
        self._is_foreign = is_foreign
        self._containers: dict[int, Any] = {}  # held, so that no other gets the same id
        self._scopes: dict[int, int] = {}
        self._at: dict[int, int] = {}
        self.functions: list[tuple[Any, ...]] = []
        self.modules: set[str] = set()

    def encode(self, value: Any) -> tuple[str, Any]:
        if isinstance(value, types.FunctionType) and self._is_sent_whole(value):
            return ("function", self._function(value))
        if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
            return ("name", self._name(value))
        if isinstance(value, types.ModuleType):
            self._import(value)
            return ("module", value.__name__)
        return ("value", self._plain(value))

    def _import(self, module: types.ModuleType) -> None:
        if module.__name__ == "__main__" or sys.modules.get(module.__name__) is not module or self._is_foreign(module):
            raise _NotSimple
        self.modules.add(module.__name__)

    def _name(self, value: Any) -> tuple[str, str]:
        """Where a function or class of a module is found again."""
        module, name = getattr(value, "__module__", None) or "", value.__qualname__
        found: Any = sys.modules.get(module)
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is not value:
            raise _NotSimple
        self._import(sys.modules[module])
        return (module, name)

    def _plain(self, value: Any) -> Any:
        if value is None or type(value) in (bool, int, float, complex, str, bytes):
            return value
        if type(value) not in (list, tuple, dict):  # the order of a set is the process's own
            raise _NotSimple
        if type(value) is not tuple and id(value) in self._containers:
            raise _NotSimple  # one object under two names, which would become two
        self._containers[id(value)] = value
        for part in (*value, *value.values()) if type(value) is dict else value:
            self._plain(part)
        return value

    def _function(self, function: types.FunctionType) -> int:
        if id(function) in self._at:
            return self._at[id(function)]
        if function.__closure__:
            raise _NotSimple
        at = self._at[id(function)] = len(self.functions)
        self.functions.append(())
        scope = function.__globals__
        used = {name: self.encode(scope[name]) for name in sorted(self._names_of(function.__code__))
                if name in scope and name != "__builtins__"}
        told = (function.__name__, function.__qualname__, self._plain(function.__defaults__), self._plain(function.__kwdefaults__))
        self.functions[at] = (marshal.dumps(self._nameless(function.__code__), _MARSHAL_VERSION),
                              self._scopes.setdefault(id(scope), len(self._scopes)), told, self._plain(dict(function.__dict__)), used)
        return at


def encode(both: Iterable[Mapping[str, Any]], is_sent_whole: Callable[[types.FunctionType], bool],
           nameless: Callable[[types.CodeType], types.CodeType], names_of: Callable[[types.CodeType], set[str]],
           is_foreign: Callable[[types.ModuleType], bool]) -> tuple[bytes, set[str]] | None:
    """(bytes for LOADER, modules that it imports); None where a value is not simple. `is_foreign`: can't be imported there."""
    encoder = _Encoder(is_sent_whole, nameless, names_of, is_foreign)
    try:
        told = [{name: encoder.encode(value) for name, value in part.items()} for part in both]
        return marshal.dumps((encoder.functions, told), _MARSHAL_VERSION), encoder.modules
    except (_NotSimple, RecursionError, ValueError):
        return None
