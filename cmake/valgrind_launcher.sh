#!/bin/sh -e
# Starts the Valgrind whose tools lie beside this file, as the script of Debian does with the system's. The name of the folder is
# filled up with slashes to a multiple of 128 bytes: the length of a variable takes part in what a start costs, and a count must
# not depend on where icount is installed. The launcher wants a tool even to tell its version.
[ "$1" != --version ] || set -- --tool=callgrind --version
VALGRIND_LIB=${0%/*}
while [ $((${#VALGRIND_LIB} % 128)) -ne 0 ]; do VALGRIND_LIB=/$VALGRIND_LIB; done
export VALGRIND_LIB
export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/lib/debug"
export GLIBCPP_FORCE_NEW=1
export GLIBCXX_FORCE_NEW=1
exec "$0.bin" "$@"
