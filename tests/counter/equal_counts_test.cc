// icount's own counter against Callgrind, to the last instruction: executions of every address, calls and inclusive
// costs of every pair of call site and target, names of what is called. What may differ is a rule of docs/counter.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgrind/command.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/callgrind/parser.h"
#include "icount/counter/named_counts.h"
#include "support/error_of.h"
#include "support/golden.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

using Place = std::pair<std::string, uint64_t>;  // object, address

struct Calls {
  int64_t calls = 0, cost = 0;
};

struct Counted {
  int64_t total = 0;
  std::map<Place, int64_t> executed;
  std::map<std::pair<Place, Place>, Calls> calls;
  std::map<Place, std::set<std::string>> called;  // names of functions by where they were entered
};

/// Of functions whose names begin with `prefix`.
Counted load_counted(const fs::path& file, std::string_view prefix = {}) {
  const FileBytes bytes = CountsNamer().load_profile(file);
  ParseOptions options;
  options.keep_insides = true;
  const Profile profile = parse_profile(bytes.view(), file.string(), options);
  const auto object_of = [&](FunctionIndex f) {
    return std::string(profile.strings.view(profile.functions[f].object));
  };
  const auto is_wanted = [&](FunctionIndex f) {
    return profile.strings.view(profile.functions[f].name).starts_with(prefix);
  };
  Counted counted;
  for (const ProfilePart& part : profile.parts) {
    if (prefix.empty()) counted.total += part.totals.at(0);
    for (const FunctionCode& code : part.code) {
      if (!is_wanted(code.function)) continue;
      const std::string object = object_of(code.function);
      for (const CodeRow& row : code.rows) counted.executed[{object, row.address}] += row.executions;
      for (size_t i = 0; i < code.calls.size(); ++i) {
        const CodeCall& call = code.calls[i];
        if (!is_wanted(call.callee)) continue;
        const Place to{object_of(call.callee), call.to};
        Calls& calls = counted.calls[{{object, call.from}, to}];
        calls.calls += call.calls;
        calls.cost += code.call_costs.at(i);
        counted.called[to].emplace(without_level(profile.strings.view(profile.functions[call.callee].name)));
      }
    }
  }
  return counted;
}

/// What the program's own file has, but for what its calls of others cost.
void keep_object(Counted& counted, const std::string& object) {
  std::erase_if(counted.executed, [&](const auto& entry) { return entry.first.first != object; });
  std::erase_if(counted.calls, [&](const auto& entry) {
    return entry.first.first.first != object || entry.first.second.first != object;
  });
  std::erase_if(counted.called, [&](const auto& entry) { return entry.first.first != object; });
  counted.total = 0;
  for (const auto& [place, n] : counted.executed) counted.total += n;
}

std::string text_of(const Place& place) { return fmt::format("{}:{:#x}", place.first, place.second); }

void expect_equal(const Counted& own, const Counted& callgrind) {
  std::set<Place> places;
  for (const auto& [place, n] : own.executed) places.insert(place);
  for (const auto& [place, n] : callgrind.executed) places.insert(place);
  const auto executed = [](const Counted& counted, const Place& place) {
    const auto at = counted.executed.find(place);
    return at == counted.executed.end() ? 0 : at->second;
  };
  for (const Place& place : places) EXPECT_EQ(executed(own, place), executed(callgrind, place)) << text_of(place);
  EXPECT_EQ(own.total, callgrind.total);
  EXPECT_EQ(own.calls.size(), callgrind.calls.size());
  for (const auto& [edge, calls] : own.calls) {
    const std::string name = text_of(edge.first) + " -> " + text_of(edge.second);
    const auto at = callgrind.calls.find(edge);
    if (at == callgrind.calls.end()) {
      ADD_FAILURE() << name << ": " << calls.calls << " calls that Callgrind has not";
      continue;
    }
    EXPECT_EQ(calls.calls, at->second.calls) << name;
    EXPECT_EQ(calls.cost, at->second.cost) << name;
  }
  for (const auto& [edge, calls] : callgrind.calls)
    EXPECT_TRUE(own.calls.contains(edge))
        << text_of(edge.first) << " -> " << text_of(edge.second) << ": only Callgrind";
  for (const auto& [to, names] : own.called)
    if (const auto at = callgrind.called.find(to); at != callgrind.called.end()) {
      EXPECT_EQ(names, at->second) << text_of(to);
    }
}

