#!/usr/bin/env bash
# The packages in an empty Debian 12 root, without a compiler.   packages_test.sh PACKAGES SOURCE
# Where no such root can be made (no mmdebstrap, no right to), says so as "skipped" and looks at the archive alone.
set -euo pipefail
packages=$1 source=$2
work=$(mktemp -d)
trap 'umount "$work/root/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
started_at=$SECONDS
say() { echo "== $*  ($((SECONDS - started_at)) s)"; }
deb=$(echo "$packages"/icount_*.deb) archive=$(echo "$packages"/icount-*.tar.gz)
pair=tests/testdata/pairs/zlib-longer-chains

# What must work: run by /bin/sh as root of the empty system (or here), in a folder with base.xz and head.xz.
cat >"$work/uses.sh" <<'SH'
set -eu
icount=$1
cd "$(dirname "$0")"
$icount --version | tee version
grep -q 'carried along' version
$icount diff base.xz head.xz --top 1 | grep -q 'longest_match'
$icount show base.xz --top 1 | grep -q 'longest_match'
$icount report base.xz head.xz -o report.html && [ -s report.html ]
$icount count -- /bin/true | grep -q 'count .* Ir'
$icount doctor --no-self-check --format json | grep -q 'carried along'
if ! command -v g++ >/dev/null && ! command -v clang++ >/dev/null; then
  $icount doctor --no-self-check >doctor && exit 9
  grep -q 'C++ compiler' doctor && grep -q 'apt-get install' doctor
  $icount count --no-torch --stmt 'icount::keep(1);' 2>errors && exit 9
  grep -q 'compiler' errors
fi
echo "all of it works with $icount"
SH

use_in() {  # ROOT ICOUNT
  mkdir -p "$1/tmp/icount"
  cp "$work/uses.sh" "$source/$pair/base.xz" "$source/$pair/head.xz" "$1/tmp/icount/"
  mountpoint -q "$1/proc" || mount --bind /proc "$1/proc" || { echo "skipped: use of $2 there, because /proc cannot be mounted"; return 0; }
  chroot "$1" env HOME=/tmp /bin/sh /tmp/icount/uses.sh "$2"
}

for file in "$deb" "$archive" "$packages"/libicount-dev_*.deb; do
  echo "$(basename "$file"): $(du -k --apparent-size "$file" | cut -f1) KiB"
done
say "the archive, from a folder of its own"
mkdir -p "$work/somewhere" "$work/here"
tar -xzf "$archive" -C "$work/somewhere" --strip-components=1
cp "$work/uses.sh" "$source/$pair/base.xz" "$source/$pair/head.xz" "$work/here/"
ln -s "$work/somewhere" "$work/linked"
sh "$work/here/uses.sh" "$work/linked/bin/icount"
! ldd "$work/somewhere/bin/icount" | grep -E 'lib(fmt|soci|toml|pugixml)' | grep -v 'somewhere' || fail "the archive takes libraries from the system"

find "$work/somewhere" -type f -exec "$source/scripts/lib/symbol_versions" {} + || fail "the archive needs newer libraries than docs/install.md says"

if ! command -v mmdebstrap >/dev/null && [ "$(id -u)" = 0 ]; then
  apt-get install -qy --no-install-recommends mmdebstrap >"$work/apt.log" 2>&1 || true
fi
if ! command -v mmdebstrap >/dev/null; then
  echo "skipped: the empty Debian root, because mmdebstrap cannot be installed here"
  exit 0
fi
# The mirrors of this machine, if it is a Debian; else mmdebstrap's own.
sources=$(find /etc/apt -name '*.list' -size +0 -o -name '*.sources' | head -1)
if ! mmdebstrap --variant=minbase bookworm "$work/root" "${ICOUNT_DEBIAN_MIRROR:-$sources}" >"$work/root.log" 2>&1 &&
  ! { rm -rf "$work/root"; mmdebstrap --variant=minbase bookworm "$work/root" >"$work/root.log" 2>&1; }; then
  tail -5 "$work/root.log"
  echo "skipped: the empty Debian root, because mmdebstrap cannot make one here"
  exit 0
fi
say "the archive in an empty Debian 12"
mkdir "$work/root/opt/moved"
tar -xzf "$archive" -C "$work/root/opt/moved" --strip-components=1
use_in "$work/root" /opt/moved/bin/icount
rm -rf "$work/root/opt/moved"
say "the .deb in an empty Debian 12"
cp "$deb" "$work/root/tmp/icount.deb"
chroot "$work/root" sh -c 'apt-get -q update && apt-get -qy install --no-install-recommends /tmp/icount.deb' >"$work/deb.log" 2>&1 ||
  { tail -20 "$work/deb.log"; fail "the .deb cannot be installed"; }
say "the .deb is installed, with $(du -sk "$work/root/usr/libexec/icount" | cut -f1) KiB of Valgrind"
use_in "$work/root" icount
[ -s "$work/root/usr/share/man/man1/icount-diff.1.gz" ] || [ -s "$work/root/usr/share/man/man1/icount-diff.1" ] ||
  ls "$work/root/etc/dpkg/dpkg.cfg.d" | grep -q . || fail "no manual pages"
say "all packages work"
