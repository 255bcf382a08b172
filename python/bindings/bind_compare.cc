#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "icount/report/compare_text.h"
#include "icount/stats/compare.h"

namespace icount::python {
namespace nb = nanobind;
using namespace nb::literals;

void bind_compare(nb::module_& module) {
  nb::enum_<Colorize>(module, "Colorize")
      .value("NONE", Colorize::kNone)
      .value("COLUMNWISE", Colorize::kColumnwise)
      .value("ROWWISE", Colorize::kRowwise);
  module.def(
      "compare_text",
      [](std::vector<Measurement> results, bool trim_significant_figures, Colorize colorize, bool highlight_warnings) {
        Compare compare(std::move(results));
        compare.set_mode(CompareMode::kCompatible);
        compare.trim_significant_figures(trim_significant_figures);
        compare.colorize(colorize);
        compare.highlight_warnings(highlight_warnings);
        return render_compare(compare);
      },
      "results"_a, "trim_significant_figures"_a, "colorize"_a, "highlight_warnings"_a);
}

}  // namespace icount::python
