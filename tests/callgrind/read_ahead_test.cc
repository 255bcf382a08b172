// Two threads read a profile as one does: the same tables in the same order, the same warnings, the same refusals.
#include "icount/callgrind/read_ahead.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/callgrind/parser.h"
#include "support/golden.h"

namespace icount {
namespace {

/// Everything in a profile, indices and order included, or what was said instead.
std::string outcome(std::string_view bytes, size_t blocks) {
  std::string text;
  const auto out = [&](auto&&... values) {
    ((text += fmt::format("{} ", std::forward<decltype(values)>(values))), ...);
  };
  try {
    ParseOptions options;
    options.blocks = blocks;
    const Profile profile = parse_profile(bytes, "file", options);
    for (StringId id = 0; id < profile.strings.size(); ++id) out(profile.strings.view(id), "\n");
    for (const Function& f : profile.functions) out(f.name, f.file, f.object, "\n");
    for (const ProfilePart& part : profile.parts) {
      out("part", part.number, part.thread, part.has_totals, part.self_lines, part.call_lines, part.zero_calls,
          fmt::join(part.events, ","));
      out(fmt::join(part.totals, ","), fmt::join(part.summary, ","), fmt::join(part.row_self, ","),
          fmt::join(part.inclusive, ","), "\n");
      for (const Row& row : part.rows) out(row.function, row.file, ";");
      for (const Edge& edge : part.edges) out(edge.caller, edge.callee, edge.calls, ";");
    }
    for (const ProfileWarning& warning : profile.warnings)
      out("warning", warning.line, warning.count, warning.text, "\n");
  } catch (const Error& error) {
    out("refused:", error.what());
  }
  return text;
}

void expect_same(const std::string& bytes, const std::string& what) {
  const std::string alone = outcome(bytes, 1);
  for (const size_t blocks : {2, 5, 16}) {
    const std::string together = outcome(bytes, blocks);
    if (together == alone) continue;
    const auto at = static_cast<size_t>(
        std::mismatch(alone.begin(), alone.end(), together.begin(), together.end()).first - alone.begin());
    const size_t from = at - std::min(at, size_t{60});
    ADD_FAILURE() << what << ", " << blocks << " blocks:\n"
                  << alone.substr(from, 200) << "\n-- but --\n"
                  << together.substr(from, 200);
  }
}

std::map<std::string, std::string> all_profiles() {
  std::map<std::string, std::string> files;
  for (const char* folder : {"profiles/callgrind", "corpus/parser"})
    for (const auto& entry : std::filesystem::directory_iterator(unpacked(folder)))
      if (entry.path().extension() != ".json") files[entry.path().filename().string()] = load_file(entry.path()).view();
  return files;
}

/// Functions that call each other: names, files and objects are defined in one place and used in many.
std::string many_functions(int functions, const std::string& cost = "7") {
  std::string text =
      "version: 1\ncreator: callgrind-3.19.0\npositions: instr line\nevents: Ir\n\nob=(1) /bin/a\nfl=(1) a.c\n";
  int64_t total = 0;
  for (int i = 0; i < functions; ++i) {
    text += fmt::format("fn=({0}) f{0}\n0x{1:x} {2} {3}\n+3 * 2\n-1 +1 3\n", i, 4096 + 64 * i, 10 + i, cost);
    if (i % 3 == 0) text += fmt::format("fi=({0}) h{0}.h\n+1 5 4\nfe=(1)\n+2 12 1\n", 2 + i % 5);
    const int callee = (i * 7 + 1) % functions;
    text += fmt::format("cfn=({0}){1}\ncalls=2 0x1000 10\n* 10 55\n", callee,
                        callee > i ? fmt::format(" f{}", callee) : "");
    total += 5 + (i % 3 == 0 ? 5 : 0);
  }
  return text + (cost == "7" ? fmt::format("totals: {}\n", total + 7 * functions) : "");
}

TEST(ReadAheadTest, WholeFiles) {
  const auto files = all_profiles();
  EXPECT_GE(files.size(), 15U);
  for (const auto& [name, bytes] : files) expect_same(bytes, name);
}

TEST(ReadAheadTest, FilesCutAtOddPlaces) {
  for (const auto& [name, bytes] : all_profiles())
    for (size_t i = 1; i < 8; ++i)
      expect_same(bytes.substr(0, bytes.size() * i / 8 + i), fmt::format("{}, cut at {}/8", name, i));
}

TEST(ReadAheadTest, DamagedFiles) {
  for (const auto& [name, bytes] : all_profiles())
    for (size_t i = 1; i < 8; ++i) {
      const size_t at = bytes.size() * i / 8 + i;
      for (const char byte : {'\0', '-', '\n', '9', '(', '='}) {
        std::string damaged = bytes;
        damaged[at] = byte;
        expect_same(damaged, fmt::format("{}, byte {} is {}", name, at, static_cast<int>(byte)));
      }
      expect_same(std::string(bytes).erase(at, 37), fmt::format("{}, 37 bytes missing at {}", name, at));
    }
}

TEST(ReadAheadTest, NamesThatChange) {
  const std::string whole = many_functions(300);
  expect_same(whole, "plain");
  const size_t middle = whole.find("\nfn=(200)") + 1;
  for (const char* line : {"fn=(3) other\n0x9000 4 1\n", "fn=(9999)\n0x9000 4 1\n", "fl=(2) new.h\n", "ob=(2) /bin/b\n",
                           "ob=(3)\n", "fn=(20) (3)'2\n0x9000 4 1\n", "part: 2\nevents: Ir\n", "events: Ir Dr\n",
                           "positions: instr line\nevents: Ir Dr\n", "positions: instr line\nevents: Dr\n",
                           "positions: line\nevents: Ir\n", "something else\n", "desc: x\n", "fn=plain\n0x9000 4 1\n",
                           "+5 3 1\n", "fl=\n", "ob=\n", "fn=\n0x9000 4 1\n"}) {
    expect_same(std::string(whole).insert(middle, line), line);
    expect_same(std::string(whole).insert(whole.find("\nfn=(5)") + 1, line), line);
  }
}

TEST(ReadAheadTest, HeadersThatChangeTheRulesJustBeforeABlock) {
  const std::string whole = many_functions(60);
  for (const char* header : {"creator: another tool\nevents: Ir\n", "positions: line\nevents: Ir\n",
                             "positions: instr\nevents: Ir\n", "positions: instr bb line\nevents: Ir\n"})
    for (size_t at = whole.find("\nfn=("); at != std::string::npos; at = whole.find("\nfn=(", at + 1))
      expect_same(std::string(whole).insert(at + 1, header), header);
}

TEST(ReadAheadTest, CallsThatWereActiveAreCounted) {
  std::string text = many_functions(60);
  for (size_t at = 0; (at = text.find("calls=2", at)) != std::string::npos;) text[at + 6] = '0';
  ParseOptions options;
  options.blocks = 4;
  EXPECT_EQ(parse_profile(text, "p", options).parts.at(0).zero_calls, 60);
  EXPECT_EQ(parse_profile(text, "p", options).parts.at(0).call_lines, 60);
  EXPECT_EQ(parse_profile(text, "p", options).parts.at(0).self_lines, 3 * 60 + 2 * 20);
}

TEST(ReadAheadTest, FunctionsThatComeTwiceInARow) {
  const std::string whole = many_functions(300, "1");
  std::string text = whole.substr(0, whole.find("\nfn=") + 1);
  for (size_t at = text.size(); at < whole.size();) {
    const size_t next = std::min(whole.find("\nfn=", at), whole.size() - 1) + 1;
    text += whole.substr(at, next - at) + whole.substr(at, next - at);
    at = next;
  }
  expect_same(text, "twice");
}

TEST(ReadAheadTest, FilesNamedByInlineLinesOnly) {
  std::string text = many_functions(100);
  text.replace(text.find("fl=(1)"), 2, "fi");
  for (size_t at; (at = text.find("fe=(1)\n")) != std::string::npos;) text.erase(at, 7);
  expect_same(text, "no fl=");
}

TEST(ReadAheadTest, SumsThatOverflow) {
  for (const char* cost : {"9223372036854775807", "4611686018427387904", "3074457345618258603"}) {
    std::string text = many_functions(60, "1");
    for (const char* function : {"\nfn=(50)", "\nfn=(58)"})
      text.insert(text.find(function) + 1, fmt::format("fn=(2)\n0x9000 4 {}\n", cost));
    expect_same(text, cost);
  }
}

/// Of four blocks, those that were read to their end.
size_t usable_blocks(std::string_view lines, const ProfilePart& part) {
  ParseOptions options;
  options.blocks = 4;
  ReadAhead ahead(lines, part, options);
  size_t usable = 0;
  for (const char* p = ahead.next_begin(lines.data()); p != lines.data() + lines.size();) {
    const auto block = ahead.take(p);
    const char* const next = ahead.next_begin(p);
    usable += block && block->stop() == std::min(next, lines.data() + lines.find("totals:"));
    p = next;
  }
  return usable;
}

TEST(ReadAheadTest, BlocksOfAnOrdinaryBodyAreUsable) {
  const std::string text = many_functions(300);
  ProfilePart part;
  part.events = {"Ir"};
  part.has_addresses = true;
  EXPECT_EQ(usable_blocks(std::string_view(text).substr(text.find("fn=(1) ")), part), 4u);
}

/// Where the reader's thread may run was once settled after its end, for the caller in its place: what icount counted
/// later had one core, and another count.
TEST(ReadAheadTest, TheCallerMayStillRunOnEveryCore) {
  const std::string text = many_functions(4);
  ProfilePart part;
  part.events = {"Ir"};
  part.has_addresses = true;
  ParseOptions options;
  options.blocks = 2;
  cpu_set_t before, after;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  for (int i = 0; i < 10'000; ++i) ReadAhead(std::string_view(text).substr(text.find("fn=(1) ")), part, options);
  ASSERT_EQ(::sched_getaffinity(0, sizeof after, &after), 0);
  ::sched_setaffinity(0, sizeof before, &before);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(ReadAheadTest, BlocksAreReadByThePositionsOfTheirPart) {
  for (const auto& [blocks, lines, columns] :
       {std::tuple(true, true, " 3 12"), {true, false, " 3"}, {false, false, ""}}) {
    ProfilePart part;
    part.events = {"Ir"};
    part.has_addresses = true;
    part.has_blocks = blocks;
    part.has_lines = lines;
    std::string text;
    for (int i = 0; i < 300; ++i) text += fmt::format("fn=({0}) f{0}\n0x{1:x}{2} 7\n", i, 4096 + i, columns);
    EXPECT_EQ(usable_blocks(text + "totals: 2100\n", part), 4u) << columns;
  }
}

}  // namespace
}  // namespace icount
