#!/usr/bin/env bash
# The gate in icount-gate/: the comment's text, JUnit, JSON, the result. The exit code is that of `icount gate`.
set -uo pipefail
recipe=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../examples/ci" && pwd)/gate.sh
code=0
sh "$recipe" "$ICOUNT_SUITE" "$ICOUNT_BASE_REF" "${ICOUNT_BUILD:-}" || code=$?
mkdir -p icount-gate
for file in gate.md gate.xml gate.json head.icount; do
  [ ! -f $file ] || mv $file icount-gate/
done
exit $code
