#include <gtest/gtest.h>

#include <cmath>

#include "goldens/golden_checks.h"
#include "icount/base/error.h"
#include "icount/harness/timer_args.h"
#include "icount/stats/units.h"

namespace icount {

void check_select_unit(const Json& golden) {
  double time = golden.at("input").at("t");
  const Json& expect = golden.at("expect");
  if (expect.contains("raises")) {
    EXPECT_THROW(select_unit(time), Error);
    return;
  }
  EXPECT_EQ(select_unit(time).name, expect.at("unit").get<std::string>());
  EXPECT_EQ(select_unit(time).seconds, expect.at("scale").get<double>());
}

void check_trim_sigfig(const Json& golden) {
  double value = golden.at("input").at("x");
  int figures = golden.at("input").at("n");
  double trimmed = trim_sigfig(value, figures);
  if (!golden.at("expect").contains("raises")) {
    EXPECT_EQ(trimmed, golden.at("expect").at("value").get<double>());
    return;
  }
  // Where PyTorch fails, what comes out is still the number to that many figures (or what no float32 can
  // hold).
  EXPECT_LE(std::fabs(trimmed - value), std::fabs(value) * std::pow(10, 1 - figures) / 2 * 1.00001);
}

void check_unit_to_english(const Json& golden) {
  std::string unit = golden.at("input").at("unit");
  if (!golden.at("expect").contains("raises")) {
    EXPECT_EQ(unit_to_english(unit), golden.at("expect").at("value").get<std::string>());
  } else if (unit != "ps") {  // icount's addition
    EXPECT_THROW(unit_to_english(unit), Error);
  }
}

void check_cleanup(const Json& golden) {
  const Json& input = golden.at("input");
  const Json& expect = golden.at("expect");
  auto clean = [&] {
    Language language = parse_language(input.at("language").get<std::string>());
    TaskSpec spec{.stmt = input.at("stmt"), .setup = input.at("setup"), .global_setup = input.at("global_setup")};
    return language == Language::kPython ? clean_python_spec(spec) : clean_cpp_spec(spec);
  };
  if (expect.contains("raises")) {
    EXPECT_THROW(clean(), Error);
    return;
  }
  TaskSpec spec = clean();
  EXPECT_EQ(spec.stmt, expect.at("stmt").get<std::string>());
  EXPECT_EQ(spec.setup, expect.at("setup").get<std::string>());
  EXPECT_EQ(spec.global_setup, expect.at("global_setup").get<std::string>());
  EXPECT_EQ(task_title(spec), expect.at("title").get<std::string>());
  EXPECT_EQ(task_setup_text(spec), expect.at("setup_str").get<std::string>());
  EXPECT_EQ(task_summary(spec), expect.at("summary").get<std::string>());
  if (expect.contains("backend")) {
    EXPECT_EQ(compiler_text(spec.stmt), expect.at("backend").at("stmt").get<std::string>());
    EXPECT_EQ(compiler_text(spec.setup), expect.at("backend").at("setup").get<std::string>());
    EXPECT_EQ(compiler_text(spec.global_setup), expect.at("backend").at("global_setup").get<std::string>());
  }
}

void check_task_spec(const Json& golden) {
  TaskSpec spec = task_spec_of(golden.at("input"));
  EXPECT_EQ(task_title(spec), golden.at("expect").at("title").get<std::string>());
  EXPECT_EQ(task_setup_text(spec), golden.at("expect").at("setup_str").get<std::string>());
  EXPECT_EQ(task_summary(spec), golden.at("expect").at("summary").get<std::string>());
}

void check_task_spec_equal(const Json& golden) {
  const Json& input = golden.at("input");
  EXPECT_EQ(task_spec_of(input.at("a")) == task_spec_of(input.at("b")), golden.at("expect").at("value").get<bool>());
}

void check_ordered_unique(const Json& golden) {
  std::vector<Json> values = golden.at("input").at("elements");
  EXPECT_EQ(Json(ordered_unique(values)), golden.at("expect").at("value"));
}

}  // namespace icount
