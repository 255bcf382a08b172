// Recording the calls between Python functions: how the run beside the counted ones is made, and what is made of its
// profile. Between timer/collect_python, which runs both, and callgraph/python_calls. docs/decisions/0009 has the
// reasons.
#pragma once

#include <string>

#include "icount/callgraph/cost_graph.h"
#include "icount/harness/python_interpreter.h"
#include "icount/harness/python_stub.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

/// Whether calls are to be recorded and this interpreter can: CPython 3.12 or newer.
bool records_python_calls(const CollectOptions& options, const PythonInterpreter& python);

/// One run, whose contexts tell below which trampoline C code ran. Nobody hears of its results. Without torch in a
/// server of its own, which runs set-ups before Callgrind's instrumentation begins: below it they would cost seconds,
/// as each Python function has its own copy of Callgrind's tables. Only the start of torch costs more.
CollectOptions recording_options(const CollectOptions& options, bool torch);

/// What the recording of a statement came to: its calls, or why there are none.
struct PythonRecording {
  CostGraph calls;
  std::string problem;  ///< empty: there are calls
};

/// `stub`: has the folders that the server had open, whose names in files are descriptors; a file in `here` has a
/// relative name.
PythonRecording take_python_recording(CollectResult recorded, const PythonStub& stub, const std::string& here);

}  // namespace icount
