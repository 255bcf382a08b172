#include "icount/timer/within.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/callgrind/parser.h"
#include "icount/timer/program_conditions.h"

namespace icount {
namespace {

const std::vector<std::string> kProgram = {"./p"};

TEST(WithinTest, WordsMeanANameOrWhatIsLeftOfItWithoutItsParameters) {
  const FunctionNames names = {
      "parse",         "parse_line",      "parse.constprop.0", "ns::put(char*)",     "ns::put(char*, int)",
      "void f<int>()", "void f<char*>()", "A::operator*(int)", "A::operator*=(int)", "qsort@@GLIBC_2.2.5"};
  EXPECT_EQ(functions_meant("parse", names), (FunctionNames{"parse", "parse.constprop.0"}));
  EXPECT_EQ(functions_meant("parse_*", names), (FunctionNames{"parse_line"}));
  EXPECT_EQ(functions_meant("pars?", names), (FunctionNames{"parse", "parse.constprop.0"}));
  EXPECT_EQ(functions_meant("ns::put", names), (FunctionNames{"ns::put(char*)", "ns::put(char*, int)"}));
  EXPECT_EQ(functions_meant("ns::put(char*)", names), (FunctionNames{"ns::put(char*)"}));
  EXPECT_EQ(functions_meant("ns::put(char*, *)", names), (FunctionNames{"ns::put(char*, int)"}));
  EXPECT_EQ(functions_meant("f", names), (FunctionNames{"void f<char*>()", "void f<int>()"}));
  EXPECT_EQ(functions_meant("f<char*>", names), (FunctionNames{"void f<char*>()"}));
  EXPECT_EQ(functions_meant("A::operator*", names), (FunctionNames{"A::operator*(int)"}));
  EXPECT_EQ(functions_meant("qsort", names), (FunctionNames{"qsort@@GLIBC_2.2.5"}));
  EXPECT_EQ(functions_meant("put", names), FunctionNames{});
  EXPECT_EQ(functions_meant("*line", names), (FunctionNames{"parse_line"}));
}

struct Part {
  std::string trigger;
  int own = 0, calls = 0, cost = 0;  ///< of who calls f; its calls of f and what these cost
};

CallgrindRun run_of(const std::vector<Part>& parts) {
  std::string text = "version: 1\ncreator: callgrind-3.19.0\n";
  int number = 0;
  for (const Part& part : parts)
    text += fmt::format(
        "part: {}\ndesc: Trigger: {}\npositions: line\nevents: Ir\nfn=(below main)\n1 {}\ncfn=f\ncalls={} 1\n1 {}\n"
        "fn=f\n2 {}\ntotals: {}\n\n",
        ++number, part.trigger, part.own, part.calls, part.cost, part.cost, part.own + part.cost);
  CallgrindRun run;
  run.processes.emplace_back();
  run.processes[0].programs.push_back(parse_profile(text, "p"));
  return run;
}

std::string refusal(const CallgrindRun& whole, const CallgrindRun& cut) {
  try {
    check_calls_within({"f"}, kProgram, whole, cut);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(WithinTest, DumpsThatCallgrindLostAreNoCount) {
  const std::string before = "--dump-before=f", after = "--dump-after=f", end = "Program termination";
  const std::string other = "--dump-before=other";
  const CallgrindRun whole = run_of({{end, 10, 2, 70}});
  std::vector<Part> cut = {{before, 4, 1}, {after, 0, 0, 30}, {before, 3, 1}, {after, 0, 0, 40}, {end, 3}};
  EXPECT_EQ(refusal(whole, run_of(cut)), "");
  EXPECT_EQ(refusal(CallgrindRun(), run_of(cut)), "") << "no run to compare with";
  EXPECT_NE(refusal(run_of({{end, 11, 2, 69}}), run_of(cut)), "") << "one instruction less without dumps, in f";
  EXPECT_EQ(refusal(run_of({{end, 10, 2, 69}}), run_of(cut)), "") << "a program that moves";
  cut[0].trigger = other;
  EXPECT_EQ(refusal(whole, run_of(cut)),
            "cannot count ./p within functions: 1 begins of f were recorded, it was called 2 times; a region "
            "(icount/region.h) names a part in the source");
  cut[0].trigger = before;
  cut[1].trigger = other;
  EXPECT_EQ(refusal(whole, run_of(cut)),
            "cannot count ./p within functions: 76 Ir ran between the recorded begins and ends, and the calls cost 70 "
            "Ir; a region (icount/region.h) names a part in the source");
}

TEST(WithinTest, WhatNoFunctionIsCalledIsAnErrorThatNamesWhatIs) {
  CallgrindRun run;
  run.processes.emplace_back();
  run.processes[0].programs.push_back(parse_profile(
      "version: 1\ncreator: callgrind-3.19.0\nevents: Ir\nfn=(below main)\n1 1\ncfn=main\ncalls=1 1\n1 5\n"
      "fn=main\n1 2\ncfn=f\ncalls=1 1\n1 3\nfn=f\n2 3\ntotals: 6\n",
      "p"));
  EXPECT_EQ(find_functions({"f", "*m*"}, kProgram, run), (FunctionNames{"f", "main"}));
  EXPECT_EQ(find_functions({"f", "f"}, kProgram, run), (FunctionNames{"f"}));
  const auto refusal_of = [&](const char* name) -> std::string {
    try {
      find_functions({"f", name}, kProgram, run);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(
      refusal_of("ai"),
      "cannot count ./p: it calls no function ai (was it inlined?); --within takes names as the profile has them, "
      "with * and ?; it calls main");
  EXPECT_NE(refusal_of("*below*").find("(below main) is entered by a return or a computed jump"), std::string::npos);
}

/// Called as a function of the C library that makes processes.
__attribute__((used)) int own_function() asm("__clone3");
int own_function() { return 1; }

TEST(WithinTest, AFunctionOfTheProgramsOwnIsNoneOfTheCLibrarys) {
  const ProgramSurroundings surroundings("/proc/self/exe", Pins(), Environment(), {});
  const std::vector<std::string> own = surroundings.own_functions();  // a sanitizer's runtime adds some
  EXPECT_EQ(std::count(own.begin(), own.end(), "__clone3"), 1);
  EXPECT_EQ(std::count(own.begin(), own.end(), "fork"), 0);
}

}  // namespace
}  // namespace icount
