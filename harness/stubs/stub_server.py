# The Python half of the Python stub server. Started by harness/python_stub as
#     python [-P] -s -B -S -c BOOTSTRAP [--torch] --icount-serve
# with open descriptors: this text (5), the library made of python_server.cc (6), the plan made by python_compile.py (7),
# the folder that the interpreter is started from (8). Descriptors, because a path would lie in the heap and move counts;
# the folders that statements import from are descriptors, too, from 9 on. Needs Python 3.9.
import sys

# Without -P (before 3.11) the first entry is the working directory, whose content must not matter.
sys.path[:] = [entry for entry in sys.path if entry]

import _frozen_importlib_external


class EveryName:
    def __contains__(self, name):
        return True


def list_nothing(finder):
    """In place of FileFinder's list of its folder: files that no statement asks for must not matter to the heap. Each
    name is asked of the system instead."""
    finder._path_cache = EveryName()


_frozen_importlib_external.FileFinder._fill_cache = list_nothing
sys.path_importer_cache.clear()

import ctypes
import gc
import importlib.machinery
import io
import marshal
import os
import types

LIBRARY, PLAN, FOLDERS = 6, 7, 9
OPEN_FOLDER = "/proc/self/fd/%d"
TEXT_NAMES = ("stmt", "setup", "global_setup", "globals")


def describe(error, setup_offset):
    """An exception in one line, with the user's own line when it passed through the user's text."""
    place = ""
    step = error.__traceback__
    while step is not None:
        name, line = step.tb_frame.f_code.co_filename, step.tb_lineno
        if name == "stmt" and line > setup_offset:
            name, line = "setup", line - setup_offset
        if name in TEXT_NAMES and line:
            place = " (%s:%d)" % (name, line)
        step = step.tb_next
    try:
        text = str(error)
    except BaseException:
        text = ""
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else kind.__module__ + "." + kind.__qualname__
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1:  # the whole message goes with what the statement printed
        print(text, file=sys.stderr, flush=True)
        lines = [lines[0] + " ... " + lines[-1]]
    return name + "".join(": " + line for line in lines) + place


def load_tensor(data):
    """A tensor written by LibTorch's torch::save (a TorchScript archive) or torch::pickle_save, or by Python's torch.save."""
    if b"/constants.pkl" in data:
        module = torch.jit.load(io.BytesIO(data))
        return dict(list(module.named_parameters()) + list(module.named_buffers()))["0"].detach()
    return torch.load(io.BytesIO(data))


def load_globals(scope, values):
    for name, kind, value, code in values:
        if code is not None:
            exec(code, scope)
        if kind == "tensor":
            value = load_tensor(value)
        elif kind == "module":
            value = torch.jit.load(io.BytesIO(value))
        scope[name] = value


def set_threads(threads):
    if "--torch" in sys.argv:
        torch.set_num_threads(threads)


def run(record):
    """One benchmark, in the child: called once by the library, which ends the process afterwards."""
    gc.disable()
    setup_offset, global_code, code, values = marshal.loads(record)
    scope = {"__name__": "icount_statement", "__builtins__": __builtins__}
    try:
        if "--torch" in sys.argv:
            scope["torch"] = torch
        load_globals(scope, values)
        if global_code is not None:
            exec(global_code, scope)
        types.FunctionType(code, scope)(next_phase)
    except SystemExit as error:
        sys.stdout.flush()
        status = error.code
        if status is not None and not isinstance(status, int):
            print(status, file=sys.stderr, flush=True)
            status = 1
        os._exit((status or 0) & 255)
    except BaseException as error:
        text = describe(error, setup_offset)
        sys.stdout.flush()
        library.icount_threw(text.encode("utf-8", "replace"))
    sys.stdout.flush()


class SourceOfNow(importlib.machinery.SourceFileLoader):
    """Compiles a module anew: whether a .pyc lies beside it must not matter to the heap."""

    def path_stats(self, path):
        raise OSError


def find_in_folder(path):
    if not path.startswith(OPEN_FOLDER[:-2]):
        raise ImportError
    machinery = importlib.machinery
    return machinery.FileFinder(path, (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
                                (SourceOfNow, machinery.SOURCE_SUFFIXES))


def list_settings(folder="."):
    """os.listdir while modules are imported: of a folder that they lie in what site and importlib.metadata look for."""
    if folder not in sys.path:
        return listdir(folder)
    text = library.icount_list_settings(os.fsencode(folder))
    return os.fsdecode(text).split("/") if text else []


def find_real_path(filename, **how):
    """os.path.realpath, but for what lies in a folder of ours, whose place must not matter to the heap: `inspect` keeps such
    a path of each module."""
    path = os.fspath(filename)
    if isinstance(path, str) and path.startswith(OPEN_FOLDER[:-2]):
        return os.path.normpath(path)
    return realpath(filename, **how)


def compile_module(loader):
    """In a process of its own, where there is no byte code of the module."""
    stats = loader.path_stats(loader.path)
    code = loader.source_to_code(loader.get_data(loader.path), loader.path)
    return bytes(_frozen_importlib_external._code_to_timestamp_pyc(code, int(stats["mtime"]), stats["size"]))


def read_bytecode(loader, path):
    """In place of FileLoader.get_data: where byte code was made, and whether there is any, must not matter to the heap."""
    data = b""
    if path.endswith(".pyc") and path != loader.path:
        data = library.icount_read_bytecode(os.fsencode(path), os.fsencode(loader.path), lambda: compile_module(loader),
                                            sys.version_info[1])
    return data or get_data(loader, path)


library = ctypes.PyDLL("/proc/self/fd/%d" % LIBRARY)
library.icount_make_next_phase.restype = library.icount_read_bytecode.restype = ctypes.py_object
library.icount_read_bytecode.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.py_object, ctypes.c_int]
library.icount_serve.argtypes = [ctypes.py_object, ctypes.py_object, ctypes.c_int]
library.icount_threw.argtypes = library.icount_list_settings.argtypes = [ctypes.c_char_p]
library.icount_list_settings.restype = ctypes.c_char_p

get_data = _frozen_importlib_external.FileLoader.get_data
_frozen_importlib_external.FileLoader.get_data = read_bytecode

# Not before this text (-S): it lists folders.
import site

listdir, os.listdir = os.listdir, list_settings
realpath, os.path.realpath = os.path.realpath, find_real_path
site.main()
folders, here = divmod(library.icount_open_folders(PLAN, FOLDERS), 2)
if folders:
    sys.path_hooks.insert(0, find_in_folder)
    opened = [OPEN_FOLDER % (FOLDERS + i) for i in range(folders)]
    if here:  # behind the standard library, which a stray file of such a name must not hide, before what is installed
        packages = [i for i, entry in enumerate(sys.path) if entry.endswith("-packages")]
        at = packages[0] if packages else len(sys.path)
        sys.path[at:at] = [opened.pop()]
    sys.path[:0] = opened

if "--torch" in sys.argv:
    import torch

    torch.set_num_threads(1)

os.listdir = listdir
next_phase = library.icount_make_next_phase()


def serve():
    # Everything alive now belongs to all children: no collection looks at it again.
    gc.collect()
    gc.freeze()
    library.icount_serve(run, set_threads, PLAN)


serve()
