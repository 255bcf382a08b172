#!/bin/sh
# The gate for any CI server: measures SUITE in this checkout, compares with the accepted values beside it, and where something
# is refused measures BASE too, to say why. Needs icount, Valgrind, a compiler and a clone with history (no shallow one).
#
#   gate.sh SUITE [BASE [BUILD-COMMAND]]
#
# Leaves gate.md (a comment), gate.xml (JUnit), gate.json and head.icount (what `icount accept` takes). Exit codes of `icount gate`:
# 0 passed, 3 refused, 125 cannot be judged (another machine class, no base), 1 a benchmark failed.
set -u
suite=${1:?usage: gate.sh SUITE [BASE [BUILD-COMMAND]]}
base=${2:-origin/main}
build=${3:-}

set -- gate "$suite" --base-ref "$base" --out head.icount --markdown gate.md --junit gate.xml --json gate.json
[ -z "$build" ] || set -- "$@" --build "$build"
[ "${GITHUB_ACTIONS:-}" != true ] || set -- "$@" --annotations
[ -z "$build" ] || sh -c "$build" || exit 1
icount "$@"
code=$?
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || [ ! -f gate.md ] || cat gate.md >>"$GITHUB_STEP_SUMMARY"
exit $code
