#include "icount/inputs/compiler_records.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "icount/base/error.h"

namespace icount {
namespace {

std::string text_of(const CompilerRecords& records) {
  std::string text;
  for (const InlineRecord& one : records.inlining)
    text += fmt::format("{} > {}: {} {}\n", one.caller, one.callee, one.inlined ? "inlined" : "not", one.reason);
  for (const LoopRecord& one : records.loops) text += fmt::format("{}:{} {}\n", one.file, one.line, one.text);
  return text;
}

TEST(CompilerRecords, OfGccNameCallerAndCalleeInTheOrderOfTheirSentence) {
  CompilerRecords records;
  parse_gcc_records(R"([{"format":"1"},
    [{"id":"0x1","name":"einline"},{"id":"0x2","name":"*all_passes","children":[{"id":"0x3","name":"inline"},
     {"id":"0x4","name":"vect"},{"id":"0x5","name":"cunroll"}]}],
    [{"kind":"success","pass":"0x1","message":[" Inlining ",{"symtab_node":"int a::small(int)/7"}," into ",
       {"symtab_node":"T f(T) [with T = int]/8"},".\n"]},
     {"kind":"failure","pass":"0x1","message":["  will not early inline: ",{"symtab_node":"f/1"},"->",
       {"symtab_node":"g/2"},", call is cold\n"]},
     {"kind":"note","pass":"0x3","children":[{"kind":"failure","pass":"0x3","message":["  not inlinable: ",
       {"symtab_node":"int f(long)/1"}," -> ",{"symtab_node":"int big(long)/2"},
       ", --param max-inline-insns-auto limit reached\nUnit growth\n"]}]},
     {"kind":"success","pass":"0x4","location":{"file":"b.cc","line":3},
      "message":["loop vectorized using 16 byte vectors\n"]},
     {"kind":"failure","pass":"0x4","location":{"file":"b.cc","line":4},"message":["step unknown.\n"]},
     {"kind":"success","pass":"0x5","location":{"file":"b.cc","line":5},
      "message":["loop with 2 iterations completely unrolled (header execution count 64)\n"]}]])",
                    records);
  EXPECT_EQ(text_of(records),
            "f > small: inlined \n"
            "f > big: not --param max-inline-insns-auto limit reached\n"
            "b.cc:3 loop vectorized using 16 byte vectors\n"
            "b.cc:5 loop with 2 iterations completely unrolled\n");
  EXPECT_THROW(parse_gcc_records("{}", records), Error);
  EXPECT_THROW(parse_gcc_records("[1,2", records), Error);
}

TEST(CompilerRecords, OfClangHaveCostAndThreshold) {
  CompilerRecords records;
  parse_clang_records(
      R"(--- !Missed
Pass:            inline
Name:            TooCostly
DebugLoc:        { File: a.cc, Line: 5, Column: 12 }
Function:        _Z1fi
Args:
  - String:          ''''
  - Callee:          _Z3bigi
    DebugLoc:        { File: a.cc, Line: 1, Column: 0 }
  - String:          ''' not inlined into '''
  - Caller:          _Z1fi
    DebugLoc:        { File: a.cc,
                       Line: 4, Column: 0 }
  - String:          ''''
  - String:          ' because too costly to inline '
  - String:          '(cost='
  - Cost:            '565'
  - String:          ', threshold='
  - Threshold:       '562'
  - String:          ')'
...
--- !Passed
Pass:            loop-vectorize
Name:            Vectorized
DebugLoc:        { File: '/tree/it''s/b.cc',
                   Line: 2, Column: 24 }
Function:        _Z1fi
Args:
  - String:          'vectorized loop (vectorization width: '
  - VectorizationFactor: '4'
  - String:          ')'
...
--- !Passed
Pass:            inline
Name:            Inlined
Function:        _Z1gv
Args:
  - String:          ''''
  - Callee:          _ZN2ns4leafEv
  - String:          ''' inlined into '''
  - Caller:          _Z1gv
  - String:          ' with '
  - String:          '(cost='
  - Cost:            '-35'
  - String:          ', threshold='
  - Threshold:       '337'
  - String:          ')'
  - String:          ' at callsite '
  - String:          g
  - String:          ';'
...
)",
      records);
  EXPECT_EQ(text_of(records),
            "f > big: not too costly to inline (cost=565, threshold=562)\n"
            "g > leaf: inlined cost=-35, threshold=337\n"
            "/tree/it's/b.cc:2 vectorized loop (vectorization width: 4)\n");
}

}  // namespace
}  // namespace icount
