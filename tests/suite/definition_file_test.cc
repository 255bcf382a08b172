#include "icount/suite/definition_file.h"

#include <filesystem>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/suite/labels.h"
#include "icount/suite/work_order.h"
#include "support/error_of.h"

namespace icount {
namespace {

Suite parse(const std::string& text) { return parse_suite(text, "s.toml"); }

std::string message_of(const std::string& text) {
  return error_of(ErrorKind::kMalformed, [&] { parse(text); });
}

std::vector<std::string> labels_of(const Suite& suite) {
  std::vector<std::string> labels;
  for (const Benchmark& benchmark : materialize_suite(suite)) {
    std::string text;
    for (const std::string& part : benchmark.label) text += "/" + part;
    labels.push_back(text);
  }
  return labels;
}

TEST(DefinitionFileTest, TheOrderIsThatOfTheFileWhateverTheKind) {
  Suite suite = parse(R"(
[[stmts]]
label = "b"
cpp_stmt = "f();"
[[group]]
label = ["g", "h"]
[[group.variants]]
label = "v"
cpp_block = '''
// @z
f();
// @y
g();
'''
[[group.stmts]]
label = "a"
cpp_stmt = "f();"
[[stmts]]
label = "a"
cpp_stmt = "f();"
[[timer_args]]
label = "t"
stmt = "f();"
)");
  EXPECT_EQ(labels_of(suite), (std::vector<std::string>{"/b", "/g/h/v/z", "/g/h/v/y", "/g/h/a", "/a", "/t"}));
}

TEST(DefinitionFileTest, ThreadsThatNoStatementUsesAreRefused) {
  const std::string threads = R"(
[[stmts]]
label = "two"
cpp_stmt = "icount::keep(n);"
cpp_setup = "int n = 0;"
num_threads = [1, 2]
[[timer_args]]
label = "py"
stmt = "1 + 1"
language = "python"
num_threads = 3
[[timer_args]]
label = "uses"
stmt = "std::thread([] {}).join();"
num_threads = 2
)";
  EXPECT_EQ(
      message_of("[library]\ntorch = false\n" + threads),
      "2 problems in s.toml:\n"
      "s.toml:4:1: \"two / C++\": num_threads is 2, but the statement has no threads whose number could be set: it "
      "names neither LibTorch nor OpenMP nor threads of its own\n"
      "s.toml:9:1: \"py / Python\": num_threads is 3, but the statement has no threads whose number could be set: "
      "it does not name torch");
  EXPECT_NO_THROW(parse("[library]\nflags = [\"-DMINE\"]\n" + threads)) << "nobody knows what it brings";
}

TEST(DefinitionFileTest, SetupsOfGroupsComeBeforeTheBenchmarksOwn) {
  Suite suite = parse(R"(
[setup.one]
cpp_setup = "int one;"
[setup.two]
cpp_setup = "int two;"
global_setup = "int everywhere;"
[[group]]
label = "g"
setup = "one"
[[group.stmts]]
label = "a"
setup = ["two"]
cpp_setup = "int own;"
cpp_stmt = "f();"
)");
  TimerArgs args = materialize_suite(suite).at(0).timer_args;
  EXPECT_EQ(args.setup, "int one;\nint two;\nint own;");
  EXPECT_EQ(args.global_setup, "int everywhere;");
}

TEST(DefinitionFileTest, EachSizeOfAGrowthIsABenchmark) {
  const Suite suite = parse(R"(
[[group]]
label = "io"
[[group.growth]]
label = "read"
command = ["./read", "--lines={n}"]
input = "in{n}.txt"
sizes = [400, 100, 200]
max_exponent = 1.2
max_ratio = 3
[[growth]]
label = "sort"
setup = "std::vector<int> v({n}, 7);"
stmt = "sort(v);"
sizes = [1, 2, 4]
[[growth]]
label = "bench"
bench = ["./bench", "--fast"]
family = "BM_x"
)");
  std::vector<std::string> keys;
  const std::vector<Benchmark> benchmarks = materialize_suite(suite);
  for (const Benchmark& benchmark : benchmarks) keys.push_back(to_text(benchmark.label));
  EXPECT_EQ(keys, (std::vector<std::string>{"io / read / n = 100", "io / read / n = 200", "io / read / n = 400",
                                            "sort / n = 1", "sort / n = 2", "sort / n = 4", "bench"}));
  EXPECT_EQ(benchmarks[1].program->run.command, (std::vector<std::string>{"./read", "--lines=200"}));
  EXPECT_EQ(benchmarks[1].program->run.input, "in200.txt");
  EXPECT_EQ(benchmarks[5].timer_args.setup, "std::vector<int> v(4, 7);");
  EXPECT_EQ(benchmarks[6].bench->binary.filter, "^BM_x/[0-9]+(/[a-z].*)?$");
  EXPECT_EQ(suite.growths[0].limit.key, "io / read");
  EXPECT_EQ(suite.growths[0].limit.place, "s.toml:4");
  EXPECT_EQ(suite.growths[0].limit.max_exponent, 1.2);
  EXPECT_EQ(suite.growths[0].limit.max_ratio, 3);
  EXPECT_EQ(suite.growths[2].limit.pattern, "BM_x/{n}");
}

TEST(DefinitionFileTest, ASizeIsAParameterOfAFuzzersTable) {
  ScratchDir scratch;
  save_file(scratch.path() / "shapes.toml",
            "[[parameter]]\nname = \"n\"\ntable = [[1, 1.0]]\n[[tensor]]\nname = \"x\"\nsize = [\"n\", "
            "3]\nprobability_contiguous = 1\n");
  const std::string text =
      "[[growth]]\nlabel = \"sin\"\nop = \"shapes.toml\"\nparameter = \"n\"\nsetup = \"auto y = x.clone();\"\n"
      "stmt = \"y.sin();\"\nsizes = [10, 20, 40]\n";
  const auto benchmarks = materialize_suite(parse_suite(text, "s.toml", scratch.path()));
  ASSERT_EQ(benchmarks.size(), 3u);
  const std::string& setup = benchmarks[1].timer_args.setup;
  EXPECT_NE(setup.find("{20, 3}"), std::string::npos) << setup;
  EXPECT_LT(setup.find("{20, 3}"), setup.find("auto y = x.clone();")) << setup;
  std::string wrong = text;
  wrong.replace(wrong.find("= \"n\""), 5, "= \"k\"");
  const std::string error = error_of([&] { parse_suite(wrong, "s.toml", scratch.path()); });
  EXPECT_NE(error.find("no parameter 'k'; the table has n"), std::string::npos) << error;
}

TEST(DefinitionFileTest, ALibraryOfOnesOwnNeedsNoLibTorch) {
  ScratchDir scratch;
  std::filesystem::create_directory(scratch.path() / "src");
  save_file(scratch.path() / "src/a.cc", "");
  Suite suite = parse_suite(R"(
name = "own"
version = 3
[library]
torch = false
headers = ["own/own.h", "<vector>"]
include_dirs = "include"
sources = ["src/a.cc"]
flags = ["-O2"]
link_flags = "-lm"
pkg_config = ["zlib >= 1.2"]
cmake_packages = [{ name = "fmt", targets = ["fmt::fmt"] }]
[run]
number = 10
timeout_s = 2.5
[[stmts]]
label = "a"
cpp_stmt = "own::f();"
)",
                            "s.toml", scratch.path());
  EXPECT_EQ(suite.name, "own");
  EXPECT_EQ(suite.version, 3);
  EXPECT_EQ(suite.library.include_dirs.at(0), scratch.path() / "include");
  EXPECT_EQ(suite.library.sources.at(0), scratch.path() / "src/a.cc");
  EXPECT_EQ(suite.library.cmake_packages.at(0), (CmakePackage{"fmt", {}, {"fmt::fmt"}}));
  EXPECT_EQ(suite.run.number, 10);
  EXPECT_EQ(suite.run.timeout_s, 2.5);
  TimerArgs args = materialize_suite(suite).at(0).timer_args;
  EXPECT_FALSE(args.torch);
  EXPECT_EQ(args.global_setup, "#include \"own/own.h\"\n#include <vector>\n");
}

