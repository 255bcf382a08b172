#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "icount/base/error.h"
#include "icount/stats/callgrind_stats.h"
#include "icount/stats/result.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"

namespace icount::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

FunctionCounts counts_of(const Result& result, bool inclusive) {
  const auto graph = unpack_graph(result, result_label(result));
  return graph ? make_function_counts(*graph, 0, inclusive) : FunctionCounts({}, inclusive);
}

/// Several files as one, whose facts are told once. Fields that only a file's header has are those of the first.
void join_result_files(const std::vector<std::string>& paths, const std::string& out, const std::string& command) {
  ResultFile joined;
  joined.command = command;
  for (const std::string& path : paths) {
    ResultFile file = load_result_file(path).file;
    for (Result& result : file.results) {
      result.fingerprint = full_fingerprint(file, result);
      joined.results.push_back(std::move(result));
    }
  }
  check_result_keys(joined, out);
  share_fingerprint(joined);
  save_result_file(out, joined);
}

}  // namespace

void bind_results(nb::module_& module) {
  nb::class_<Result>(module, "Result", "One benchmark of a result file; counts are of all number_per_run runs.")
      .def_prop_ro("label", [](const Result& self) { return result_label(self); })
      .def_ro("status", &Result::status)
      .def_ro("error", &Result::error)
      .def_ro("details", &Result::details)
      .def_ro("notes", &Result::notes)
      .def_ro("event", &Result::event)
      .def_ro("number_per_run", &Result::number_per_run)
      .def_ro("counts", &Result::counts)
      .def_ro("slope", &Result::slope)
      .def_ro("fixed", &Result::fixed)
      .def("function_counts", counts_of, "inclusive"_a);
  module.def(
      "load_results", [](const std::string& path) { return load_result_file(path).file.results; }, "path"_a);
  module.def("join_result_files", join_result_files, "paths"_a, "out"_a, "command"_a);
  module.def(
      "load_measurements",
      [](const std::string& path) {
        std::vector<std::pair<int64_t, std::vector<double>>> blocks;
        for (const Measurement& measurement : load_measurements(path).measurements)
          blocks.emplace_back(measurement.number_per_run(), measurement.raw_times());
        return blocks;
      },
      "path"_a, "(number_per_run, raw_times) of each");
}

}  // namespace icount::python