class EqualCounts : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(binary_dir()) / "tool/lib";
    if (!fs::exists(folder_ / kCounterFile)) GTEST_SKIP() << "built without icount's own counter";
    valgrind_ = probe_valgrind();
  }

  std::string build(const std::string& source, const std::string& flags) {
    const fs::path from = fs::path(source_dir()) / "tests/testdata/counter" / source;
    const fs::path program = dir_.path() / "program";
    std::vector<std::string> argv = {source.ends_with(".rs") ? "rustc" : source.ends_with(".cc") ? "g++" : "gcc"};
    for (const std::string& flag : split_command(flags)) argv.push_back(flag);
    argv.insert(argv.end(), {from.string(), "-o", program.string()});
    const ProcessOutcome built = run_process({.argv = argv});
    EXPECT_TRUE(built.ok()) << built.errors;
    return program.string();
  }

  ProcessOutcome run(const std::vector<std::string>& argv, bool own, CallgrindOptions callgrind) {
    callgrind.collect_jumps = true;
    Valgrind valgrind = valgrind_;
    if (own) valgrind.counter_folder = folder_;
    ProcessSpec process;
    process.argv = make_callgrind_command(valgrind, callgrind);
    process.argv.insert(process.argv.end(), argv.begin(), argv.end());
    process.environment = {
        "PATH=/usr/bin:/bin", "PYTHONHASHSEED=0", "PERL_HASH_SEED=0",         "PERL_PERTURB_KEYS=0", "PWD=/",
        "GOMAXPROCS=1",       "GOGC=off",         "GODEBUG=asyncpreemptoff=1"};
    process.working_dir = "/";
    process.disable_aslr = true;
    const ProcessOutcome outcome = run_process(process);
    EXPECT_EQ(outcome.end, ProcessOutcome::End::kExited) << outcome.errors;
    return outcome;
  }

  Counted count(const std::vector<std::string>& argv, bool own, std::string_view prefix = {}) {
    CallgrindOptions callgrind;
    callgrind.out_file = dir_.path() / (own ? "own" : "callgrind");
    run(argv, own, callgrind);
    return load_counted(callgrind.out_file, prefix);
  }

  void expect_equal_counts(const std::vector<std::string>& argv) {
    const Counted own = count(argv, true), callgrind = count(argv, false);
    EXPECT_GT(callgrind.total, 1000);
    expect_equal(own, callgrind);
  }

  /// Of the program's own file alone, without what its calls cost: the C library does something else in each run.
  void expect_equal_inside(const std::vector<std::string>& argv) {
    Counted own = count(argv, true), callgrind = count(argv, false);
    for (Counted* counted : {&own, &callgrind}) {
      keep_object(*counted, argv[0]);
      for (auto& [edge, calls] : counted->calls) calls.cost = 0;
    }
    EXPECT_GT(callgrind.total, 1000);
    expect_equal(own, callgrind);
  }

  ScratchDir dir_;
  fs::path folder_;
  Valgrind valgrind_;
};

// By hand: see the sources. `rep stosb` of 500 bytes is 501 executions, the last of which stores nothing. The block
// that ends the process is not counted.
TEST_F(EqualCounts, AssemblerIsCountedAsByHand) {
  const std::string flags = "-nostdlib -static";
  EXPECT_EQ(count({build("tiny.S", flags)}, true).total, 1 + 3 * 1000 + 3 + 501);
  EXPECT_EQ(count({build("and.S", flags)}, true).total, 3 + 4 * 1000);
}

TEST_F(EqualCounts, WhatAFaultLeavesIsCountedUpToTheFault) {
  EXPECT_EQ(count({build("fault.S", "-nostdlib -static")}, true).total, 13);
}

TEST_F(EqualCounts, CallsAreCallgrinds) { expect_equal_counts({build("calls.c", "-O1 -g")}); }

TEST_F(EqualCounts, SignalsAreCallgrinds) { expect_equal_counts({build("signals.c", "-O1")}); }

TEST_F(EqualCounts, RequestsMeanWhatTheyMeanInCallgrind) { expect_equal_counts({build("requests.c", "-O1 -g")}); }

// The length of a name in it would move what a start costs.
TEST_F(EqualCounts, AnExecutedProgramHasTheEnvironmentThatItHasUnderCallgrind) {
  const auto environment = [&](bool own) {
    CallgrindOptions callgrind;
    callgrind.out_file = dir_.path() / "%p";
    callgrind.extra = {"--trace-children=yes"};
    return run({"/bin/sh", "-c", "/usr/bin/env; /bin/sh -c '/usr/bin/env; exit 0'"}, own, callgrind).output;
  };
  const std::string callgrind = environment(false);
  EXPECT_NE(callgrind.find("VALGRIND_LIB="), callgrind.npos);
  EXPECT_EQ(environment(true), callgrind);
}

TEST_F(EqualCounts, AFileThatIsNotWholeIsRefused) {
  count({build("tiny.S", "-nostdlib -static")}, true);
  const std::string whole = load_text(dir_.path() / "own");
  ASSERT_EQ(parse_counts(whole, "own").size(), 1u);
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(error_of([&] { parse_counts(whole.substr(0, size), "own"); }).substr(0, 5), "own: ") << size;
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_EQ(error_of([&] { parse_counts(damaged, "own"); }).substr(0, 5), "own: ") << at;
  }
  EXPECT_EQ(parse_counts(whole + whole, "own").size(), 2u);
}

struct Program {
  const char* source;
  const char* flags;
  bool waits = false;  ///< how the C library waits for others is up to the system: what it does is left out
};
void PrintTo(const Program& program, std::ostream* os) { *os << program.source << ' ' << program.flags; }

