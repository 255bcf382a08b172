"""Programs of pairs of profiles: their sources, edited for one side or the other, and built. Used by scripts/make-pairs and scripts/check-insides.

PAIRS_WORK names the folder for sources and builds; sources come from `apt-get source`, with apt lists of its own so that the system needs no deb-src
lines (PAIRS_DEBIAN names another mirror), or a public Git repository.
"""
import concurrent.futures, difflib, functools, json, os, pathlib, re, shutil, subprocess, sys, threading

WORK = pathlib.Path(os.environ.get("PAIRS_WORK", "/tmp/make-pairs"))


def run(argv, **options):
    done = subprocess.run(argv, capture_output=True, text=True, errors="replace", **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, argv))}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


@functools.cache
def apt_options():
    """Options by which apt has the source packages of Debian 12, whatever the system's own lists say."""
    folder = (WORK / "apt").resolve()
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
    mirror = os.environ.get("PAIRS_DEBIAN", "http://deb.debian.org/debian")
    (folder / "sources.list").write_text(f"deb-src [signed-by={keyring}] {mirror} bookworm main\n")
    user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
    settings = {"Dir::Etc::sourcelist": folder / "sources.list", "Dir::Etc::sourceparts": "/dev/null", "Dir::State::lists": folder / "lists",
                "Dir::Cache": folder / "cache", "APT::Sandbox::User": user}
    options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    run(["apt-get", *options, "-qq", "update"])
    return options


FETCHING = threading.Lock()  # pairs of one package are made side by side


def source_of(program):
    """The unpacked source of a package, fetched once."""
    package = program["package"]
    folder = WORK / "sources" / package
    with FETCHING:
        if not (folder / "ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            run(["apt-get", *apt_options(), "source", "-qq", "--download-only", package], cwd=folder)
            run(["dpkg-source", "--no-check", "-x", str(next(folder.glob("*.dsc"))), "src"], cwd=folder)
            if "once" in program:
                run(["bash", "-ec", program["once"]], cwd=folder / "src")
            (folder / "ready").touch()
    version = re.search(r"^Version: (.*)$", next(folder.glob("*.dsc")).read_text(), re.M)[1]
    return folder / "src", f"{package} {version}"


def checkout(program, commit, folder):
    """The tree of one commit."""
    owner_name = program["git"].removeprefix("https://github.com/")
    mirror = pathlib.Path(os.environ.get("PAIRS_MIRROR", WORK / "git")) / owner_name.replace("/", "+")
    if not mirror.exists():
        run(["git", "clone", "-q", "--bare", program["git"], str(mirror)])
    repository = next((p for p in (mirror / "repo/.git", mirror / "repo") if p.exists()), mirror)
    folder.mkdir(parents=True)
    archive = subprocess.run(["git", "-C", repository, "archive", commit, *program.get("paths", [])], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)


def edited(folder, edits):
    """Makes each (file, old, new) edit once; says the change as a diff."""
    diff = ""
    for file, old, new in edits:
        path = folder / file
        text = path.read_text(errors="surrogateescape")
        if text.count(old) != 1:
            sys.exit(f"{file}: {text.count(old)} times {old!r}")
        changed = text.replace(old, new)
        path.write_text(changed, errors="surrogateescape")
        diff += "".join(difflib.unified_diff(text.splitlines(True), changed.splitlines(True), f"a/{file}", f"b/{file}", n=1))
    return diff


def prepare(pair, program, side, folder, own_files):
    """The source of one side, with what `own_files` (a folder) has of it; returns what differs from the other, in words or as a diff."""
    if folder.exists():
        shutil.rmtree(folder)
    origin, change = "", ""
    if "git" in program:
        checkout(program, pair[f"{side}_commit"], folder)
        origin = program["git"]
        change = f"{origin}/commit/{pair['head_commit']}\n" if side == "head" else ""
    elif "package" in program:
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
    for old, new in program.get("copy", []):
        shutil.copy(folder / old, folder / new)
    for file, text in program.get("write", {}).items():
        (folder / file).write_text(text)
    script = pair.get(f"{side}_script", pair.get("script"))
    if script is not None:
        (folder / "script.h").write_text(f"static const char script[] = {json.dumps(script)};\n")
        change += f"{side} runs: {script}\n" if f"{side}_script" in pair else ""
    edited(folder, program.get("edits", []) + pair.get("both_edits", []))
    if side == "head" and "reversed_patches" not in pair:
        change += edited(folder, pair.get("edits", []))
    if side == "base":
        for patch in reversed(pair.get("reversed_patches", [])):
            run(["patch", "-R", "-p1", "-s", "-f", "-i", str(folder / patch)], cwd=folder)
        edited(folder, pair.get("base_edits", []))
    return origin, change


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
