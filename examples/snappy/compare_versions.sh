#!/usr/bin/env bash
# Counts the benchmarks of two versions of snappy, a compression library, as its authors wrote them, gates the second
# version against the first and explains what changed. Needs icount in PATH, git, cmake, g++, libbenchmark-dev.
#   examples/snappy/compare_versions.sh [BASE HEAD]     tags of the repository (default 1.1.9 1.1.10)
# Work is done in the folder SNAPPY_WORK (default: snappy-versions here). SNAPPY_REPOSITORY names another repository.
set -euo pipefail
base=${1:-1.1.9}
head=${2:-1.1.10}
filter=${SNAPPY_FILTER:-'BM_(UFlat|UValidate|ZFlat)/[01]$'}
repository=${SNAPPY_REPOSITORY:-https://github.com/google/snappy.git}
work=${SNAPPY_WORK:-snappy-versions}
mkdir -p "$work"
cd "$work"
[ -d repository ] || git clone -q "$repository" repository

# build VERSION: its benchmark as VERSION/bench, with the system's Google Benchmark.
build() {
  [ -x "$1/bench" ] && return 0
  mkdir -p "$1"
  git -C repository archive "$1" | tar x -C "$1"
  cmake -S "$1" -B "$1/build" -DSNAPPY_BUILD_TESTS=OFF -DSNAPPY_BUILD_BENCHMARKS=OFF \
    -DHAVE_LIBZ=OFF -DHAVE_LIBLZO2=OFF -DHAVE_LIBLZ4=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
  (cd "$1" && g++ -std=c++14 -O2 -g -DNDEBUG -DHAVE_CONFIG_H -I. -Ibuild snappy.cc snappy-c.cc snappy-sinksource.cc \
    snappy-stubs-internal.cc snappy_benchmark.cc snappy_test_data.cc snappy-test.cc -o bench -lbenchmark -lbenchmark_main -lpthread)
}

for version in "$base" "$head"; do
  build "$version"
  # The benchmark finds its data below the current folder.
  (cd "$version" && icount bench ./bench --filter "$filter" --out "../$version.icount")
done

# The gate judges; its exit code is 3 when a limit is exceeded. What changed is explained.
code=0
icount gate "$head.icount" --baseline "$base.icount" --limit 2% || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || exit "$code"
icount diff "$base.icount" "$head.icount" --top 3
