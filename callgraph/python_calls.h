// The calls between Python functions, out of a profile in which CPython's perf trampoline gave each function machine
// code of its own and Callgrind kept the C code below each of them apart (timer/collect_callgrind). A trampoline enters
// the evaluator, which runs the byte code and calls C functions; these may call Python again. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// Where a Python function's trampoline lies, and whose it is.
struct PythonFunction {
  uint64_t address = 0;
  std::string name;  ///< qualified: "Parser.parse", "f.<locals>.<lambda>"
  std::string file;
  int64_t line = 0;  ///< of its definition; 0: unknown
};

/// Object of Python functions in the graph.
inline constexpr std::string_view kPythonObject = "Python";
/// Python function that stands for C code that no Python function called.
inline constexpr std::string_view kOutsideOfPython = "(outside of Python functions)";

bool is_python_function(const CostGraph& graph, FunctionIndex function);
/// Whether the graph has one of that name.
bool has_python_function(const CostGraph& graph, std::string_view name);

/// Python functions (object kPythonObject, one line: that of the definition), with the evaluator's cost as their own,
/// and one function "C'PYTHON" for each C function that the evaluator of a Python function called directly: its cost
/// is that of all C code below, down to the next Python function, and that Python function is its only caller. Two
/// functions of one name and file are told apart by a number in the order of their lines: "f", "f (2)". Costs add up to
/// those of `contexts`, whose names are contexts ("C'_PyEval_EvalFrameDefault'0x4a1b2c'..."). Where a context names no
/// trampoline, the code belongs to the caller whose calls of it cost most; that of an evaluator that nobody called, to
/// the function "stmt" of the file "stmt", in which the process began.
CostGraph make_python_calls(const CostGraph& contexts, std::span<const PythonFunction> functions);

// Recorded Python calls as the graph that is explained: C functions folded under the Python function that called them,
// what the recording cost taken off again, so that the total is the one counted without it.

/// Function that holds what is left of the recording once its cost per call is taken off.
inline constexpr std::string_view kRecording = "(recording of Python calls)";

/// Instructions that the recording cost for each call that one Python function makes of another: what was counted with
/// it beyond `counted`, divided among the calls. A call out of C code, which goes through the evaluator's entrance
/// anyway, counts as kOutOfC of one. Both sides of a comparison need one figure (the larger), or functions that did not
/// change would differ. 0 when there are no calls.
double recording_cost(const CostGraph& calls, int64_t counted);
inline constexpr double kOutOfC = 0.15;  // 62 of 421 instructions (CPython 3.12), 61 of 394 (3.13)

/// `calls` of make_python_calls (one event). The cost of recording is taken from who makes a call, where it arises, and
/// from the calls that contain it. Python functions named in `opened` keep their C functions as functions. The total is
/// `counted`, exactly.
CostGraph make_python_view(const CostGraph& calls, int64_t counted, double cost_per_call,
                           const std::vector<std::string>& opened = {});

}  // namespace icount
