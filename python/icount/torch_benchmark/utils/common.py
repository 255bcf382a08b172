"""As torch.utils.benchmark.utils.common."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import uuid

from icount.torch_benchmark.measurement import (
    Measurement, TaskSpec, ordered_unique, select_unit, set_torch_threads, trim_sigfig, unit_to_english)

__all__ = [
    "Measurement", "TaskSpec", "ordered_unique", "select_unit", "set_torch_threads", "trim_sigfig", "unit_to_english",
]

_DEV_SHM = "/dev/shm/pytorch_benchmark_utils"


def _make_temp_dir(prefix: str | None = None, gc_dev_shm: bool = False) -> str:
    """A new folder, which the caller removes: in shared memory where BENCHMARK_USE_DEV_SHM is set. With `gc_dev_shm`, folders
    there whose makers have ended are removed first."""
    in_memory = os.environ.get("BENCHMARK_USE_DEV_SHM", "").lower() in ("1", "true")
    root = _DEV_SHM if in_memory else tempfile.gettempdir()
    if in_memory:
        os.makedirs(root, exist_ok=True)
        if gc_dev_shm:
            _remove_orphans(root)
    # Names sort by the time they were made.
    path = os.path.join(root, f"{prefix or tempfile.gettempprefix()}__{int(time.time())}__{uuid.uuid4()}")
    os.makedirs(path)
    if in_memory:
        with open(os.path.join(path, "owner.pid"), "w", encoding="ascii") as file:
            file.write(str(os.getpid()))
    return path


def _remove_orphans(root: str) -> None:
    for name in sorted(os.listdir(root)):
        folder = os.path.join(root, name)
        try:
            with open(os.path.join(folder, "owner.pid"), encoding="ascii") as file:
                owner = int(file.read())
            os.kill(owner, 0)
        except ProcessLookupError:
            print(f"Detected that {folder} was orphaned in shared memory. Cleaning up.")
            shutil.rmtree(folder, ignore_errors=True)
        except (OSError, ValueError):  # another user's, or one that is being made
            continue
