// A profile with all that it says inside one function, which has one loop.
#pragma once

#include <fmt/format.h>

#include <string>

#include "support/random_code.h"

namespace icount {

struct LoopCode {
  uint64_t address = 0x2000;
  int first_line = 5;
  int64_t entries = 10, turns = 100;
  bool has_another_block = false;  ///< behind the loop, which makes it other code
};

/// main calls f, which has a loop of three instructions that is tested at its top.
inline std::string loop_profile(const LoopCode& how) {
  const auto at = [&](int instruction) {
    return fmt::format("{:#x} {}", how.address + 4u * static_cast<unsigned>(instruction), how.first_line + instruction);
  };
  const int64_t heads = how.turns + how.entries;
  std::string text =
      "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\n\nob=prog\nfl=a.c\nfn=main\n0x100 1 5\n";
  const int64_t self = how.entries * 2 + heads + how.turns * 2 + (how.has_another_block ? how.entries : 0);
  text += fmt::format("cfn=f\ncalls={} {}\n0x100 1 {}\n\nfn=f\n", how.entries, at(0), self);
  text += fmt::format("{} {}\n{} {}\n", at(0), how.entries, at(1), heads);
  text += fmt::format("jcnd={}/{} {}\n{}\n", how.entries, heads, at(4), at(1));
  text += fmt::format("{} {}\n{} {}\njump={} {}\n{}\n", at(2), how.turns, at(3), how.turns, how.turns, at(1), at(3));
  text += fmt::format("{} {}\n", at(4), how.entries);
  if (how.has_another_block) text += fmt::format("{} {}\n", at(5), how.entries);
  return text + fmt::format("\ntotals: {}\n", self + 5);
}

}  // namespace icount