TEST(DefinitionFileTest, LimitsAreKeptForTheGateWithTheirLabel) {
  Suite suite = parse(R"(
[limits]
percent = 1
[[group]]
label = "g"
[group.limits]
percent = 5
[[group.stmts]]
label = "a"
cpp_stmt = "f();"
limits = { absolute = 7 }
)");
  ASSERT_EQ(suite.limits.size(), 3u);
  EXPECT_EQ(suite.limits[0].label, Label{});
  EXPECT_EQ(suite.limits[1].label, Label{"g"});
  EXPECT_EQ(suite.limits[2].label, (Label{"g", "a"}));
  EXPECT_EQ(suite.limits[2].value["absolute"], 7);
  EXPECT_EQ(suite.limits[2].place.line, 11);
}

TEST(DefinitionFileTest, DeeperLimitsComeLastAndSoWin) {
  Suite suite = parse(R"(
[[group]]
label = "g"
limits = [{ percent = 5 }, { benchmark = "a$", percent = 6, absolute = 3, event = "Dw" }]
[[group.stmts]]
label = "a"
cpp_stmt = "f();"
limits = { function = "^f", inclusive = true, absolute = 7, creep_percent = 9.5, creep_runs = 4 }
[[limits]]
percent = 1
[[limits]]
creep_unlimited = true
)");
  std::vector<std::string> texts;
  for (const GateLimit& limit : gate_limits(suite))
    texts.push_back(limit.section + ": " + to_text(limit.change) + "; " + to_text(limit.creep) + " at " + limit.place);
  EXPECT_EQ(texts, (std::vector<std::string>{": 1 %;  at s.toml:9", ": ; none at s.toml:11", "g: 5 %;  at s.toml:4",
                                             "g: 6 % and 3;  at s.toml:4", "g / a: 7; 9.5 % at s.toml:8"}));
  const GateLimit last = gate_limits(suite).back();
  EXPECT_EQ(last.function, "^f");
  EXPECT_TRUE(last.inclusive);
  EXPECT_EQ(last.creep_runs, 4);
  EXPECT_EQ(last.source, LimitSource::kSuiteFile);
}

