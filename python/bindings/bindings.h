// The parts of the Python module icount._core, one for each kind of value. They convert between Python's objects and
// values of stats, fuzzer, store and timer; what the values mean is computed there. The classes that users see are in
// python/icount, and hold these.
#pragma once

#include <nanobind/nanobind.h>

namespace icount::python {

/// TaskSpec, Measurement and the helpers of units.
void bind_measurement(nanobind::module_& module);
/// FunctionCounts, and the texts and rules of CallgrindStats.
void bind_counts(nanobind::module_& module);
/// Compare's text.
void bind_compare(nanobind::module_& module);
/// Draws of the fuzzer, without tensors.
void bind_fuzzer(nanobind::module_& module);
/// The timing loops over a callable that times blocks.
void bind_timing(nanobind::module_& module);
/// Result files and timings that the icount program has written.
void bind_results(nanobind::module_& module);

}  // namespace icount::python
