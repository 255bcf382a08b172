#!/bin/sh
# The gate for any CI: counts SUITE in this checkout, judges it by the accepted values beside it, else by BASE, and says why it differs.
# Needs icount, a compiler and a clone with history (no shallow one).
#
#   gate.sh SUITE [BASE [BUILD-COMMAND]]
#
# More in variables: ICOUNT_COMPILER, ICOUNT_FILTER, ICOUNT_ALLOW ("new cores"), ICOUNT_LIMITS (one a line).
# Leaves icount-gate/: gate.md (a comment), gate.html (the report), gate.xml (JUnit), gate.json, head.icount (what `icount accept` takes).
# Exit codes of `icount gate`: 0 passed, 3 refused, 1 a benchmark failed, 125 cannot be judged (on GitHub 0, with a warning).
set -u
suite=${1:?usage: gate.sh SUITE [BASE [BUILD-COMMAND]]}
base=${2:-origin/HEAD}
build=${3:-}
out=icount-gate

mkdir -p $out
echo '*' >$out/.gitignore
set -- gate "$suite" --base-ref "$base" --out $out/head.icount --markdown $out/gate.md --html $out/gate.html --junit $out/gate.xml \
  --json $out/gate.json
[ -z "$build" ] || set -- "$@" --build "$build"
[ -z "${ICOUNT_COMPILER:-}" ] || set -- "$@" --compiler "$ICOUNT_COMPILER"
[ -z "${ICOUNT_FILTER:-}" ] || set -- "$@" --filter "$ICOUNT_FILTER"
for kind in ${ICOUNT_ALLOW:-}; do set -- "$@" --allow "$kind"; done
while IFS= read -r limit; do
  [ -z "$limit" ] || set -- "$@" --limit "$limit"
done <<END
${ICOUNT_LIMITS:-}
END
[ "${GITHUB_ACTIONS:-}" != true ] || set -- "$@" --annotations
[ -z "$build" ] || sh -c "$build" || exit 1
icount "$@"
code=$?
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || [ ! -f $out/gate.md ] || cat $out/gate.md >>"$GITHUB_STEP_SUMMARY"
if [ $code -eq 125 ] && [ "${GITHUB_ACTIONS:-}" = true ]; then
  echo "::warning title=icount%3A cannot be judged::This is no failure of the change. The log says what differs; docs/ci.md says what to do."
  exit 0
fi
exit $code
