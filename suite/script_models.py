"""Scripts and saves models: reads [{"source", "file", "target"}, ...] from standard input, answers one JSON line each.

The source goes to a real file and is imported, because torch.jit.script reads the text of functions and classes from
their file. Started by suite/python_torch.cc.
"""
import importlib.util
import io
import json
import os
import sys
import zipfile

import torch


def without_places(archive):
    """Less its notes on where sources lie: what loading it costs depends on their length."""
    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as whole, zipfile.ZipFile(kept, "w") as less:
        for entry in whole.infolist():
            if not entry.filename.endswith(".debug_pkl"):
                less.writestr(zipfile.ZipInfo(entry.filename), whole.read(entry))
    return kept.getvalue()


def save(model):
    with open(model["file"], "w", encoding="utf-8") as file:
        file.write("import torch\n" + model["source"] + "\n")
    name = os.path.splitext(os.path.basename(model["file"]))[0]
    spec = importlib.util.spec_from_file_location(name, model["file"])
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    torch.manual_seed(0)  # the same file every time: what loading one costs depends on its bytes
    spec.loader.exec_module(module)
    scripted = torch.jit.script(module.model)
    archive = io.BytesIO()
    torch.jit.save(scripted, archive)
    with open(model["target"] + ".part", "wb") as file:
        file.write(without_places(archive.getvalue()))
        file.flush()
        os.fsync(file.fileno())
    os.replace(model["target"] + ".part", model["target"])


for request in json.load(sys.stdin):
    error = None
    try:
        save(request)
    except Exception as failure:  # told per model; the others go on
        error = f"{type(failure).__name__}: {failure}"
    print(json.dumps({"target": request["target"], "error": error}), flush=True)
