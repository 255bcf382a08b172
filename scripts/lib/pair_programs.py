"""Programs of pairs of profiles: their sources, edited for one side or the other, and built. Used by scripts/make-pairs and scripts/check-insides.

PAIRS_WORK names the folder for sources and builds; sources are the project's own or Debian's source packages (debian_source.py).
"""
import concurrent.futures, json, os, pathlib, shutil, sys, threading

import debian_source
from debian_source import run

WORK = pathlib.Path(os.environ.get("PAIRS_WORK", "/tmp/make-pairs"))
FETCHING = threading.Lock()  # pairs of one package are made side by side


def source_of(program):
    """The unpacked source of a package, fetched once."""
    package = program["package"]
    folder = WORK / "sources" / package
    with FETCHING:
        version = debian_source.fetch(package, folder)
        if "once" in program and not (folder / "once").exists():
            run(["bash", "-ec", program["once"]], cwd=folder / "src")
            (folder / "once").touch()
    return folder / "src", f"{package} {version}"


def edit(folder, edits):
    """Makes each (file, old, new) edit, once."""
    for file, old, new in edits:
        path = folder / file
        text = path.read_text(errors="surrogateescape")
        if text.count(old) != 1:
            sys.exit(f"{file}: {text.count(old)} times {old!r}")
        path.write_text(text.replace(old, new), errors="surrogateescape")


def prepare(pair, program, side, folder, own_files):
    """The source of one side, with what `own_files` (a folder) has of it; returns the package that it is of, empty for the project's own."""
    if folder.exists():
        shutil.rmtree(folder)
    origin = ""
    if "package" in program:
        source, origin = source_of(program)
        if "only" in program:
            folder.mkdir(parents=True)
            for name in program["only"]:
                shutil.copy(source / name, folder)
        else:
            shutil.copytree(source, folder, symlinks=True)
    else:
        folder.mkdir(parents=True)
    for name in program.get("files", []):
        shutil.copy(own_files / name, folder / pathlib.Path(name).name)
    for file, text in program.get("write", {}).items():
        (folder / file).write_text(text)
    script = pair.get(f"{side}_script", pair.get("script"))
    if script is not None:
        (folder / "script.h").write_text(f"static const char script[] = {json.dumps(script)};\n")
    edit(folder, program.get("edits", []) + pair.get("both_edits", []))
    edit(folder, pair.get("edits" if side == "head" else "base_edits", []))
    return origin


def build(pair, program, side, folder):
    flags = [*pair.get(f"{side}_flags", pair.get("flags", program.get("flags", ["-O2", "-g"]))), *pair.get("defines", []), *pair.get(f"{side}_defines", [])]
    same_paths = ["-ffile-prefix-map=" + str(folder) + "=."]
    environment = dict(os.environ, LC_ALL="C")
    if "command" in program:
        command = program["command"].replace("FLAGS", " ".join(flags)).replace("MAP", same_paths[0]).replace("HERE", str(folder))
        run(["bash", "-ec", command], cwd=folder, env=environment)
    else:
        sources = sorted({str(file.relative_to(folder)) for pattern in program["sources"] for file in folder.glob(pattern)} - set(program.get("without", [])))
        compiler = pair.get(f"{side}_compiler", program.get("compiler", "gcc"))
        compile_one = [*(["ccache"] if shutil.which("ccache") else []), compiler, *same_paths, *program.get("always", []), *flags, "-c"]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda source: run([*compile_one, source, "-o", source + ".o"], cwd=folder, env=environment), sources))
        run([compiler, *flags, *[source + ".o" for source in sources], "-o", "prog", *program.get("link", [])], cwd=folder, env=environment)
    if side in pair.get("strip", []):
        run(["strip", "prog"], cwd=folder)
