// CallgrindStats and task specs as JSON: all of it comes back, and what is damaged is refused in words.
#include "icount/store/callgrind_stats_file.h"

#include <gtest/gtest.h>

#include "icount/base/json.h"
#include "icount/base/scratch_dir.h"
#include "icount/store/task_spec_json.h"
#include "support/error_of.h"

namespace icount {
namespace {

CallgrindStats sample() {
  return CallgrindStats({.task_spec = {.stmt = "x + y", .setup = "int x;", .label = "add", .env = "", .num_threads = 3},
                         .number_per_run = 10,
                         .built_with_debug_symbols = true,
                         .baseline_inclusive = FunctionCounts({{9, "main"}}, true),
                         .baseline_exclusive = FunctionCounts({{2, "main"}}, false),
                         .stmt_inclusive = FunctionCounts({{30, "main"}, {20, "a.c:f [prog]"}}, true),
                         .stmt_exclusive = FunctionCounts({{20, "a.c:f [prog]"}, {-1, "main"}}, false)});
}

using Rows = std::vector<FunctionCount>;

TEST(CallgrindStatsFileTest, EverythingComesBack) {
  const ScratchDir folder = ScratchDir("stats");
  save_callgrind_stats(folder.path() / "s.json", sample());
  const CallgrindStats read = load_callgrind_stats(folder.path() / "s.json");
  EXPECT_EQ(read.task_spec(), sample().task_spec());
  EXPECT_EQ(read.number_per_run(), 10);
  EXPECT_TRUE(read.built_with_debug_symbols());
  EXPECT_EQ(read.baseline(true).rows(), (Rows{{9, "main"}}));
  EXPECT_EQ(read.baseline(false).rows(), (Rows{{2, "main"}}));
  EXPECT_EQ(read.stats(true).rows(), (Rows{{30, "main"}, {20, "a.c:f [prog]"}}));
  EXPECT_EQ(read.stats(false).rows(), (Rows{{20, "a.c:f [prog]"}, {-1, "main"}}));
  EXPECT_EQ(callgrind_stats_text(read), callgrind_stats_text(sample()));
}

/// What is said of the sample after a change of its JSON.
std::string refusal(const std::function<void(Json&)>& change) {
  Json json = parse_json(callgrind_stats_text(sample()), "s");
  change(json);
  const std::string text = json.dump();
  return error_of(ErrorKind::kMalformed, [&] { parse_callgrind_stats(text, "s.json"); });
}

TEST(CallgrindStatsFileTest, DamageIsNamed) {
  EXPECT_EQ(refusal([](Json&) {}), "no error");
  EXPECT_EQ(refusal([](Json& json) { json["schema"]["name"] = "other"; }),
            "s.json: not saved CallgrindStats (no schema \"icount-callgrind-stats\")");
  EXPECT_EQ(refusal([](Json& json) { json["schema"]["version"] = 2; }),
            "s.json: version 2 of the format; this icount reads up to 1: use a newer icount");
  EXPECT_EQ(refusal([](Json& json) { json["schema"]["version"] = 0; }),
            "s.json: version 0 of the format; this icount reads up to 1: use a newer icount");
  EXPECT_EQ(refusal([](Json& json) { json["built_with_debug_symbols"] = 1; }),
            "s.json: field 'built_with_debug_symbols' is not true or false");
  EXPECT_EQ(refusal([](Json& json) { json["number_per_run"] = 0; }), "s.json: field 'number_per_run' is 0");
  EXPECT_EQ(refusal([](Json& json) { json["tables"]["stmt_exclusive"] = 7; }),
            "s.json: table 'stmt_exclusive' is not a list");
}

TEST(CallgrindStatsFileTest, ARowIsACountAndAFunction) {
  const auto with_row = [](const Json& row) {
    return refusal([&](Json& json) { json["tables"]["stmt_inclusive"][1] = row; });
  };
  const std::string expected = "s.json: row 1 of table 'stmt_inclusive' is not [count, function]";
  EXPECT_EQ(with_row({1, "f"}), "no error");
  EXPECT_EQ(with_row({1.5, "f"}), expected);
  EXPECT_EQ(with_row({"f", 1}), expected);
  EXPECT_EQ(with_row({1, "f", 2}), expected);
  EXPECT_EQ(with_row({1, 2}), expected);
  EXPECT_EQ(with_row(7), expected);
}

std::string spec_refusal(const std::function<void(Json&)>& change) {
  Json json = to_json(sample().task_spec());
  change(json);
  return error_of(ErrorKind::kMalformed, [&] { parse_task_spec(json, "here"); });
}

TEST(TaskSpecJsonTest, AbsentTextsAreNullAndEmptyOnesAreThere) {
  const Json json = to_json(sample().task_spec());
  EXPECT_TRUE(json["description"].is_null());
  EXPECT_EQ(json["env"], "");
  EXPECT_EQ(parse_task_spec(json, "here"), sample().task_spec());
}

TEST(TaskSpecJsonTest, WhatIsWrongIsNamed) {
  EXPECT_EQ(spec_refusal([](Json& json) { json["stmt"] = 7; }), "here: field 'stmt' is not a string");
  EXPECT_EQ(spec_refusal([](Json& json) { json["stmt"] = nullptr; }), "here: field 'stmt' is not a string");
  EXPECT_EQ(spec_refusal([](Json& json) { json["label"] = 7; }), "here: field 'label' is not a string");
  EXPECT_NE(spec_refusal([](Json& json) { json.erase("env"); }), "no error");
  EXPECT_EQ(spec_refusal([](Json& json) { json["num_threads"] = 0; }), "here: field 'num_threads' is 0");
  EXPECT_EQ(spec_refusal([](Json& json) { json["num_threads"] = 1'000'000; }), "no error");
  EXPECT_EQ(spec_refusal([](Json& json) { json["num_threads"] = 1'000'001; }), "here: field 'num_threads' is 1000001");
}

}  // namespace
}  // namespace icount
