# Statements -> plan: compiles Python statements to code objects, outside Valgrind, with the interpreter that will run
# them. Reads JSON on standard input, writes the plan to the path given, says on standard output (JSON) what did not
# compile. The plan: number of benchmarks, 0, then (offset, size) of the empty benchmark and of each other one (64-bit
# little endian), then the records, marshalled: (setup_offset, global_code, code, globals). Needs Python 3.9.
import ast
import base64
import json
import marshal
import struct
import sys

UNIT = 100  # the ancestor's: a loop of unrolled hundreds, the remainder after it

# Everything between two calls of _icount_next() is the region: its cost without the statement is the baseline.
FRAME = """
def _icount_benchmark(_icount_next):
    while True:
        _icount_n = _icount_next()
        if _icount_n >= 0:
            pass
        elif _icount_n > -9223372036854775808:
            for _icount_i in range(-_icount_n): pass
        else:
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


def repeat(statement, number):
    loops, rest = divmod(number, UNIT)
    if loops == 1:  # a single loop is flattened
        loops, rest = 0, number
    block = []
    if loops:
        loop = parse("for _icount_i in range(%d): pass" % loops, "stmt")[0]
        loop.body = statement * UNIT
        block.append(loop)
    return block + statement * rest


def choose(statement, numbers):
    """if _icount_n == A: its unrolled block, elif ..., else a plain loop for a number that was not foreseen."""
    loop = parse("for _icount_i in range(_icount_n): pass", "stmt")
    loop[0].body = statement
    chain = loop
    for number in reversed(numbers):
        branch = parse("if _icount_n == %d: pass" % number, "stmt")
        branch[0].body = repeat(statement, number)
        branch[0].orelse = chain
        chain = branch
    return chain


def compile_benchmark(setup, statement, numbers):
    """(setup_offset, code): lines of set-up are numbered after those of the statement, for they share one code object."""
    lines = max([1] + [node.end_lineno for node in statement])
    hoist = GlobalNames()
    holder = ast.Module(body=[hoist.visit(ast.increment_lineno(node, lines)) for node in setup], type_ignores=[])
    statement = [hoist.visit(node) for node in statement] or parse("pass", "stmt")
    frame = ast.parse(FRAME, "stmt")
    function = frame.body[0]
    loop = function.body[0]
    warmup = loop.body[1].orelse[0]
    warmup.body[0].body = statement
    loop.body[1].body = choose(statement, numbers)
    function.body = ([ast.copy_location(ast.Global(names=hoist.names), loop)] if hoist.names else []) + holder.body + [loop]
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
    data = base64.b64decode(text)
    return data if kind == "bytes" else data.decode("utf-8", "surrogateescape")


def make_record(item, numbers):
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
    offset, code = compile_benchmark(setup, statement, numbers)
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


def main():
    request = json.load(sys.stdin)
    empty = {"stmt": "pass", "setup": "", "global_setup": "", "backward": "", "globals": []}
    records, failures = [make_record(empty, request["numbers"])], []
    for index, item in enumerate(request["statements"]):
        if item is None:  # another server's
            records.append(b"")
            continue
        try:
            records.append(make_record(item, request["numbers"]))
        except (SyntaxError, ValueError, TypeError, OSError, RecursionError, MemoryError, OverflowError) as error:
            line, details = describe(error)
            records.append(b"")
            failures.append({"statement": index, "error": line, "details": details})
    offset = 16 + 16 * len(records)
    with open(sys.argv[1], "wb") as plan:
        plan.write(struct.pack("<QQ", len(records) - 1, 0))
        for record in records:
            plan.write(struct.pack("<QQ", offset, len(record)))
            offset += len(record)
        plan.write(b"".join(records))
    json.dump({"failures": failures}, sys.stdout)


main()
