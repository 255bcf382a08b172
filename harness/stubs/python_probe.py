# Asked of an interpreter before it is used, natively: what it is, whether it has what the server needs, whether torch can
# be imported when asked for. Imports what the server imports, so that byte code lies in the caches by then. Answers JSON.
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
}
try:
    import ctypes, gc, io, json, marshal, os, types
    ctypes.pythonapi.PyCFunction_NewEx
except (ImportError, AttributeError) as error:
    facts["missing"] = str(error)
if "--torch" in sys.argv:
    try:
        import torch
        facts["torch"] = str(torch.__version__)
    except BaseException as error:
        facts["torch_error"] = "%s: %s" % (type(error).__name__, error)
import json
sys.stdout.write("\nicount " + json.dumps(facts) + "\n")
