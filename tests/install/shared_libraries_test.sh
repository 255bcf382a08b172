#!/usr/bin/env bash
# icount's own libraries link with shared third-party libraries, too: what they need of an archive, the shared library beside it exports.
# A project that contains icount links shared ones (ICOUNT_STATIC_LIBRARIES is OFF there); to link it for this would take minutes.
#   shared_libraries_test.sh BUILD
# Says at its end "all is well", or what only the archives have.
set -euo pipefail
export LC_ALL=C  # one order for sort, comm and join
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t own < <(find "$build" -path '*/tests/*' -prune -o -name 'libicount_*.a' -print)
mapfile -t archives < <(grep -hoE '(^|[ =])/[^ ]+\.a\b' "$build/build.ninja" | tr -d ' =' | grep -vF "$build/" | sort -u)
shared=()
for archive in "${archives[@]}"; do
  if [ -f "${archive%.a}.so" ]; then
    shared+=("${archive%.a}.so")
    nm --defined-only --format=posix "$archive" 2>/dev/null | sed -n "s|^\([^ ]*\) [A-Z] .*|\1 $archive|p" >>"$work/in_archives"
  fi
done
if [ ${#own[@]} -eq 0 ]; then
  echo "error: $build has no libicount_*.a; build it first" >&2
  exit 1
fi
if [ ${#shared[@]} -gt 0 ]; then
  nm --format=posix "${own[@]}" | awk '$2 == "U" || $2 == "w" || $2 == "v" { print $1 }' | sort -u >"$work/undefined"
  {
    nm --format=posix --defined-only "${own[@]}"
    nm --format=posix --defined-only --dynamic "${shared[@]}"
  } | awk 'NF > 1 { sub(/@.*/, "", $1); print $1 }' | sort -u >"$work/defined"
  comm -23 "$work/undefined" "$work/defined" >"$work/needed"
  sort -u "$work/in_archives" | join "$work/needed" - >"$work/only_in_archives"
  if [ -s "$work/only_in_archives" ]; then
    echo "error: icount needs what these archives have and the shared libraries beside them do not export:" >&2
    c++filt <"$work/only_in_archives" >&2
    exit 1
  fi
fi
echo "${#own[@]} libraries of icount, ${#shared[@]} archives with a shared library beside them"
echo "== all is well"
