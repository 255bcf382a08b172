# Which files a Python stub server is made of once it serves, for harness/session_server, which watches them: started with
# the server's own flags and environment before it, with --torch where the server imports torch. One path a line: sources
# of modules, compiled modules, the folders that are searched and the files of settings in them.
import sys

sys.path[:] = [entry for entry in sys.path if entry]

import ctypes, gc, importlib.machinery, io, marshal, os, types  # as stub_server.py does

if "--torch" in sys.argv:
    import torch

paths = set()
for module in list(sys.modules.values()):
    file = getattr(module, "__file__", None)
    if isinstance(file, str):
        paths.add(file)
    try:
        folders = list(getattr(module, "__path__", ()))
    except Exception:
        folders = []
    paths.update(folder for folder in folders if isinstance(folder, str))
for folder in sys.path:
    paths.add(folder)
    if os.path.isdir(folder):
        paths.update(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith((".pth", "._pth")))
for prefix in (sys.prefix, sys.exec_prefix, os.path.dirname(sys.executable)):
    paths.add(os.path.join(prefix, "pyvenv.cfg"))
with open("/proc/self/maps") as maps:
    for line in maps:
        words = line.split(None, 5)
        if len(words) == 6 and words[5].startswith("/"):
            paths.add(words[5].rstrip("\n"))
for path in sorted(paths):
    if "\n" not in path:
        print("icount " + os.path.abspath(path))