TEST(DefinitionFileTest, CrookedLimitsAreToldWithTheirPlace) {
  EXPECT_EQ(message_of(R"([[limits]]
percnt = 1
[[limits]]
percent = "1 %"
[[limits]]
percent = 1
benchmark = "("
[[limits]]
unlimited = true
absolute = 3
[[stmts]]
label = "a"
cpp_stmt = "f();"
limits = 5
)"),
            "6 problems in s.toml:\ns.toml:1:1: the limit allows nothing and forbids nothing: give it 'percent', "
            "'absolute', 'creep_percent' or 'creep_absolute'\ns.toml:2:1: [limits] has no field 'percnt', did you mean "
            "'percent'?\ns.toml:4:11: 'percent' of [limits] is a string, it must be a number\ns.toml:5:1: 'benchmark' "
            "is not a regular expression: (: missing ): (\ns.toml:8:1: 'unlimited' conflicts with the limit beside it; "
            "remove one of them\ns.toml:14:10: 'limits' of [[stmts]] must be written as tables, [[limits]]");
}

TEST(DefinitionFileTest, AThreadCountThatNoIntHoldsIsNotCutOff) {
  EXPECT_EQ(message_of("[[timer_args]]\nlabel = \"a\"\nstmt = \"f();\"\nnum_threads = 4294967297\n"),
            "s.toml:4:15: 'num_threads' of [[timer_args]] is 4294967297, it must be 2147483647 or less");
}

TEST(DefinitionFileTest, EveryMistakeOfAFileIsToldAtOnceWithItsPlace) {
  EXPECT_EQ(message_of(R"(nam = "x"
[run]
number = 0
[[stmts]]
label = "a"
cpp_stm = "f();"
[[stmts]]
label = "b"
cpp_stmt = 3
setup = "missing"
[[stmts]]
label = "c"
py_stmt = "y = x"
signature = "f(x) -> y, z"
[[modules]]
label = "d"
signature = "f(x) -> y"
[[stmts]]
label = "c"
cpp_stmt = "f();"
[[variants]]
label = "e"
side_by_side = '''
Python                                   | C++
---------------------------------------- | ----------------------------------------
x += 1 | x += 1;
'''
)"),
            "11 problems in s.toml:\ns.toml:1:1: the suite has no field 'nam', did you mean 'name'?\ns.toml:3:10: "
            "'number' of [run] is 0, it must be 1 or more\ns.toml:4:1: \"a\": no statement: give a Python or a C++ "
            "one, or both\ns.toml:6:1: [[stmts]] has no field 'cpp_stm', did you mean 'cpp_stmt'?\ns.toml:7:1: \"b\": "
            "no statement: give a Python or a C++ one, or both\ns.toml:9:12: 'cpp_stmt' of [[stmts]] is a whole "
            "number, it must be a string\ns.toml:10:9: unknown set-up 'missing': this file has no "
            "[setup.missing]\ns.toml:11:1: \"c\": signature \"f(x) -> y, z\": has more than one output, only one is "
            "possible; the form is \"f(x, w) -> y\", or \"-> None\"\ns.toml:15:1: \"d\": no model: give a Python or a "
            "C++ model set-up, or both\ns.toml:18:1: \"c\": the label occurs twice, first at s.toml:11:1\ns.toml:26:1: "
            "side-by-side text: unequal columns, the Python half has 6 columns instead of 40");
}

TEST(DefinitionFileTest, AKeyGivenTwiceAndBrokenTomlAreReportedWithTheirPlace) {
  EXPECT_EQ(message_of("name = \"a\"\nname = \"b\"\n").substr(0, 11), "s.toml:2:8:");
  EXPECT_EQ(message_of("[[stmts\n").substr(0, 9), "s.toml:1:");
}

