# Shared by the scripts: what they say while they work, and how they install what is missing. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# What the scripts count leaves no process behind.
export ICOUNT_SERVER=${ICOUNT_SERVER:-off}
started_at=$SECONDS

# part NAME: a heading, and the beginning of a part whose time parts_report prints.
part_names=()
part_starts=()
part() {
  part_names+=("$*")
  part_starts+=("$SECONDS")
  say "$*"
}
parts_report() {
  local i end
  for i in "${!part_names[@]}"; do
    end=${part_starts[$((i + 1))]:-$SECONDS}
    awk -v seconds=$((end - part_starts[i])) -v name="${part_names[$i]}" 'BEGIN { printf "%6.1f min  %s\n", seconds / 60, name }'
  done
  awk -v seconds=$((SECONDS - started_at)) 'BEGIN { printf "%6.1f min  in total\n", seconds / 60 }'
}

say() { printf '\033[1m== %s\033[0m  (%d s)\n' "$*" $((SECONDS - started_at)) | strip_colour_unless_tty; }
strip_colour_unless_tty() { if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9;]*m//g'; fi; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# What building and the main job need, and what the tests need beside it (Debian 12 package names).
build_packages=(g++ cmake ninja-build pkg-config valgrind libboost-program-options-dev libre2-dev libgtest-dev libfmt-dev
  nlohmann-json3-dev libeigen3-dev zlib1g-dev liblzma-dev libzstd-dev libxxhash-dev libtomlplusplus-dev libssl-dev libpugixml-dev
  libsoci-dev libsqlite3-dev)
torch_packages=(clang lld libtorch-dev)
test_packages=(libbenchmark-dev catch2 libclang-rt-14-dev protobuf-compiler python3 python3-venv python3-dev xz-utils gzip zstd git chromium fonts-dejavu-core postgresql
  clang-format)

# install_packages PACKAGE...: installs the missing ones with apt as root or through sudo; elsewhere names them and stops.
install_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  command -v apt-get >/dev/null ||
    fail "these are missing, and there is no apt-get here to install them: ${missing[*]} (Debian's package names)"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null && sudo -n true 2>/dev/null || [ -t 0 ] && command -v sudo >/dev/null ||
      fail "please install what is missing, then run this again: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get -q update && DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get -q install -y \
    --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -20 "$log" >&2
    fail "apt-get could not install ${missing[*]}; the whole log is $log"
  fi
  rm -f "$log"
}

# build_preset PRESET FOLDER TARGET...: configures once, builds, with ninja's own progress.
build_preset() {
  local preset=$1 folder=$2
  shift 2
  if [ ! -f "$root/$folder/build.ninja" ]; then
    say "configuring $folder"
    (cd "$root" && cmake --preset "$preset" >"/tmp/icount-configure.$$" 2>&1) || { cat "/tmp/icount-configure.$$" >&2; rm -f "/tmp/icount-configure.$$"; exit 1; }
    rm -f "/tmp/icount-configure.$$"
  fi
  say "building $folder ($*)"
  ninja -C "$root/$folder" "$@"
}
