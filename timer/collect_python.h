// The Python statements of one collect_callgrind call: one server with torch and one without, as the statements need.
// Between collect_callgrind (C++ stubs) and collect_batch (any server); builds with harness/python_stub.
#pragma once

#include <span>
#include <vector>

#include "icount/callgrind/installed_valgrind.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/timer_args.h"
#include "icount/harness/toolchain.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

struct PythonCollection {
  std::span<const TimerArgs> statements;
  const Valgrind& valgrind;
  const Compiler& compiler;  ///< for the server's own compiled half
  BuildCache& cache;
  const CollectOptions& options;
};

/// Measures `members` and stores their results. A statement that names torch while the interpreter has none is a
/// compile error that says so; one that does not is measured without, with a note. Error{kTool} when there is no usable
/// interpreter.
void collect_python(const PythonCollection& collection, std::span<const size_t> members,
                    std::vector<CollectResult>& results);

}  // namespace icount
