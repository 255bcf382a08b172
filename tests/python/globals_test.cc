#include "icount/harness/globals.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/timer_args.h"
#include "support/error_of.h"

namespace icount {
namespace {

using Kind = GlobalValue::Kind;

TEST(GlobalsTest, EachKindIsRead) {
  EXPECT_EQ(parse_global("n=int:-5").value, "-5");
  EXPECT_EQ(parse_global("n=int:-5").kind, Kind::kInteger);
  EXPECT_EQ(parse_global("r=float:1e-3").kind, Kind::kNumber);
  EXPECT_EQ(parse_global("on=bool:true").kind, Kind::kBool);
  EXPECT_EQ(parse_global("s=str:a=b:c").value, "a=b:c");
  EXPECT_EQ(parse_global("b=bytes:00fF").value, std::string("\0\xff", 2));
}

TEST(GlobalsTest, AFileGivesItsBytes) {
  ScratchDir dir;
  const auto path = dir.path() / "values";
  const std::string bytes("a\0\xff\n", 4);
  save_file(path, bytes);
  const GlobalValue global = parse_global("b=file:" + path.string());
  EXPECT_EQ(global.kind, Kind::kBytes);
  EXPECT_EQ(global.value, bytes);
  EXPECT_EQ(error_of([] { parse_global("b=file:/nowhere/values"); }),
            "global 'b': /nowhere/values: cannot read: No such file or directory");
}

TEST(GlobalsTest, WhatIsNoGlobalIsRefusedInWords) {
  EXPECT_EQ(
      error_of([] { parse_global("n=5"); }),
      "'n=5' is not a global; write NAME=KIND:VALUE with a kind of int, float, bool, str, bytes (hex), file (bytes, "
      "from a path), json (a list or dict), tensor or module (a path)");
  EXPECT_EQ(error_of([] { parse_global("n=int:five"); }), "global 'n': 'five' is not a 64-bit integer");
  EXPECT_EQ(error_of([] { parse_global("n=float:nan"); }), "global 'n': 'nan' is not a finite number");
  EXPECT_EQ(error_of([] { parse_global("n=bool:1"); }), "global 'n': '1' is not a bool (true or false)");
  EXPECT_EQ(error_of([] { parse_global("n=bytes:0"); }), "global 'n': bytes must be pairs of hex digits, not '0'");
  EXPECT_EQ(error_of([] { parse_global("1n=int:0"); }),
            "'1n' is not a valid name for a global; use letters, digits and _");
  EXPECT_NE(error_of([] { parse_global("x=tensor:/nowhere/x.pt"); }).find("global 'x': "), std::string::npos);
}

TEST(GlobalsTest, ListsAndDictsAreVectorsAndMapsInCpp) {
  const auto definition = [](const std::string& json) {
    const GlobalValue global[] = {parse_global("v=json:" + json)};
    const std::string setup = make_cpp_globals(global).setup;
    return setup.substr(0, setup.find('\n'));
  };
  EXPECT_EQ(definition("[1, -2]"), "std::vector<int64_t> v {1, -2};");
  EXPECT_EQ(definition("[1, 0.5]"), "std::vector<double> v {1, 0.5};");
  EXPECT_EQ(definition("[true]"), "std::vector<bool> v {true};");
  EXPECT_EQ(definition(R"([["a"], ["b"]])"),
            R"(std::vector<std::vector<std::string>> v {{std::string("a")}, {std::string("b")}};)");
  EXPECT_EQ(definition(R"({"a": 1})"), R"(std::map<std::string, int64_t> v {{std::string("a"), 1}};)");
  EXPECT_EQ(definition("[9007199254740992, 0.5]"), "std::vector<double> v {9007199254740992, 0.5};");
  EXPECT_EQ(error_of([&] { definition("[9007199254740993, 0.5]"); }),
            "global 'v': its numbers are double in C++, and 9007199254740993 is none: write 9007199254740992.0 to have "
            "it rounded, or give the whole numbers as a global of their own");
  EXPECT_NE(error_of([&] { definition("[0.5, 9223372036854775807]"); }).find("9223372036854775807 is none"),
            std::string::npos);
  EXPECT_EQ(definition("[9007199254740993]"), "std::vector<int64_t> v {9007199254740993};");
  EXPECT_EQ(error_of([&] { definition("[1, true]"); }),
            "global 'v': its elements are of several C++ types: int64_t and bool");
  EXPECT_NE(error_of([&] { definition("[]"); }).find("has no type in C++"), std::string::npos);
  EXPECT_NE(error_of([&] { definition("5"); }).find("json is for lists and dicts"), std::string::npos);
  EXPECT_NE(error_of([&] { definition("[1"); }).find("global 'v'"), std::string::npos);
}

TEST(GlobalsTest, ANameComesOnce) {
  const GlobalValue twice[] = {CopyIfCallgrind::integer("n", 1), CopyIfCallgrind::boolean("n", true)};
  EXPECT_EQ(error_of([&] { check_globals(twice); }), "the global 'n' is given twice");
}

TEST(GlobalsTest, CppDefinitionsComeInOrderEachAfterItsOwnSetup) {
  const GlobalValue values[] = {CopyIfCallgrind::integer("n", INT64_MIN, "int before = 0;"),
                                CopyIfCallgrind::number("r", 0.1), CopyIfCallgrind::boolean("on", false),
                                CopyIfCallgrind::bytes("b", std::string("\0\"", 2))};
  const CppGlobals cpp = make_cpp_globals(values);
  EXPECT_EQ(cpp.setup,
            "int before = 0;\nint64_t n = INT64_MIN;\nicount::keep(n);\ndouble r = "
            "static_cast<double>(0.1);\nicount::keep(r);\n"
            "bool on = false;\nicount::keep(on);\nstd::string b = std::string(\"\\000\\042\", 2);\n");
  EXPECT_EQ(cpp.global_setup, "");
}

TEST(GlobalsTest, AFileIsPartOfTheProgramAndItsContentOfTheText) {
  ScratchDir dir;
  const auto path = dir.path() / "x.pt";
  save_file(path, "PK archive/constants.pkl first");
  const GlobalValue tensor = CopyIfCallgrind::tensor_file("x", path.string());
  const std::string first = make_cpp_globals({&tensor, 1}).setup;
  EXPECT_NE(first.find(".incbin \\\"" + path.string() + "\\\""), std::string::npos) << first;
  EXPECT_NE(first.find("torch::load(x, icount_bytes_x,"), std::string::npos) << first;
  save_file(path, "PK archive/data.pkl second");
  const std::string second = make_cpp_globals({&tensor, 1}).setup;
  EXPECT_NE(second.find("torch::pickle_load("), std::string::npos) << second;
  EXPECT_NE(first.substr(0, first.find("incbin")), second.substr(0, second.find("incbin")));
}

TEST(LowerStatementTest, GlobalsStandBeforeTheUsersSetup) {
  TimerArgs args;
  args.stmt = "n + 1;";
  args.setup = "int m = n;";
  args.globals = {CopyIfCallgrind::integer("n", 3)};
  const TimerArgs lowered = make_cpp_statement(args);
  EXPECT_EQ(lowered.setup, "int64_t n = INT64_C(3);\nicount::keep(n);\nint m = n;");
  EXPECT_TRUE(lowered.globals.empty());
  args.language = Language::kPython;
  EXPECT_EQ(make_cpp_statement(args).setup, "int m = n;");
}

}  // namespace
}  // namespace icount
