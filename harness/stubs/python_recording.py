# What harness/python_stub adds to stub_server.py for servers that record Python calls (docs/python_statements.md):
# CPython's perf trampoline gives each Python function machine code of its own, which Callgrind sees, and each child
# tells which function lies at which address. Needs CPython 3.12.


BENCHMARK = "_icount_benchmark"  # of python_compile.py: set-up and statement


def word(text):
    """A word of the stub protocol (docs/stub_protocol.md)."""
    data = text.encode("utf-8", "backslashreplace")[:700]
    return "".join(chr(b) if 32 < b < 127 and b not in b"\\=" else "\\x%02x" % b for b in data) or "?"


def start_recording(seen):
    """Adds the code of each function to `seen` when it first starts; returns the index of its trampoline's address."""
    request = ctypes.pythonapi.PyUnstable_Eval_RequestCodeExtraIndex
    request.restype, request.argtypes = ctypes.c_ssize_t, [ctypes.c_void_p]
    index = request(None) + 1  # the trampoline takes the next one
    sys.activate_stack_trampoline("perf")
    try:  # the interpreter's own list of addresses has no lines; code objects tell all
        os.unlink("/tmp/perf-%d.map" % os.getpid())
    except OSError:
        pass
    monitoring = sys.monitoring

    def note(code, offset):
        seen.append(code)
        return monitoring.DISABLE  # once for each function, mostly in the warm-up

    tool = next(tool for tool in range(5, -1, -1) if monitoring.get_tool(tool) is None)
    monitoring.use_tool_id(tool, "icount")
    monitoring.register_callback(tool, monitoring.events.PY_START, note)
    monitoring.set_events(tool, monitoring.events.PY_START)
    return index


def tell_functions(seen, index, setup_offset):
    address_of = ctypes.pythonapi.PyUnstable_Code_GetExtra
    address_of.argtypes = [ctypes.py_object, ctypes.c_ssize_t, ctypes.POINTER(ctypes.c_void_p)]
    address = ctypes.c_void_p()
    for code in seen:
        file, line = code.co_filename, code.co_firstlineno
        if file == "stub_server.py" or address_of(code, index, ctypes.byref(address)) != 0 or not address.value:
            continue
        name = code.co_qualname
        if file == "stmt" and name == BENCHMARK:
            name, line = "stmt", 1
        elif file == "stmt":
            name = name[len(BENCHMARK + ".<locals>."):] if name.startswith(BENCHMARK + ".") else name
            if line > setup_offset:
                file, line = "setup", line - setup_offset
        library.icount_tell_function(("%x %d %s %s" % (address.value, line, word(file), word(name))).encode())


def run_recorded(record, run=run):
    run(record)
    if problem:
        library.icount_tell_function(("0 0 ? " + word(problem)).encode())
    else:
        tell_functions(seen, index, marshal.loads(record)[0])


# In the server, once: its children find all of it in their memory.
library.icount_tell_function.argtypes = [ctypes.c_char_p]
seen, index, problem = [], 0, ""
try:
    index = start_recording(seen)
except (ValueError, OSError, AttributeError, StopIteration) as error:  # no trampoline on this machine
    problem = "%s: %s" % (type(error).__name__, error)
run = run_recorded
