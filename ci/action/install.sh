#!/usr/bin/env bash
# Puts icount into PATH for the steps that follow: from ICOUNT_PACKAGE (a .deb or .tar.gz, a file or a URL with
# ICOUNT_PACKAGE_SHA256), else built from the sources that this action came with.
set -euo pipefail
place=${RUNNER_TEMP:-$(mktemp -d)}/icount
package=${ICOUNT_PACKAGE:-}
fail() { echo "error: $*" >&2; exit 1; }
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

mkdir -p "$place"
case $package in
  http://* | https://*)
    [ -n "${ICOUNT_PACKAGE_SHA256:-}" ] || fail "package-sha256 is missing: a package from a URL is checked before it is used"
    curl -fsSL --retry 3 -o "$place/${package##*/}" "$package"
    package=$place/${package##*/}
    ;;
esac
if [ -n "$package" ] && [ -n "${ICOUNT_PACKAGE_SHA256:-}" ]; then
  echo "$ICOUNT_PACKAGE_SHA256  $package" | sha256sum --check --quiet || fail "$package is not the file that package-sha256 names"
fi
case $package in
  '')
    source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
    . "$source/scripts/lib/common.sh"
    install_packages "${build_packages[@]}"
    cmake -S "$source" -B "$place/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DICOUNT_BUILD_TESTS=OFF
    cmake --build "$place/build"
    cmake --install "$place/build" --prefix "$place/prefix"
    ;;
  *.deb)
    as_root apt-get -q update
    as_root apt-get -q install -y --no-install-recommends "$(realpath "$package")"
    ;;
  *.tar.gz)
    mkdir -p "$place/prefix"
    tar -xzf "$package" -C "$place/prefix" --strip-components=1
    ;;
  *) fail "package '$package': neither .deb nor .tar.gz" ;;
esac
if [ -d "$place/prefix" ]; then
  PATH=$place/prefix/bin:$PATH
  [ -z "${GITHUB_PATH:-}" ] || echo "$place/prefix/bin" >>"$GITHUB_PATH"
fi
icount --version
