"""Scripts and saves models: reads [{"source", "file", "target"}, ...] from standard input, answers one JSON line each.

The source goes to a real file and is imported, because torch.jit.script reads the text of functions and classes from
their file. Started by suite/model_artifacts.cc.
"""
import importlib.util
import json
import os
import sys

import torch


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
    scripted.save(model["target"] + ".part")
    with open(model["target"] + ".part", "rb") as file:
        os.fsync(file.fileno())
    os.replace(model["target"] + ".part", model["target"])


for request in json.load(sys.stdin):
    error = None
    try:
        save(request)
    except Exception as failure:  # told per model; the others go on
        error = f"{type(failure).__name__}: {failure}"
    print(json.dumps({"target": request["target"], "error": error}), flush=True)
