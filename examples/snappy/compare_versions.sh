#!/usr/bin/env bash
# Counts the benchmarks of two versions of snappy, a compression library, as its authors wrote them, gates the second
# version against the first and explains what changed. The versions are the source packages of two Debian releases.
# Needs icount in PATH, apt, cmake, g++ and libbenchmark-dev; no root, and no deb-src lines in the system's own lists.
#   examples/snappy/compare_versions.sh [BASE HEAD]     Debian releases (default bookworm trixie: snappy 1.1.9 and 1.2.2)
# The cases are those that both versions have: 1.2 added the compression level to the names of the others.
# Work is done in the folder SNAPPY_WORK (default: snappy-versions here). SNAPPY_FILTER selects other cases.
set -euo pipefail
base=${1:-bookworm}
head=${2:-trixie}
filter=${SNAPPY_FILTER:-'Medley'}
mirror=${SNAPPY_MIRROR:-http://deb.debian.org/debian}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
work=${SNAPPY_WORK:-snappy-versions}
mkdir -p "$work"
cd "$work"

# fetch RELEASE: its source package as RELEASE/, by apt with lists of its own.
fetch() {
  [ -f "$1/snappy.cc" ] && return 0
  mkdir -p "apt/$1/lists/partial" "apt/$1/cache/archives/partial" "$1"
  echo "deb-src [signed-by=$keyring] $mirror $1 main" >"apt/$1/sources.list"
  local own=(-o "Dir::Etc::sourcelist=$PWD/apt/$1/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$PWD/apt/$1/lists" -o "Dir::Cache=$PWD/apt/$1/cache" -o APT::Sandbox::User="$(id -un)")
  apt-get "${own[@]}" -qq update
  (cd "apt/$1" && apt-get "${own[@]}" -qq source --download-only --tar-only snappy)
  tar xf "apt/$1"/snappy_*.orig.tar.* -C "$1" --strip-components=1
}

# build RELEASE: its benchmark as RELEASE/bench, with the system's Google Benchmark.
build() {
  [ -x "$1/bench" ] && return 0
  cmake -S "$1" -B "$1/build" -DSNAPPY_BUILD_TESTS=OFF -DSNAPPY_BUILD_BENCHMARKS=OFF \
    -DHAVE_LIBZ=OFF -DHAVE_LIBLZO2=OFF -DHAVE_LIBLZ4=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
  (cd "$1" && g++ -std=c++14 -O2 -g -DNDEBUG -DHAVE_CONFIG_H -I. -Ibuild snappy.cc snappy-c.cc snappy-sinksource.cc \
    snappy-stubs-internal.cc snappy_benchmark.cc snappy_test_data.cc snappy-test.cc -o bench -lbenchmark -lbenchmark_main -lpthread)
}

for version in "$base" "$head"; do
  fetch "$version"
  build "$version"
  # The benchmark finds its data below the current folder.
  (cd "$version" && icount bench ./bench --filter "$filter" --number 3 --out "../$version.icount")
done

# The gate judges; its exit code is 3 when a limit is exceeded. What changed is explained.
code=0
icount gate "$head.icount" --baseline "$base.icount" --limit 2% || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || exit "$code"
icount diff "$base.icount" "$head.icount" --top 3
