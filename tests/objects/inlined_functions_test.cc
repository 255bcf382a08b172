// Names of inlined functions by DWARF 4 and 5, of gcc and clang, in programs at fixed and at any addresses, in parts
// that the compiler moved away, and in damaged files.
#include "icount/objects/inlined_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/elf_file.h"
#include "icount/objects/disassembly.h"

namespace icount {
namespace {

std::optional<DebugNames> load_debug_names(const std::filesystem::path& object, std::span<const uint64_t> addresses) {
  return DebugInformation(object).find(addresses, DebugDetail::kLinesAndInlined);
}

namespace fs = std::filesystem;

constexpr std::string_view kSource = R"(#include <stdlib.h>
volatile int sink;
namespace ns {
static inline __attribute__((always_inline)) int mix(int a) {  // line 4
  return a * 31 + sink;
}
static inline __attribute__((always_inline)) int twice(int a) {  // line 7
  return mix(a) + mix(a + 1);  // line 8
}
}
__attribute__((cold, noinline)) void complain(int);
static inline __attribute__((always_inline)) void refuse(int a) {  // line 12
  sink = a + 7;
  complain(a);
  abort();
}
__attribute__((noinline)) int outer(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (__builtin_expect(i > 1000000, 0)) refuse(i);
    sum += ns::twice(i);  // line 21
  }
  return sum;
}
void complain(int a) { sink = a; }
int main(int argc, char**) { return outer(argc * 10) & 1; }
)";

