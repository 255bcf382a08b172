// Python statements -> a server ready to start: the plan (code objects, compiled outside Valgrind), the server's two
// halves, the command line. What harness/build is for C++. Read docs/python_statements.md for the reasons.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "icount/base/scratch_dir.h"
#include "icount/harness/build.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/environment.h"
#include "icount/harness/timer_args.h"
#include "icount/harness/toolchain.h"

namespace icount {

// The interpreter that runs Python statements: found, asked what it is, refused in words when it will not do. Any
// CPython from 3.9; with or without torch.

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

struct PythonStubOptions {
  int64_t number = 0;   ///< runs of the regions to come, which share one unrolled block; 0: any number, in a loop
  bool torch = false;   ///< the server imports torch, and statements find it by that name
  bool calls = false;   ///< the children tell which Python function has which machine code (CPython 3.12 and newer)
  std::string preload;  ///< text that the server runs once; its call of serve() forks below its frames
  std::vector<std::string> path;  ///< folders that statements import from, before the interpreter's own (python_path())
  std::string here;  ///< the caller's working directory: searched after `path` when a statement imports what lies there
};

/// A server and the statements in it; statement i is its benchmark i. Owns the folder that the server reads.
struct PythonStub {
  ScratchDir folder;
  std::vector<std::string>
      prefix;  ///< goes before Valgrind's command: a shell that opens the descriptors the server reads
  std::vector<std::string> program;  ///< the interpreter and its arguments, without --icount-serve
  std::vector<size_t> statements;
  std::vector<BuildFailure> failures;
  std::string home;  ///< the folder above the interpreter's own, open as descriptor 8; the `folders` follow it
  std::vector<std::string> folders;  ///< of PythonStubOptions::path and ::here, those that are searched
  std::string server_identity;       ///< a hash of the server's text
  bool calls = false;                ///< PythonStubOptions::calls
  std::string library;               ///< path of the server's compiled half, an object in profiles
};

/// --python-path, then the folders of PYTHONPATH, all absolute. Error{kUsage} for a folder of --python-path that is not
/// there; those of PYTHONPATH may be missing, as for Python.
std::vector<std::string> python_path(const ToolchainOptions& options, const Environment& environment);

/// Compiles `members` of `statements`. A statement that does not compile is a failure in its own words
/// ("stmt:1:3: invalid syntax"). Error{kTool} when the server's own parts do not compile; errors of check_globals.
PythonStub make_python_stub(std::span<const TimerArgs> statements, std::span<const size_t> members,
                            const PythonInterpreter& python, const Compiler& compiler, BuildCache& cache,
                            const PythonStubOptions& options);

/// Which statements run with torch and which without, and which can't run: they need it, and the interpreter has none.
struct TorchSplit {
  std::vector<size_t> with;
  std::vector<size_t> without;
  std::vector<size_t> refused;
};
TorchSplit split_by_torch(std::span<const TimerArgs> statements, std::span<const size_t> members,
                          const PythonInterpreter& python);

/// What a refused statement is told.
std::string describe_missing_torch(const PythonInterpreter& python);

/// True when a statement is to find torch: TimerArgs::torch, or needs_torch.
bool wants_torch(const TimerArgs& args);

/// True when a statement can't do without torch: it names it in a text, or has a tensor or a module among its globals.
bool needs_torch(const TimerArgs& args);

/// What lists the files that such a server consists of (SessionSpec::list_watched).
std::vector<std::string> list_modules_command(const PythonInterpreter& python, bool torch);

}  // namespace icount
