// The table "Accept, warn, refuse" of docs/callgrind_format.md: every row has an input here that provokes its text, and
// every input here has a row there.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgrind/parser.h"
#include "support/places.h"

namespace icount {
namespace {

struct Case {
  std::string row;  // the table's text
  std::string input;
  std::string message;  // whole message for "refuse", warning text for "warn"
};

const std::string kHead = "version: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir\n";
const std::string kFn = "events: Ir\nfl=a.c\nfn=f\n";

std::string long_expansions() {
  std::string text = kFn + "fn=(1) " + std::string(1000 * 1000, 'x') + "\n";
  for (int i = 2; i < 100; ++i) text += "fn=(" + std::to_string(i) + ") (1)'" + std::to_string(i) + "\n";
  return text;
}

std::string many_events(int count) {
  std::string text = "events:";
  for (int i = 0; i < count; ++i) text.append(" e").append(std::to_string(i));
  return text + "\n";
}

std::vector<Case> refusals() {
  const std::string max = "18446744073709551616";
  return {
      {"empty file; the process may have called exec or been killed", "",
       "p:1: empty file; the process may have called exec or been killed"},
      {"no events: line; not a callgrind or cachegrind file; it begins with \"TEXT\"",
       "--------\n1,234 (100%)  PROGRAM TOTALS\n",
       "p:1: no events: line; not a callgrind or cachegrind file; it begins with \"--------\\x0a1,234 (100%)  PROGRAM "
       "TOTALS\\x0a\""},
      {"no events: line; not a callgrind or cachegrind file; it begins with \"TEXT\"",
       std::string("\x7f"
                   "ELF\0\0",
                   6),
       "p:1: no events: line; not a callgrind or cachegrind file; it begins with \"\\x7fELF\\x00\\x00\""},
      {"no events: line; not a callgrind or cachegrind file; it begins with \"TEXT\"", "<!DOCTYPE html>\n<p>",
       "p:1: no events: line; not a callgrind or cachegrind file; it begins with \"<!DOCTYPE html>\\x0a<p>\""},
      {"no events: line; not a callgrind or cachegrind file; it begins with \"TEXT\"", "fn=f\n1 2\n",
       "p:1: no events: line; not a callgrind or cachegrind file; it begins with \"fn=f\\x0a1 2\\x0a\""},
      {"KIND data; decompress first", compress_zstd(kHead), "p:1: zstd data; decompress first"},
      {"KIND data; decompress first", "\x1f\x8b\x08 rest", "p:1: gzip data; decompress first"},
      {"KIND data; decompress first", "BZh91AY", "p:1: bzip2 data; decompress first"},
      {"format version N is not supported", "# c\nversion: 2\nevents: Ir\n", "p:2: format version 2 is not supported"},
      {"format version N is not supported", "version: 99999999999999999999.1\nevents: Ir\n",
       "p:1: format version 99999999999999999999.1 is not supported"},
      {"cost line before events:", "fn=f\n1 2\nevents: Ir\n", "p:2: cost line before events:"},
      {"cost line before events:", "cfn=f\ncalls=1 2\n1 2\nevents: Ir\n", "p:2: cost line before events:"},
      {"cost line before events:", "jump=1 2\n1\nevents: Ir\n", "p:1: cost line before events:"},
      {"events: names no event", "events: \n", "p:1: events: names no event"},
      {"N events, at most 256 are supported", many_events(257), "p:1: 257 events, at most 256 are supported"},
      {"event 'NAME' appears twice", "events: Ir Dr Ir\n", "p:1: event 'Ir' appears twice"},
      {"unknown position 'WORD'", "positions: instr column\nevents: Ir\n", "p:1: unknown position 'column'"},
      {"expected N positions", "positions: instr line\nevents: Ir\nfn=f\n0x12\n", "p:4: expected 2 positions"},
      {"expected N positions", "positions: instr bb line\nevents: Ir\nfn=f\n0x12 3\n", "p:4: expected 3 positions"},
      {"N costs for M events", kFn + "1 2 3\n", "p:4: 2 costs for 1 events"},
      {"N costs for M events", kFn + "1 2\ntotals: 2 3\n", "p:5: 2 costs for 1 events"},
      {"not a number: 'TOKEN'", kFn + "1 2x\n", "p:4: not a number: '2x'"},
      {"not a number: 'TOKEN'", kFn + "1 *\n", "p:4: not a number: '*'"},
      {"not a number: 'TOKEN'", kFn + "1 +2\n", "p:4: not a number: '+2'"},
      {"not a number: 'TOKEN'", kFn + "1 -2\n", "p:4: not a number: '-2'"},
      {"not a number: 'TOKEN'", kFn + "1 2.5\n", "p:4: not a number: '2.5'"},
      {"not a number: 'TOKEN'", kFn + "+ 2\n", "p:4: not a number: '+'"},
      {"not a number: 'TOKEN'", kFn + "*3 2\n", "p:4: not a number: '*3'"},
      {"not a number: 'TOKEN'", kFn + "0x 2\n", "p:4: not a number: '0x'"},
      {"not a number: 'TOKEN'", kFn + "1 2\ntotals: two\n", "p:5: not a number: 'two'"},
      {"not a number: 'TOKEN'", kFn + "cfn=g\ncalls=x 1\n1 2\n", "p:5: not a number: 'x'"},
      {"not a number: 'TOKEN'", kFn + "cfn=g\ncalls=1 y\n1 2\n", "p:5: not a number: 'y'"},
      {"not a number: 'TOKEN'", kFn + "jcnd=a/1 1\n1\n", "p:4: not a number: 'a/1'"},
      {"number too large: 'TOKEN'", kFn + "1 " + max + "\n", "p:4: number too large: '" + max + "'"},
      {"number too large: 'TOKEN'", kFn + max + " 1\n", "p:4: number too large: '" + max + "'"},
      {"number too large: 'TOKEN'", kFn + "0x10000000000000000 1\n", "p:4: number too large: '0x10000000000000000'"},
      {"number too large: 'TOKEN'", kFn + "1 1\ntotals: " + max + "\n", "p:5: number too large: '" + max + "'"},
      {"number too large: 'TOKEN'", kFn + "fn=(" + max + ") g\n", "p:4: number too large: '" + max + "'"},
      {"number too large: 'TOKEN'", kFn + "18446744073709551615 1\n+1 1\n", "p:5: number too large: '+1'"},
      {"cost of EVENT overflows", kFn + "1 9223372036854775808\n", "p:4: cost of Ir overflows"},
      {"cost of EVENT overflows", kFn + "1 9223372036854775807\n1 1\n", "p:5: cost of Ir overflows"},
      {"cost of EVENT overflows", kFn + "1 9223372036854775807\nfn=g\n1 1\n", "p:7: cost of Ir overflows"},
      {"negative KIND position: BASE - N; damaged, or written by the other of the two position rules",
       kFn + "5 1\n-6 1\n",
       "p:5: negative line position: 5 - 6; damaged, or written by the other of the two position rules"},
      {"negative KIND position: BASE - N; damaged, or written by the other of the two position rules",
       "positions: instr line\n" + kFn + "0x5 1 1\n-6 * 1\n",
       "p:6: negative instr position: 5 - 6; damaged, or written by the other of the two position rules"},
      {"calls= without cfn=", kFn + "calls=1 1\n1 2\n", "p:4: calls= without cfn="},
      {"calls= without cfn=", kFn + "cfn=g\nfn=h\ncalls=1 1\n1 2\n", "p:6: calls= without cfn="},
      {"calls= without cfn=", kFn + "cfn=g\ncalls=1 1\n1 2\ncalls=1 1\n1 2\n", "p:7: calls= without cfn="},
      {"cost line expected after calls=", kFn + "cfn=g\ncalls=1 1\nfn=h\n", "p:6: cost line expected after calls="},
      {"cost line expected after calls=", kFn + "cfn=g\ncalls=1 1\n\n# c\n", "p:8: cost line expected after calls="},
      {"cost line expected after calls=", kFn + "cfn=g\ncalls=1 1", "p:5: cost line expected after calls="},
      {"cost line expected after jump=", kFn + "jump=1 1\nfn=h\n", "p:5: cost line expected after jump="},
      {"function name longer than 1 MiB after expanding its ids",
       kFn + "fn=(1) " + std::string(600 * 1024, 'x') + "\nfn=(2) (1)'(1)\n",
       "p:5: function name longer than 1 MiB after expanding its ids"},
      {"names with expanded ids are too long in total", long_expansions(),
       "names with expanded ids are too long in total"},
      {"part N, event NAME: self cost is A, totals: says B; file damaged or truncated",
       "part: 7\nevents: Ir Dr\nfn=f\n1 2 3\ntotals: 2 4\n",
       "p:5: part 7, event Dr: self cost is 3, totals: says 4; file damaged or truncated"},
      {"NUL byte", kFn + std::string("1 2\nfn=a\0b\n", 11), "p:5: NUL byte"},
      {"NUL byte", kFn + std::string("1 2\n#\0\n1 2\n", 11), "p:5: NUL byte"},
      {"NUL byte", kFn + std::string("1 2\nwhat\0\n1 2\n", 14), "p:5: NUL byte"},
      {"NUL byte", kFn + std::string("1 2\nrec=\0\n1 2\n", 14), "p:5: NUL byte"},
      {"NUL byte", kFn + std::string("1 2\nln=\0\n1 2\n", 13), "p:5: NUL byte"},
      {"NUL byte", kFn + std::string("cfn=g\ncalls=1 1 \0\n1 2\n", 23), "p:5: NUL byte"},
      {"NUL byte", kFn + std::string("jump=1 1 \0\n1 2\n", 16), "p:4: NUL byte"},
      {"NUL byte", kFn + std::string("1 2\ndesc: \0\n", 12), "p:5: NUL byte"},
      {"not a number: 'TOKEN'", kFn + std::string("1 2\n1 2\0\n", 9), "p:5: not a number: '2\\x00'"},
  };
}

std::vector<Case> warnings() {
  return {
      {"no totals: line; file may be truncated", kHead + "fn=f\n1 2\n", "no totals: line; file may be truncated"},
      {"no totals: line; file may be truncated", kHead + "fn=f\n1 2", "no totals: line; file may be truncated"},
      {"no line end behind the last line; file may be truncated", kHead + "fn=f\n1 2\ntotals: 2",
       "no line end behind the last line; file may be truncated"},
      {"no summary: line; the script did not end by itself, and functions that were running are missing",
       "creator: xdebug 3.2.0\nevents: Time\nfn=f\n1 2\n",
       "no summary: line; the script did not end by itself, and functions that were running are missing"},
      {"KIND id (N) is never named", kFn + "fn=(14)\n1 2\n", "function id (14) is never named"},
      {"KIND id (N) is never named", kFn + "fi=(18446744073709551615)\n1 2\n",
       "file id (18446744073709551615) is never named"},
      {"KIND id (N) is never named", "events: Ir\nob=(3)\nfn=f\n1 2\n", "object id (3) is never named"},
      {"KIND id (N) is used before it is named", kFn + "fn=(14)\n1 2\nfn=(14) g\n1 1\n",
       "function id (14) is used before it is named"},
      {"KIND id (N) redefined", kFn + "fn=(14) g\n1 2\nfn=(14) h\n1 1\n", "function id (14) redefined"},
      {"N lines not understood, first: LINE", kFn + "1 2\nwhat is this\nkey: x\n",
       "2 lines not understood, first: what is this"},
      {"cost outside any function", "events: Ir\n1 2\n2 2\n", "cost outside any function"},
  };
}

struct TableRow {
  std::string verdict, text;
};

std::vector<TableRow> documented_rows() {
  const std::string doc = load_text(source_dir() + "/docs/callgrind_format.md");
  std::vector<TableRow> rows;
  for (const std::string_view line : split_lines(doc)) {
    const auto cells = split(line, '|');
    if (cells.size() != 5) continue;
    const std::string verdict(trim(cells[2]));
    if (verdict != "refuse" && verdict != "warn") continue;
    std::string_view text = trim(cells[3]);
    rows.push_back({verdict, std::string(text.substr(1, text.size() - 2))});
  }
  return rows;
}

TEST(VerdictsTest, EveryDocumentedRowIsProvokedHere) {
  std::set<std::string> refuse_texts, warn_texts;
  for (const Case& c : refusals()) refuse_texts.insert(c.row);
  for (const Case& c : warnings()) warn_texts.insert(c.row);
  size_t rows = 0;
  for (const TableRow& row : documented_rows()) {
    EXPECT_TRUE((row.verdict == "refuse" ? refuse_texts : warn_texts).contains(row.text)) << row.text;
    ++rows;
  }
  EXPECT_EQ(rows, refuse_texts.size() + warn_texts.size()) << "a text that the table lacks";
}

/// Whether `message` holds the table's text, whose words in capitals stand for anything.
bool fits(const std::string& message, const std::string& row) {
  size_t at = 0;
  std::string word;
  for (size_t i = 0; i < row.size();) {
    size_t end = i;
    while (end < row.size() && std::isupper(static_cast<unsigned char>(row[end]))) ++end;
    const bool placeholder = end > i && row.substr(i, end - i) != "NUL" && row.substr(i, 3) != "MiB";
    if (placeholder || i == row.size() - 1) {
      if (!placeholder) word += row[i];
      at = message.find(word, at);
      if (at == std::string::npos) return false;
      at += word.size();
      word.clear();
      i = placeholder ? end : i + 1;
    } else {
      word += row[i++];
    }
  }
  return true;
}

TEST(VerdictsTest, RefusalsSayWhereAndWhat) {
  for (const Case& c : refusals()) {
    try {
      parse_profile(c.input, "p");
      ADD_FAILURE() << "accepted: " << c.message;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kMalformed);
      const std::string message = error.what();
      EXPECT_TRUE(message == c.message || message.ends_with(": " + c.message)) << message << "\nexpected " << c.message;
      EXPECT_TRUE(fits(message, c.row)) << message << "\n does not fit " << c.row;
    }
  }
}

TEST(VerdictsTest, RefusalsAreTheSameFarFromTheEnd) {
  // The fast loop stops some bytes before the end of the text: with a long comment behind it, it sees these lines, too.
  for (const Case& c : refusals()) {
    if (!c.input.ends_with('\n') || c.message.find("no events:") != std::string::npos) continue;
    std::string text;
    try {
      parse_profile(std::string(c.input).append("#").append(500, '-').append("\n"), "p");
    } catch (const Error& error) {
      text = error.what();
    }
    EXPECT_EQ(text.substr(text.find(' ') + 1),
              c.message.substr(c.message.starts_with("p:") ? c.message.find(' ') + 1 : 0));
  }
}

TEST(VerdictsTest, WarningsLeaveTheResultComplete) {
  for (const Case& c : warnings()) {
    const Profile profile = parse_profile(c.input, "p");
    ASSERT_EQ(profile.warnings.size(), 1u) << c.message;
    EXPECT_EQ(profile.warnings[0].text, c.message);
    EXPECT_TRUE(fits(profile.warnings[0].text, c.row)) << c.row;
    EXPECT_GE(profile.parts[0].totals[0], 2);
  }
}

TEST(VerdictsTest, WarningsNameTheFirstLineAndCount) {
  const Profile profile = parse_profile(kFn + "fn=(14)\n1 2\nfn=g\n1 1\nfn=(14)\n1 1\nhm\nhm\n", "p");
  ASSERT_EQ(profile.warnings.size(), 2u);
  EXPECT_EQ(profile.warnings[0].line, 4);
  EXPECT_EQ(profile.warnings[0].count, 2);
  EXPECT_EQ(profile.warnings[1].line, 10);
  EXPECT_EQ(profile.warnings[1].count, 2);
}

TEST(VerdictsTest, ManyUnnamedIdsDoNotFloodTheReport) {
  std::string text = kFn;
  for (int i = 1; i <= 5000; ++i) text += "fn=(" + std::to_string(i) + ")\n1 1\n";
  const Profile profile = parse_profile(text, "p");
  EXPECT_LE(profile.warnings.size(), 21u);
  EXPECT_EQ(profile.functions.size(), 5000u);
}

TEST(VerdictsTest, WhatIsSilent) {
  for (const std::string& text :
       {std::string("events: Ir\r\nfn=f\r\n1 2\r\n"),  // CRLF, no positions, no creator, no totals
        std::string("events: Ir\nfn=f\n1 2"),          // no LF at the end
        std::string("version: 0.9.6\nevents: Ir\nsummary: 9\nfn=f\n1 2\n"),  // summary unlike the sum, dotted version
        kFn + "cfn=g\ncalls=0 1\n1 2\n", kFn + "1 2\ntotals: 2\nevents: Ir\nfn=f\n1 2\ntotals: 2\n",
        kFn + "1 2\ntotals=2\n"}) {
    const Profile profile = parse_profile(text, "p");
    EXPECT_TRUE(profile.warnings.empty()) << text << profile.warnings[0].text;
  }
}

TEST(VerdictsTest, WrongTotalsCanBeAccepted) {
  ParseOptions options;
  options.accept_wrong_totals = true;
  const Profile profile = parse_profile(kFn + "1 2\ntotals: 3\n", "p", options);
  ASSERT_EQ(profile.warnings.size(), 1u);
  EXPECT_EQ(profile.warnings[0].text, "part 1, event Ir: self cost is 2, totals: says 3; file damaged or truncated");
  EXPECT_EQ(profile.parts[0].totals[0], 2);
}

}  // namespace
}  // namespace icount
