#!/usr/bin/env bash
# Installs the build at hand, moves it, and uses it from outside of the tree.
#   install_test.sh BUILD SOURCE STEP...   steps: program, package, suite, subproject; whole-subproject builds all of it
# Says at its end "all is well", or stops at what is wrong.
set -euo pipefail
build=$1 source=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ICOUNT_CACHE=$work/cache ICOUNT_SERVER=off
say() { printf '== %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Moved after installing: nothing may remember where it was.
install_moved() {
  [ ! -d "$work/moved" ] || return 0
  cmake --install "$build" --prefix "$work/first" >"$work/install.log" 2>&1 || { cat "$work/install.log"; fail "not installed"; }
  mv "$work/first" "$work/moved"
  prefix="$work/moved"
}

step_program() {
  install_moved
  local icount=$prefix/bin/icount
  "$icount" --version | tee "$work/version"
  grep -q 'carried along' "$work/version" || fail "the carried Valgrind is not the one that is used"
  "$icount" --version | head -1 | grep -Eq '^icount [0-9]+\.[0-9]+\.[0-9]+( \(commit [0-9a-f]+.*\))?$' || fail "no version"
  [ -s "$prefix/libexec/icount/valgrind/GPL-2" ] && grep -q '^Source: ' "$prefix/libexec/icount/valgrind/README" || fail "no licence"
  "$icount" doctor --no-self-check --format json | grep -q 'carried along' || fail "doctor does not say which Valgrind"
  local here there
  here=$("$icount" count --out "$work/carried.icount" -- /bin/true | grep count)
  cp -r "$prefix" "$work/b"
  there=$("$work/b/bin/icount" count -- /bin/true | grep count)
  [ "$here" = "$there" ] || fail "the count of /bin/true depends on where icount is installed: $here, $there"
  mv "$work/b" "$work/a blank"
  "$work/a blank/bin/icount" count -- /bin/true >"$work/blank" 2>&1 && fail "counted from a folder with a blank"
  grep -q 'has a blank' "$work/blank" || { cat "$work/blank"; fail "the blank is not named"; }
  "$icount" count --valgrind system --out "$work/system.icount" -- /bin/true >/dev/null
  local code=0
  "$icount" diff "$work/carried.icount" "$work/system.icount" >"$work/diff" 2>&1 || code=$?
  [ $code = 125 ] || { cat "$work/diff"; fail "counts of two Valgrinds were compared (exit $code)"; }
  if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null && [ -d /usr/include/valgrind ]; then  # where the system has no header of Valgrind
    # shellcheck disable=SC2016
    for language in c++ python; do
      XDG_CACHE_HOME=$work/cache unshare -m sh -c 'mount -t tmpfs none /usr/include/valgrind && "$0" "$@"' "$icount" count --no-torch --no-server --allow-dead \
        --language $language --stmt '1;' >"$work/no-header" 2>&1 || { cat "$work/no-header"; fail "a $language statement without the system's header"; }
    done
  fi
  for page in icount icount-count icount-suite-run; do
    man --warnings -E UTF-8 -l "$prefix/share/man/man1/$page.1" >/dev/null 2>"$work/man" || [ ! -x "$(command -v man)" ] || fail "$page"
    [ ! -s "$work/man" ] || [ ! -x "$(command -v man)" ] || { cat "$work/man"; fail "the page $page"; }
  done
  local pages=$prefix/share/doc/icount
  { "$icount" help; cat "$prefix"/share/man/man1/*; grep -oE '\]\((docs|ci)/[^)#]*' "$pages/README.md"; } | grep -oE '(docs|ci)/[a-z_/]+(\.[a-z]+)?' | sort -u >"$work/pages"
  grep -q docs/gate.md "$work/pages" || fail "the manual names no page"
  (cd "$pages" && xargs -d '\n' ls -d <"$work/pages" >/dev/null) || fail "a page that the manual names is not installed"
  # shellcheck disable=SC1090,SC2016
  bash -c '. "$1"; COMP_WORDS=(icount suite run x --va) COMP_CWORD=4; _icount; echo "${COMPREPLY[@]}"
    COMP_WORDS=(icount di) COMP_CWORD=1; _icount; echo "${COMPREPLY[@]}"
    COMP_WORDS=(icount show x --by "") COMP_CWORD=4; _icount; echo "${COMPREPLY[@]}"' _ \
    "$prefix/share/bash-completion/completions/icount" >"$work/words"
  printf -- '--valgrind\ndiff\n' | cmp -s - <(head -2 "$work/words") || { cat "$work/words"; fail "completion of bash"; }
  for shell in zsh fish; do
    [ ! -x "$(command -v $shell)" ] || "$shell" -n "$prefix"/share/*/vendor[-_]completions*/*icount* || fail "completion of $shell"
  done
}

# A project of a user's, found with find_package, configured as for daily work.
configure_user() {
  install_moved
  [ -d "$work/user" ] || cmake -S "$source/examples/library" -B "$work/user" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=g++ \
    -DCMAKE_PREFIX_PATH="$prefix" "$@" >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; fail "find_package"; }
}

step_package() {
  configure_user
  ninja -C "$work/user" compare_statements >"$work/build.log" 2>&1 || { tail -40 "$work/build.log"; fail "not built"; }
  "$work/user/compare_statements" "$work/base.json" | tee "$work/compared" | tail -2
  grep -Eq '^change [1-9][0-9]* Ir$' "$work/compared" || fail "no change counted"
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name icount.pc)") pkg-config --cflags --libs --static icount >"$work/pc" || fail "pkg-config"
}

# Compiled like the user's targets: compiler, build type, definitions, standard.
step_suite() {
  configure_user
  (cd "$work/user" && ctest --output-on-failure -R words_suite) >"$work/suite.log" 2>&1 || { cat "$work/suite.log"; fail "ctest"; }
  local flags=$work/user/words_suite.json
  for flag in -O0 -UNDEBUG -DWORDS_SEPARATOR= -std=gnu++17; do
    grep -q -- "$flag" "$flags" || { head -c 3000 "$flags"; fail "$flag was not passed on"; }
  done
  grep -Eq '"compiler.*g\+\+|GCC|gcc' "$flags" || fail "another compiler"
}

step_subproject() {
  cmake -S "$source/examples/library" -B "$work/sub" -G Ninja -DICOUNT_SOURCE="$source" -DCMAKE_BUILD_TYPE=Release -DICOUNT_PRECOMPILE=$([ $# -gt 0 ] && echo ON || echo OFF) \
    -DICOUNT_UNITY=$([ $# -gt 0 ] && echo ON || echo OFF) \
    >"$work/sub.log" 2>&1 || { cat "$work/sub.log"; fail "as a subproject"; }
  ninja -C "$work/sub" -t commands words_suite | grep -E 'ACTION=run .*-P [^ ]*/IcountSuiteScript.cmake' >/dev/null || fail "a suite of the project has no script to run"
  ninja -C "$work/sub" words words_suite_probe "${@:-_deps/icount-build/base/CMakeFiles/icount_base.dir/error.cc.o}" >"$work/sub.log" 2>&1 || { tail -40 "$work/sub.log"; fail "a target of the subproject"; }
  ! ninja -C "$work/sub" -t targets all | grep -Eq '^(explain_test|unit_tests|lone_headers)' || fail "a subproject has tests"
}

step_whole-subproject() {
  step_subproject compare_statements words_suite
  "$work/sub/compare_statements" "$work/base2.json" | grep -Eq '^change [1-9][0-9]* Ir$' || fail "no change counted"
}

for step in "$@"; do
  say "$step"
  "step_$step"
done
say "all is well"
