#!/usr/bin/env bash
# The wheel, in an empty virtual environment and with a PATH that holds a compiler, but neither Valgrind nor icount.
#   wheel_test.sh FOLDER_OF_THE_WHEEL SOURCE
set -euo pipefail
wheel=$(echo "$1"/icount_bench-*.whl) source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
started_at=$SECONDS
say() { echo "== $*  ($((SECONDS - started_at)) s)"; }

say "$(basename "$wheel"): $(du -k --apparent-size "$wheel" | cut -f1) KiB, into an empty environment"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --no-input "$wheel"
[ -n "$(find "$work/venv" -path '*/icount/share/doc/icount/docs/gate.md')" ] || fail "the pages that the help names are not in the wheel"
mkdir "$work/path" "$work/here"
for program in /usr/bin/* /bin/*; do
  case $(basename "$program") in
  valgrind* | callgrind* | icount) ;;
  *) [ -e "$work/path/$(basename "$program")" ] || ln -s "$program" "$work/path/" ;;
  esac
done
cd "$work/here"
cp "$source"/tests/testdata/pairs/zlib-longer-chains/{base,head}.xz .
python() { env -u ICOUNT -u ICOUNT_VALGRIND -u PYTHONPATH PATH="$work/path" HOME="$work" ICOUNT_CACHE="$work/cache" ICOUNT_SERVER=off "$work/venv/bin/python" "$@"; }
expect() {  # TEXT COMMAND...
  local text=$1
  shift
  "$@" >"$work/out" 2>&1 || { cat "$work/out"; fail "failed: $*"; }
  grep -q -- "$text" "$work/out" || { cat "$work/out"; fail "'$text' is not in the output of: $*"; }
}

say "the command line"
expect 'carried along' python -m icount --version
expect 'count .* Ir' python -m icount count -- /bin/true
expect longest_match python -m icount diff base.xz head.xz --top 1
expect 'Ir' python -m icount count --no-torch --stmt 'icount::keep(1);'
libraries=$(find "$work/venv" -path '*/icount/bin/icount' -exec ldd {} + -o -path '*/icount/_core*.so' -exec ldd {} +)
! grep -E 'lib(fmt|soci|toml|pugixml|re2|xxhash|zstd|sqlite3)' <<<"$libraries" | grep -v "$work/venv" || fail "the wheel takes libraries from the system"

say "the package"
# By itself, without the interpreter's start; three times, since the first reads from the disk.
for _ in 1 2 3; do
  python -c 'import time; t = time.perf_counter(); import icount; print(f"{1000 * (time.perf_counter() - t):.1f} ms to import icount")'
done
cat >uses.py <<'PY'
import sys
from icount import torch_benchmark as benchmark

def double(n):
    return n * 2

stats = benchmark.Timer("double(3)", globals={"double": double}).collect_callgrind(10)
assert stats.counts() > 0 and "torch" not in sys.modules, stats
print(stats)
try:
    benchmark.Timer("torch.ones(3)", setup="import torch").timeit(1)
except ModuleNotFoundError as error:
    print("without torch:", error)
else:
    raise SystemExit("a statement ran that needs torch")
PY
expect "without torch: No module named 'torch'" python uses.py
cat "$work/out"
say "all of the wheel works"
