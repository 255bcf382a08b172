# Statements -> plan: compiles Python statements to code objects, outside Valgrind, with the interpreter that will run
# them. Reads JSON on standard input, writes the plan to the path given, says on standard output (JSON) what did not
# compile and which folders statements import from. The plan: number of benchmarks, runs in one loop of a block (0: a
# block is a loop of single runs), loops of a block, (offset, size) of the folders, then of the empty benchmark and of
# each other one (64-bit little endian), then the folders, each ended by NUL (the current one begins with "here:"), and
# the records, marshalled: (setup_offset, global_code, code, globals). Needs Python 3.9.
import ast
import base64
import json
import importlib.machinery
import marshal
import os
import struct
import sys

UNIT = 100  # PyTorch's: a loop of unrolled hundreds, the remainder after it

# Everything between two calls of _icount_next() is the region: its cost without the statement is the baseline. Warm-up
# and region are the same block, for the interpreter (3.11 and later) adapts each instruction of it by itself. Its first
# version does so only in code that has jumped back eight times: the loop in front of all.
FRAME = """
def _icount_benchmark(_icount_next):
    for _icount_i in range(16): pass
    while True:
        _icount_n = _icount_next()
        if _icount_n < 0:
            break
"""


def parse(text, name):
    return ast.parse(text, name).body


def check_alone(nodes, name):
    """What only the compiler finds (break outside a loop) is found in the user's text, not in what it is pasted into."""
    function = ast.parse("def _icount_check(): pass").body[0]
    function.body = nodes
    compile(ast.Module(body=[function], type_ignores=[]), name, "exec")


class GlobalNames(ast.NodeTransformer):
    """Takes `global` declarations out of the function's own scope: a repeated one is a syntax error after its first use."""

    def __init__(self):
        self.names = []

    def visit_Global(self, node):
        self.names += [name for name in node.names if name not in self.names]
        return ast.copy_location(ast.Pass(), node)

    def visit_inner_scope(self, node):
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_inner_scope


def loop_of(statements):
    loop = parse("for _icount_i in range(_icount_n): pass", "stmt")[0]
    loop.body = statements
    return loop


def make_block(statement, number):
    """(block, runs in one loop of it). Number 0: any number of runs, told by _icount_n."""
    if not number:
        return [loop_of(statement)], 0
    if number < 2 * UNIT:  # a single loop is flattened
        return statement * number, number
    return [loop_of(statement * UNIT)] + statement * (number % UNIT), UNIT


def compile_benchmark(setup, statement, number):
    """(setup_offset, code): lines of set-up are numbered after those of the statement, for they share one code object."""
    lines = max([1] + [node.end_lineno for node in statement])
    hoist = GlobalNames()
    holder = ast.Module(body=[hoist.visit(ast.increment_lineno(node, lines)) for node in setup], type_ignores=[])
    statement = [hoist.visit(node) for node in statement] or parse("pass", "stmt")
    frame = ast.parse(FRAME, "stmt")
    function = frame.body[0]
    ticks, loop = function.body
    loop.body += make_block(statement, number)[0]
    function.body = [ticks] + ([ast.copy_location(ast.Global(names=hoist.names), loop)] if hoist.names else []) + holder.body + [loop]
    module = compile(ast.fix_missing_locations(frame), "stmt", "exec", dont_inherit=True)
    return lines, next(code for code in module.co_consts if hasattr(code, "co_code"))


def compile_text(text, name):
    return compile(text, name, "exec", dont_inherit=True) if text.strip() else None


def load_value(kind, text, path):
    if kind in ("tensor", "module"):
        with open(path, "rb") as file:
            return file.read()
    if kind == "int":
        return int(text)
    if kind == "float":
        return float(text)
    if kind == "bool":
        return text == "true"
    if kind == "json":
        return json.loads(text)
    data = base64.b64decode(text)
    return data if kind == "bytes" else data.decode("utf-8", "surrogateescape")


def make_record(item, number):
    values = tuple(
        (value["name"], value["kind"], load_value(value["kind"], value["value"], value.get("path")),
         compile_text(value["setup"], "globals"))
        for value in item["globals"])
    global_code = compile_text(item["global_setup"], "global_setup")
    setup = parse(item["setup"], "setup")
    check_alone(setup or parse("pass", "setup"), "setup")
    statement = parse(item["stmt"], "stmt")
    check_alone(statement or parse("pass", "stmt"), "stmt")
    if item["backward"]:
        statement = statement + parse(item["backward"] + ".backward()", "stmt")
    offset, code = compile_benchmark(setup, statement, number)
    # Version 2 writes values alone; later ones also note which objects happened to be shared while compiling.
    return marshal.dumps((offset, global_code, code, values), 2)


def describe(error):
    """("stmt:1:5: invalid syntax", the whole message), in the user's own lines."""
    if not isinstance(error, SyntaxError):
        return "%s: %s" % (type(error).__name__, error), ""
    place = "%s:%s:%s" % (error.filename or "stmt", error.lineno or 1, error.offset or 1)
    details = ""
    if error.text is not None:
        shown = error.text.rstrip("\n")
        details = "%s: %s\n    %s\n    %s^" % (place, error.msg, shown, " " * max(0, (error.offset or 1) - 1))
    return "%s: %s" % (place, error.msg), details


def imported_names(text):
    """Top-level modules that a text imports, or may import by a name in a string."""
    names = set()
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return names
    for node in nodes:
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module.split(".")[0])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "import" in text:
            names.add(node.value.split(".")[0])
    return names


def find_here(request):
    """The current folder when a statement imports what lies there; else an empty text."""
    here = request["here"]
    if here and here not in request["path"]:
        names = set()
        for item in request["statements"]:
            if item is not None:
                for text in (item["stmt"], item["setup"], item["global_setup"], *(v["setup"] for v in item["globals"])):
                    names |= imported_names(text)
        finder = importlib.machinery.PathFinder
        names -= set(sys.builtin_module_names)
        names -= getattr(sys, "stdlib_module_names", frozenset())
        if any(name.isidentifier() and finder.find_spec(name, [here]) for name in names):
            return here
    return ""


def main():
    request = json.load(sys.stdin)
    number = request["number"]
    empty = {"stmt": "pass", "setup": "", "global_setup": "", "backward": "", "globals": []}
    records, failures = [make_record(empty, number)], []
    for index, item in enumerate(request["statements"]):
        if item is None:  # another server's
            records.append(b"")
            continue
        try:
            records.append(make_record(item, number))
        except (SyntaxError, ValueError, TypeError, OSError, RecursionError, MemoryError, OverflowError) as error:
            line, details = describe(error)
            records.append(b"")
            failures.append({"statement": index, "error": line, "details": details})
    here = find_here(request)
    folders = request["path"] + ["here:" + here] * bool(here)
    parts = [b"".join(os.fsencode(folder) + b"\0" for folder in folders)] + records
    offset = 24 + 16 * len(parts)
    unit = make_block([], number)[1]
    with open(sys.argv[1], "wb") as plan:
        plan.write(struct.pack("<QQQ", len(records) - 1, unit, number // unit if unit else 0))
        for part in parts:
            plan.write(struct.pack("<QQ", offset, len(part)))
            offset += len(part)
        plan.write(b"".join(parts))
    json.dump({"failures": failures, "folders": request["path"] + [here] * bool(here)}, sys.stdout)


main()
