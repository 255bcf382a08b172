// Which compiler and which LibTorch a stub is built with, found once and identified by version and build id, never by
// time stamps. harness/build uses it; doctor lists what probe_* find.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "icount/harness/environment.h"

namespace icount {

/// One compiler that runs here.
struct Compiler {
  enum class Kind { kClang, kGcc };
  Kind kind = Kind::kGcc;
  std::filesystem::path path;
  std::string version;   ///< first line of --version: "Debian clang version 14.0.6"
  bool has_lld = false;  ///< clang only: ld.lld is beside it or in PATH
};

/// One LibTorch: headers and libraries of one build.
struct LibTorch {
  std::filesystem::path root;  ///< /usr, .../site-packages/torch, an unpacked libtorch folder
  std::vector<std::filesystem::path> include_dirs;
  std::filesystem::path lib_dir;
  std::string version;    ///< "2.13.0", from torch/version.h or its own headers; "unknown" when neither says
  std::string build_id;   ///< of libtorch_cpu.so, or a hash of it (harness/elf_file.h)
  bool cxx11_abi = true;  ///< _GLIBCXX_USE_CXX11_ABI it was built with
  std::string found_by;   ///< "--torch", "ICOUNT_TORCH", "python", "system"
};

/// What the user asked for; empty fields are found.
struct ToolchainOptions {
  std::string compiler;  ///< path or name; empty: probe_compiler chooses
  std::string
      torch_dir;  ///< --torch DIR: a LibTorch root, a folder that holds one, or a virtual environment with torch
  std::vector<std::string> python_path;  ///< --python-path: folders that Python statements import from
  std::string python_preload;  ///< --python-preload: text that a server of Python statements runs before it forks
  std::string python;          ///< interpreter asked for its torch; empty: python3 of an active virtual environment
  std::vector<std::string> cxxflags;    ///< after our own, so that they win
  std::vector<std::string> link_flags;  ///< after the objects: -lfoo, /path/libfoo.a
};

enum class CompilerFor {
  kProgram,   ///< the project's own: what its users' programs are built with
  kLibTorch,  ///< statements on LibTorch, which clang compiles several times faster (it has its headers precompiled)
};

/// The compiler asked for: --compiler, CXX (behind ccache and its like), else c++. Without either LibTorch's statements
/// get clang++ where there is one: what is measured is in the library, which is built already. Error{kTool} that says
/// what to install when there is none, Error{kUsage} for a CXX with flags.
Compiler probe_compiler(const ToolchainOptions& options, const Environment& environment,
                        CompilerFor what = CompilerFor::kProgram);

/// Every LibTorch found, best first: --torch, ICOUNT_TORCH, the active Python's, the system's.
std::vector<LibTorch> probe_libtorches(const ToolchainOptions& options, const Environment& environment);

/// The first of probe_libtorches; Error{kTool} naming every place that was looked at when there is none, or when an
/// explicitly named one (torch_dir, ICOUNT_TORCH) holds none.
LibTorch probe_libtorch(const ToolchainOptions& options, const Environment& environment);

/// The folder with valgrind/callgrind.h that was installed with icount; empty where the system has that header.
std::filesystem::path probe_valgrind_headers();

/// Everything that decides how a stub is compiled.
struct Toolchain {
  Compiler compiler;
  std::optional<LibTorch> torch;      ///< nullopt: plain C++
  std::vector<std::string> cxxflags;  ///< the user's
  std::vector<std::string> link_flags;
  std::filesystem::path valgrind_headers = {};  ///< searched last: probe_valgrind_headers()

  /// Flags for every compilation, the user's last.
  std::vector<std::string> compile_flags() const;
  /// Flags after the objects at link time, the user's last.
  std::vector<std::string> linker_flags() const;
  /// Compiler version, LibTorch identity and flags in one text: part of every cache key.
  std::string identity() const;
};

/// The toolchain that `options` ask for, with their LibTorch when `torch`: `found`, where it was looked for before (an
/// interpreter is started for it). Error{kUsage} for a flag that is several in
/// one word ("-I . -Isn"), naming each; errors of probe_compiler and probe_libtorch.
Toolchain find_toolchain(const ToolchainOptions& options, bool torch, const Environment& environment,
                         const std::optional<LibTorch>& found = std::nullopt);

}  // namespace icount
