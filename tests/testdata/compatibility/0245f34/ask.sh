#!/bin/sh
# Wrote expected/ with icount at commit 0245f34:  sh ask.sh ICOUNT   (in a copy of this folder)
set -u
icount=$1
grep -v '^#' commands | while read -r name code arguments; do
  rm -f answer
  eval "\"$icount\" $arguments" >printed
  got=$?
  [ $got = "$code" ] || echo "$name: exit code $got, not $code" >&2
  if [ -f answer ]; then mv answer "expected/$name"; else mv printed "expected/$name"; fi
done
rm -f printed