class AllRust : public EqualCounts, public testing::WithParamInterface<std::string> {};
class AllGo : public EqualCounts {};
class AllCompilers : public EqualCounts {};
class AllPrograms : public EqualCounts, public testing::WithParamInterface<std::tuple<Program, std::string>> {};

TEST_P(AllPrograms, AreCountedAsByCallgrind) {
  const auto& [program, flags] = GetParam();
  const std::vector<std::string> argv = {build(program.source, fmt::format("{} {}", flags, program.flags))};
  Counted own = count(argv, true), callgrind = count(argv, false);
  if (program.waits)
    for (Counted* counted : {&own, &callgrind}) keep_object(*counted, argv[0]);
  expect_equal(own, callgrind);
}

INSTANTIATE_TEST_SUITE_P(
    AllPrograms, AllPrograms,
    testing::Combine(testing::Values(Program{"calls.c", ""}, Program{"unwinding.cc", ""}, Program{"library.cc", ""},
                                     Program{"coroutines.cc", "-std=c++20"}, Program{"signals.c", ""},
                                     Program{"threads.c", "-pthread", true}, Program{"loading.c", "-ldl"},
                                     Program{"written.c", ""}),
                     testing::Values("-O0 -g", "-O2 -g", "-O3 -s", "-O1 -no-pie", "-O2 -g -gdwarf-4", "-O2 -Wl,-z,now",
                                     "-O2 -flto -fno-plt")));

INSTANTIATE_TEST_SUITE_P(Static, AllPrograms,
                         testing::Combine(testing::Values(Program{"calls.c", ""}, Program{"unwinding.cc", ""},
                                                          Program{"library.cc", ""}),
                                          testing::Values("-O2 -g -static", "-O1 -static-pie")));

// Its start reads /proc/self/maps: the rule "memory maps".
TEST_P(AllRust, IsCountedAsByCallgrind) {
  if (find_program("rustc").empty()) GTEST_SKIP() << "no rustc";
  expect_equal_inside({build("sums.rs", GetParam())});
}

INSTANTIATE_TEST_SUITE_P(AllPrograms, AllRust,
                         testing::Values("-C opt-level=0 -g", "-O", "-C opt-level=3 -C panic=unwind -C strip=symbols"));

// The runtime has threads that look about by the clock: what is the program's own.
TEST_F(AllGo, IsCountedAsByCallgrind) {
  if (find_program("go").empty()) GTEST_SKIP() << "no go";
  const std::string program = (dir_.path() / "program").string();
  const ProcessOutcome built =
      run_process({.argv = {"go", "build", "-o", program, testdata("counter/sums.go").string()}});
  ASSERT_TRUE(built.ok()) << built.errors;
  const Counted own = count({program}, true, "main."), callgrind = count({program}, false, "main.");
  EXPECT_GT(own.executed.size(), 50u);
  expect_equal(own, callgrind);
}

// How long the paths are that it resolves depends on its process id.
TEST_F(AllCompilers, AreCountedAsByCallgrind) {
  const ProcessOutcome found = run_process({.argv = {"g++", "-print-prog-name=cc1plus"}});
  ASSERT_TRUE(found.ok());
  const std::string from = (dir_.path() / "preprocessed.ii").string(), to = (dir_.path() / "out.s").string();
  ASSERT_TRUE(
      run_process({.argv = {"g++", "-std=c++20", "-E", testdata("counter/coroutines.cc").string(), "-o", from}}).ok());
  expect_equal_inside(
      {std::string(trim(found.output)), "-quiet", "-O1", "-std=c++20", "-frandom-seed=1", from, "-o", to});
}

class Installed : public EqualCounts, public testing::WithParamInterface<std::string> {};

TEST_P(Installed, AreCountedAsByCallgrind) {
  const std::vector<std::string> argv = split_command(GetParam());
  if (find_program(argv[0]).empty()) GTEST_SKIP() << "no " << argv[0];
  expect_equal_counts(argv);
}

INSTANTIATE_TEST_SUITE_P(Installed, Installed,
                         testing::Values("/bin/true", "git hash-object /etc/passwd", "sha256sum /etc/passwd",
                                         "base64 /etc/passwd", "find /etc -maxdepth 1 -name passwd",
                                         "readelf -hW /bin/true", "objdump -f /bin/true", "openssl version",
                                         "sort /etc/passwd", "bash -c 'for i in 1 2 3; do echo $i; done'", "xz --help",
                                         "git --version", "perl -e 'print join(q(,), map {$_*2} 1..100)'",
                                         "/usr/bin/python3 -S -c 'print(sum(range(1000)))'", "jq -n '[range(50)]|add'",
                                         "sqlite3 :memory: 'select 1+1'", "sed s/a/b/ /etc/passwd",
                                         "awk '{s+=NR} END {print s}' /etc/passwd", "wc -l /etc/passwd",
                                         "gzip -c /etc/passwd", "tar --version", "make --version",
                                         "ls -l /etc/passwd"));

}  // namespace
}  // namespace icount