TEST(DefinitionFileTest, AFieldWithoutAResemblingNameGetsTheList) {
  EXPECT_EQ(
      message_of("[library]\nowner = \"me\"\n[[stmts]]\nlabel = \"a\"\ncpp_stmt = \"f();\"\n"),
      "s.toml:2:1: [library] has no field 'owner'; it may hold build_type, cmake_packages, compiler, flags, headers, "
      "include_dirs, link_flags, pkg_config, sources, standard, torch");
}

TEST(DefinitionFileTest, ALibrarysBuildIsReadAndItsTypeIsOneOfCMake) {
  const std::string rest = "[[stmts]]\nlabel = \"a\"\ncpp_stmt = \"f();\"\n";
  const Suite suite = parse_suite(
      "[library]\ncompiler = \"bin/g++\"\nstandard = \"c++17\"\nbuild_type = \"Release\"\n" + rest, "s.toml", "/there");
  EXPECT_EQ(suite.library.compiler, "/there/bin/g++");
  EXPECT_EQ(suite.library.standard, "c++17");
  EXPECT_EQ(suite.library.build_type, "Release");
  EXPECT_EQ(message_of("[library]\nbuild_type = \"release\"\n" + rest),
            "s.toml:2:14: 'build_type' is \"release\"; it is Release, RelWithDebInfo, MinSizeRel or Debug, as in CMake "
            "(default: -O2 -DNDEBUG)");
}

TEST(DefinitionFileTest, AnEmptySuiteIsNoSuite) {
  EXPECT_EQ(message_of("name = \"x\"\n"), "s.toml:1:1: the suite defines no benchmark");
}

class IncludeTest : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    save_file(scratch_.path() / name, text);
    return scratch_.path() / name;
  }
  std::string place(const std::string& name) { return (scratch_.path() / name).string(); }

  ScratchDir scratch_;
};

TEST_F(IncludeTest, DefinitionsOfAnIncludedFileStandUnderTheGroup) {
  std::filesystem::create_directory(scratch_.path() / "sub");
  write("sub/inner.toml",
        "name = \"inner\"\n[library]\ntorch = false\ninclude_dirs = \"inc\"\n[[stmts]]\nlabel = \"a\"\ncpp_stmt = "
        "\"f();\"\n");
  auto outer = write(
      "outer.toml",
      "[[stmts]]\nlabel = \"first\"\ncpp_stmt = \"f();\"\n[[group]]\nlabel = \"g\"\ninclude = \"sub/inner.toml\"\n");
  Suite suite = load_suite(outer);
  EXPECT_EQ(suite.name, "outer");
  EXPECT_EQ(labels_of(suite), (std::vector<std::string>{"/first", "/g/a"}));
  EXPECT_FALSE(suite.library.torch);
  EXPECT_EQ(suite.library.include_dirs.at(0), scratch_.path() / "sub/inc");
  EXPECT_EQ(suite.files.size(), 2u);
}

TEST_F(IncludeTest, CyclesAreNamedWithTheWholeChain) {
  write("b.toml", "include = \"c.toml\"\n[[stmts]]\nlabel = \"b\"\ncpp_stmt = \"f();\"\n");
  write("c.toml", "include = \"a.toml\"\n");
  auto a = write("a.toml", "include = [\"b.toml\", \"missing.toml\"]\n");
  try {
    load_suite(a);
    FAIL() << "a cycle was followed";
  } catch (const Error& error) {
    // Files stand in the order in which the first problem of each was met.
    EXPECT_EQ(std::string(error.what()), "2 problems in " + place("a.toml") + ":\n" + place("c.toml") +
                                             ":1:11: cyclic include: a.toml -> b.toml -> c.toml -> a.toml\n" +
                                             place("a.toml") + ":1:11: include \"missing.toml\": " +
                                             place("missing.toml") + ": cannot read: No such file or directory");
  }
}

TEST_F(IncludeTest, AFileIncludedTwiceRepeatsItsLabels) {
  write("b.toml", "[[stmts]]\nlabel = \"b\"\ncpp_stmt = \"f();\"\n");
  auto a = write("a.toml", "include = [\"b.toml\", \"b.toml\"]\n");
  try {
    load_suite(a);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              place("b.toml") + ":1:1: \"b\": the label occurs twice, first at " + place("b.toml") + ":1:1");
  }
}

TEST(DefinitionFileScaleTest, TwoThousandBenchmarksExpand) {
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += "[[stmts]]\nlabel = [\"g\", \"" + std::to_string(i) + "\"]\ncpp_stmt = \"f();\"\n";
  EXPECT_EQ(work_order_keys(materialize_suite(parse(text))).size(), 2000u);
}

}  // namespace
}  // namespace icount
