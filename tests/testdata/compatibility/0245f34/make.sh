#!/bin/sh
# Made the files of version-1 with icount at commit 0245f34. Not run by any test: what an earlier icount wrote is kept as it was.
#   mkdir /tmp/x && cd /tmp/x && env -i PATH=/usr/bin:/bin HOME=/tmp/x sh make.sh ICOUNT
set -eu
icount=$1

words_h() {
  cat >words.h <<EOF
#pragma once
__attribute__((noinline)) inline int is_blank(char c) { return c == ' ' || c == '\t'; }
__attribute__((noinline)) inline int count_words(const char* text) {
  int words = 0;
  asm volatile("");
  for (int scan = 0; scan < $1; ++scan) {
    words = 0;
    for (const char* c = text; *c; ++c) words += !is_blank(*c) && (c == text || is_blank(c[-1]));
  }
  return words;
}
__attribute__((noinline)) inline int length(const char* text) {
  int n = 0;
  asm volatile("");
  while (text[n]) ++n;
  return n;
}
EOF
}

cat >suite.toml <<EOF
name = "words"
[library]
torch = false
headers = ["words.h"]
include_dirs = "."
[run]
number = 10
repeats = 2
[[limits]]
percent = 1
absolute = 100
[[limits]]
function = "^count_words"
percent = 5
[[limits]]
benchmark = "length"
percent = 2
creep_percent = 3
[[stmts]]
label = ["words", "count"]
cpp_stmt = 'icount::keep(count_words("one two three four five"));'
[[stmts]]
label = ["words", "length"]
cpp_stmt = 'icount::keep(length("one two three four five"));'
[[stmts]]
label = ["words", "sorted"]
py_stmt = "sorted(range(20, 0, -1))"
[[stmts]]
label = ["broken"]
cpp_stmt = "this_is_no_function();"
EOF

tool_c() {
  cat >tool.c <<EOF
__attribute__((noinline)) int work(int x) { for (volatile int i = 0; i < 100; ++i) x += i; return x; }
__attribute__((noinline)) int check(int x) { for (volatile int i = 0; i < 200; ++i) x ^= i; return x; }
int main() { int x = 0; for (int i = 0; i < $1; ++i) x = work(x); return check(x) == 42; }
EOF
  gcc -O1 -g -o tool tool.c
}

measure() {
  words_h "$2"
  "$icount" suite run suite.toml --compiler g++ --wall-time --out "$1.suite.icount" || [ $? = 1 ]  # one is broken on purpose
  "$icount" count --no-torch --compiler g++ --global-setup '#include "words.h"' --cxxflag -I. --number 20 --repeats 3 --stacks 4 \
    --stmt 'icount::keep(count_words("one two"));' --stmt 'icount::keep(length("one two"));' --out "$1.statements.icount"
  "$icount" count --language python --no-torch --number 10 --setup 'x = list(range(50))' --stmt "sum(x[:$3])" --out "$1.python.icount"
  "$icount" time --no-torch --compiler g++ --global-setup '#include "words.h"' --cxxflag -I. --min-run-time 0.05 --label words \
    --sub-label count --description "$1" --stmt 'icount::keep(count_words("one two"));' --out "$1.timings.json"
  tool_c "$3"
  "$icount" count --out "$1.program.icount" -- ./tool
  "$icount" count --stacks 4 --out "$1.stacks.icount" -- ./tool
}

measure base 1 40
"$icount" accept base.suite.icount --why 'as measured first' || [ $? = 1 ]
"$icount" accept base.program.icount --expected program.expected
store="$icount store import --store history.sqlite --branch main"
$store --commit 1111111111111111111111111111111111111111 --time 1700000000 base.suite.icount
measure head 3 43
$store --commit 2222222222222222222222222222222222222222 --time 1700086400 head.suite.icount
$store --name program --time 1700090000 head.program.icount
