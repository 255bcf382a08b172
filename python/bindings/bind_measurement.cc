#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <span>

#include "bindings.h"
#include "icount/report/measurement_text.h"
#include "icount/stats/measurement.h"
#include "icount/stats/units.h"

namespace icount::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

using OptionalText = std::optional<std::string>;

void bind_task_spec(nb::module_& module) {
  nb::class_<TaskSpec>(module, "TaskSpec")
      .def(
          "__init__",
          [](TaskSpec* self, std::string stmt, std::string setup, std::string global_setup, OptionalText label,
             OptionalText sub_label, OptionalText description, OptionalText env, int num_threads) {
            new (self) TaskSpec{std::move(stmt),      std::move(setup),       std::move(global_setup), std::move(label),
                                std::move(sub_label), std::move(description), std::move(env),          num_threads};
          },
          "stmt"_a, "setup"_a, "global_setup"_a, "label"_a.none(), "sub_label"_a.none(), "description"_a.none(),
          "env"_a.none(), "num_threads"_a)
      .def_prop_ro("title", task_title)
      .def("setup_str", task_setup_text)
      .def("summarize", task_summary)
      .def_prop_ro("as_row_name", task_row_name);
  module.def("clean_python_statement", clean_statement, "text"_a);
}

std::vector<std::pair<size_t, std::vector<double>>> merged_times(const std::vector<Measurement>& measurements) {
  std::vector<std::pair<size_t, std::vector<double>>> groups;
  for (const Measurement& group : merge(measurements)) {
    size_t first = 0;
    while (!(measurements[first].task_spec() == group.task_spec())) ++first;
    groups.emplace_back(first, group.raw_times());
  }
  return groups;
}

}  // namespace

void bind_measurement(nb::module_& module) {
  bind_task_spec(module);
  nb::class_<Measurement>(module, "Measurement")
      .def(nb::init<int64_t, std::vector<double>, TaskSpec>(), "number_per_run"_a, "raw_times"_a, "task_spec"_a)
      .def_prop_ro("times", &Measurement::times)
      .def_prop_ro("median", &Measurement::median)
      .def_prop_ro("mean", &Measurement::mean)
      .def_prop_ro("p25", &Measurement::p25)
      .def_prop_ro("p75", &Measurement::p75)
      .def_prop_ro("iqr", &Measurement::iqr)
      .def_prop_ro("significant_figures", &Measurement::significant_figures)
      .def_prop_ro("has_warnings", &Measurement::has_warnings)
      .def("meets_confidence", &Measurement::meets_confidence, "threshold"_a)
      .def("text", [](const Measurement& self) { return render_measurement(self, TimeText::kCompatible); });
  module.def("merged_times", merged_times, "measurements"_a,
             "(index of its first member, seconds per run of all its members) for each task, in order");
  module.def(
      "select_unit",
      [](double seconds) {
        const TimeUnit unit = select_unit(seconds);
        return std::pair(std::string(unit.name), unit.seconds);
      },
      "seconds"_a);
  module.def(
      "unit_to_english", [](std::string_view unit) { return std::string(unit_to_english(unit)); }, "unit"_a);
  module.def("trim_sigfig", trim_sigfig, "value"_a, "figures"_a);
}

}  // namespace icount::python
