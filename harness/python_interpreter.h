// The interpreter that runs Python statements: found, asked what it is, refused in words when it will not do. Any
// CPython from 3.9; with or without torch. harness/python_stub starts it, doctor names it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "icount/harness/build_cache.h"
#include "icount/harness/environment.h"

namespace icount {

/// One CPython that runs here.
struct PythonInterpreter {
  std::filesystem::path path;  ///< the interpreter itself, not a shim that starts it
  std::string version;         ///< "3.11.2"
  std::string build;           ///< sys.version in one line: part of the fingerprint
  int minor = 0;               ///< 11 for 3.11
  std::string torch_version;   ///< empty when it was not asked for, or can't be imported
  std::string torch_error;     ///< why it can't be imported: "ModuleNotFoundError: No module named 'torch'"

  /// Flags before -c: those that keep the user's folder and site out, as far as this version has them (-P from 3.11).
  std::vector<std::string> flags() const;
};

/// Which interpreter is meant: `asked` (--python), else that of the active virtual environment, else python3.
std::string choose_python(const std::string& asked, const Environment& environment);

/// Runs `program` and asks it. Imports torch when `with_torch` (seconds), from the folders of `path`, too; with a
/// `cache`, only when no torch of the same files, folders and environment was imported before. Error{kTool} naming the
/// interpreter when it does not run, is no CPython, is older than 3.9 or lacks ctypes. A torch that can't be imported
/// is no error here: torch_error says why.
PythonInterpreter probe_python(const std::string& program, bool with_torch, const std::vector<std::string>& path = {},
                               BuildCache* cache = nullptr);

}  // namespace icount
