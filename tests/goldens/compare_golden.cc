#include <gtest/gtest.h>

#include "goldens/golden_checks.h"
#include "icount/report/compare_text.h"

namespace icount {
namespace {

Compare compare_of(const Json& input, CompareMode mode) {
  Compare compare;
  for (const Json& batch : input.at("batches")) {
    std::vector<Measurement> results;
    for (const Json& json : batch) results.push_back(measurement_of(json));
    compare.extend_results(results);
  }
  const Json& options = input.at("options");
  compare.trim_significant_figures(options.at("trim"));
  std::string colorize = options.at("colorize");
  compare.colorize(colorize == "rowwise"      ? Colorize::kRowwise
                   : colorize == "columnwise" ? Colorize::kColumnwise
                                              : Colorize::kNone);
  compare.highlight_warnings(options.at("highlight_warnings"));
  compare.set_mode(mode);
  return compare;
}

}  // namespace

void check_compare(const Json& golden) {
  std::string expect = golden.at("expect").at("text");
  EXPECT_EQ(render_compare(compare_of(golden.at("input"), CompareMode::kCompatible)), expect);
  // The mended form is the same table wherever PyTorch loses nothing; where it does, a note says so.
  std::string mended = render_compare(compare_of(golden.at("input"), CompareMode::kMended));
  if (mended.find("\nNote: ") == std::string::npos) {
    EXPECT_EQ(mended, expect);
  }
}

void check_compare_raises(const Json& golden) {
  Compare compare = compare_of(golden.at("input"), CompareMode::kMended);
  std::string text = render_compare(compare);
  EXPECT_NE(text.find("Note: "), std::string::npos) << text;
  for (const Measurement& result : compare.results())
    EXPECT_NE(text.find(task_row_name(result.task_spec())), std::string::npos) << text;
}

}  // namespace icount