/// Every address from where a function's symbol is to the next one.
std::vector<uint64_t> addresses_of(const fs::path& program, std::string_view prefix) {
  std::vector<uint64_t> begins, wanted;
  const ElfSymbols symbols = load_elf_symbols(program);
  for (const ElfSymbol& symbol : symbols.symbols)
    if (symbol.is_function && symbol.is_defined) begins.push_back(symbol.address);
  std::sort(begins.begin(), begins.end());
  for (const ElfSymbol& symbol : symbols.symbols) {
    if (!symbol.is_defined || !demangle(symbol.name).starts_with(prefix)) continue;
    const auto next = std::upper_bound(begins.begin(), begins.end(), symbol.address);
    const uint64_t end = next == begins.end() ? symbol.address + 64 : *next;
    for (uint64_t at = symbol.address; at < end; ++at) wanted.push_back(at);
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}

const InlinedFunction* find(const DebugNames& names, std::string_view name) {
  const auto found = std::find_if(names.inlined.begin(), names.inlined.end(),
                                  [&](const InlinedFunction& one) { return one.name.find(name) != std::string::npos; });
  return found == names.inlined.end() ? nullptr : &*found;
}

class InlinedFunctionsTest : public testing::Test {
 protected:
  /// `from` is the compiler's working folder.
  fs::path build(const std::string& compiler, const std::vector<std::string>& flags, const fs::path& from = "/") {
    const fs::path source = folder_.path() / "turn.cc", program = folder_.path() / "turn";
    save_file(source, kSource);
    std::vector<std::string> argv = {compiler, "-O2", "-fno-ipa-icf"};
    if (compiler == "clang++") argv.pop_back();
    argv.insert(argv.end(), flags.begin(), flags.end());
    argv.insert(argv.end(), {source.string(), "-o", program.string()});
    const ProcessOutcome outcome = run_process({.argv = argv, .working_dir = from, .time_limit = Seconds(300)});
    EXPECT_TRUE(outcome.ok()) << outcome.errors;
    return program;
  }

  ScratchDir folder_;
};

void expect_names(const fs::path& program, const std::string& compiler, const std::string& what) {
  const auto names = load_debug_names(program, addresses_of(program, "outer("));
  ASSERT_TRUE(names) << what;
  EXPECT_NE(names->producer.find(compiler == "g++" ? "GNU" : "clang"), std::string::npos) << names->producer;
  const InlinedFunction* const mix = find(*names, "mix");
  ASSERT_TRUE(mix) << what;
  EXPECT_TRUE(mix->file.ends_with("turn.cc")) << what << ": " << mix->file;
  EXPECT_EQ(mix->line, 4u) << what;
  EXPECT_EQ(mix->call_line, 8u) << what;
  ASSERT_NE(mix->outer, 0u) << what;
  EXPECT_NE(names->inlined[mix->outer - 1].name.find("twice"), std::string::npos) << what;
  EXPECT_EQ(names->inlined[mix->outer - 1].call_line, 21u) << what;
  EXPECT_TRUE(std::any_of(names->lines.begin(), names->lines.end(), [](const AddressLine& at) { return at.line == 5; }))
      << what;
}

// The compiler's folder decides about the numbers of files: clang's DWARF 5 calls the source 0 where it lies outside.
TEST_F(InlinedFunctionsTest, NamesThemWithEitherCompilerAndFormat) {
  for (const std::string compiler : {"g++", "clang++"}) {
    if (find_program(compiler).empty()) continue;
    for (const std::string format : {"-gdwarf-4", "-gdwarf-5"})
      for (const std::string place : {"-fPIE", "-fno-pie"})
        for (const fs::path& from : {fs::path("/"), folder_.path()})
          expect_names(build(compiler, {format, place, place == "-fPIE" ? "-pie" : "-no-pie"}, from), compiler,
                       compiler + " " + format + " " + place + " from " + from.string());
  }
}

TEST_F(InlinedFunctionsTest, MembersThatNobodyWroteHaveAFile) {
  const fs::path source = folder_.path() / "held.cc", program = folder_.path() / "held";
  save_file(source, R"(volatile int sink;
struct Part { ~Part() { sink = sink + 1; } };
struct Whole { Part part; };
__attribute__((noinline)) void outer() { Whole whole; }
int main() { outer(); }
)");
  for (const std::string compiler : {"g++", "clang++"}) {
    if (find_program(compiler).empty()) continue;
    ASSERT_TRUE(run_process({.argv = {compiler, "-O2", "-g", source.string(), "-o", program.string()}}).ok());
    const auto names = load_debug_names(program, addresses_of(program, "outer("));
    ASSERT_TRUE(names) << compiler;
    const InlinedFunction* const whole = find(*names, "~Whole");
    ASSERT_TRUE(whole) << compiler;
    EXPECT_TRUE(whole->file.ends_with("held.cc")) << compiler << ": " << whole->file;
  }
}

TEST_F(InlinedFunctionsTest, PartsMovedAwayBelongToThem) {
  const fs::path program = build("g++", {"-g"});
  const auto names = load_debug_names(program, addresses_of(program, "outer(int) [clone .cold"));
  ASSERT_TRUE(names);
  EXPECT_TRUE(find(*names, "refuse"));
  EXPECT_FALSE(find(*names, "twice"));
}

TEST_F(InlinedFunctionsTest, WithoutDebugInformationThereAreNone) {
  const fs::path program = build("g++", {});
  EXPECT_FALSE(load_debug_names(program, addresses_of(program, "outer(")));
  EXPECT_FALSE(load_debug_names(folder_.path() / "no such file", std::vector<uint64_t>{1}));
  save_file(folder_.path() / "text", "no object");
  EXPECT_FALSE(load_debug_names(folder_.path() / "text", std::vector<uint64_t>{1}));
}

TEST_F(InlinedFunctionsTest, DamagedFilesHaveNoNamesOrOthers) {
  const fs::path program = build("g++", {"-g"}), damaged = folder_.path() / "damaged";
  const std::vector<uint64_t> wanted = addresses_of(program, "outer(");
  const std::string whole = load_text(program);
  std::mt19937 random(17);
  const auto any = [&](size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random); };
  for (int round = 0; round < 120; ++round) {
    std::string bytes = whole;
    if (round % 4 == 0) bytes.resize(any(bytes.size()));
    for (size_t i = 0; i < 1 + any(60) && !bytes.empty(); ++i) bytes[any(bytes.size())] = static_cast<char>(any(256));
    save_file(damaged, bytes);
    const auto names = load_debug_names(damaged, wanted);
    if (names) {
      ASSERT_EQ(names->inlined_at.size(), wanted.size());
      for (const uint32_t at : names->inlined_at) ASSERT_LE(at, names->inlined.size());
    }
    try {
      disassemble(damaged, std::span(wanted).first(std::min<size_t>(wanted.size(), 20)));
    } catch (const std::exception&) {
      // an ELF file that is none any more
    }
  }
}

TEST_F(InlinedFunctionsTest, InstructionsLeadFromOneToTheNext) {
  const fs::path program = build("g++", {"-g"});
  const std::vector<uint64_t> wanted = addresses_of(program, "main");
  const auto first = disassemble(program, std::span(wanted).first(1));
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].address, wanted[0]);
  EXPECT_NE(first[0].text, "(bad)");
  const auto far = disassemble(program, std::vector<uint64_t>{1, uint64_t{1} << 60});
  ASSERT_EQ(far.size(), 2u);
  EXPECT_EQ(far[1].text, "(bad)") << "no code lies there";
}

}  // namespace
}  // namespace icount
