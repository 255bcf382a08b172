#!/bin/sh
# The same comparison from the command line: two ways to take the dot products of a batch of vectors, over sizes and
# threads, each saved, then compared, trimmed and coloured. Run it in an empty folder.
#   walk_through.sh [TIME [SIZE...]]     default 0.2s, sizes 1 64 1024
# The sizes come from the environment, so that each statement is compiled once.
set -eu
time=${1:-0.2s}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- 1 64 1024

setup='const auto x = torch::ones({std::atol(std::getenv("BATCH")), std::atol(std::getenv("LENGTH"))});'
mul_sum='auto y = x.mul(x).sum(-1);'
bmm='auto y = torch::bmm(x.reshape({-1, 1, x.size(-1)}), x.reshape({-1, x.size(-1), 1})).flatten(-3);'

for BATCH; do
  for LENGTH; do
    export BATCH LENGTH
    icount time --label 'Batched dot' --sub-label "[$BATCH, $LENGTH]" --description mul/sum --setup "$setup" --stmt "$mul_sum" \
      --num-threads 1,2 --min-run-time "$time" --out "mul_sum-$BATCH-$LENGTH.json" >/dev/null
    icount time --label 'Batched dot' --sub-label "[$BATCH, $LENGTH]" --description bmm --setup "$setup" --stmt "$bmm" \
      --num-threads 1,2 --min-run-time "$time" --out "bmm-$BATCH-$LENGTH.json" >/dev/null
  done
done

icount compare ./mul_sum-*.json ./bmm-*.json
icount compare --trim --colorize ./mul_sum-*.json ./bmm-*.json
icount compare --trim --colorize=rowwise --highlight-warnings ./mul_sum-*.json ./bmm-*.json
icount compare --base mul/sum ./mul_sum-*.json ./bmm-*.json
