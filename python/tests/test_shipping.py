"""What of this session a counted process gets."""

import sys
import threading
import types
from collections import OrderedDict
from unittest import mock

import pytest

from icount import shipping


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


def test_an_open_file_is_refused_by_name():
    with open(__file__) as file, pytest.raises(ValueError, match="can't hand over the global `file`.*an open file"):
        shipping.pack("file.read()", "pass", {"file": file})


def test_what_cannot_be_sent_is_refused_by_name():
    with pytest.raises(ValueError, match="can't hand over the global `lock` \\(lock\\)"):
        shipping.pack("lock.acquire()", "pass", {"lock": threading.Lock()})


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
