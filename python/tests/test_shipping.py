"""What of this session a counted process gets."""

import functools
import importlib.util
import re
import shutil
import sys
import threading
import types
import weakref
from collections import OrderedDict
from unittest import mock

import pytest

from icount import shipping


# An extension module of the standard library that is a file of its own; which are differs.
EXTENSION = next((name for name in ("_queue", "_json", "_decimal", "_asyncio") if hasattr(importlib.import_module(name), "__file__")), "")


def loaded(shipment):
    """What the counted process makes of it: (names of its __main__, names of the statement)."""
    main = types.ModuleType("__main__")
    scope = {shipping.VALUES_NAME: shipment.data}
    with mock.patch.dict(sys.modules, {"__main__": main}):
        exec(shipment.loader, scope)
    return vars(main), scope


def test_only_what_the_texts_use_is_sent():
    shipment = shipping.pack("f(a)", "pass", {"a": 1, "unused": open(__file__), "f": abs})
    _, values = loaded(shipment)
    assert (values["a"], values["f"]) == (1, abs)
    assert "unused" not in values


def test_what_the_setup_makes_is_not_sent():
    assert shipping.pack("x + 1", "x = 2", {"x": object()}).data == b""


def test_functions_of_a_session_are_sent_whole(monkeypatch):
    main = types.ModuleType("__main__")
    exec("import math\nk = 2\nclass Point:\n    def __init__(self, x): self.x = x\n"
         "def f(p):\n    return math.sqrt(p.x) * k", main.__dict__)
    monkeypatch.setitem(sys.modules, "__main__", main)
    shipment = shipping.pack("f(Point(4))", "from __main__ import f, Point", {})
    del main.f, main.k
    of_main, _ = loaded(shipment)
    assert of_main["f"](of_main["Point"](4)) == 4
    assert of_main["f"].__code__.co_filename == "session"


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


def test_functions_without_a_closure_need_no_cloudpickle_there():
    shipment = shipping.pack("f(4)", "pass", {"f": even})
    assert b"cloudpickle" not in shipment.data
    assert "torch" not in shipping._LOADER  # it would be imported there, ten seconds of it
    copy = loaded(shipment)[1]["f"]
    assert copy(4) and not copy(3) and copy.__globals__ is not even.__globals__


scale = 3


def scaled(x, by=(1, 2)):
    return len(OrderedDict(a=x)) * threading.TIMEOUT_MAX * scale * by[1]


@pytest.mark.parametrize(("stmt", "values"), [
    ("x + y[0][1]['k']", {"x": 1, "y": [(None, {"k": 2.5})]}),
    ("f(1)", {"f": scaled}),
    ("f(g(4))", {"f": even, "g": abs}),
    ("t.get_ident() + C(a=1)['a']", {"t": threading, "C": OrderedDict}),
])
def test_simple_values_need_no_pickle_there(stmt, values):
    """Its import costs half a second under Valgrind."""
    shipment = shipping.pack(stmt, "pass", values)
    assert "pickle" not in shipment.loader
    _, there = loaded(shipment)
    assert eval(stmt, there) == eval(stmt, dict(values))


def test_one_object_under_two_names_stays_one():
    shared = [1]
    _, there = loaded(shipping.pack("a, b", "pass", {"a": shared, "b": {"k": shared}}))
    assert there["a"] is there["b"]["k"]
    function = even
    _, there = loaded(shipping.pack("a, b", "pass", {"a": function, "b": function}))
    assert there["a"] is there["b"]


def test_closures_are_sent():
    def outer(k):
        return lambda x: x * k

    _, values = loaded(shipping.pack("f(2)", "pass", {"f": outer(3)}))
    assert values["f"](2) == 6


class Store:
    def __init__(self):
        self.log = {"a": [threading.Lock()]}

    def save(self):
        return self.log


class Cache:
    __slots__ = ("owner",)

    def __init__(self, owner):
        self.owner = weakref.ref(owner)


def locked(store):
    return lambda: store.log


def refused_values():
    store = Store()
    yield "lock", threading.Lock(), "`x` (lock) .*: it is a lock"
    yield "attribute", store, "`x` (Store) .*: `x.log['a'][0]` is a lock"
    yield "method", store.save, "`x` (method) .*: `x.__self__.log['a'][0]` is a lock"
    yield "partial", functools.partial(len, store), "`x` (partial) .*: `x.args[0].log['a'][0]` is a lock"
    yield "closure", locked(store), "`x` (function) .*: `store.log['a'][0]`, which `locked.<locals>.<lambda>` uses, is a lock"
    yield "slot", Cache(store), "`x` (Cache) .*: `x.owner` is a weak reference"
    yield "element", [1, {"k": (i for i in ())}], "`x` (list) .*: `x[1]['k']` is a generator"
    with open(__file__) as file:
        yield "file", file, "`x` (TextIOWrapper) .*: it is an open file"
        yield "method of a file", file.read, "`x` (builtin_function_or_method) .*: `x.__self__` is an open file"


