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

# What building and the main job need, and what the tests need beside it (Debian 12 package names). clang compiles icount in two thirds of
# g++'s time.
build_packages=(clang lld g++ cmake ninja-build pkg-config valgrind libboost-program-options-dev libre2-dev libgtest-dev libfmt-dev
  nlohmann-json3-dev libeigen3-dev zlib1g-dev liblzma-dev libzstd-dev libxxhash-dev libtomlplusplus-dev libssl-dev libpugixml-dev
  libsoci-dev libsqlite3-dev libdw-dev libiberty-dev libcapstone-dev)
torch_packages=(libtorch-dev)
test_packages=(poppler-utils libbenchmark-dev catch2 libclang-rt-14-dev protobuf-compiler python3 python3-venv python3-dev xz-utils gzip zstd git chromium fonts-dejavu-core postgresql
  clang-format)

# What the Python package is built and tested with (PyPI names).
python_packages=(nanobind cloudpickle pytest ipython)

# make_python_venv FOLDER PACKAGE...: a virtual environment with the packages, and torch where scripts/test has installed it; one
# that is there is kept. False, with a word, where the packages can't be had.
make_python_venv() {
  local venv=$1
  shift
  if [ -f "$venv/ready" ]; then return 0; fi
  rm -rf "$venv"
  if python3 -m venv "$venv" && "$venv/bin/pip" install -q --no-input "$@"; then
    [ ! -f "$root/build/torch-venv/ready" ] ||
      "$root/build/torch-venv/bin/python" -c 'import site; print(site.getsitepackages()[0])' >"$("$venv/bin/python" -c 'import site; print(site.getsitepackages()[0])')/torch_venv.pth"
    touch "$venv/ready"
  else
    rm -rf "$venv"
    echo "note: $* can't be installed here; the Python package is not tested"
    return 1
  fi
}

# build_python VENV FOLDER: the package as FOLDER/python/icount, for that environment's interpreter.
build_python() {
  cmake -S "$root" -B "$root/$2" -DICOUNT_BUILD_PYTHON=ON -DPython_EXECUTABLE="$1/bin/python" >/dev/null
  ninja -C "$root/$2" icount icount_python
  echo "$root/$2/python" >"$("$1/bin/python" -c 'import site; print(site.getsitepackages()[0])')/icount_build.pth"
}

# install_torch_wheel: the second LibTorch of the tests, in build/torch-venv. Only a CPU build is taken (asked for before anything is
# fetched: the default index may offer one with gigabytes of CUDA); a user may name another LibTorch with ICOUNT_TORCH.
install_torch_wheel() {
  local venv=$root/build/torch-venv
  if [ -n "${ICOUNT_TORCH:-}" ] || [ -f "$venv/ready" ]; then return 0; fi
  say "installing the LibTorch 2.13 wheel into build/torch-venv"
  mkdir -p "$root/build"
  rm -rf "$venv"
  if python3 -m venv "$venv" &&
    "$venv/bin/pip" install -q --dry-run --ignore-installed --no-deps --report "$venv/offer.json" torch==2.13.0 2>/dev/null &&
    grep -q '"version": "2.13.0+cpu"' "$venv/offer.json" &&
    "$venv/bin/pip" install -q --no-input torch==2.13.0 numpy; then
    touch "$venv/ready"
  else
    rm -rf "$venv"
    echo "note: no CPU wheel of torch 2.13.0 is offered here; tests that need it are skipped (ICOUNT_TORCH may name a LibTorch)"
  fi
}

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

# choose_pairs: which pairs of profiles with a known cause are judged. ICOUNT_PAIRS, where it is not set, becomes the whole set where that lies beside the clone;
# else it stays unset, and the tree's own are (tests/testdata/pairs).
choose_pairs() {
  local beside=$root/../shared/goldens/explained
  [ -n "${ICOUNT_PAIRS:-}" ] || [ ! -d "$beside" ] || ICOUNT_PAIRS=$(realpath "$beside")
  [ -z "${ICOUNT_PAIRS:-}" ] || export ICOUNT_PAIRS
}

# configure_preset PRESET FOLDER [-DOPTION=VALUE]: nothing where that was done before, with the same value.
configure_preset() {
  local option=${3:-}
  local name=${option#-D}
  if [ -f "$root/$2/build.ninja" ] && { [ -z "$option" ] || grep -q "^${name%%=*}:[A-Z]*=${option#*=}\$" "$root/$2/CMakeCache.txt"; }; then
    return 0
  fi
  say "configuring $2${option:+ $option}"
  # shellcheck disable=SC2086  # no word where there is no option
  (cd "$root" && cmake --preset "$1" $option >"/tmp/icount-configure.$$" 2>&1) || { cat "/tmp/icount-configure.$$" >&2; rm -f "/tmp/icount-configure.$$"; exit 1; }
  rm -f "/tmp/icount-configure.$$"
}

# build_preset PRESET FOLDER TARGET...: configures once, builds, with ninja's own progress.
build_preset() {
  local preset=$1 folder=$2
  shift 2
  configure_preset "$preset" "$folder"
  say "building $folder ($*)"
  ninja -C "$root/$folder" "$@"
}
