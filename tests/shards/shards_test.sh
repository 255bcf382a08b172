#!/usr/bin/env bash
# A suite in shards, joined again: equal to the run in one piece but for times.   shards_test.sh ICOUNT STEP...
#   local     two files by hand, doubles, a missing shard, unlike ones; `suite submit` here
#   template  a command line for each shard
#   vanish    a runner whose jobs vanish; the same command then finishes
#   slurm     a loopback Slurm of two nodes, of which one is lost while it works
set -euo pipefail
icount=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
shift
work=$(mktemp -d)
cleanup() {
  [ ! -d "$work/slurm" ] || "$here/minislurm.sh" stop "$work/slurm" || true
  rm -rf "$work"
}
trap cleanup EXIT
export ICOUNT_CACHE=$work/cache ICOUNT_SERVER=off
PATH=$PATH:/usr/sbin  # slurmctld, slurmd
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
cd "$work"
# Instructions inside functions have addresses, which follow from what else a shard's program holds: without them files are equal
# byte for byte.
as_one="--jobs 1 --no-jumps"
cat >suite.toml <<'TOML'
name = "five"
[run]
repeats = 1
number = 10
[library]
torch = false
TOML
for i in 1 2 3 4 5; do
  printf '[[stmts]]\nlabel = "b%d"\ncpp_setup = "std::string text(%d, 97);"\ncpp_stmt = "icount::keep(text.find(98));"\n' $i $((i * 100)) >>suite.toml
done

# Equal but for times, in the suite's order.
whole() {
  [ -f whole.icount ] || "$icount" suite run suite.toml $as_one --out whole.icount >/dev/null
}
same_as_whole() {
  local file
  for file in whole.icount "$1"; do
    sed 's/"unix_time":[0-9]*/"unix_time":0/g; s/"command":"[^"]*"//' $file >$file.plain
  done
  cmp whole.icount.plain "$1.plain" || fail "$1 differs from the run in one piece"
}
expect() {  # CODE TEXT COMMAND...
  local code=$1 text=$2 got=0
  shift 2
  "$@" >out 2>&1 || got=$?
  [ $got = "$code" ] || { cat out; fail "exit $got instead of $code: $*"; }
  grep -q -- "$text" out || { cat out; fail "'$text' is not in the output of $*"; }
}

step_local() {
  whole
  for i in 1 2; do "$icount" suite run suite.toml $as_one --shard $i/2 --out s$i.icount >/dev/null; done
  expect 0 '5 planned' "$icount" suite merge all.icount s1.icount s2.icount
  same_as_whole all.icount
  expect 0 '' "$icount" suite merge again.icount s2.icount s1.icount
  same_as_whole again.icount
  expect 0 'taken once' "$icount" suite merge doubles.icount s1.icount s2.icount s1.icount
  same_as_whole doubles.icount
  expect 1 'missing: b2' "$icount" suite merge part.icount s1.icount
  expect 0 '' "$icount" suite merge joined.icount part.icount s2.icount
  same_as_whole joined.icount
  sed 's/"counts":\[/"counts":[1/' s1.icount >other-counts.icount
  expect 125 'measured twice with different counts' "$icount" suite merge no.icount s1.icount s2.icount other-counts.icount
  sed 's/five, version 0/six, version 0/' s2.icount >other-suite.icount
  expect 125 'different suites' "$icount" suite merge no.icount s1.icount other-suite.icount
  sed 's/"name":"valgrind","value":"[^"]*"/"name":"valgrind","value":"9.9.9"/' s2.icount >other-valgrind.icount
  expect 125 'valgrind' "$icount" suite merge no.icount s1.icount other-valgrind.icount
  [ ! -e no.icount ] || fail "what was refused was written"
  for i in 1 2; do "$icount" suite run suite.toml $as_one --shard $i/2 --balance whole.icount --out t$i.icount >/dev/null; done
  expect 0 '' "$icount" suite merge balanced.icount t1.icount t2.icount
  same_as_whole balanced.icount
  mkdir submitted.icount.shards && echo '{' >submitted.icount.shards/shard-1.icount.lost.7.part  # of a machine that was lost
  expect 0 '5 planned' "$icount" suite submit suite.toml --shards 2 --out submitted.icount -- $as_one
  same_as_whole submitted.icount
  [ ! -e submitted.icount.shards ] || fail "the shards' folder stays"
  # A header that is edited before the same command runs again: what shard 1 has is measured again.
  sed 's/^torch = false/&\nheaders = ["own.h"]\ninclude_dirs = "."/' suite.toml >own.toml
  echo 'inline int own() { return 1; }' >own.h
  local two="--shards 2 --out own.icount"
  expect 1 'missing: b2' "$icount" suite submit own.toml $two --runner '[ {index} = 2 ] || sh {script} {index}' -- $as_one --filter '^b[12]'
  echo 'inline int own() { return 2; }' >own.h
  expect 0 'shard 1/2: .* holds 1 of 1 results; measuring again 1: b1 / C++ (changed: .*own.h)' \
    "$icount" suite submit own.toml $two -- $as_one --filter '^b[12]'
  grep -q '^icount: warning: 1 of 2 shards exist already' out || { cat out; fail "what is there is not said"; }
}

step_template() {
  whole
  expect 0 '5 planned' "$icount" suite submit suite.toml --shards 3 --runner 'sh {script} {index} 2>{log}' --out t.icount -- $as_one
  same_as_whole t.icount
  expect 2 '{index} is missing' "$icount" suite submit suite.toml --runner 'sh {script}' --out u.icount
}

step_vanish() {
  whole
  expect 1 'missing: b2' "$icount" suite submit suite.toml --shards 2 --runner '[ {index} = 2 ] || sh {script} {index}' --out v.icount -- $as_one
  expect 0 '1 of 2 shards are there' "$icount" suite submit suite.toml --shards 2 --out v.icount -- $as_one
  same_as_whole v.icount
  expect 1 'no shard left a result' "$icount" suite submit suite.toml --shards 2 --runner 'exit 1 {script} {index}' --out w.icount
}

step_slurm() {
  whole
  "$here/minislurm.sh" start "$work/slurm" 2
  export SLURM_CONF=$work/slurm/slurm.conf
  export ICOUNT_CACHE=$work/cache-of-nodes  # nothing compiled there yet: jobs take some seconds
  "$icount" suite submit suite.toml --shards 4 --runner slurm --out slurm.icount -- $as_one >submit.log 2>&1 &
  local submit=$!
  "$here/minislurm.sh" lose "$work/slurm" node1
  # Slurm notices by itself after SlurmdTimeout and some; told so, at once.
  scontrol update nodename=node1 state=down reason=lost
  wait $submit || { cat submit.log; fail "a lost node"; }
  same_as_whole slurm.icount
  [ ! -e slurm.icount.shards ] || { ls -l slurm.icount.shards; cat submit.log; fail "the shards' folder stays"; }
}

for step in "$@"; do
  [ -n "$step" ] || continue
  echo "== $step"
  "step_$step"
done
echo "== all shards joined"
