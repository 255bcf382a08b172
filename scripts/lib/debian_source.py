#!/usr/bin/env python3
"""Debian's source packages, by apt with lists of its own: the system needs no deb-src lines, and its lists stay as they are.

  scripts/lib/debian_source.py PACKAGE FOLDER [SUITE]   the unpacked source as FOLDER/src, of bookworm unless said; prints its version

PAIRS_DEBIAN names another mirror.
"""
import functools, os, pathlib, re, shutil, subprocess, sys


def run(argv, **options):
    done = subprocess.run(argv, capture_output=True, text=True, errors="replace", **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, argv))}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


@functools.cache
def apt_options(folder, suite):
    """Options by which apt has the source packages of `suite`, whatever the system's own lists say; its lists lie in `folder`."""
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
    mirror = os.environ.get("PAIRS_DEBIAN", "http://deb.debian.org/debian")
    (folder / "sources.list").write_text(f"deb-src [signed-by={keyring}] {mirror} {suite} main\n")
    user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
    settings = {"Dir::Etc::sourcelist": folder / "sources.list", "Dir::Etc::sourceparts": "/dev/null", "Dir::State::lists": folder / "lists",
                "Dir::Cache": folder / "cache", "APT::Sandbox::User": user}
    options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    run(["apt-get", *options, "-qq", "update"])
    return options


def fetch(package, folder, suite="bookworm"):
    """Unpacks the package into `folder`/src, once; returns its version. Lists and downloads of all packages beside it are shared."""
    folder = folder.resolve()
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        run(["apt-get", *apt_options(folder.parent / f"apt-{suite}", suite), "source", "-qq", "--download-only", package], cwd=folder)
        run(["dpkg-source", "--no-check", "-x", str(next(folder.glob("*.dsc"))), "src"], cwd=folder)
        (folder / "ready").touch()
    return re.search(r"^Version: (.*)$", next(folder.glob("*.dsc")).read_text(), re.M)[1]


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    print(fetch(sys.argv[1], pathlib.Path(sys.argv[2]), *sys.argv[3:]))
