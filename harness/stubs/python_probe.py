# Asked of an interpreter before it is used, natively: what it is, whether it has what the server needs, whether torch can
# be imported when asked for. Imports what the server imports, so that byte code lies in the caches by then. --find-torch tells
# what that answer depends on instead, in a fortieth of the time. Answers JSON.
# Written for old interpreters too: they are to be refused in words.
import sys

facts = {
    "implementation": sys.implementation.name if hasattr(sys, "implementation") else "unknown",
    "version": "%d.%d.%d" % sys.version_info[:3],
    "minor": sys.version_info[1] if sys.version_info[0] == 3 else 0,
    "build": " ".join(sys.version.split()),
    "executable": sys.executable,
    "missing": "",
    "torch": "",
    "torch_error": "",
    "torch_facts": "",
}


def describe_torch():
    """What decides whether torch can be imported, and as which version: its files, the folders searched, the interpreter, the
    environment. Empty where there is none."""
    import importlib.util

    spec = importlib.util.find_spec("torch")
    if spec is None or not spec.origin:
        return ""
    home = os.path.dirname(spec.origin)
    files = [sys.executable, os.path.realpath(sys.executable)]
    for folder in (home, os.path.join(home, "lib")):
        files += [os.path.join(folder, name) for name in (sorted(os.listdir(folder)) if os.path.isdir(folder) else [])]
    stats = [os.stat(name) for name in files if os.path.exists(name)]
    searched = [[folder, sorted(os.listdir(folder)) if os.path.isdir(folder) else None] for folder in sys.path]
    environment = sorted((name, value) for name, value in os.environ.items() if name.startswith(("PYTHON", "LD_", "TORCH")))
    return json.dumps([facts["build"], files, [(s.st_size, s.st_mtime_ns) for s in stats], searched, environment])


try:
    import ctypes, gc, io, json, marshal, os, types
    ctypes.pythonapi.PyCFunction_NewEx
except (ImportError, AttributeError) as error:
    facts["missing"] = str(error)
if "--find-torch" in sys.argv and not facts["missing"]:
    try:
        facts["torch_facts"] = describe_torch()
    except Exception:
        pass  # then it is imported
if "--torch" in sys.argv:
    try:
        import torch
        facts["torch"] = str(torch.__version__)
    except BaseException as error:
        facts["torch_error"] = "%s: %s" % (type(error).__name__, error)
import json
sys.stdout.write("\nicount " + json.dumps(facts) + "\n")