@pytest.mark.parametrize(("value", "words"), [pytest.param(*rest, id=name) for name, *rest in refused_values()])
def test_what_cannot_be_sent_is_refused_by_name(value, words):
    pattern = re.escape(f"can't hand over the global {words}").replace(re.escape(".*"), ".*")
    with pytest.raises(shipping.CannotSend, match=pattern) as caught:
        shipping.pack("x()", "pass", {"x": value})
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_a_name_that_the_user_did_not_write_is_not_spoken_of():
    with pytest.raises(shipping.CannotSend, match="^can't hand over `Store.save` \\(method\\) [^_]*`Store.save.__self__.log.*a lock, which"):
        shipping.pack("_function()", "", {"_function": Store().save}, called={"_function": "Store.save"})


def test_bound_methods_are_sent():
    store = Store()
    store.log = {"a": 1}
    assert loaded(shipping.pack("f()", "pass", {"f": store.save}))[1]["f"]() == {"a": 1}


@pytest.mark.skipif(not EXTENSION, reason="the standard library has no extension module of its own here")
def test_an_extension_module_of_a_file_is_loaded_from_it(tmp_path):
    path = shutil.copy(importlib.import_module(EXTENSION).__file__, tmp_path)
    spec = importlib.util.spec_from_file_location(EXTENSION, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    shipment = shipping.pack("m, f()", "pass", {"m": module, "f": lambda: module})
    assert shipment.folders == ()
    _, there = loaded(shipment)
    assert there["m"].__file__ == path and there["m"] is not module and there["f"]() is there["m"]
    by_name = shipping.pack("m", "pass", {"m": importlib.import_module(EXTENSION)})
    assert loaded(by_name)[1]["m"] is sys.modules[EXTENSION]


@pytest.mark.filterwarnings("ignore:.torch.jit")
def test_values_of_torch():
    torch = pytest.importorskip("torch")
    script = torch.jit.script(torch.nn.Linear(2, 2))
    function = torch.jit.trace(torch.sin, torch.ones(1))
    module = torch.nn.Sequential(torch.nn.Linear(2, 2))
    x = torch.ones(2)
    shipment = shipping.pack("s(x), f(x), m(x)", "pass", {"s": script, "f": function, "m": module, "x": x})
    assert shipment.needs_torch
    _, there = loaded(shipment)
    assert there["s"] is not script and torch.equal(there["s"](x), script(x))
    assert torch.equal(there["f"](x), x.sin()) and torch.equal(there["m"](x), module(x))
    for value in torch.compile(lambda y: y + 1), torch.compile(module):
        with pytest.raises(shipping.CannotSend, match="`torch.compile`.*Compile it, and call it once .*in `setup`"):
            shipping.pack("c(x)", "pass", {"c": value, "x": x})


def test_a_module_of_pytests_import_mode_importlib(tmp_path, monkeypatch):
    """Its package has no file, and its folder is not on the path."""
    (tmp_path / "bench").mkdir()
    file = tmp_path / "bench" / "test_it.py"
    file.write_text("def f(): return 1\ndef g(): return lock\n")
    for name in "bench", "bench.test_it":
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    spec = importlib.util.spec_from_file_location("bench.test_it", file)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "bench.test_it", module)
    spec.loader.exec_module(module)
    sent = shipping.pack("f()", "pass", {"f": module.f})
    assert sent.folders == () and loaded(sent)[1]["f"]() == 1
    module.lock = threading.Lock()
    assert shipping.pack("g()", "pass", {"g": module.g}).folders == (str(tmp_path.resolve()),)


def test_folders_of_modules_that_the_interpreter_would_not_find(tmp_path, monkeypatch):
    (tmp_path / "my_module.py").write_text("def f(): return 1\ndef g(): return lock\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import my_module

    sent = shipping.pack("f()", "pass", {"f": my_module.f})  # whole, for a warm server can't import from there
    assert sent.folders == () and b"my_module" not in loaded(sent)[1]["f"].__code__.co_filename.encode()
    my_module.lock = threading.Lock()
    assert shipping.pack("g()", "pass", {"g": my_module.g}).folders == (str(tmp_path.resolve()),)
    assert shipping.pack("my_module.f()", "import my_module", {}).folders == (str(tmp_path.resolve()),)
    assert shipping.pack("json.dumps(1)", "import json", {}).folders == ()
