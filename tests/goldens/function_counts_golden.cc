#include <gtest/gtest.h>

#include "goldens/golden_checks.h"
#include "icount/base/error.h"
#include "icount/report/measurement_text.h"
#include "icount/stats/callgrind_stats.h"
#include "icount/stats/name_rules.h"

namespace icount {
namespace {

FunctionCounts counts_in(const Json& json) {
  return counts_of(json.at("data"), json.at("inclusive"), json.value("truncate_rows", true));
}

std::optional<int64_t> slice_end(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<int64_t>());
}

auto contains(std::string part) {
  return [part](std::string_view name) { return name.find(part) != std::string_view::npos; };
}

// str.replace of every occurrence, from the left.
auto replaces(std::string before, std::string after) {
  return [before, after](std::string_view name) {
    std::string result;
    for (size_t at; (at = name.find(before)) != std::string_view::npos; name.remove_prefix(at + before.size()))
      result.append(name.substr(0, at)).append(after);
    return result.append(name);
  };
}

// PyTorch keeps only the last of equal names when it multiplies.
FunctionCounts product(const FunctionCounts& counts, const Json& factor) {
  return factor.is_number_integer() ? counts.times(factor.get<int64_t>(), EqualNames::kLastWins)
                                    : counts.times(factor.get<double>(), EqualNames::kLastWins);
}

FunctionCounts result_of(const Json& input) {
  std::string op = input.at("op");
  FunctionCounts a = counts_in(input.at("a"));
  if (op == "add") return a + counts_in(input.at("b"));
  if (op == "sub") return a - counts_in(input.at("b"));
  if (op == "mul") return product(a, input.at("k"));
  if (op == "filter") return a.filter(contains(input.at("substring")));
  if (op == "transform") return a.transform(replaces(input.at("replace").at(0), input.at("replace").at(1)));
  if (op == "denoise") return a.denoise();
  if (op == "slice") return a.slice(slice_end(input.at("slice").at(0)), slice_end(input.at("slice").at(1)));
  throw Error(ErrorKind::kUsage, "unknown op " + op);
}

void expect_counts(const FunctionCounts& actual, const Json& expect) {
  EXPECT_EQ(actual.rows(), counts_in(expect).rows());
  EXPECT_EQ(actual.inclusive(), expect.at("inclusive").get<bool>());
  EXPECT_EQ(actual.truncate_rows(), expect.at("truncate_rows").get<bool>());
  EXPECT_EQ(actual.sum(), expect.at("sum").get<int64_t>());
  EXPECT_EQ(actual.size(), expect.at("size").get<size_t>());
}

CallgrindStats stats_of(const Json& json) {
  CallgrindStats::Parts parts;
  parts.task_spec = task_spec_of(json.at("task_spec"));
  parts.number_per_run = json.at("number_per_run");
  parts.built_with_debug_symbols = json.at("built_with_debug_symbols");
  parts.baseline_inclusive = counts_of(json.at("baseline_inclusive"), true);
  parts.baseline_exclusive = counts_of(json.at("baseline_exclusive"), false);
  parts.stmt_inclusive = counts_of(json.at("stmt_inclusive"), true);
  parts.stmt_exclusive = counts_of(json.at("stmt_exclusive"), false);
  if (json.contains("stmt_callgrind_out") && json.at("stmt_callgrind_out").is_string())
    parts.stmt_callgrind_out = json.at("stmt_callgrind_out").get<std::string>();
  return CallgrindStats(std::move(parts));
}

}  // namespace

void check_op(const Json& golden) {
  const Json& expect = golden.at("expect");
  if (!expect.contains("raises")) return expect_counts(result_of(golden.at("input")), expect);
  try {
    result_of(golden.at("input"));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), expect.value("message", ""));
  }
}

void check_sum(const Json& golden) {
  FunctionCounts counts = counts_in(golden.at("input").at("a"));
  EXPECT_EQ(counts.sum(), golden.at("expect").at("value").get<int64_t>());
  EXPECT_EQ(counts.size(), golden.at("expect").at("size").get<size_t>());
}

void check_chain(const Json& golden) {
  const Json& input = golden.at("input");
  FunctionCounts difference = counts_in(input.at("a")) - product(counts_in(input.at("b")), input.at("k"));
  FunctionCounts result = difference.filter(contains(input.at("substring")))
                              .transform(replaces(input.at("replace").at(0), input.at("replace").at(1)));
  expect_counts(result, golden.at("expect"));
  for (const auto& [width, text] : golden.at("expect").at("text").items())
    EXPECT_EQ(render_counts(result, std::stoul(width)), text.get<std::string>());
}

void check_counts_text(const Json& golden) {
  const Json& input = golden.at("input");
  for (const auto& [width, text] : golden.at("expect").at("text").items())
    EXPECT_EQ(render_counts(counts_in(input), input.value("linewidth", std::stoul(width))), text.get<std::string>());
}

void check_callgrind_stats(const Json& golden) {
  CallgrindStats stats = stats_of(golden.at("input"));
  const Json& expect = golden.at("expect");
  EXPECT_EQ(render_callgrind_stats(stats), expect.at("text").get<std::string>());
  EXPECT_EQ(stats.counts(), expect.at("counts").get<int64_t>());
  EXPECT_EQ(stats.counts(true), expect.at("counts_denoised").get<int64_t>());
  expect_counts(stats.stats(true), expect.at("stats_inclusive"));
  expect_counts(stats.stats(false), expect.at("stats_exclusive"));
}

void check_delta(const Json& golden) {
  const Json& input = golden.at("input");
  FunctionCounts delta =
      stats_of(input.at("a")).delta(stats_of(input.at("b")), input.at("inclusive"), UnequalRuns::kIgnore);
  expect_counts(delta, golden.at("expect"));
}

void check_as_standardized(const Json& golden) {
  CallgrindStats stats = stats_of(golden.at("input")).as_standardized();
  const Json& expect = golden.at("expect");
  expect_counts(stats.baseline(true), expect.at("baseline_inclusive"));
  expect_counts(stats.baseline(false), expect.at("baseline_exclusive"));
  expect_counts(stats.stats(true), expect.at("stmt_inclusive"));
  expect_counts(stats.stats(false), expect.at("stmt_exclusive"));
  EXPECT_EQ(stats.stmt_callgrind_out().has_value(), !expect.at("stmt_callgrind_out").is_null());
  EXPECT_EQ(stats.counts(), expect.at("counts").get<int64_t>());
  EXPECT_EQ(stats.counts(true), expect.at("counts_denoised").get<int64_t>());
  EXPECT_EQ(render_callgrind_stats(stats), expect.at("text").get<std::string>());
}

void check_standardize_name(const Json& golden) {
  EXPECT_EQ(compatible_rules().apply(golden.at("input").at("name").get<std::string>()),
            golden.at("expect").at("name").get<std::string>());
}

}  // namespace icount
